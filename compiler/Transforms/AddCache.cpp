//===- AddCache.cpp - Give a graph without past inputs a KV cache -===//

#include "compiler/Transforms/Passes.h"

#include "compiler/Analysis/InputBinding.h"
#include "compiler/Analysis/ShapeValues.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "pi-onnx-add-cache"

namespace pi {
#define GEN_PASS_DEF_ADDCACHE
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {
struct AddCache : pi::impl::AddCacheBase<AddCache> {
  void runOnOperation() override;

private:
  LogicalResult checkMasks(func::FuncOp function, const ShapeValues &whole);
  void replacePositions(func::FuncOp function, const ShapeValues &whole);
  LogicalResult addCaches(func::FuncOp function);
  Value addPast(func::FuncOp function, Value current, StringRef name);
};
} // namespace

/// Facts of all values that can be evaluated; the rest is left out.
static ShapeValues evaluate(func::FuncOp function, Step step) {
  ShapeValues values;
  if (failed(bindInputs(function, values, step)))
    return values;
  std::string why;
  for (Operation &op : function.getBody().front().without_terminator())
    if (llvm::all_of(op.getOperands(), [&](Value v) { return values.lookup(v); }))
      (void)values.visit(&op, why);
  return values;
}

/// Comparisons of positions with positions must come out alike for everything the last
/// token may see: then the token at hand sees all of the past, as with a causal mask.
LogicalResult AddCache::checkMasks(func::FuncOp function, const ShapeValues &whole) {
  for (Operation &op : function.getBody().front().without_terminator()) {
    std::optional<BinaryKind> kind = binaryKind(&op);
    const ValueFacts *result = op.getNumResults() == 1 ? whole.lookup(op.getResult(0)) : nullptr;
    if (!kind || *kind < BinaryKind::Equal || !result || result->hasContent() ||
        result->shape.size() < 2)
      continue;
    const auto *rows = result->shape.end() - 2;
    if (rows[0] != Affine{1, 1} || rows[1] != Affine{1, 1})
      continue;
    if (decideLastRow(*kind, *whole.lookup(op.getOperand(0)), *whole.lookup(op.getOperand(1))))
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError("compares positions such that the last token does not see the whole past");
    diagnostic.attachNote()
        << "masks other than the causal one (sliding windows) are not supported";
    return diagnostic;
  }
  return success();
}

/// Ranges over the whole sequence count positions, and so do sums of the mask along it:
/// the token at hand is at position P.
void AddCache::replacePositions(func::FuncOp function, const ShapeValues &whole) {
  for (Operation &op :
       llvm::make_early_inc_range(function.getBody().front().without_terminator())) {
    if (!isa<onnx::RangeOp, onnx::CumSumOp>(op))
      continue;
    const ValueFacts *facts = whole.lookup(op.getResult(0));
    const auto *linear = facts ? facts->get<LinearContent>() : nullptr;
    if (!linear || facts->shape.empty() || facts->shape.back() != Affine{1, 1} ||
        linear->coefs.back() != 1)
      continue;
    OpBuilder builder(&op);
    SmallVector<int64_t> dims(facts->shape.size(), 1);
    Affine last = linear->value + Affine{0, 1}; // at index P
    Value position = onnx::AffineOp::create(
        builder, op.getLoc(), RankedTensorType::get(dims, builder.getI64Type()),
        ArrayRef<int64_t>{last.base}, ArrayRef<int64_t>{last.slope});
    op.getResult(0).replaceAllUsesWith(position);
    op.erase();
  }
}

/// past ++ `current` [1, heads, 1, dim] along the sequence, with a new input for the past.
Value AddCache::addPast(func::FuncOp function, Value current, StringRef name) {
  auto type = cast<RankedTensorType>(current.getType());
  Builder attributes(&getContext());
  SmallVector<int64_t> dims(type.getShape());
  dims[2] = ShapedType::kDynamic;
  auto pastType = RankedTensorType::get(dims, type.getElementType());
  NamedAttribute named(attributes.getStringAttr("onnx.name"), attributes.getStringAttr(name));
  unsigned index = function.getNumArguments();
  if (failed(function.insertArgument(index, pastType, attributes.getDictionaryAttr(named),
                                     current.getLoc())))
    llvm_unreachable("a function takes any number of arguments");
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(current);
  return onnx::ConcatOp::create(builder, current.getLoc(),
                                UnrankedTensorType::get(type.getElementType()),
                                ValueRange{function.getArgument(index), current}, 2);
}

/// The operation behind `v` once elementwise operations with one data operand are passed.
template <typename OpT> static OpT findBehind(Value v) {
  for (int depth = 0; depth < 16; ++depth) {
    Operation *op = v.getDefiningOp();
    if (!op || isa<OpT>(op))
      return dyn_cast_if_present<OpT>(op);
    if (auto where = dyn_cast<onnx::WhereOp>(op))
      v = where.getX().getDefiningOp<onnx::ConstantOp>() ? where.getY() : where.getX();
    else if (op->getNumOperands() > 0)
      v = op->getOperand(0);
    else
      return {};
  }
  return {};
}

LogicalResult AddCache::addCaches(func::FuncOp function) {
  ShapeValues values = evaluate(function, Step::FirstToken);
  auto ranked = [&](Value v) { // [1, heads, 1, dim] of v, or none
    const ValueFacts *facts = values.lookup(v);
    SmallVector<int64_t> dims;
    if (facts && facts->shape.size() == 4 && facts->isStatic())
      for (Affine d : facts->shape)
        dims.push_back(d.base);
    return dims;
  };
  int64_t layer = 0;
  SmallVector<onnx::MatMulOp> products(function.getBody().front().getOps<onnx::MatMulOp>());
  for (onnx::MatMulOp weighted : products) {
    auto softmax = findBehind<onnx::SoftmaxOp>(weighted.getA());
    auto scores = softmax ? findBehind<onnx::MatMulOp>(softmax.getInput()) : onnx::MatMulOp();
    SmallVector<int64_t> v = ranked(weighted.getB());
    SmallVector<int64_t> k = scores ? ranked(scores.getB()) : SmallVector<int64_t>();
    if (!scores || v.size() != 4 || k.size() != 4 || v[2] != 1 || k[3] != 1)
      continue;
    Type element = getElementTypeOrSelf(weighted.getB().getType());
    std::string prefix = "past_" + std::to_string(layer++);
    OpBuilder builder(scores);
    // Keys come as [1, heads, dim, 1]: turned for the cache, and back.
    Location loc = scores.getLoc();
    auto perm = builder.getDenseI64ArrayAttr({0, 1, 3, 2});
    Value keys = onnx::TransposeOp::create(
        builder, loc, RankedTensorType::get({1, k[1], 1, k[2]}, element), scores.getB(), perm);
    Value allKeys = addPast(function, keys, prefix + "_k");
    builder.setInsertionPoint(scores);
    Value turned =
        onnx::TransposeOp::create(builder, loc, UnrankedTensorType::get(element), allKeys, perm);
    scores.getBMutable().assign(turned);
    Value current = weighted.getB();
    current.setType(RankedTensorType::get(v, element));
    Value allValues = addPast(function, current, prefix + "_v");
    weighted.getBMutable().assign(allValues);
  }
  if (layer > 0)
    return success();
  InFlightDiagnostic diagnostic = emitError(function.getLoc())
                                  << "the graph has no past inputs (no KV cache), and no "
                                     "attention that one could be added to was found";
  diagnostic.attachNote() << "export it with past keys and values, e.g. as "
                             "text-generation-with-past";
  return diagnostic;
}

void AddCache::runOnOperation() {
  auto function = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!function || hasPastInputs(function))
    return;
  ShapeValues whole = evaluate(function, Step::WholeSequence);
  if (failed(checkMasks(function, whole)))
    return signalPassFailure();
  replacePositions(function, whole);
  if (failed(addCaches(function)))
    return signalPassFailure();
  // A position that is a result has become static.
  function.setFunctionType(
      FunctionType::get(&getContext(), function.getArgumentTypes(),
                        function.getBody().front().getTerminator()->getOperandTypes()));
}
