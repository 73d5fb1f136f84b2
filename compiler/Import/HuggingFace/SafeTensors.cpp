//===- SafeTensors.cpp - The header of a safetensors file -===//

#include "compiler/Import/HuggingFace/SafeTensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace pi::safetensors {

static constexpr uint64_t kMaxHeaderBytes = 100'000'000;
static constexpr size_t kMaxRank = 16;

/// Bytes of one element of a type, 0 for an unknown one.
static uint64_t elementBytes(std::string_view dtype) {
  static constexpr std::pair<std::string_view, uint64_t> sizes[] = {
      {"BOOL", 1}, {"U8", 1},      {"I8", 1},          {"F8_E5M2", 1},    {"F8_E4M3", 1},
      {"I16", 2},  {"U16", 2},     {"F16", 2},         {"BF16", 2},       {"I32", 4},
      {"U32", 4},  {"F32", 4},     {"F64", 8},         {"I64", 8},        {"U64", 8},
      {"C64", 8},  {"F8_E8M0", 1}, {"F8_E4M3FNUZ", 1}, {"F8_E5M2FNUZ", 1}};
  for (auto [name, size] : sizes)
    if (name == dtype)
      return size;
  return 0;
}

namespace {

/// Receives the header's JSON piece by piece. The grammar is closed: an object of objects
/// with `dtype`, `shape` and `data_offsets`, and `__metadata__`, an object of strings.
class HeaderHandler {
public:
  HeaderHandler(std::vector<Tensor> &tensors, HeaderError &error)
      : tensors(tensors), error(error) {}

  // The interface of nlohmann's SAX parser; false stops it.
  bool null() { return unexpected(); }
  bool boolean(bool) { return unexpected(); }
  bool number_integer(int64_t) { return fail("a negative number"); }
  bool number_float(double, const std::string &) { return unexpected(); }
  bool binary(std::vector<uint8_t> &) { return unexpected(); }
  bool number_unsigned(uint64_t value);
  bool string(std::string &value);
  bool start_object(size_t);
  bool end_object();
  bool start_array(size_t);
  bool end_array();
  bool key(std::string &name);
  bool parse_error(size_t position, const std::string &, const std::exception &) {
    return fail("is no JSON at byte " + std::to_string(position) + " of the header");
  }

private:
  bool fail(const std::string &message) {
    if (error.message.empty())
      error = {depth >= 1 ? current.name : "", message};
    return false;
  }
  bool unexpected() {
    return depth == 0 ? fail("the header is not a JSON object")
                      : fail("unexpected value" + (field.empty() ? "" : " of '" + field + "'"));
  }
  bool inMetadata() const { return current.name == "__metadata__"; }

  std::vector<Tensor> &tensors;
  HeaderError &error;
  std::set<std::string, std::less<>> names;
  Tensor current;
  std::string field;            // of the current tensor
  std::set<std::string> fields; // met in the current tensor
  std::vector<uint64_t> numbers;
  int depth = 0; // of objects
  bool inArray = false;
};

} // namespace

bool HeaderHandler::number_unsigned(uint64_t value) {
  if (!inArray)
    return unexpected();
  if (numbers.size() == kMaxRank)
    return fail("'" + field + "' has more than " + std::to_string(kMaxRank) + " numbers");
  numbers.push_back(value);
  return true;
}

bool HeaderHandler::string(std::string &value) {
  if (depth != 2 || inArray)
    return unexpected();
  if (inMetadata())
    return true;
  if (field != "dtype")
    return unexpected();
  current.dtype = value;
  return true;
}

bool HeaderHandler::start_object(size_t) {
  if (inArray || depth == 2)
    return unexpected();
  ++depth;
  field.clear();
  fields.clear();
  return true;
}

bool HeaderHandler::end_object() {
  if (depth == 2 && !inMetadata()) {
    for (const char *needed : {"dtype", "shape", "data_offsets"})
      if (!fields.count(needed))
        return fail(std::string("has no '") + needed + "'");
    tensors.push_back(current);
  }
  --depth;
  return true;
}

bool HeaderHandler::start_array(size_t) {
  if (depth != 2 || inArray || inMetadata() || (field != "shape" && field != "data_offsets"))
    return unexpected();
  inArray = true;
  numbers.clear();
  return true;
}

bool HeaderHandler::end_array() {
  inArray = false;
  if (field == "shape") {
    for (uint64_t size : numbers)
      if (size > INT64_MAX)
        return fail("a dimension of " + std::to_string(size) + " is too large");
    current.shape.assign(numbers.begin(), numbers.end());
    return true;
  }
  if (numbers.size() != 2 || numbers[0] > numbers[1])
    return fail("'data_offsets' is not a [begin, end] pair");
  current.offset = numbers[0];
  current.bytes = numbers[1] - numbers[0];
  return true;
}

bool HeaderHandler::key(std::string &name) {
  if (depth == 1) {
    current = Tensor();
    current.name = name;
    return names.insert(name).second || fail("is named twice");
  }
  if (!inMetadata() && name != "dtype" && name != "shape" && name != "data_offsets")
    return fail("has an unknown field '" + name + "'");
  field = name;
  return inMetadata() || fields.insert(name).second || fail("gives '" + name + "' twice");
}

/// Number of bytes that type and shape ask for; false where it does not fit 64 bits.
static bool sizeOf(const Tensor &tensor, uint64_t &bytes) {
  bytes = elementBytes(tensor.dtype);
  for (int64_t size : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return false;
  return true;
}

/// Checks that tensors, ordered by offset, cover [0, `bytes`) exactly.
static bool checkCover(const std::vector<Tensor> &tensors, uint64_t bytes, HeaderError &error) {
  uint64_t end = 0;
  for (const Tensor &tensor : tensors) {
    uint64_t wanted = 0;
    if (elementBytes(tensor.dtype) == 0)
      error = {tensor.name, "has the unknown type '" + tensor.dtype + "'"};
    else if (!sizeOf(tensor, wanted) || wanted != tensor.bytes)
      error = {tensor.name, "has " + std::to_string(tensor.bytes) +
                                " bytes of data, its shape and type ask for another number"};
    else if (tensor.offset > end)
      error = {tensor.name, "leaves a hole of " + std::to_string(tensor.offset - end) +
                                " bytes before its data"};
    else if (tensor.offset < end)
      error = {tensor.name, "overlaps the tensor before it"};
    else if (tensor.bytes > bytes - end)
      error = {tensor.name, "ends beyond the end of the file; is it cut off?"};
    if (!error.message.empty())
      return false;
    end += tensor.bytes;
  }
  if (end != bytes)
    error = {"", "has " + std::to_string(bytes - end) + " bytes that belong to no tensor"};
  return error.message.empty();
}

bool readHeader(const uint8_t *data, uint64_t bytes, std::vector<Tensor> &tensors,
                HeaderError &error) {
  constexpr uint64_t prefix = 8;
  tensors.clear();
  error = {};
  uint64_t length = 0;
  if (bytes >= prefix)
    for (int i = 7; i >= 0; --i)
      length = length << 8 | data[i];
  if (bytes < prefix || length > bytes - prefix)
    error.message = "is cut off inside its header, or no safetensors file";
  else if (length > kMaxHeaderBytes)
    error.message = "has a header of more than 100000000 bytes";
  else if (length == 0 || data[prefix] != '{')
    error.message = "is no safetensors file: its header does not begin with '{'";
  if (!error.message.empty())
    return false;
  HeaderHandler handler(tensors, error);
  const uint8_t *header = data + prefix;
  if (!nlohmann::json::sax_parse(header, header + length, &handler))
    return false;
  std::sort(tensors.begin(), tensors.end(), [](const Tensor &a, const Tensor &b) {
    return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
  });
  if (!checkCover(tensors, bytes - prefix - length, error))
    return false;
  for (Tensor &tensor : tensors)
    tensor.offset += prefix + length;
  return true;
}

} // namespace pi::safetensors
