//===- LowerApply.cpp - plan.apply to a loop over listed rows -===//
// Per tile: its entries are copied out of the segments into a list of the thread's own;
// then blocks of rows, each read part by part (gate, up, down) while what comes next is
// prefetched.

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

namespace {
/// Active rows added to the partial sum at once: its loads and stores are shared.
constexpr int64_t kBlockRows = 4;

/// Neurons in scratch of the thread: rows and activations.
struct List {
  Value ids; // index
  Row acts;  // f32
};

struct ApplyLowering {
  ApplyLowering(plan::ApplyOp op, VectorBuilder &b);

  Value countOf(Value segment);
  Value countAll();
  void lowerTile(Value tile, Value all);
  void copyEntries(Value first, Value last);
  void addListed(const Row &partial, Value count, Value known);
  void addPredicted(const Row &partial, Value count, Value known);
  Value testRows(Value k, int64_t rows, Value end);
  void addRows(const Row &partial, const List &from, Value k, ArrayRef<Row> next, int64_t rows);
  void accumulate(const Row &partial, ArrayRef<Row> down, ArrayRef<Value> scales,
                  ArrayRef<Row> next);

  SmallVector<Value> idsAt(Value ids, Value k, int64_t rows);
  SmallVector<Row> firstParts(Value k, int64_t rows, Value known);
  SmallVector<Row> partsOf(Value weight, int64_t column, ArrayRef<Value> ids);
  SmallVector<Row> gatesOf(ArrayRef<Value> ids) {
    return partsOf(op.getGate(), op.getGateColumn(), ids);
  }
  SmallVector<Row> upsOf(ArrayRef<Value> ids) { return partsOf(op.getUp(), op.getUpColumn(), ids); }
  SmallVector<Row> downsOf(ArrayRef<Value> ids) {
    return partsOf(op.getDown(), op.getDownColumn(), ids);
  }
  List makeList(int64_t capacity);

  plan::ApplyOp op;
  VectorBuilder &b;
  int64_t length; // features
  int64_t tiles;
  Row input;   // where there is a gate or up
  List listed; // the tile's entries, and some of those that follow
  List active; // of predicted lists: those that the gate left
};
} // namespace

List ApplyLowering::makeList(int64_t capacity) {
  return {b.scratch(MemRefType::get({capacity}, b.getIndexType())),
          {b.scratch(MemRefType::get({capacity}, b.getF32Type())), {}, {}}};
}

ApplyLowering::ApplyLowering(plan::ApplyOp op, VectorBuilder &b)
    : op(op), b(b), length(cast<MemRefType>(op.getPartial().getType()).getDimSize(1)),
      tiles(cast<MemRefType>(op.getPartial().getType()).getDimSize(0)) {
  int64_t neurons = cast<MemRefType>(op.getIds().getType()).getDimSize(0);
  int64_t capacity = llvm::divideCeil(neurons, tiles) + kBlockRows;
  if (op.getInput())
    input = b.row(op.getInput());
  listed = makeList(capacity);
  if (op.getGate())
    active = makeList(capacity);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

Value ApplyLowering::countOf(Value segment) {
  Value count = b.load({op.getCounts(), {}, {}}, segment, 1);
  Value number = arith::FPToUIOp::create(b, b.getI32Type(), count);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), number);
}

/// Entries of all segments.
Value ApplyLowering::countAll() {
  int64_t segments = cast<MemRefType>(op.getCounts().getType()).getDimSize(0);
  return b
      .loop(b.index(0), b.index(segments), 1, ValueRange{b.index(0)},
            [&](Value s, ValueRange carried) {
              return SmallVector<Value>{b.add(carried[0], countOf(s))};
            })
      .front();
}

/// Copies the entries [first, last) of the whole list, which lie in several segments, to
/// `listed`.
void ApplyLowering::copyEntries(Value first, Value last) {
  int64_t segments = cast<MemRefType>(op.getCounts().getType()).getDimSize(0);
  b.loop(b.index(0), b.index(segments), 1, ValueRange{b.index(0)},
         [&](Value s, ValueRange carried) {
           Value begin = carried[0], end = b.add(begin, countOf(s));
           Value shift = b.sub(b.mul(s, b.index(op.getPerSegment())), begin);
           Value from = b.createOrFold<arith::MaxSIOp>(begin, first);
           Value to = b.createOrFold<arith::MinSIOp>(end, last);
           b.loop(from, to, 1, [&](Value k) {
             Value source = b.add(k, shift), target = b.sub(k, first);
             Value id = memref::LoadOp::create(b, op.getIds(), source);
             memref::StoreOp::create(b, arith::IndexCastUIOp::create(b, b.getIndexType(), id),
                                     listed.ids, target);
             if (op.getActs())
               b.store(b.load({op.getActs(), {}, {}}, source, 1), listed.acts, target);
           });
           return SmallVector<Value>{end};
         });
}

SmallVector<Value> ApplyLowering::idsAt(Value ids, Value k, int64_t rows) {
  SmallVector<Value> result;
  for (int64_t i = 0; i < rows; ++i)
    result.push_back(memref::LoadOp::create(b, ids, b.add(k, b.index(i))));
  return result;
}

SmallVector<Row> ApplyLowering::partsOf(Value weight, int64_t column, ArrayRef<Value> ids) {
  return llvm::map_to_vector(
      ids, [&](Value id) { return Row{weight, {id}, column == 0 ? Value() : b.index(column)}; });
}

/// What is read first of the entries k, k + 1, ... of `listed`, which has `known` >= 1.
SmallVector<Row> ApplyLowering::firstParts(Value k, int64_t rows, Value known) {
  SmallVector<Value> ids;
  Value last = b.sub(known, b.index(1));
  for (int64_t i = 0; i < rows; ++i) {
    Value at = b.createOrFold<arith::MinSIOp>(b.add(k, b.index(i)), last);
    ids.push_back(memref::LoadOp::create(b, listed.ids, at));
  }
  return op.getGate() ? gatesOf(ids) : op.getUp() ? upsOf(ids) : downsOf(ids);
}

//===----------------------------------------------------------------------===//
// The rows
//===----------------------------------------------------------------------===//

/// partial += scales[0] * down[0], then scales[1] * down[1], ... per feature.
void ApplyLowering::accumulate(const Row &partial, ArrayRef<Row> down, ArrayRef<Value> scales,
                               ArrayRef<Row> next) {
  ReadAhead ahead(b, down, next, length);
  auto addColumns = [&](Value j, int64_t n) {
    Value sum = b.load(partial, j, n);
    for (auto [scale, row] : llvm::zip(scales, down))
      sum = b.fma(b.splat(scale, n), b.load(row, j, n), sum);
    b.store(sum, partial, j);
  };
  auto rounds = [&](int64_t from, int64_t to, bool behindCut) {
    b.loop(b.index(from), b.index(to), ahead.getRound(), [&](Value j) {
      ahead.prefetch(j, behindCut);
      for (int64_t part = 0; part < VectorBuilder::kParts; ++part)
        addColumns(b.add(j, b.index(part * b.getLanes())), b.getLanes());
    });
  };
  int64_t roundsEnd = length - length % ahead.getRound();
  rounds(0, ahead.getCut(), false);
  rounds(ahead.getCut(), roundsEnd, true);
  b.forChunks(b.index(roundsEnd), b.index(length), addColumns);
}

/// Adds entries [k, k + rows) of `from`. `next`: what is read after them.
void ApplyLowering::addRows(const Row &partial, const List &from, Value k, ArrayRef<Row> next,
                            int64_t rows) {
  SmallVector<Value> ids = idsAt(from.ids, k, rows), scales;
  SmallVector<Row> down = downsOf(ids);
  for (int64_t i = 0; i < rows; ++i)
    scales.push_back(b.load(from.acts, b.add(k, b.index(i)), 1));
  if (op.getUp()) {
    SmallVector<Row> up = upsOf(ids);
    for (int64_t i = 0; i < rows; i += kDotRows) {
      int64_t n = std::min(kDotRows, rows - i);
      auto sums = dotRows(b, ArrayRef(up).slice(i, n), input, length, ArrayRef(down).slice(i, n));
      for (int64_t r = 0; r < n; ++r)
        scales[i + r] = b.mul(scales[i + r], sums[r]);
    }
  }
  if (op.getTrace())
    for (auto [id, scale] : llvm::zip(ids, scales))
      b.store(math::AbsFOp::create(b, scale), {op.getTrace(), {}, b.index(op.getTraceFirst())}, id);
  accumulate(partial, down, scales, next);
}

/// Entries [0, count) of `listed`, which has `known` >= count.
void ApplyLowering::addListed(const Row &partial, Value count, Value known) {
  b.forRowBlocks(b.index(0), count, kBlockRows, [&](Value k, int64_t rows) {
    addRows(partial, listed, k, firstParts(b.add(k, b.index(rows)), rows, known), rows);
  });
}

/// Appends those of entries [k, k + rows) of `listed` to `active` whose activation is not
/// 0, at `end`; returns the new end.
Value ApplyLowering::testRows(Value k, int64_t rows, Value end) {
  for (int64_t i = 0; i < rows; i += kDotRows) {
    SmallVector<Value> ids = idsAt(listed.ids, b.add(k, b.index(i)), std::min(kDotRows, rows - i));
    SmallVector<Row> next = op.getUp() ? upsOf(ids) : downsOf(ids);
    for (auto [id, sum] : llvm::zip(ids, dotRows(b, gatesOf(ids), input, length, next))) {
      Value pre = op.getBias() ? b.add(sum, b.load(b.row(op.getBias()), id, 1)) : sum;
      Value a = applyRegion(b, op.getActivation(), pre);
      memref::StoreOp::create(b, id, active.ids, end);
      b.store(a, active.acts, end);
      Value zero = b.constant(b.getF32Type(), 0.0);
      Value isActive = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, a, zero); // NaN too
      end = b.add(end, arith::IndexCastUIOp::create(b, b.getIndexType(), isActive));
    }
  }
  return end;
}

/// The same for predicted lists: blocks are tested; as soon as there is a block of active
/// rows it is added.
void ApplyLowering::addPredicted(const Row &partial, Value count, Value known) {
  Value zero = b.index(0), blocksEnd = b.floorEnd(zero, count, kBlockRows);
  auto block = [&](Value k, ValueRange carried) {
    Value done = carried[0], end = testRows(k, kBlockRows, carried[1]);
    Value full = b.add(done, b.index(kBlockRows));
    Value isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, full, end);
    auto branch = scf::IfOp::create(b, isFull, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      SmallVector<Row> next = firstParts(b.add(k, b.index(kBlockRows)), kBlockRows, known);
      addRows(partial, active, done, next, kBlockRows);
    }
    return SmallVector<Value>{b.createOrFold<arith::SelectOp>(isFull, full, done), end};
  };
  SmallVector<Value> state = b.loop(zero, blocksEnd, kBlockRows, {zero, zero}, block);
  Value end = b.loop(blocksEnd, count, 1, ValueRange{state[1]}, [&](Value k, ValueRange carried) {
                 return SmallVector<Value>{testRows(k, 1, carried[0])};
               }).front();
  b.loop(state[0], end, 1,
         [&](Value k) { addRows(partial, active, k, firstParts(count, 1, known), 1); });
}

void ApplyLowering::lowerTile(Value tile, Value all) {
  auto entry = [&](Value t) -> Value {
    return arith::DivUIOp::create(b, b.mul(all, t), b.index(tiles));
  };
  Value first = entry(tile), last = entry(b.add(tile, b.index(1)));
  Value seen = b.createOrFold<arith::MinSIOp>(b.add(last, b.index(kBlockRows)), all);
  copyEntries(first, seen);
  Row partial{op.getPartial(), {tile}, {}};
  b.forChunks(b.index(0), b.index(length),
              [&](Value j, int64_t n) { b.store(b.constant(b.getF32(n), 0.0), partial, j); });
  Value count = b.sub(last, first), known = b.sub(seen, first);
  op.getGate() ? addPredicted(partial, count, known) : addListed(partial, count, known);
}

void pi::cpu::lowerApply(plan::ApplyOp op, VectorBuilder &b) {
  ApplyLowering lowering(op, b);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, 1, lowering.tiles);
  Value all = lowering.countAll();
  b.loop(range.begin, range.end, 1, [&](Value tile) { lowering.lowerTile(tile, all); });
}
