//===- SafeTensors.h - The header of a safetensors file -===//
// Format: https://github.com/huggingface/safetensors, "Format". Has no MLIR header: it is
// built and sanitised without the compiler too.

#ifndef PI_COMPILER_IMPORT_HUGGINGFACE_SAFETENSORS_H
#define PI_COMPILER_IMPORT_HUGGINGFACE_SAFETENSORS_H

#include <cstdint>
#include <string>
#include <vector>

namespace pi::safetensors {

/// One tensor: its type and where its bytes lie.
struct Tensor {
  std::string name;
  std::string dtype;          // as the file spells it, e.g. "BF16"
  std::vector<int64_t> shape; // each >= 0
  uint64_t offset = 0;        // in the file, in bytes
  uint64_t bytes = 0;
};

/// Why a file is refused.
struct HeaderError {
  std::string tensor; // empty: the file as a whole
  std::string message;
};

/// Reads the header of the file that lies in [data, data + bytes), strictly: a header of
/// at most 100,000,000 bytes that begins with `{`, no name twice, known types, sizes that
/// agree with shapes, and a buffer that the tensors cover without overlap or hole. False
/// and `error` otherwise. Tensors are ordered by offset. Reads nothing but the header.
bool readHeader(const uint8_t *data, uint64_t bytes, std::vector<Tensor> &tensors,
                HeaderError &error);

} // namespace pi::safetensors

#endif // PI_COMPILER_IMPORT_HUGGINGFACE_SAFETENSORS_H
