//===- OnnxReader.cpp - ONNX file -> plain structs: model, graph, nodes -===//

#include "compiler/Import/OnnxReader.h"

#include "compiler/Import/OnnxReaderImpl.h"

#include <algorithm>
#include <cstring>

using namespace pi::onnxfile;

int64_t Model::opset() const {
  for (const OpsetImport &o : opsets)
    if (o.domain.empty() || o.domain == "ai.onnx")
      return o.version;
  return 0;
}

bool OnnxReader::text(const WireField &field, std::string_view &value) {
  if (!isLen(field))
    return false;
  value = textOf(file, field.range);
  return true;
}

bool OnnxReader::readInts(const WireField &field, std::vector<int64_t> &values) {
  if (field.type == WireType::Varint) {
    values.push_back(static_cast<int64_t>(field.value));
    return charge(sizeof(int64_t));
  }
  if (!isLen(field) || !charge(field.range.bytes * sizeof(int64_t)))
    return false;
  WireReader reader(file, field.range);
  for (uint64_t value; reader.nextVarint(value);)
    values.push_back(static_cast<int64_t>(value));
  return done(reader);
}

float pi::onnxfile::floatOf(uint64_t bits) {
  uint32_t low = static_cast<uint32_t>(bits);
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

bool OnnxReader::readFloats(const WireField &field, std::vector<float> &values) {
  if (field.type == WireType::Fixed32) {
    values.push_back(floatOf(field.value));
    return charge(sizeof(float));
  }
  if (!isLen(field) || !charge(field.range.bytes))
    return false;
  WireReader reader(file, field.range);
  for (uint64_t value; reader.nextFixed(4, value);)
    values.push_back(floatOf(value));
  return done(reader);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The kind a type field of AttributeProto names.
static AttributeKind kindOf(uint64_t type) {
  switch (type) {
  case 0:
    return AttributeKind::None;
  case 1:
    return AttributeKind::Float;
  case 2:
    return AttributeKind::Int;
  case 3:
    return AttributeKind::String;
  case 4:
    return AttributeKind::Tensor;
  case 5:
  case 10:
    return AttributeKind::Graph;
  case 6:
    return AttributeKind::Floats;
  case 7:
    return AttributeKind::Ints;
  default:
    return AttributeKind::Other;
  }
}

bool OnnxReader::readAttribute(ByteRange range, NodeAttribute &attribute) {
  WireReader reader(file, range);
  AttributeKind declared = AttributeKind::None, found = AttributeKind::None;
  for (WireField field; reader.next(field);) {
    bool ok = true;
    switch (field.number) {
    case 1:
      ok = text(field, attribute.name);
      break;
    case 2:
      ok = field.type == WireType::Fixed32 || fail("a field has the wrong wire type");
      attribute.f = floatOf(field.value);
      found = AttributeKind::Float;
      break;
    case 3:
      ok = isVarint(field);
      attribute.i = static_cast<int64_t>(field.value);
      found = AttributeKind::Int;
      break;
    case 4:
      ok = text(field, attribute.s);
      found = AttributeKind::String;
      break;
    case 5:
      ok = isLen(field) && charge(sizeof(Tensor));
      attribute.tensor.clear();
      attribute.tensor.emplace_back();
      ok = ok && readTensor(field.range, attribute.tensor.back());
      found = AttributeKind::Tensor;
      break;
    case 6:
    case 11:
      found = AttributeKind::Graph;
      break;
    case 7:
      ok = readFloats(field, attribute.floats);
      found = AttributeKind::Floats;
      break;
    case 8:
      ok = readInts(field, attribute.ints);
      found = AttributeKind::Ints;
      break;
    case 20:
      ok = isVarint(field);
      declared = kindOf(field.value);
      break;
    case 13: // doc_string
      break;
    case 21: // ref_attr_name, only inside functions
    default:
      found = AttributeKind::Other;
      break;
    }
    if (!ok)
      return false;
  }
  // IR versions before 2 have no type field; an empty list or a zero has no value field.
  attribute.kind = declared == AttributeKind::None ? found : declared;
  if (attribute.kind == AttributeKind::Tensor && attribute.tensor.empty())
    return fail("attribute '" + std::string(attribute.name) + "' has no value");
  return done(reader);
}

bool OnnxReader::readNode(ByteRange range, Node &node) {
  // The name comes late in the message; messages about the node need it first.
  WireReader names(file, range);
  for (WireField field; names.next(field);) {
    if ((field.number == 3 && !text(field, node.name)) ||
        (field.number == 4 && !text(field, node.opType)) ||
        (field.number == 7 && !text(field, node.domain)))
      return false;
    if (field.number == 2 && node.outputs.empty() && node.name.empty() &&
        field.type == WireType::Len)
      element = textOf(file, field.range);
  }
  if (!node.name.empty())
    element = node.name;
  if (!done(names))
    return false;
  if (node.opType.empty())
    return fail("a node has no operator type");

  WireReader reader(file, range);
  for (WireField field; reader.next(field);) {
    if (field.number == 1 || field.number == 2) {
      std::vector<std::string_view> &list = field.number == 1 ? node.inputs : node.outputs;
      if (!charge(sizeof(std::string_view)) || !text(field, list.emplace_back()))
        return false;
    } else if (field.number == 5) {
      if (!isLen(field) || !charge(sizeof(NodeAttribute)))
        return false;
      if (!readAttribute(field.range, node.attributes.emplace_back()))
        return false;
    }
  }
  return done(reader);
}

bool OnnxReader::readGraph(ByteRange range, Graph &graph) {
  WireReader reader(file, range);
  for (WireField field; reader.next(field);) {
    bool ok = true;
    element = {};
    switch (field.number) {
    case 1:
      ok =
          isLen(field) && charge(sizeof(Node)) && readNode(field.range, graph.nodes.emplace_back());
      break;
    case 2:
      ok = text(field, graph.name);
      break;
    case 5:
      ok = isLen(field) && charge(sizeof(Tensor)) &&
           readTensor(field.range, graph.initializers.emplace_back());
      break;
    case 11:
      ok = isLen(field) && charge(sizeof(ValueInfo)) &&
           readValueInfo(field.range, graph.inputs.emplace_back());
      break;
    case 12:
      ok = isLen(field) && charge(sizeof(ValueInfo)) &&
           readValueInfo(field.range, graph.outputs.emplace_back());
      break;
    case 15:
      ok = fail("has sparse initialisers, which are not supported");
      break;
    default: // doc_string, value_info, quantization_annotation, metadata_props
      break;
    }
    if (!ok)
      return false;
  }
  element = {};
  return done(reader);
}

//===----------------------------------------------------------------------===//
// Model
//===----------------------------------------------------------------------===//

bool OnnxReader::readOpset(ByteRange range) {
  if (!charge(sizeof(OpsetImport)))
    return false;
  OpsetImport &opset = model.opsets.emplace_back();
  WireReader reader(file, range);
  for (WireField field; reader.next(field);) {
    if (field.number == 1 && !text(field, opset.domain))
      return false;
    if (field.number == 2) {
      if (!isVarint(field))
        return false;
      opset.version = static_cast<int64_t>(field.value);
    }
  }
  return done(reader);
}

bool OnnxReader::readFunctionName(ByteRange range) {
  if (!charge(sizeof(std::string_view)))
    return false;
  std::string_view &name = model.functions.emplace_back();
  WireReader reader(file, range);
  for (WireField field; reader.next(field);)
    if (field.number == 1 && !text(field, name))
      return false;
  return done(reader);
}

bool OnnxReader::read() {
  std::string why = model.file.open(model.path);
  if (!why.empty())
    return fail(why);
  if (model.file.getBytes() == 0)
    return fail("the file is empty");
  file = model.file.data();
  constexpr std::string_view kLfs = "version https://git-lfs";
  if (textOf(file, {0, std::min<uint64_t>(kLfs.size(), model.file.getBytes())}) == kLfs)
    return fail("is a Git LFS pointer, not the model", "run 'git lfs pull' in its folder");

  WireReader reader(file, {0, model.file.getBytes()});
  bool hasGraph = false;
  for (WireField field; reader.next(field);) {
    bool ok = true;
    switch (field.number) {
    case 1:
      ok = isVarint(field);
      model.irVersion = static_cast<int64_t>(field.value);
      break;
    case 2:
      ok = text(field, model.producerName);
      break;
    case 3:
      ok = text(field, model.producerVersion);
      break;
    case 7:
      ok = isLen(field) && (!hasGraph || fail("holds more than one graph")) &&
           readGraph(field.range, model.graph);
      hasGraph = true;
      break;
    case 8:
      ok = isLen(field) && readOpset(field.range);
      break;
    case 25:
      ok = isLen(field) && readFunctionName(field.range);
      break;
    default: // domain, model_version, doc_string, metadata_props, training_info
      break;
    }
    if (!ok)
      return false;
  }
  if (!done(reader))
    return false;
  if (!hasGraph)
    return fail("holds no graph; the file is damaged or no ONNX model");
  return true;
}

std::unique_ptr<Model> pi::onnxfile::readModel(const std::string &path, ReadError &error) {
  auto model = std::make_unique<Model>();
  model->path = path;
  error = ReadError();
  if (!OnnxReader(*model, error).read())
    return nullptr;
  return model;
}
