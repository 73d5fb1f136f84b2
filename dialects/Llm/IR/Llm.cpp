//===- Llm.cpp - The llm dialect -===//

#include "dialects/Llm/IR/Llm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi::llm;

#include "dialects/Llm/IR/LlmEnums.cpp.inc"
#include "dialects/Llm/IR/LlmOpsDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Llm/IR/LlmOpsAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Llm/IR/LlmOpsTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Llm/IR/LlmOps.cpp.inc"

void LlmDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Llm/IR/LlmOpsAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Llm/IR/LlmOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Llm/IR/LlmOps.cpp.inc"
      >();
}

LogicalResult KvCacheType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t heads,
                                  int64_t dim, Type type, int64_t capacity) {
  if (heads < 1 || dim < 1 || capacity < 1)
    return emitError() << "heads, dim and capacity must be at least 1";
  if (!type.isF32() && !type.isF16())
    return emitError() << "element type must be f32 or f16, got " << type;
  return success();
}

/// Last dimension of a row type [1, features].
static int64_t featuresOf(Value row) {
  return cast<RankedTensorType>(row.getType()).getShape().back();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult NormOp::verify() {
  if (getKind() == NormKind::Rms && getBias())
    return emitOpError("rms has no bias");
  return success();
}

LogicalResult RopeOp::verify() {
  int64_t features = featuresOf(getInput()), heads = getHeads();
  if (heads < 1 || features % heads != 0)
    return emitOpError() << features << " features do not split into " << heads << " heads";
  int64_t rotated = 2 * static_cast<int64_t>(getFrequencies().size());
  if (rotated == 0 || rotated > features / heads)
    return emitOpError() << rotated << " rotated elements do not fit a head of "
                         << features / heads;
  return success();
}

LogicalResult KvAppendOp::verify() {
  KvCacheType cache = getCache().getType();
  int64_t expected = cache.getHeads() * cache.getDim();
  if (featuresOf(getKey()) != expected || featuresOf(getValue()) != expected)
    return emitOpError() << "key and value must have " << expected << " features";
  return success();
}

LogicalResult AttentionOp::verify() {
  KvCacheType cache = getCache().getType();
  int64_t heads = getHeads();
  if (heads < 1 || featuresOf(getQuery()) != heads * cache.getDim())
    return emitOpError() << "query must have heads * dim = " << heads * cache.getDim()
                         << " features, got " << featuresOf(getQuery());
  if (heads % cache.getHeads() != 0)
    return emitOpError() << heads << " heads are no multiple of the cache's " << cache.getHeads();
  return success();
}

LogicalResult FfnOp::verify() {
  if (getGate() && getUpBias())
    return emitOpError("up_bias goes without gate only");
  return success();
}

//===----------------------------------------------------------------------===//
// Symbol uses
//===----------------------------------------------------------------------===//

/// Checks that `name` is a pi.weight of `shape` (-1: any).
static LogicalResult checkWeight(Operation *op, SymbolTableCollection &symbols,
                                 FlatSymbolRefAttr name, StringRef what, ArrayRef<int64_t> shape) {
  if (!name)
    return success();
  auto weight = symbols.lookupNearestSymbolFrom<pi::WeightOp>(op, name);
  if (!weight)
    return op->emitOpError() << what << " names no pi.weight: " << name;
  ArrayRef<int64_t> actual = weight.getTensorType().getShape();
  bool same = actual.size() == shape.size();
  for (size_t i = 0; same && i < shape.size(); ++i)
    same = shape[i] < 0 || shape[i] == actual[i];
  if (!same)
    return op->emitOpError() << what << " has an unexpected shape: " << weight.getType();
  return success();
}

/// Checks that every id that `function` may produce, and every position that its caches
/// hold, has a row; -1 rows: there is no table.
static LogicalResult checkTableRows(EmbedOp op, FunctionOpInterface function, int64_t rows,
                                    int64_t positions) {
  for (auto logits : function.getFunctionBody().getOps<LogitsOp>())
    if (featuresOf(logits.getResult()) > rows)
      return op.emitOpError("table has ")
             << rows << " rows, too few for " << featuresOf(logits.getResult()) << " logits";
  for (Type type : function.getArgumentTypes())
    if (auto cache = dyn_cast<KvCacheType>(type);
        cache && positions >= 0 && cache.getCapacity() > positions)
      return op.emitOpError("positions has rows for ")
             << positions << " tokens, too few for a cache of " << cache.getCapacity();
  return success();
}

LogicalResult EmbedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t features = featuresOf(getResult()), offset = getOffset();
  if (failed(checkWeight(*this, symbols, getTableAttr(), "table", {-1, features})) ||
      failed(checkWeight(*this, symbols, getPositionsAttr(), "positions", {-1, features})))
    return failure();
  if (offset < 0)
    return emitOpError("offset must be at least 0");
  auto rowsOf = [&](FlatSymbolRefAttr name) {
    return symbols.lookupNearestSymbolFrom<WeightOp>(*this, name).getTensorType().getDimSize(0);
  };
  int64_t positions =
      getPositionsAttr() ? std::max<int64_t>(0, rowsOf(getPositionsAttr()) - offset) : -1;
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  return function ? checkTableRows(*this, function, rowsOf(getTableAttr()), positions) : success();
}

LogicalResult NormOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t features = featuresOf(getInput());
  if (failed(checkWeight(*this, symbols, getWeightAttr(), "weight", {features})))
    return failure();
  return checkWeight(*this, symbols, getBiasAttr(), "bias", {features});
}

LogicalResult LinearOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t in = featuresOf(getInput()), out = featuresOf(getResult());
  if (failed(checkWeight(*this, symbols, getWeightAttr(), "weight", {out, in})))
    return failure();
  return checkWeight(*this, symbols, getBiasAttr(), "bias", {out});
}

LogicalResult LogitsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t in = featuresOf(getInput()), out = featuresOf(getResult());
  if (failed(checkWeight(*this, symbols, getHeadAttr(), "head", {out, in})))
    return failure();
  return checkWeight(*this, symbols, getBiasAttr(), "bias", {out});
}

LogicalResult FfnOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t features = featuresOf(getInput());
  if (failed(checkWeight(*this, symbols, getUpAttr(), "up", {-1, features})))
    return failure();
  int64_t neurons = symbols.lookupNearestSymbolFrom<pi::WeightOp>(*this, getUpAttr())
                        .getTensorType()
                        .getDimSize(0);
  if (failed(checkWeight(*this, symbols, getGateAttr(), "gate", {neurons, features})) ||
      failed(checkWeight(*this, symbols, getDownAttr(), "down", {neurons, features})) ||
      failed(checkWeight(*this, symbols, getUpBiasAttr(), "up_bias", {neurons})))
    return failure();
  return checkWeight(*this, symbols, getDownBiasAttr(), "down_bias", {features});
}
