//===- InputBinding.cpp - What each input of a decoder graph is -===//
// Roles by type first (a float tensor of rank 4 is a past cache), then by the names
// exporters use.

#include "compiler/Analysis/InputBinding.h"

#include "dialects/Pi/IR/Pi.h"

using namespace mlir;
using namespace pi;

static StringRef nameOf(func::FuncOp function, unsigned arg) {
  auto name = function.getArgAttrOfType<StringAttr>(arg, "onnx.name");
  return name ? name.getValue() : StringRef();
}

/// A fixed number where a dimension must be free to be `wanted`.
static LogicalResult checkFree(func::FuncOp function, unsigned arg, int64_t dim, int64_t given,
                               StringRef what, std::optional<int64_t> wanted) {
  if (ShapedType::isDynamic(given) || (wanted && given == *wanted))
    return success();
  InFlightDiagnostic diagnostic = emitError(function.getArgument(arg).getLoc())
                                  << what << " is fixed at " << given << " in this file (input '"
                                  << nameOf(function, arg) << "', dimension " << dim << ")";
  diagnostic.attachNote() << "export with dynamic axes for batch, sequence and past length";
  return diagnostic;
}

static LogicalResult bindPast(func::FuncOp function, unsigned arg, RankedTensorType type,
                              ShapeValues &values) {
  ArrayRef<int64_t> dims = type.getShape();
  if (failed(checkFree(function, arg, 0, dims[0], "the batch", 1)) ||
      failed(checkFree(function, arg, 2, dims[2], "the past length", std::nullopt)))
    return failure();
  if (dims[1] < 1 || dims[3] < 1) // dynamic ones are negative
    return emitError(function.getArgument(arg).getLoc())
           << "heads and head_dim of past input '" << nameOf(function, arg)
           << "' must be fixed numbers of at least 1";
  // Far above any model; elements of the cache are traced one by one.
  constexpr int64_t kMaxFeatures = 1 << 18;
  if (dims[1] > kMaxFeatures || dims[3] > kMaxFeatures || dims[1] * dims[3] > kMaxFeatures)
    return emitError(function.getArgument(arg).getLoc())
           << "heads times head_dim of past input '" << nameOf(function, arg)
           << "' must be at most " << kMaxFeatures;
  values.set(function.getArgument(arg), {{{1, 0}, {dims[1], 0}, {0, 1}, {dims[3], 0}}, {}});
  return success();
}

/// An integer input of rank 1 or 2: ids, mask or positions.
static LogicalResult bindInteger(func::FuncOp function, unsigned arg, RankedTensorType type,
                                 ShapeValues &values, Step step) {
  StringRef name = nameOf(function, arg);
  Location loc = function.getArgument(arg).getLoc();
  bool isMask = name.contains("attention_mask");
  bool isPosition = name.contains("position");
  bool isIds = name.contains("input_ids") || name == "tokens" || name == "input";
  if (!isMask && !isPosition && !isIds) {
    InFlightDiagnostic diagnostic = emitError(loc) << "input '" << name << "' has no known role";
    diagnostic.attachNote() << "known are input_ids, attention_mask, position_ids, "
                               "cache_position and past keys and values";
    return diagnostic;
  }
  int64_t rank = type.getRank();
  if (rank < 1 || rank > 2)
    return emitError(loc) << "input '" << name << "' must have rank 1 or 2";
  AffineShape shape(rank, Affine{1, 0});
  if (step == Step::WholeSequence || (isMask && step == Step::OneToken))
    shape.back() = {1, 1};
  if (rank == 2 && failed(checkFree(function, arg, 0, type.getDimSize(0), "the batch", 1)))
    return failure();
  if (failed(checkFree(function, arg, rank - 1, type.getDimSize(rank - 1), "the sequence length",
                       isMask ? std::nullopt : std::optional<int64_t>(1))))
    return failure();
  ValueFacts facts{shape, {}};
  SmallVector<int64_t, 4> zero(rank, 0);
  if (isMask)
    facts.content = LinearContent{{1, 0}, zero};
  else if (isPosition && step != Step::WholeSequence)
    facts.content = LinearContent{{0, 1}, zero};
  values.set(function.getArgument(arg), facts);
  return success();
}

bool pi::hasPastInputs(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 4 && isa<FloatType>(tensor.getElementType());
  });
}

LogicalResult pi::bindInputs(func::FuncOp function, ShapeValues &values, Step step) {
  bool sawPast = false;
  for (unsigned arg = 0; arg < function.getNumArguments(); ++arg) {
    auto type = dyn_cast<RankedTensorType>(function.getArgument(arg).getType());
    Location loc = function.getArgument(arg).getLoc();
    if (!type)
      return emitError(loc) << "input '" << nameOf(function, arg) << "' has no known rank";
    bool isFloat = isa<FloatType>(type.getElementType());
    if (isFloat && type.getRank() == 4) {
      if (failed(bindPast(function, arg, type, values)))
        return failure();
      sawPast = true;
    } else if (type.getElementType().isIntOrIndex()) {
      if (failed(bindInteger(function, arg, type, values, step)))
        return failure();
    } else {
      return emitError(loc) << "input '" << nameOf(function, arg) << "' of type " << type
                            << " has no known role";
    }
  }
  if (sawPast || step != Step::OneToken)
    return success();
  InFlightDiagnostic diagnostic = emitError(function.getLoc())
                                  << "the graph has no past inputs (no KV cache)";
  diagnostic.attachNote() << "export it with past keys and values, e.g. as "
                             "text-generation-with-past";
  return diagnostic;
}

bool pi::isRaised(ModuleOp module) {
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  return model && !model.getFamily().empty() && module.lookupSymbol<func::FuncOp>("decode");
}
