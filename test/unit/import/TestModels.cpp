//===- TestModels.cpp - Small ONNX files for tests -===//

#include "test/unit/import/TestModels.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace pi::test;

std::string pi::test::encodeVarint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

Proto &Proto::varint(unsigned field, uint64_t value) {
  bytes += encodeVarint(field << 3) + encodeVarint(value);
  return *this;
}

Proto &Proto::fixed32(unsigned field, uint32_t value) {
  bytes += encodeVarint(field << 3 | 5);
  for (unsigned i = 0; i < 4; ++i)
    bytes += static_cast<char>(value >> (8 * i));
  return *this;
}

Proto &Proto::text(unsigned field, const std::string &payload) {
  bytes += encodeVarint(field << 3 | 2) + encodeVarint(payload.size()) + payload;
  return *this;
}

Proto pi::test::tensor(const std::string &name, int dataType, const std::vector<int64_t> &dims) {
  Proto proto;
  for (int64_t dim : dims)
    proto.varint(1, static_cast<uint64_t>(dim));
  return proto.varint(2, dataType).text(8, name);
}

Proto pi::test::externalTensor(const std::string &name, const std::vector<int64_t> &dims,
                               const std::vector<std::string> &entries) {
  Proto proto = tensor(name, 1, dims);
  for (size_t i = 0; i + 1 < entries.size(); i += 2)
    proto.message(13, Proto().text(1, entries[i]).text(2, entries[i + 1]));
  return proto.varint(14, 1);
}

Proto pi::test::node(const std::string &op, const std::string &name,
                     const std::vector<std::string> &inputs,
                     const std::vector<std::string> &outputs) {
  Proto proto;
  for (const std::string &input : inputs)
    proto.text(1, input);
  for (const std::string &output : outputs)
    proto.text(2, output);
  return proto.text(3, name).text(4, op);
}

Proto pi::test::intAttribute(const std::string &name, int64_t value) {
  return Proto().text(1, name).varint(3, static_cast<uint64_t>(value)).varint(20, 2);
}

Proto pi::test::valueInfo(const std::string &name, int dataType, const std::vector<int64_t> &dims) {
  Proto shape;
  for (int64_t dim : dims)
    shape.message(1, dim < 0 ? Proto().text(2, "n") : Proto().varint(1, dim));
  Proto type;
  type.message(1, Proto().varint(1, dataType).message(2, shape));
  return Proto().text(1, name).message(2, type);
}

Proto pi::test::model(const Proto &graph) {
  return Proto().varint(1, 8).text(2, "test").message(7, graph).message(
      8, Proto().text(1, "").varint(2, 17));
}

Proto pi::test::variedModel() {
  std::string ints =
      encodeVarint(0x3c00) + encodeVarint(0x4000) + encodeVarint(1) + encodeVarint(0);
  Proto constant = tensor("", 7, {2});
  constant.text(7, encodeVarint(1) + encodeVarint(static_cast<uint64_t>(-1)));
  Proto transpose = node("Transpose", "/t", {"x"}, {"xt"});
  transpose.message(5, Proto().text(1, "perm").text(8, std::string("\1\0", 2)).varint(20, 7));
  Proto softmax = node("Softmax", "/s", {"r"}, {"y"});
  softmax.message(5, intAttribute("axis", -1));
  Proto graph;
  graph
      .message(1, node("Constant", "/c", {}, {"c"})
                      .message(5, Proto().text(1, "value").message(5, constant).varint(20, 4)))
      .message(1, transpose)
      .message(1, node("MatMul", "/m", {"xt", "w"}, {"m"}))
      .message(1, node("Add", "/a", {"m", "b"}, {"a"}))
      .message(1, node("Slice", "/sl", {"a", "c", "c", "", "c"}, {"sl"}))
      .message(1, node("Reshape", "/r", {"sl", "shape"}, {"r"}))
      .message(1, softmax)
      .text(2, "g")
      .message(5, tensor("w", 10, {2, 2}).text(5, ints))
      .message(5, tensor("b", 1, {2}).text(4, std::string(8, '\0')))
      .message(5, tensor("shape", 7, {2}).text(9, std::string(16, '\1')))
      .message(11, valueInfo("x", 1, {-1, 2}))
      .message(12, valueInfo("y", 1, {-1, 2}));
  return model(graph);
}

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "pi-import-XXXXXX").string();
  path = std::filesystem::canonical(mkdtemp(name.data()));
}

TempFolder::~TempFolder() { std::filesystem::remove_all(path); }

std::string TempFolder::write(const std::string &name, const std::string &bytes) const {
  std::filesystem::path file = path / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

std::string pi::test::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> pi::test::mutate(const std::string &bytes, size_t stride) {
  std::vector<std::string> variants;
  const std::string lengths[] = {encodeVarint(0), encodeVarint(UINT64_MAX), encodeVarint(1u << 31),
                                 encodeVarint(1ull << 63)};
  for (size_t i = 0; i < bytes.size(); i += stride) {
    variants.push_back(bytes.substr(0, i));
    for (int replacement : {0x00, 0x01, 0x7f, 0x80, 0xff, bytes[i] ^ 0x08}) {
      variants.push_back(bytes);
      variants.back()[i] = static_cast<char>(replacement);
    }
    for (const std::string &length : lengths)
      variants.push_back(bytes.substr(0, i) + length + bytes.substr(i + 1));
  }
  return variants;
}
