//===- Constants.cpp - Element types and small constants of the onnx dialect -===//

#include "compiler/Import/Constants.h"

#include "compiler/Import/TensorValues.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace pi;
using namespace pi::onnxfile;

Type pi::elementType(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  switch (dataType) {
  case kFloat:
    return builder.getF32Type();
  case kFloat16:
    return builder.getF16Type();
  case kBfloat16:
    return builder.getBF16Type();
  case kDouble:
    return builder.getF64Type();
  case kInt64:
    return builder.getI64Type();
  case kInt32:
    return builder.getI32Type();
  case kBool:
    return builder.getI1Type();
  default:
    return Type();
  }
}

bool pi::isWeightType(int32_t dataType) {
  return dataType == kFloat || dataType == kFloat16 || dataType == kBfloat16;
}

FailureOr<DenseElementsAttr> pi::readDense(Location loc, const Model &model, const Tensor &tensor) {
  Type element = elementType(loc.getContext(), tensor.dataType);
  if (!element)
    return emitError(loc) << "constant has elements of " << dataTypeName(tensor.dataType)
                          << ", which is not supported";
  auto type = RankedTensorType::get(tensor.dims, element);
  if (tensor.elements > kMaxInlineElements)
    return emitError(loc) << "constant has " << tensor.elements << " elements; at most "
                          << kMaxInlineElements
                          << " are supported where it is no vector or matrix of floats";
  std::string error;
  std::optional<std::vector<uint8_t>> values = readValues(model, tensor, error);
  if (!values)
    return emitError(loc) << "constant " << error;
  if (tensor.dataType == kBool) {
    SmallVector<bool> bits(llvm::map_range(*values, [](uint8_t v) { return v != 0; }));
    return DenseElementsAttr::get(type, bits);
  }
  if (values->empty()) // a raw buffer of no elements is not accepted
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(reinterpret_cast<const char *>(values->data()), values->size()));
}
