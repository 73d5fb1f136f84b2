//===- FreezeShapes.cpp - Static shapes for one decode step -===//

#include "compiler/Transforms/Passes.h"

#include "compiler/Analysis/InputBinding.h"
#include "compiler/Analysis/ShapeValues.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "pi-onnx-freeze-shapes"

namespace pi {
#define GEN_PASS_DEF_FREEZESHAPES
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct FreezeShapes : pi::impl::FreezeShapesBase<FreezeShapes> {
  void runOnOperation() override;

private:
  LogicalResult evaluate(func::FuncOp function);
  void rewrite(Operation *op);
  Value identityOperand(Operation *op) const;
  Value aboveLowest(Operation *op) const;
  Value materialise(Operation *op, const ValueFacts &facts, OpBuilder &builder) const;
  bool isLeftover(Value v) const;
  LogicalResult checkLeftovers(func::FuncOp function) const;
  void setTypes(func::FuncOp function);

  ShapeValues values;
};

} // namespace

static bool isFloat(Value v) { return isa<FloatType>(getElementTypeOrSelf(v.getType())); }

/// Type of a value with known shape; activations become f32, dimensions that grow `?`.
static RankedTensorType frozenType(Value value, const ValueFacts &facts) {
  SmallVector<int64_t> dims;
  for (Affine d : facts.shape)
    dims.push_back(d.isConstant() ? d.base : ShapedType::kDynamic);
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<FloatType>(element) && !value.getDefiningOp<onnx::WeightOp>())
    element = Float32Type::get(value.getContext());
  return RankedTensorType::get(dims, element);
}

LogicalResult FreezeShapes::evaluate(func::FuncOp function) {
  if (failed(bindInputs(function, values)))
    return failure();
  unsigned errors = 0;
  for (Operation &op : function.getBody().front().without_terminator()) {
    // Values that depend on a failed one are not reported again.
    if (llvm::any_of(op.getOperands(), [&](Value v) { return !values.lookup(v); }))
      continue;
    std::string why;
    if (succeeded(values.visit(&op, why)))
      continue;
    if (++errors <= 20)
      op.emitOpError("shape cannot be determined for one token at a time: ") << why;
  }
  return success(errors == 0);
}

/// The operand that `op` passes on unchanged, or null.
Value FreezeShapes::identityOperand(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return {};
  const ValueFacts &result = *values.lookup(op->getResult(0));
  auto sameShape = [&](Value v) { return values.lookup(v)->shape == result.shape; };
  auto isConstant = [&](Value v, double wanted) {
    const auto *splat = values.lookup(v)->get<FloatSplat>();
    return splat && splat->value == wanted;
  };
  auto neutral = [&](double wanted, bool bothSides) -> Value {
    if (isConstant(op->getOperand(1), wanted) && sameShape(op->getOperand(0)))
      return op->getOperand(0);
    if (bothSides && isConstant(op->getOperand(0), wanted) && sameShape(op->getOperand(1)))
      return op->getOperand(1);
    return {};
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](onnx::IdentityOp i) { return i.getX(); })
      .Case([](onnx::CastOp c) {
        return isFloat(c.getInput()) && isFloat(c.getOutput()) ? c.getInput() : Value();
      })
      .Case<onnx::ReshapeOp, onnx::ExpandOp, onnx::SliceOp, onnx::UnsqueezeOp, onnx::SqueezeOp,
            onnx::FlattenOp>(
          [&](Operation *o) { return sameShape(o->getOperand(0)) ? o->getOperand(0) : Value(); })
      .Case([](onnx::ConcatOp c) { return c.getInputs().size() == 1 ? c.getInputs()[0] : Value(); })
      .Case([&](onnx::WhereOp w) {
        std::optional<Affine> chosen = values.lookup(w.getCondition())->getSplat();
        if (!chosen || !chosen->isConstant())
          return Value();
        Value side = chosen->base ? w.getX() : w.getY();
        return sameShape(side) ? side : Value();
      })
      .Case<onnx::AddOp>([&](Operation *) { return neutral(0, true); })
      .Case<onnx::SubOp>([&](Operation *) { return neutral(0, false); })
      .Case<onnx::MulOp>([&](Operation *) { return neutral(1, true); })
      .Case<onnx::DivOp>([&](Operation *) { return neutral(1, false); })
      .Case<onnx::MaxOp>([&](Operation *) { return aboveLowest(op); })
      .Default([](Operation *) { return Value(); });
}

/// The operand of a Max that lifts -inf to the lowest number of a float type, as masks
/// are lifted, and changes no number; or null.
Value FreezeShapes::aboveLowest(Operation *op) const {
  // The lowest finite numbers; an f32 edge may hold what f16 cannot.
  constexpr double kLowestF16 = -65504, kLowestBf16 = -3.3895313892515355e38;
  bool isF16 = getElementTypeOrSelf(op->getResult(0).getType()).isF16();
  double lowest = isF16 ? kLowestF16 : kLowestBf16;
  for (unsigned side : {0, 1}) {
    const auto *splat = values.lookup(op->getOperand(1 - side))->get<FloatSplat>();
    if (splat && splat->value <= lowest &&
        values.lookup(op->getOperand(side))->shape == values.lookup(op->getResult(0))->shape)
      return op->getOperand(side);
  }
  return {};
}

/// A constant for content that is known, or null where it is not (or not static).
Value FreezeShapes::materialise(Operation *op, const ValueFacts &facts, OpBuilder &builder) const {
  if (!facts.isStatic() || !facts.hasContent() || facts.numElements() > kMaxElements)
    return {};
  Value result = op->getResult(0);
  SmallVector<int64_t> dims;
  for (Affine d : facts.shape)
    dims.push_back(d.base);
  bool toFloat = isFloat(result);
  Location loc = op->getLoc();
  if (facts.get<FloatSplat>() || facts.get<FloatElements>()) {
    auto type = RankedTensorType::get(dims, builder.getF32Type());
    SmallVector<float> numbers;
    if (const auto *splat = facts.get<FloatSplat>())
      numbers.push_back(static_cast<float>(splat->value));
    else
      for (double v : facts.get<FloatElements>()->values)
        numbers.push_back(static_cast<float>(v));
    return onnx::ConstantOp::create(builder, loc,
                                    DenseElementsAttr::get(type, ArrayRef<float>(numbers)));
  }
  std::optional<SmallVector<Affine>> elements = facts.getElements();
  if (!elements)
    return {};
  auto i64 = RankedTensorType::get(dims, builder.getI64Type());
  SmallVector<int64_t> base, slope;
  for (Affine v : *elements) {
    base.push_back(v.base);
    slope.push_back(v.slope);
  }
  Value value;
  if (llvm::all_of(slope, [](int64_t s) { return s == 0; })) {
    if (getElementTypeOrSelf(result.getType()).isInteger(1)) {
      SmallVector<bool> bits(base.begin(), base.end());
      return onnx::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(RankedTensorType::get(dims, builder.getI1Type()), bits));
    }
    value = onnx::ConstantOp::create(builder, loc, DenseElementsAttr::get(i64, ArrayRef(base)));
  } else {
    value = onnx::AffineOp::create(builder, loc, i64, base, slope);
  }
  if (!toFloat)
    return value;
  return onnx::CastOp::create(builder, loc, RankedTensorType::get(dims, builder.getF32Type()),
                              value);
}

void FreezeShapes::rewrite(Operation *op) {
  if (isa<onnx::WeightOp>(op) || op->getNumResults() != 1)
    return;
  const ValueFacts facts = *values.lookup(op->getResult(0));
  OpBuilder builder(op);
  if (Value constant = materialise(op, facts, builder)) {
    // A cast from integers is known by what it casts.
    if (auto cast = constant.getDefiningOp<onnx::CastOp>())
      values.set(cast.getInput(), facts);
    values.set(constant, facts);
    op->getResult(0).replaceAllUsesWith(constant);
  } else if (Value same = identityOperand(op)) {
    op->getResult(0).replaceAllUsesWith(same);
  }
}

bool FreezeShapes::isLeftover(Value v) const {
  const ValueFacts &facts = *values.lookup(v);
  return !facts.isStatic() && facts.hasContent() && !v.use_empty();
}

/// What is known but grows with the past (masks, mostly) must have been folded away.
/// Reported where it meets what is not known.
LogicalResult FreezeShapes::checkLeftovers(func::FuncOp function) const {
  Value last;
  bool reported = false;
  auto report = [&](Value leftover, Operation *user) {
    InFlightDiagnostic diagnostic = emitError(leftover.getLoc());
    diagnostic << leftover.getDefiningOp()->getName().stripDialect()
               << " grows with the past, and is still used";
    diagnostic.attachNote(user->getLoc())
        << "used here; masks that look at a window and biases by position are not supported";
    reported = true;
  };
  for (Operation &op : function.getBody().front().without_terminator()) {
    for (Value result :
         llvm::make_filter_range(op.getResults(), [&](Value v) { return isLeftover(v); })) {
      last = result;
      for (Operation *user : result.getUsers())
        if (user->getNumResults() == 0 || !isLeftover(user->getResult(0))) {
          report(result, user);
          break;
        }
    }
  }
  if (last && !reported)
    report(last, *last.user_begin());
  return failure(reported);
}

void FreezeShapes::setTypes(func::FuncOp function) {
  Block &block = function.getBody().front();
  for (BlockArgument arg : block.getArguments())
    arg.setType(frozenType(arg, *values.lookup(arg)));
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      result.setType(frozenType(result, *values.lookup(result)));
  function.setType(FunctionType::get(function.getContext(), block.getArgumentTypes(),
                                     block.getTerminator()->getOperandTypes()));
}

/// Erases what nothing uses, from the end.
static void eraseDead(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty())
      op.erase();
}

void FreezeShapes::runOnOperation() {
  values = ShapeValues();
  if (isRaised(getOperation()))
    return;
  func::FuncOp function = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!function) {
    getOperation().emitError("has no function @main to freeze");
    return signalPassFailure();
  }
  if (failed(evaluate(function)))
    return signalPassFailure();
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front().without_terminator()))
    rewrite(&op);
  eraseDead(function);
  if (failed(checkLeftovers(function)))
    return signalPassFailure();
  // Constants keep the type they were made with; everything else gets its own.
  for (Operation &op : function.getBody().front().without_terminator())
    if (isa<onnx::ConstantOp, onnx::AffineOp>(op) && !values.lookup(op.getResult(0)))
      llvm_unreachable("constant without facts");
  setTypes(function);
}
