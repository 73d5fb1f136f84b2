//===- TestModels.h - Small ONNX files for tests -===//
// Writes protobuf by hand, so that malformed files can be made too.

#ifndef PI_TEST_UNIT_IMPORT_TESTMODELS_H
#define PI_TEST_UNIT_IMPORT_TESTMODELS_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pi::test {

/// The bytes of one protobuf message.
class Proto {
public:
  Proto &varint(unsigned field, uint64_t value);
  Proto &fixed32(unsigned field, uint32_t value);
  Proto &text(unsigned field, const std::string &bytes); // strings and packed fields
  Proto &message(unsigned field, const Proto &inner) { return text(field, inner.bytes); }

  std::string bytes;
};

std::string encodeVarint(uint64_t value);
/// TensorProto without numbers.
Proto tensor(const std::string &name, int dataType, const std::vector<int64_t> &dims);
/// TensorProto whose numbers are `entries` of external_data (key, value, ...).
Proto externalTensor(const std::string &name, const std::vector<int64_t> &dims,
                     const std::vector<std::string> &entries);
Proto node(const std::string &op, const std::string &name, const std::vector<std::string> &inputs,
           const std::vector<std::string> &outputs);
/// AttributeProto of one integer.
Proto intAttribute(const std::string &name, int64_t value);
/// ValueInfoProto; negative dims are free.
Proto valueInfo(const std::string &name, int dataType, const std::vector<int64_t> &dims);
/// ModelProto with IR version 8 and operator set 17.
Proto model(const Proto &graph);
/// A model with initialisers of every encoding, a Constant, and nodes that use them.
Proto variedModel();

/// A folder that lives as long as the object.
class TempFolder {
public:
  TempFolder();
  ~TempFolder();
  /// Writes a file (parent folders are made) and returns its path.
  std::string write(const std::string &name, const std::string &bytes) const;
  std::filesystem::path path;
};

std::string readFile(const std::string &path);
/// Variants of a file: truncated, bytes replaced, lengths set to 0, -1, 2^31 and 2^63.
/// `stride` is the distance of positions that are changed; 1 tries all.
std::vector<std::string> mutate(const std::string &bytes, size_t stride);

} // namespace pi::test

#endif // PI_TEST_UNIT_IMPORT_TESTMODELS_H
