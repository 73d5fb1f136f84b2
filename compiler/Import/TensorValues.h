//===- TensorValues.h - Numbers of small tensors -===//

#ifndef PI_COMPILER_IMPORT_TENSORVALUES_H
#define PI_COMPILER_IMPORT_TENSORVALUES_H

#include "compiler/Import/OnnxModel.h"

#include <optional>
#include <string>
#include <vector>

namespace pi::onnxfile {

/// Reads the numbers of `tensor` as little-endian elements of its data type, i.e. as
/// raw_data would hold them: `elements * elementBytes` bytes. The caller bounds the
/// tensor's size. Empty and `error` set where the file holds too few or too many.
std::optional<std::vector<uint8_t>> readValues(const Model &model, const Tensor &tensor,
                                               std::string &error);

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_TENSORVALUES_H
