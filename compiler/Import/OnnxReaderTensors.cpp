//===- OnnxReaderTensors.cpp - Tensors and types of an ONNX file -===//

#include "compiler/Import/ExternalData.h"
#include "compiler/Import/OnnxReaderImpl.h"

#include <charconv>
#include <iterator>
#include <optional>

using namespace pi::onnxfile;

static constexpr size_t kMaxRank = 16;

unsigned pi::onnxfile::elementBytes(int32_t dataType) {
  switch (dataType) {
  case kUint8:
  case kInt8:
  case kBool:
    return 1;
  case kUint16:
  case kInt16:
  case kFloat16:
  case kBfloat16:
    return 2;
  case kFloat:
  case kInt32:
  case kUint32:
    return 4;
  case kInt64:
  case kDouble:
  case kUint64:
    return 8;
  default:
    return 0;
  }
}

std::string pi::onnxfile::dataTypeName(int32_t dataType) {
  static constexpr const char *kNames[] = {"UNDEFINED",  "FLOAT",   "UINT8",  "INT8",   "UINT16",
                                           "INT16",      "INT32",   "INT64",  "STRING", "BOOL",
                                           "FLOAT16",    "DOUBLE",  "UINT32", "UINT64", "COMPLEX64",
                                           "COMPLEX128", "BFLOAT16"};
  if (dataType >= 0 && dataType < static_cast<int32_t>(std::size(kNames)))
    return kNames[dataType];
  return "data type " + std::to_string(dataType);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool OnnxReader::noteTensorData(const WireField &field, DataEncoding encoding, Tensor &tensor) {
  if (field.type == WireType::Len && field.range.bytes == 0)
    return true; // an empty packed field says nothing
  if (field.type != WireType::Len || tensor.encoding != DataEncoding::None)
    return fail("holds its numbers in several pieces",
                "save the model again with raw_data or external data");
  tensor.encoding = encoding;
  tensor.data = field.range;
  return true;
}

bool OnnxReader::readTensor(ByteRange range, Tensor &tensor) {
  WireReader reader(file, range);
  std::vector<ByteRange> entries; // StringStringEntryProto of external_data
  bool isExternal = false;
  std::vector<int64_t> dims;
  for (WireField field; reader.next(field);) {
    bool ok = true;
    switch (field.number) {
    case 1: // dims
      ok = readInts(field, dims);
      break;
    case 2: // data_type
      ok = isVarint(field);
      tensor.dataType = field.value > INT32_MAX ? -1 : static_cast<int32_t>(field.value);
      break;
    case 3: // segment
      ok = fail("is stored in segments");
      break;
    case 4:
      ok = noteTensorData(field, DataEncoding::FloatData, tensor);
      break;
    case 5:
      ok = noteTensorData(field, DataEncoding::Int32Data, tensor);
      break;
    case 7:
      ok = noteTensorData(field, DataEncoding::Int64Data, tensor);
      break;
    case 8:
      ok = text(field, tensor.name);
      break;
    case 9:
      ok = noteTensorData(field, DataEncoding::Raw, tensor);
      break;
    case 10:
      ok = noteTensorData(field, DataEncoding::DoubleData, tensor);
      break;
    case 11:
      ok = noteTensorData(field, DataEncoding::Uint64Data, tensor);
      break;
    case 13: // external_data
      ok = isLen(field) && charge(sizeof(ByteRange));
      entries.push_back(field.range);
      break;
    case 14: // data_location: DEFAULT 0, EXTERNAL 1
      ok = isVarint(field);
      isExternal = field.value == 1;
      break;
    default: // string_data, doc_string, metadata_props
      break;
    }
    if (!ok)
      return false;
  }
  tensor.dims = std::move(dims);
  return done(reader) && finishTensor(tensor, isExternal, entries);
}

bool OnnxReader::finishTensor(Tensor &tensor, bool isExternal,
                              const std::vector<ByteRange> &entries) {
  std::string_view outer = element;
  if (!tensor.name.empty())
    element = tensor.name;
  tensor.elements = 1;
  bool hasZero = false;
  if (tensor.dims.size() > kMaxRank)
    return fail("has " + std::to_string(tensor.dims.size()) + " dimensions, more than " +
                std::to_string(kMaxRank));
  for (int64_t dim : tensor.dims) {
    if (dim < 0)
      return fail("has a negative dimension (" + std::to_string(dim) + ")");
    hasZero |= dim == 0;
  }
  for (int64_t dim : tensor.dims)
    if (dim > 1 &&
        __builtin_mul_overflow(tensor.elements, static_cast<uint64_t>(dim), &tensor.elements))
      return fail("has more elements than any file can hold");
  if (hasZero)
    tensor.elements = 0;
  unsigned width = elementBytes(tensor.dataType);
  if (width == 0)
    return fail("has elements of " + dataTypeName(tensor.dataType) + ", which is not supported");
  uint64_t bytes;
  if (__builtin_mul_overflow(tensor.elements, static_cast<uint64_t>(width), &bytes) ||
      bytes > INT64_MAX)
    return fail("has more elements than any file can hold");
  if (isExternal ? !finishExternal(tensor, bytes, entries) : !checkInlineData(tensor))
    return false;
  element = outer;
  return true;
}

bool OnnxReader::checkInlineData(const Tensor &tensor) {
  const uint64_t width = elementBytes(tensor.dataType);
  const uint64_t available = tensor.data.bytes;
  const std::string counts = std::to_string(tensor.elements) + " elements, but holds " +
                             std::to_string(available) + " bytes";
  auto expectBytes = [&](uint64_t least, uint64_t most) {
    return (available >= least && available <= most) || fail("has " + counts);
  };
  switch (tensor.encoding) {
  case DataEncoding::None:
    return tensor.elements == 0 || fail("has " + counts);
  case DataEncoding::Raw:
    return expectBytes(tensor.elements * width, tensor.elements * width);
  case DataEncoding::FloatData:
    return tensor.dataType == kFloat
               ? expectBytes(tensor.elements * 4, tensor.elements * 4)
               : fail("has float_data but elements of " + dataTypeName(tensor.dataType));
  case DataEncoding::DoubleData:
    return tensor.dataType == kDouble
               ? expectBytes(tensor.elements * 8, tensor.elements * 8)
               : fail("has double_data but elements of " + dataTypeName(tensor.dataType));
  case DataEncoding::Int32Data:
    if (width > 4 || tensor.dataType == kFloat || tensor.dataType == kUint32)
      return fail("has int32_data but elements of " + dataTypeName(tensor.dataType));
    break;
  case DataEncoding::Int64Data:
    if (tensor.dataType != kInt64)
      return fail("has int64_data but elements of " + dataTypeName(tensor.dataType));
    break;
  case DataEncoding::Uint64Data:
    if (tensor.dataType != kUint64 && tensor.dataType != kUint32)
      return fail("has uint64_data but elements of " + dataTypeName(tensor.dataType));
    break;
  }
  // A varint takes 1 to 10 bytes. Counting them is left to whoever reads them.
  return tensor.elements > UINT64_MAX / 10 ? fail("has " + counts)
                                           : expectBytes(tensor.elements, tensor.elements * 10);
}

/// A decimal number without sign that takes the whole text.
static std::optional<uint64_t> parseDecimal(std::string_view text) {
  uint64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value > INT64_MAX)
    return std::nullopt;
  return value;
}

bool OnnxReader::finishExternal(Tensor &tensor, uint64_t bytes,
                                const std::vector<ByteRange> &entries) {
  std::string_view location;
  std::optional<uint64_t> offset = 0, length;
  for (ByteRange entry : entries) {
    std::string_view key, value;
    WireReader reader(file, entry);
    for (WireField field; reader.next(field);)
      if ((field.number == 1 && !text(field, key)) || (field.number == 2 && !text(field, value)))
        return false;
    if (!done(reader))
      return false;
    if (key == "location") {
      location = value;
    } else if (key == "offset" || key == "length") {
      std::optional<uint64_t> number = parseDecimal(value);
      if (!number)
        return fail("has an external data " + std::string(key) + " that is no number: '" +
                    std::string(value) + "'");
      (key == "offset" ? offset : length) = number;
    } else if (key == "basepath" && !value.empty()) {
      return fail("names a base path for its external data, which is not supported");
    } // checksum and unknown keys change nothing
  }
  if (tensor.encoding != DataEncoding::None)
    return fail("has numbers both in the model file and in an external data file");
  const ExternalFile &external = externals.resolve(location);
  if (!external.error.empty())
    return fail(external.error,
                "keep the data files that the exporter wrote in the model's folder");
  if (length && *length != bytes)
    return fail("takes " + std::to_string(bytes) + " bytes, but its external data has " +
                std::to_string(*length));
  if (*offset > external.bytes || bytes > external.bytes - *offset)
    return fail("ends at byte " + std::to_string(*offset + bytes) + " of external data file '" +
                    std::string(location) + "', which has " + std::to_string(external.bytes) +
                    " bytes",
                "the data file is incomplete: copy or download it again");
  if (!charge(external.path.size()))
    return false;
  tensor.encoding = DataEncoding::Raw;
  tensor.data = {*offset, bytes};
  tensor.externalPath = external.path;
  return true;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool OnnxReader::readDim(ByteRange range, Dim &dim) {
  WireReader reader(file, range);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) { // dim_value
      if (!isVarint(field))
        return false;
      dim.size = static_cast<int64_t>(field.value);
      dim.isFixed = dim.size >= 0;  // some exporters write -1 for a free dimension
    } else if (field.number == 2) { // dim_param
      if (!text(field, dim.param))
        return false;
    }
  }
  return done(reader);
}

bool OnnxReader::readShape(ByteRange range, ValueInfo &info) {
  info.hasShape = true;
  WireReader reader(file, range);
  for (WireField field; reader.next(field);)
    if (field.number == 1) { // dim
      if (!isLen(field))
        return false;
      if (info.dims.size() == kMaxRank)
        return fail("has more than " + std::to_string(kMaxRank) + " dimensions");
      info.dims.emplace_back();
      if (!readDim(field.range, info.dims.back()))
        return false;
    }
  return done(reader);
}

bool OnnxReader::readTensorType(ByteRange range, ValueInfo &info) {
  WireReader reader(file, range);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) { // elem_type
      if (!isVarint(field))
        return false;
      info.dataType = field.value > INT32_MAX ? -1 : static_cast<int32_t>(field.value);
    } else if (field.number == 2) { // shape
      if (!isLen(field) || !readShape(field.range, info))
        return false;
    }
  }
  return done(reader);
}

bool OnnxReader::readType(ByteRange range, ValueInfo &info) {
  WireReader reader(file, range);
  for (WireField field; reader.next(field);)
    if (field.number == 1) { // tensor_type; others leave the data type undefined
      if (!isLen(field) || !readTensorType(field.range, info))
        return false;
    }
  return done(reader);
}

bool OnnxReader::readValueInfo(ByteRange range, ValueInfo &info) {
  WireReader reader(file, range);
  ByteRange type;
  for (WireField field; reader.next(field);) {
    if (field.number == 1 && !text(field, info.name))
      return false;
    if (field.number == 2) {
      if (!isLen(field))
        return false;
      type = field.range;
    }
  }
  element = info.name;
  return done(reader) && readType(type, info);
}
