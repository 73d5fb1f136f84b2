//===- OnnxImporter.cpp - Function, weights and names of an imported graph -===//

#include "compiler/Import/OnnxImporter.h"

#include "compiler/Import/Constants.h"
#include "compiler/Import/Locations.h"
#include "compiler/Import/OnnxImporterImpl.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"

#include <filesystem>

using namespace mlir;
using namespace pi;
using namespace pi::onnxfile;

//===----------------------------------------------------------------------===//
// Weights and constants
//===----------------------------------------------------------------------===//

LogicalResult Importer::indexInitializers() {
  for (const Tensor &tensor : model.graph.initializers) {
    Location loc = nodeLocation(context, model.path, toRef(tensor.name));
    if (tensor.name.empty())
      return emitError(loc) << "an initialiser has no name";
    if (!initializers.insert({toRef(tensor.name), &tensor}).second)
      return emitError(loc) << "two initialisers have this name";
  }
  return success();
}

static Encoding encodingOf(const Tensor &tensor) {
  switch (tensor.encoding) {
  case DataEncoding::FloatData:
    return Encoding::FloatData;
  case DataEncoding::Int32Data:
    return Encoding::Int32Data;
  default:
    return Encoding::Raw;
  }
}

Known Importer::addWeight(Location loc, const Tensor &tensor, std::string_view name) {
  Type stored = elementType(context, tensor.dataType);
  auto source = RankedTensorType::get(tensor.dims, stored);
  RankedTensorType type = source;
  if (tensor.dims.size() == 1)
    type = RankedTensorType::get(tensor.dims, builder.getF32Type());
  std::string symbol(name);
  for (unsigned i = 0; !symbols.insert(symbol).second; ++i)
    symbol = std::string(name) + "_" + std::to_string(i);
  StringRef file = tensor.externalPath.empty() ? sourcePath : StringRef(tensor.externalPath);
  auto sourceAttr = SourceAttr::get(context, builder.getStringAttr(file), tensor.data.offset,
                                    tensor.data.bytes, source, encodingOf(tensor));
  pi::WeightOp::create(weightBuilder, loc, symbol, type, sourceAttr, LayoutAttr(), StringAttr());
  Value value = onnx::WeightOp::create(builder, loc, type, symbol);
  return {value, stored};
}

FailureOr<Known> Importer::materialize(Location loc, const Tensor &tensor, bool isWeight,
                                       std::string_view name) {
  if (isWeight)
    return addWeight(loc, tensor, name);
  FailureOr<DenseElementsAttr> dense = readDense(loc, model, tensor);
  if (failed(dense))
    return failure();
  Value value = onnx::ConstantOp::create(builder, loc, *dense);
  return Known{value, dense->getElementType()};
}

Known Importer::addInts(Location loc, ArrayRef<int64_t> ints) {
  auto type = RankedTensorType::get(ints.size(), builder.getI64Type());
  Value value = onnx::ConstantOp::create(builder, loc, DenseIntElementsAttr::get(type, ints));
  return {value, builder.getI64Type()};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

LogicalResult Importer::define(const Node &node, std::string_view name, Known known) {
  if (name.empty())
    return success();
  if (initializers.contains(toRef(name)) || !values.insert({toRef(name), known}).second)
    return emitError(locate(node)) << "defines '" << toRef(name) << "' a second time";
  return success();
}

/// The value of an input; a weight or constant is made before its first use.
FailureOr<Known> Importer::lookup(const Node &node, std::string_view name) {
  auto found = values.find(toRef(name));
  if (found != values.end())
    return found->second;
  auto initializer = initializers.find(toRef(name));
  if (initializer == initializers.end())
    return emitError(locate(node))
           << "reads '" << toRef(name) << "', which nothing before it defines";
  const Tensor &tensor = *initializer->second;
  FailureOr<Known> known = materialize(nodeLocation(context, model.path, toRef(name)), tensor,
                                       rules.isWeight(tensor, name, /*isInitializer=*/true), name);
  if (succeeded(known))
    values.insert({toRef(name), *known});
  return known;
}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

/// Name and dimensions of an argument or result, e.g. {onnx.name = "input_ids",
/// onnx.dims = ["batch", "seq"]}.
DictionaryAttr Importer::describe(const ValueInfo &info) {
  NamedAttrList attributes;
  attributes.set("onnx.name", builder.getStringAttr(toRef(info.name)));
  if (info.hasShape) {
    SmallVector<Attribute> dims;
    for (const Dim &dim : info.dims)
      dims.push_back(builder.getStringAttr(dim.isFixed ? StringRef(std::to_string(dim.size))
                                                       : toRef(dim.param)));
    attributes.set("onnx.dims", builder.getArrayAttr(dims));
  }
  return attributes.getDictionary(context);
}

LogicalResult Importer::addArguments(func::FuncOp function) {
  SmallVector<DictionaryAttr> descriptions;
  Block *body = function.addEntryBlock();
  for (const ValueInfo &info : model.graph.inputs) {
    if (initializers.contains(toRef(info.name)))
      continue; // before IR version 4 initialisers were inputs too
    Location loc = nodeLocation(context, model.path, toRef(info.name));
    Type element = elementType(context, info.dataType);
    if (!element)
      return emitError(loc) << "graph input has elements of " << dataTypeName(info.dataType)
                            << ", which is not supported";
    SmallVector<int64_t> shape;
    for (const Dim &dim : info.dims)
      shape.push_back(dim.isFixed ? dim.size : ShapedType::kDynamic);
    Type type = info.hasShape ? Type(RankedTensorType::get(shape, element))
                              : Type(UnrankedTensorType::get(element));
    Value argument = body->addArgument(type, loc);
    if (info.name.empty() || !values.insert({toRef(info.name), {argument, element}}).second)
      return emitError(loc) << "two graph inputs have this name, or one has none";
    descriptions.push_back(describe(info));
  }
  function.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), {}));
  function.setAllArgAttrs(descriptions);
  builder.setInsertionPointToStart(body);
  return success();
}

LogicalResult Importer::addReturn(func::FuncOp function) {
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> descriptions;
  for (const ValueInfo &info : model.graph.outputs) {
    auto found = values.find(toRef(info.name));
    if (found == values.end())
      return emitError(nodeLocation(context, model.path, toRef(info.name)))
             << "graph output is computed by no node";
    results.push_back(found->second.value);
    descriptions.push_back(describe(info));
  }
  if (results.empty())
    return emitError(fileLocation(context, model.path)) << "the graph has no outputs";
  func::ReturnOp::create(builder, fileLocation(context, model.path), results);
  function.setFunctionType(
      builder.getFunctionType(function.getFunctionType().getInputs(), TypeRange(results)));
  function.setAllResultAttrs(descriptions);
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> Importer::run() {
  std::error_code ignored; // the file was just read
  sourcePath = std::filesystem::canonical(model.path, ignored).string();
  if (failed(indexInitializers()) || failed(checkOperators(context, model)))
    return failure();

  Location loc = fileLocation(context, model.path);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  auto function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  symbols.insert("main");
  weightBuilder.setInsertionPoint(function);
  if (failed(addArguments(function)))
    return failure();
  for (const Node &node : model.graph.nodes)
    if (failed(addNode(node)))
      return failure();
  if (failed(addReturn(function)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>> pi::buildOnnxModule(MLIRContext *context, const Model &model) {
  return Importer(context, model).run();
}
