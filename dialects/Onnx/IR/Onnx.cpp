//===- Onnx.cpp - The onnx dialect -===//

#include "dialects/Onnx/IR/Onnx.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace pi::onnx;

#include "dialects/Onnx/IR/OnnxOpsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/IR/OnnxOps.cpp.inc"

void OnnxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/IR/OnnxOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult AffineOp::verify() {
  auto type = cast<RankedTensorType>(getOutput().getType());
  if (!type.getElementType().isSignlessInteger(64))
    return emitOpError("result must be a tensor of i64, got ") << type;
  if (static_cast<int64_t>(getBase().size()) != type.getNumElements() ||
      static_cast<int64_t>(getSlope().size()) != type.getNumElements())
    return emitOpError("base and slope must have ") << type.getNumElements() << " elements each";
  return success();
}

LogicalResult WeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto weight = symbols.lookupNearestSymbolFrom<pi::WeightOp>(*this, getWeightAttr());
  if (!weight)
    return emitOpError("names no pi.weight: ") << getWeightAttr();
  if (weight.getType() != getOutput().getType())
    return emitOpError("type ") << getOutput().getType() << " differs from the weight's "
                                << weight.getType();
  return success();
}
