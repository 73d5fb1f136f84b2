//===- OnnxReader.h - ONNX file -> plain structs -===//
// Own reader of the subset of onnx.proto that decoder exports use. It needs no
// libprotobuf, which would copy the weights, forget their offsets and stop at 2 GiB.

#ifndef PI_COMPILER_IMPORT_ONNXREADER_H
#define PI_COMPILER_IMPORT_ONNXREADER_H

#include "compiler/Import/OnnxModel.h"

#include <memory>
#include <string>

namespace pi::onnxfile {

/// Why a file cannot be read.
struct ReadError {
  std::string element; // node or tensor, empty: the file as a whole
  std::string message;
  std::string note; // what to do, may be empty
};

/// Bytes of structs a file may ask for, whatever its length: about 300,000 nodes. A
/// real decoder of 130 layers takes a tenth of it.
inline constexpr uint64_t kMaxStructBytes = 64ull << 20;

/// Reads the structure of `path`; weights stay where they are, external files are
/// checked for presence and length. Returns nullptr and fills `error` on any bytes
/// that are not a model.
std::unique_ptr<Model> readModel(const std::string &path, ReadError &error);

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_ONNXREADER_H
