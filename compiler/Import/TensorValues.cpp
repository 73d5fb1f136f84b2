//===- TensorValues.cpp - Numbers of small tensors -===//

#include "compiler/Import/TensorValues.h"

#include <cassert>
#include <fcntl.h>
#include <unistd.h>

using namespace pi::onnxfile;

/// Reads a range of an external file; empty where it has become shorter.
static std::optional<std::vector<uint8_t>> readExternal(const Tensor &tensor, uint64_t bytes) {
  int fd = open(tensor.externalPath.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return std::nullopt;
  std::vector<uint8_t> values(bytes);
  uint64_t done = 0;
  while (done < bytes) {
    ssize_t count = pread(fd, values.data() + done, bytes - done,
                          static_cast<off_t>(tensor.data.offset + done));
    if (count <= 0)
      break;
    done += static_cast<uint64_t>(count);
  }
  close(fd);
  if (done < bytes)
    return std::nullopt;
  return values;
}

std::optional<std::vector<uint8_t>>
pi::onnxfile::readValues(const Model &model, const Tensor &tensor, std::string &error) {
  unsigned width = elementBytes(tensor.dataType);
  assert(width && "only tensors of numbers reach this");
  uint64_t bytes = tensor.elements * width;
  if (!tensor.externalPath.empty()) {
    std::optional<std::vector<uint8_t>> values = readExternal(tensor, bytes);
    if (!values)
      error = "cannot read its numbers from '" + tensor.externalPath + "'";
    return values;
  }
  if (tensor.encoding == DataEncoding::Raw) {
    const uint8_t *first = model.file.data() + tensor.data.offset;
    return std::vector<uint8_t>(first, first + bytes);
  }

  std::vector<uint8_t> values;
  values.reserve(bytes);
  WireReader reader(model.file.data(), tensor.data);
  bool isFixed =
      tensor.encoding == DataEncoding::FloatData || tensor.encoding == DataEncoding::DoubleData;
  for (uint64_t i = 0; i < tensor.elements; ++i) {
    uint64_t value = 0;
    if (isFixed ? !reader.nextFixed(width, value) : !reader.nextVarint(value)) {
      error = "has fewer numbers than its shape asks for";
      return std::nullopt;
    }
    for (unsigned b = 0; b < width; ++b)
      values.push_back(static_cast<uint8_t>(value >> (8 * b)));
  }
  if (!reader.atEnd()) {
    error = "has more numbers than its shape asks for";
    return std::nullopt;
  }
  return values;
}
