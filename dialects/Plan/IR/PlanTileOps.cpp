//===- PlanTileOps.cpp - Verifiers of the operations in a kernel's body -===//

#include "dialects/Plan/IR/Plan.h"

using namespace mlir;
using namespace pi::plan;

static ArrayRef<int64_t> shapeOf(Value v) { return cast<MemRefType>(v.getType()).getShape(); }

/// Elements of a vector [n] or row [1, n]; -1 for any other shape.
static int64_t rowLength(Value v) {
  ArrayRef<int64_t> shape = shapeOf(v);
  if (shape.size() == 1)
    return shape[0];
  return shape.size() == 2 && shape[0] == 1 ? shape[1] : -1;
}

/// Checks a scalar region: `numArgs` f32 arguments and a plan.yield at the end.
static LogicalResult verifyScalarRegion(Operation *op, Region &region, size_t numArgs) {
  Block &block = region.front();
  if (block.getNumArguments() != numArgs)
    return op->emitOpError() << "region takes " << numArgs << " f32 arguments, got "
                             << block.getNumArguments();
  for (Type type : block.getArgumentTypes())
    if (!type.isF32())
      return op->emitOpError("region takes f32 arguments, got ") << type;
  if (block.empty() || !isa<YieldOp>(block.back()))
    return op->emitOpError("region must end with plan.yield");
  return success();
}

static LogicalResult verifyTiling(Operation *op, int64_t first, int64_t perTile) {
  if (first < 0 || perTile < 1)
    return op->emitOpError() << "needs first >= 0 and per_tile >= 1, got " << first << " and "
                             << perTile;
  return success();
}

static LogicalResult verifyExtras(Operation *op, ValueRange extras, int64_t length) {
  for (Value extra : extras)
    if (rowLength(extra) != length)
      return op->emitOpError("extra ")
             << extra.getType() << " does not have " << length << " elements";
  return success();
}

LogicalResult EmbedOp::verify() {
  if (getPositions() && !getPosition())
    return emitOpError("positions need a position");
  int64_t features = rowLength(getOutput());
  if (features < 1)
    return emitOpError("output must be a row [1, features]");
  for (Value table : {Value(getTable()), Value(getPositions())})
    if (table && (shapeOf(table).size() != 2 || shapeOf(table)[1] != features))
      return emitOpError("table ") << table.getType() << " does not have rows of " << features;
  return success();
}

LogicalResult NormOp::verify() {
  if (getKind() == NormKind::Rms && getBias())
    return emitOpError("rms has no bias");
  int64_t length = rowLength(getInput());
  if (length < 0 || rowLength(getOutput()) != length || rowLength(getWeight()) != length ||
      (getBias() && rowLength(getBias()) != length))
    return emitOpError("input, weight, bias and output must be rows of one length");
  return success();
}

LogicalResult MatvecOp::verify() {
  ArrayRef<int64_t> weight = shapeOf(getWeight());
  if (weight.size() != 2 || rowLength(getInput()) != weight[1] ||
      rowLength(getOutput()) != weight[0])
    return emitOpError("weight must be [rows, in], input [1, in], output [1, rows]");
  if (failed(verifyTiling(*this, getFirst(), getPerTile())) ||
      failed(verifyExtras(*this, getExtras(), weight[0])))
    return failure();
  return verifyScalarRegion(*this, getEpilogue(), 1 + getExtras().size());
}

LogicalResult MapOp::verify() {
  if (rowLength(getOutput()) < 1)
    return emitOpError("output must be a row [1, n] or a vector");
  if (failed(verifyTiling(*this, 0, getPerTile())) ||
      failed(verifyExtras(*this, getInputs(), rowLength(getOutput()))))
    return failure();
  return verifyScalarRegion(*this, getBody(), getInputs().size());
}

LogicalResult RopeOp::verify() {
  int64_t dim = getDim(), features = rowLength(getRow());
  int64_t rotated = 2 * static_cast<int64_t>(getFrequencies().size());
  if (dim < 1 || features < 1 || features % dim != 0 || rotated == 0 || rotated > dim)
    return emitOpError() << "a row of " << features << " must split into heads of " << dim
                         << " with " << rotated << " rotated elements";
  return verifyTiling(*this, getFirst(), getPerTile());
}

LogicalResult AppendOp::verify() {
  ArrayRef<int64_t> cache = shapeOf(getCache());
  if (cache.size() != 3 || rowLength(getRow()) != cache[0] * cache[2])
    return emitOpError("cache must be [heads, capacity, dim], row [1, heads * dim]");
  return success();
}

LogicalResult AttendOp::verify() {
  ArrayRef<int64_t> keys = shapeOf(getKeys()), scores = shapeOf(getScores());
  if (keys.size() != 3 || llvm::any_of(keys, [](int64_t size) { return size < 1; }) ||
      getKeys().getType() != getValues().getType())
    return emitOpError("keys and values must be [kv heads, capacity, dim], of one type");
  int64_t features = rowLength(getQuery());
  if (features < 1 || features % (keys[0] * keys[2]) != 0 || rowLength(getOutput()) != features)
    return emitOpError("query and output must be [1, heads * dim], heads a multiple of kv heads");
  if (scores.size() != 2 || scores[0] != features / keys[2] || scores[1] != keys[1])
    return emitOpError("scores must be [heads, capacity]");
  return success();
}

/// Elements of a vector [n]; -1 for any other shape.
static int64_t vectorLength(Value v) {
  ArrayRef<int64_t> shape = shapeOf(v);
  return shape.size() == 1 ? shape[0] : -1;
}

/// Whether `weight` has columns [column, column + length).
static bool hasPart(Value weight, int64_t column, int64_t length) {
  ArrayRef<int64_t> shape = shapeOf(weight);
  return shape.size() == 2 && column >= 0 && length >= 1 && column <= shape[1] - length;
}

static LogicalResult verifyTrace(Operation *op, Value trace, int64_t first, int64_t rows) {
  if (first < 0)
    return op->emitOpError("trace begins before its first element");
  if (trace && vectorLength(trace) < first + rows)
    return op->emitOpError() << "trace must be a vector of at least " << first + rows << " neurons";
  return success();
}

LogicalResult SelectOp::verify() {
  int64_t length = rowLength(getInput());
  if (!hasPart(getWeight(), getColumn(), length))
    return emitOpError("weight must be [rows, columns] with ")
           << length << " columns from column " << getColumn();
  int64_t first = getFirstRow(), last = getLastRow(), rows = shapeOf(getWeight())[0];
  if (first < 0 || last <= first || last > rows)
    return emitOpError() << "rows (" << first << " to " << last << ") lie outside the " << rows
                         << " neurons";
  if (getBias() && rowLength(getBias()) != rows)
    return emitOpError() << "bias must have " << rows << " elements";
  if (failed(verifyTiling(*this, 0, getPerTile())))
    return failure();
  if (vectorLength(getIds()) != last - first || vectorLength(getActs()) != last - first)
    return emitOpError() << "ids and acts must be vectors of " << last - first << " neurons";
  int64_t tiles = llvm::divideCeil(last - first, getPerTile());
  if (vectorLength(getCounts()) != tiles)
    return emitOpError() << "counts must be a vector of " << tiles << " tiles";
  if (failed(verifyTrace(*this, getTrace(), getTraceFirst(), last)))
    return failure();
  return verifyScalarRegion(*this, getActivation(), 1);
}

/// Where the activations come from.
static LogicalResult verifySource(ApplyOp op) {
  if (bool(op.getActs()) == bool(op.getGate()))
    return op.emitOpError("takes either acts or gate");
  if (op.getBias() && !op.getGate())
    return op.emitOpError("bias goes with gate only");
  if ((op.getGate() || op.getUp()) && !op.getInput())
    return op.emitOpError("gate and up need an input");
  if (op.getActivation().empty() == bool(op.getGate()))
    return op.emitOpError("has a region where it has a gate, and only there");
  return op.getGate() ? verifyScalarRegion(op, op.getActivation(), 1) : success();
}

LogicalResult ApplyOp::verify() {
  if (failed(verifySource(*this)))
    return failure();
  int64_t neurons = vectorLength(getIds()), segments = vectorLength(getCounts());
  if (neurons < 1 || (getActs() && vectorLength(getActs()) != neurons))
    return emitOpError("ids and acts must be vectors of one length");
  if (getPerSegment() < 1 || segments != static_cast<int64_t>(llvm::divideCeil(
                                             neurons, std::max<int64_t>(getPerSegment(), 1))))
    return emitOpError("counts must have an element for each segment of ids");
  ArrayRef<int64_t> partial = shapeOf(getPartial());
  if (partial.size() != 2 || (getInput() && rowLength(getInput()) != partial[1]))
    return emitOpError("partial must be [tiles, in], input [1, in]");
  for (auto [part, column] : {std::pair<Value, int64_t>(getGate(), getGateColumn()),
                              {getUp(), getUpColumn()},
                              {getDown(), getDownColumn()}}) {
    if (part && !hasPart(part, column, partial[1]))
      return emitOpError("gate, up, down must be [rows, columns] with ")
             << partial[1] << " columns from column " << column;
    if (part && shapeOf(part)[0] != shapeOf(getDown())[0])
      return emitOpError("gate, up and down must have the same rows");
  }
  if (getBias() && rowLength(getBias()) != shapeOf(getDown())[0])
    return emitOpError() << "bias must have " << shapeOf(getDown())[0] << " elements";
  return verifyTrace(*this, getTrace(), getTraceFirst(), neurons);
}

LogicalResult ReduceOp::verify() {
  if (getPartials().empty())
    return emitOpError("needs a partial");
  int64_t length = rowLength(getOutput());
  for (Value partial : getPartials())
    if (shapeOf(partial).size() != 2 || shapeOf(partial)[1] != length)
      return emitOpError("partials must be [tiles, n], output [1, n]");
  if (failed(verifyTiling(*this, 0, getPerTile())) ||
      failed(verifyExtras(*this, getExtras(), length)))
    return failure();
  return verifyScalarRegion(*this, getEpilogue(), 1 + getExtras().size());
}
