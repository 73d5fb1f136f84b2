//===- OnnxModel.h - Plain structs of an ONNX file -===//
// What OnnxReader keeps of ModelProto. Names are views into the mapping, weights are
// file offsets: nothing of a weight's bytes is read or copied.

#ifndef PI_COMPILER_IMPORT_ONNXMODEL_H
#define PI_COMPILER_IMPORT_ONNXMODEL_H

#include "compiler/Import/MappedFile.h"
#include "compiler/Import/WireReader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::onnxfile {

/// TensorProto.DataType, the numbers of the ONNX specification.
enum DataType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
};

/// Bytes of one element, 0 for types that are not plain numbers.
unsigned elementBytes(int32_t dataType);
/// The ONNX spelling of a data type, e.g. "FLOAT16".
std::string dataTypeName(int32_t dataType);

/// How a tensor's numbers are written down.
enum class DataEncoding : uint8_t {
  None,
  Raw,
  FloatData,
  Int32Data,
  Int64Data,
  DoubleData,
  Uint64Data
};

/// A tensor: its type and where its numbers lie.
struct Tensor {
  std::string_view name;
  std::vector<int64_t> dims; // each >= 0
  int32_t dataType = kUndefined;
  uint64_t elements = 1; // product of dims
  DataEncoding encoding = DataEncoding::None;
  ByteRange data;           // in the model file, or in `externalPath`
  std::string externalPath; // canonical absolute path; empty: the model file
};

/// AttributeProto.AttributeType, as far as it is read.
enum class AttributeKind : uint8_t { None, Float, Int, String, Tensor, Graph, Floats, Ints, Other };

struct NodeAttribute {
  std::string_view name;
  AttributeKind kind = AttributeKind::None;
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<Tensor> tensor; // one element where kind is Tensor
};

struct Node {
  std::string_view name, opType, domain;
  std::vector<std::string_view> inputs, outputs; // empty name: absent
  std::vector<NodeAttribute> attributes;

  const NodeAttribute *find(std::string_view attribute) const {
    for (const NodeAttribute &a : attributes)
      if (a.name == attribute)
        return &a;
    return nullptr;
  }
};

/// One dimension of a graph input or output.
struct Dim {
  bool isFixed = false;
  int64_t size = 0;       // where fixed
  std::string_view param; // where not; may be empty
};

struct ValueInfo {
  std::string_view name;
  int32_t dataType = kUndefined;
  bool hasShape = false;
  std::vector<Dim> dims;
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs, outputs;
};

struct OpsetImport {
  std::string_view domain;
  int64_t version = 0;
};

/// A read model. Views stay valid as long as the model lives; do not copy it.
struct Model {
  std::string path; // as given
  MappedFile file;
  int64_t irVersion = 0;
  std::string_view producerName, producerVersion;
  std::vector<OpsetImport> opsets;
  std::vector<std::string_view> functions; // names of model-local functions
  Graph graph;

  /// Version of the default operator set, 0 where the file does not say.
  int64_t opset() const;
};

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_ONNXMODEL_H
