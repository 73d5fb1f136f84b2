//===- Attention.cpp - Rotation, caches and attention as dispatches -===//

#include "compiler/Conversion/NeuronToPlan/Lowering.h"

using namespace mlir;
using namespace pi;

void Lowering::makeCaches() {
  for (BlockArgument arg : decode.getArguments()) {
    auto type = dyn_cast<llm::KvCacheType>(arg.getType());
    if (!type)
      continue;
    int64_t shape[] = {type.getHeads(), type.getCapacity(), type.getDim()};
    Value keys = program.makeCache(arg.getLoc(), shape, type.getType());
    Value values = program.makeCache(arg.getLoc(), shape, type.getType());
    caches[arg] = {keys, values};
  }
}

//===----------------------------------------------------------------------===//
// Rotation
//===----------------------------------------------------------------------===//

/// A rotation whose only user is the attention or append that works head by head too.
bool Lowering::isLazy(llm::RopeOp op) {
  if (!op.getResult().hasOneUse())
    return false;
  Operation *user = *op.getResult().user_begin();
  int64_t heads = op.getHeads();
  if (auto attention = dyn_cast<llm::AttentionOp>(user))
    return attention.getHeads() == static_cast<uint64_t>(heads);
  auto append = dyn_cast<llm::KvAppendOp>(user);
  return append && append.getKey() == op.getResult() &&
         append.getCache().getType().getHeads() == heads;
}

/// Rotates in place where nobody else reads the row, else a copy. `tiles` divides the heads.
void Lowering::emitRope(KernelBuilder &kernel, llm::RopeOp op, int64_t tiles) {
  int64_t headsPerTile = op.getHeads() / tiles;
  int64_t dim = featuresOf(op.getInput()) / op.getHeads();
  Value row = rows.lookup(op.getInput());
  if (!op.getInput().hasOneUse()) {
    Value copy = program.makeRow(op.getLoc(), featuresOf(op.getInput()));
    emitMap(kernel, {row}, copy, headsPerTile * dim);
    row = copy;
  }
  plan::RopeOp::create(kernel.builder(), op.getLoc(), kernel.arg(row), kernel.position(), dim,
                       op.getFrequencies(), kernel.begin(), kernel.end(), /*first=*/0,
                       headsPerTile);
  rows[op.getResult()] = row;
}

void Lowering::lowerRope(llm::RopeOp op) {
  if (isLazy(op))
    return;
  KernelBuilder kernel(program, "rope", op.getLoc());
  emitRope(kernel, op, op.getHeads());
  kernel.dispatch(op.getHeads());
}

//===----------------------------------------------------------------------===//
// Caches and attention
//===----------------------------------------------------------------------===//

void Lowering::emitAppend(KernelBuilder &kernel, llm::KvAppendOp op) {
  if (auto rope = op.getKey().getDefiningOp<llm::RopeOp>(); rope && isLazy(rope))
    emitRope(kernel, rope, rope.getHeads());
  Cache cache = caches.lookup(op.getResult());
  for (auto [row, into] :
       {std::pair(op.getKey(), cache.keys), std::pair(op.getValue(), cache.values)})
    plan::AppendOp::create(kernel.builder(), op.getLoc(), kernel.arg(rows.lookup(row)),
                           kernel.position(), kernel.arg(into), kernel.begin(), kernel.end());
}

LogicalResult Lowering::lowerAppend(llm::KvAppendOp op) {
  // Caches are updated in place: an older state must not be needed any more.
  if (!isa<BlockArgument>(op.getCache()) || !op.getCache().hasOneUse())
    return op.emitOpError("cache must be an argument of the step that nothing else uses");
  caches[op.getResult()] = caches.lookup(op.getCache());
  if (llvm::any_of(op->getUsers(), llvm::IsaPred<llm::AttentionOp>)) {
    pendingAppends.insert(op);
    return success();
  }
  KernelBuilder kernel(program, "append", op.getLoc());
  emitAppend(kernel, op);
  kernel.dispatch(op.getCache().getType().getHeads());
  return success();
}

LogicalResult Lowering::lowerAttention(llm::AttentionOp op) {
  llm::KvCacheType type = op.getCache().getType();
  KernelBuilder kernel(program, "attend", op.getLoc());
  if (auto rope = op.getQuery().getDefiningOp<llm::RopeOp>(); rope && isLazy(rope))
    emitRope(kernel, rope, type.getHeads());
  auto append = op.getCache().getDefiningOp<llm::KvAppendOp>();
  if (append && pendingAppends.erase(append))
    emitAppend(kernel, append);

  Value &scratch = scores[{static_cast<int64_t>(op.getHeads()), type.getCapacity()}];
  if (!scratch)
    scratch = program.makeScratch(op.getLoc(), op.getHeads(), type.getCapacity());
  Value output = program.makeRow(op.getLoc(), featuresOf(op.getResult()));
  Cache cache = caches.lookup(op.getCache());
  plan::AttendOp::create(kernel.builder(), op.getLoc(), kernel.arg(rows.lookup(op.getQuery())),
                         kernel.arg(cache.keys), kernel.arg(cache.values), kernel.arg(output),
                         kernel.arg(scratch), kernel.position(), op.getScaleAttr(), kernel.begin(),
                         kernel.end());
  kernel.dispatch(type.getHeads());
  rows[op.getResult()] = output;
  return success();
}
