//===- OnnxImporterNodes.cpp - One operation per node -===//

#include "compiler/Import/Constants.h"
#include "compiler/Import/OnnxImporterImpl.h"
#include "dialects/Onnx/IR/Onnx.h"

using namespace mlir;
using namespace pi;
using namespace pi::onnxfile;

LogicalResult Importer::collectOperands(const Node &node, const OpRule &rule,
                                        SmallVectorImpl<Known> &operands) {
  for (std::string_view name : node.inputs) {
    if (name.empty()) {
      operands.push_back({});
      continue;
    }
    FailureOr<Known> known = lookup(node, name);
    if (failed(known))
      return failure();
    operands.push_back(*known);
  }
  while (!operands.empty() && !operands.back().value)
    operands.pop_back();
  if (operands.size() > rule.maxInputs)
    return emitError(locate(node)) << rule.onnx << " takes at most " << unsigned(rule.maxInputs)
                                   << " inputs, has " << operands.size();
  return success();
}

LogicalResult Importer::addAttribute(const Node &node, const AttrRule &rule,
                                     const NodeAttribute &attribute, NamedAttrList &attributes) {
  auto expect = [&](AttributeKind kind, StringRef what) -> LogicalResult {
    if (attribute.kind == kind)
      return success();
    return emitError(locate(node)) << "attribute '" << rule.name << "' must be " << what;
  };
  switch (rule.kind) {
  case AttrKind::Int:
    attributes.set(rule.name, builder.getI64IntegerAttr(attribute.i));
    return expect(AttributeKind::Int, "an integer");
  case AttrKind::Float:
    attributes.set(rule.name, builder.getF32FloatAttr(attribute.f));
    return expect(AttributeKind::Float, "a float");
  case AttrKind::String:
    attributes.set(rule.name, builder.getStringAttr(toRef(attribute.s)));
    return expect(AttributeKind::String, "a string");
  case AttrKind::Ints:
    attributes.set(rule.name, builder.getDenseI64ArrayAttr(attribute.ints));
    return expect(AttributeKind::Ints, "a list of integers");
  case AttrKind::MustBe:
    if (attribute.kind == AttributeKind::Int && attribute.i == rule.value)
      return success();
    return emitError(locate(node)) << "attribute '" << rule.name << "' of " << toRef(node.opType)
                                   << " is only supported with the value " << rule.value;
  case AttrKind::Operand:
  case AttrKind::Used:
    return success();
  }
  llvm_unreachable("unknown kind of attribute");
}

LogicalResult Importer::takeAttribute(const Node &node, const OpRule &rule,
                                      const NodeAttribute &attribute,
                                      SmallVectorImpl<Known> &operands, NamedAttrList &attributes) {
  const AttrRule *found = llvm::find_if(
      rule.attributes, [&](const AttrRule &a) { return a.name == toRef(attribute.name); });
  if (found == rule.attributes.end())
    return emitError(locate(node)) << "attribute '" << toRef(attribute.name) << "' of "
                                   << toRef(node.opType) << " is not supported";
  if (found->kind != AttrKind::Operand)
    return addAttribute(node, *found, attribute, attributes);

  size_t index = found->value;
  if (attribute.kind != AttributeKind::Ints)
    return emitError(locate(node))
           << "attribute '" << found->name << "' must be a list of integers";
  if (operands.size() <= index)
    operands.resize(index + 1);
  if (operands[index].value)
    return emitError(locate(node)) << "gives '" << found->name << "' as attribute and as input";
  operands[index] = addInts(locate(node), attribute.ints);
  return success();
}

/// Attributes that change nothing where they have the value that follows anyway.
LogicalResult Importer::checkUsedAttributes(const Node &node, ArrayRef<Known> operands) {
  if (const NodeAttribute *count = node.find("num_outputs"))
    if (count->i != static_cast<int64_t>(node.outputs.size()))
      return emitError(locate(node)) << "num_outputs is " << count->i << ", but the node has "
                                     << node.outputs.size() << " outputs";
  if (const NodeAttribute *noop = node.find("noop_with_empty_axes"); noop && noop->i != 0) {
    auto axes = operands.size() > 1 ? dyn_cast<RankedTensorType>(operands[1].value.getType())
                                    : RankedTensorType();
    if (!axes || axes.getNumElements() == 0)
      return emitError(locate(node)) << "noop_with_empty_axes without axes is not supported";
  }
  return success();
}

LogicalResult Importer::collectAttributes(const Node &node, const OpRule &rule,
                                          SmallVectorImpl<Known> &operands,
                                          NamedAttrList &attributes) {
  for (const NodeAttribute &attribute : node.attributes)
    if (failed(takeAttribute(node, rule, attribute, operands, attributes)))
      return failure();
  // Before opset 13 the axis that is not given was 1, not the last.
  if (rule.onnx == "Softmax" && model.opset() < 13 && !attributes.get("axis"))
    attributes.set("axis", builder.getI64IntegerAttr(1));
  if (rule.onnx == "Concat" && !attributes.get("axis"))
    return emitError(locate(node)) << "Concat needs attribute 'axis'";
  return checkUsedAttributes(node, operands);
}

FailureOr<Type> Importer::resultElement(const Node &node, const OpRule &rule,
                                        ArrayRef<Known> operands) {
  switch (rule.result) {
  case ResultElement::Operand0:
    return operands[0].element;
  case ResultElement::Operand1:
    return operands[1].element;
  case ResultElement::Bool:
    return Type(builder.getI1Type());
  case ResultElement::Int64:
    return Type(builder.getI64Type());
  case ResultElement::FromTo: {
    const NodeAttribute *to = node.find("to");
    if (!to || to->kind != AttributeKind::Int)
      return emitError(locate(node)) << "Cast needs attribute 'to'";
    int32_t dataType = to->i < 0 || to->i > INT32_MAX ? -1 : static_cast<int32_t>(to->i);
    if (Type element = elementType(context, dataType))
      return element;
    return emitError(locate(node)) << "Cast to " << dataTypeName(dataType) << " is not supported";
  }
  case ResultElement::Special:
    break;
  }
  llvm_unreachable("operator has a builder of its own");
}

LogicalResult Importer::addOperation(const Node &node, const OpRule &rule) {
  Location loc = locate(node);
  SmallVector<Known> operands;
  OperationState state(loc, ("onnx." + (rule.mlir.empty() ? rule.onnx : rule.mlir)).str());
  if (failed(collectOperands(node, rule, operands)) ||
      failed(collectAttributes(node, rule, operands, state.attributes)))
    return failure();
  if (operands.size() < rule.minInputs)
    return emitError(loc) << rule.onnx << " needs " << unsigned(rule.minInputs) << " inputs, has "
                          << operands.size();

  bool isSlice = rule.onnx == "Slice"; // the one operator that may leave out a middle input
  SmallVector<int32_t> segments;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    segments.push_back(operand.value ? 1 : 0);
    if (operand.value)
      state.operands.push_back(operand.value);
    else if (i < rule.minInputs || !isSlice)
      return emitError(loc) << "input " << i << " is missing";
  }
  if (isSlice) {
    segments.resize(rule.maxInputs, 0);
    state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  }

  FailureOr<Type> element = resultElement(node, rule, operands);
  if (failed(element))
    return failure();
  size_t numResults = rule.onnx == "Split" ? node.outputs.size() : 1;
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (i >= numResults && !node.outputs[i].empty())
      return emitError(loc) << "only the first output of " << rule.onnx << " is supported";
  if (node.outputs.empty())
    return emitError(loc) << "has no output";
  state.types.assign(numResults, UnrankedTensorType::get(*element));
  Operation *op = builder.create(state);
  for (auto [name, value] : llvm::zip(node.outputs, op->getResults()))
    if (failed(define(node, name, {value, *element})))
      return failure();
  return success();
}

LogicalResult Importer::addConstant(const Node &node) {
  Location loc = locate(node);
  if (node.attributes.size() != 1 || node.outputs.size() != 1)
    return emitError(loc) << "Constant needs one attribute and one output";
  const NodeAttribute &attribute = node.attributes.front();
  std::string_view output = node.outputs.front();
  if (attribute.kind == AttributeKind::Tensor) {
    const Tensor &tensor = attribute.tensor.front();
    FailureOr<Known> known =
        materialize(loc, tensor, rules.isWeight(tensor, output, /*isInitializer=*/false), output);
    return failed(known) ? failure() : define(node, output, *known);
  }

  DenseElementsAttr dense;
  auto shape = [&](size_t count) { return static_cast<int64_t>(count); };
  if (attribute.kind == AttributeKind::Int)
    dense = DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), attribute.i);
  else if (attribute.kind == AttributeKind::Float)
    dense = DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()), attribute.f);
  else if (attribute.kind == AttributeKind::Ints && attribute.ints.size() <= kMaxInlineElements)
    dense = DenseIntElementsAttr::get(
        RankedTensorType::get(shape(attribute.ints.size()), builder.getI64Type()), attribute.ints);
  else if (attribute.kind == AttributeKind::Floats && attribute.floats.size() <= kMaxInlineElements)
    dense = DenseFPElementsAttr::get(
        RankedTensorType::get(shape(attribute.floats.size()), builder.getF32Type()),
        attribute.floats);
  else
    return emitError(loc) << "attribute '" << toRef(attribute.name)
                          << "' of Constant is not supported";
  Value value = onnx::ConstantOp::create(builder, loc, dense);
  return define(node, output, {value, dense.getElementType()});
}

LogicalResult Importer::addConstantOfShape(const Node &node) {
  const OpRule &rule = *findOpRule("ConstantOfShape");
  Location loc = locate(node);
  SmallVector<Known> operands;
  NamedAttrList attributes;
  if (failed(collectOperands(node, rule, operands)) ||
      failed(collectAttributes(node, rule, operands, attributes)))
    return failure();
  if (operands.size() != 1 || node.outputs.size() != 1)
    return emitError(loc) << "ConstantOfShape needs one input and one output";
  DenseElementsAttr fill =
      DenseElementsAttr::get(RankedTensorType::get({1}, builder.getF32Type()), 0.0f);
  if (const NodeAttribute *value = node.find("value")) {
    if (value->kind != AttributeKind::Tensor || value->tensor.front().elements != 1)
      return emitError(loc) << "attribute 'value' must be a tensor of one element";
    FailureOr<DenseElementsAttr> dense = readDense(loc, model, value->tensor.front());
    if (failed(dense))
      return failure();
    fill = *dense;
  }
  Type element = fill.getElementType();
  Value value = onnx::ConstantOfShapeOp::create(builder, loc, UnrankedTensorType::get(element),
                                                operands[0].value, fill);
  return define(node, node.outputs.front(), {value, element});
}

LogicalResult Importer::addNode(const Node &node) {
  const OpRule *rule = findOpRule(toRef(node.opType));
  assert(rule && "operators were checked before");
  if (rule->onnx == "Constant")
    return addConstant(node);
  if (rule->onnx == "ConstantOfShape")
    return addConstantOfShape(node);
  return addOperation(node, *rule);
}
