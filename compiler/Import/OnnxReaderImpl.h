//===- OnnxReaderImpl.h - The reader's one class, private to this folder -===//
// Field numbers are those of onnx.proto (proto2). One function per message; the nesting
// of messages read is fixed (model, graph, node, attribute, tensor), subgraphs are
// noted and not entered, so hostile nesting costs nothing.

#ifndef PI_COMPILER_IMPORT_ONNXREADERIMPL_H
#define PI_COMPILER_IMPORT_ONNXREADERIMPL_H

#include "compiler/Import/ExternalData.h"
#include "compiler/Import/OnnxModel.h"
#include "compiler/Import/OnnxReader.h"

#include <string>
#include <vector>

namespace pi::onnxfile {

/// Reads one file. Every function returns false after setting `error`.
class OnnxReader {
public:
  OnnxReader(Model &model, ReadError &error)
      : model(model), error(error), file(nullptr), externals(model.path) {}

  bool read();

private:
  bool readOpset(ByteRange range);
  bool readFunctionName(ByteRange range);
  bool readGraph(ByteRange range, Graph &graph);
  bool readNode(ByteRange range, Node &node);
  bool readAttribute(ByteRange range, NodeAttribute &attribute);
  bool readTensor(ByteRange range, Tensor &tensor);
  bool readValueInfo(ByteRange range, ValueInfo &info);
  bool readType(ByteRange range, ValueInfo &info);
  bool readTensorType(ByteRange range, ValueInfo &info);
  bool readShape(ByteRange range, ValueInfo &info);
  bool readDim(ByteRange range, Dim &dim);

  bool noteTensorData(const WireField &field, DataEncoding encoding, Tensor &tensor);
  bool finishTensor(Tensor &tensor, bool isExternal, const std::vector<ByteRange> &entries);
  bool finishExternal(Tensor &tensor, uint64_t bytes, const std::vector<ByteRange> &entries);
  bool checkInlineData(const Tensor &tensor);

  bool readInts(const WireField &field, std::vector<int64_t> &values);
  bool readFloats(const WireField &field, std::vector<float> &values);

  /// A Len field's text; false where the field has another wire type.
  bool text(const WireField &field, std::string_view &value);
  bool isLen(const WireField &field) {
    return field.type == WireType::Len || fail("a field has the wrong wire type");
  }
  bool isVarint(const WireField &field) {
    return field.type == WireType::Varint || fail("a field has the wrong wire type");
  }
  /// Ends the reading of a message.
  bool done(const WireReader &reader) {
    return !reader.getError() ||
           fail(std::string(reader.getError()) + " at byte " + std::to_string(reader.getOffset()) +
                "; the file is damaged or no ONNX model");
  }
  /// Accounts for memory of structs before it is taken.
  bool charge(uint64_t bytes) {
    structBytes += bytes;
    return structBytes <= kMaxStructBytes ||
           fail("holds more nodes and names than a decoder has (over " +
                std::to_string(kMaxStructBytes >> 20) + " MiB of structure)");
  }
  bool fail(std::string message, std::string note = {}) {
    error.element = std::string(element);
    error.message = std::move(message);
    error.note = std::move(note);
    return false;
  }

  Model &model;
  ReadError &error;
  const uint8_t *file;
  ExternalFiles externals;
  uint64_t structBytes = 0;
  std::string_view element; // what is being read, for messages
};

/// The number whose bits are the low half of `bits`.
float floatOf(uint64_t bits);

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_ONNXREADERIMPL_H
