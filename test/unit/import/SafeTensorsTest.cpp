//===- SafeTensorsTest.cpp - Headers of safetensors files, right and wrong -===//

#include "compiler/Import/HuggingFace/SafeTensors.h"

#include <gtest/gtest.h>

using namespace pi::safetensors;

/// A file of `header` and `bodyBytes` zeros.
static std::string makeFile(const std::string &header, size_t bodyBytes) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += static_cast<char>(header.size() >> (8 * i));
  return file + header + std::string(bodyBytes, '\0');
}

static bool read(const std::string &file, std::vector<Tensor> &tensors, HeaderError &error) {
  return readHeader(reinterpret_cast<const uint8_t *>(file.data()), file.size(), tensors, error);
}

/// The message for a header with `bodyBytes` of data, "tensor: message".
static std::string errorOf(const std::string &header, size_t bodyBytes) {
  std::vector<Tensor> tensors;
  HeaderError error;
  if (read(makeFile(header, bodyBytes), tensors, error))
    return "accepted";
  return (error.tensor.empty() ? "" : error.tensor + ": ") + error.message;
}

TEST(SafeTensors, ReadsTensorsInFileOrder) {
  std::string header = R"({"__metadata__":{"format":"pt"},)"
                       R"("b":{"dtype":"F32","shape":[2,3],"data_offsets":[4,28]},)"
                       R"("scalar":{"data_offsets":[28,32],"shape":[],"dtype":"F32"},)"
                       R"("a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                       R"("empty":{"dtype":"F16","shape":[0,7],"data_offsets":[4,4]}}   )";
  std::vector<Tensor> tensors;
  HeaderError error;
  ASSERT_TRUE(read(makeFile(header, 32), tensors, error)) << error.message;
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].dtype, "BF16");
  EXPECT_EQ(tensors[0].offset, 8 + header.size());
  EXPECT_EQ(tensors[1].name, "empty");
  EXPECT_EQ(tensors[2].name, "b");
  EXPECT_EQ(tensors[2].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(tensors[2].offset, 8 + header.size() + 4);
  EXPECT_EQ(tensors[2].bytes, 24u);
  EXPECT_TRUE(tensors[3].shape.empty());
}

TEST(SafeTensors, RefusesBadStructure) {
  EXPECT_EQ(errorOf("[]", 0), "is no safetensors file: its header does not begin with '{'");
  EXPECT_EQ(errorOf("", 0), "is no safetensors file: its header does not begin with '{'");
  EXPECT_EQ(errorOf(R"({"a":1})", 0), "a: unexpected value");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"F32"}})", 0), "a: has no 'shape'");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":4}})", 0), "a: unexpected value of 'dtype'");
  EXPECT_EQ(errorOf(R"({"a":{"shape":{}}})", 0), "a: unexpected value of 'shape'");
  EXPECT_EQ(errorOf(R"({"a":{"shape":[[1]]}})", 0), "a: unexpected value of 'shape'");
  EXPECT_EQ(errorOf(R"({"a":{"kind":1}})", 0), "a: has an unknown field 'kind'");
  EXPECT_EQ(errorOf(R"({"a":{"shape":[1],"shape":[2]}})", 0), "a: gives 'shape' twice");
  EXPECT_EQ(errorOf(R"({"__metadata__":{"n":1}})", 0), "__metadata__: unexpected value of 'n'");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})"
                    R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                    8),
            "a: is named twice");
  EXPECT_EQ(errorOf("{", 0), "is no JSON at byte 2 of the header");
}

TEST(SafeTensors, RefusesBadSizes) {
  auto one = [](const char *shape, const char *offsets, size_t body, const char *type = "F32") {
    return errorOf(std::string(R"({"a":{"dtype":")") + type + R"(","shape":)" + shape +
                       R"(,"data_offsets":)" + offsets + "}}",
                   body);
  };
  EXPECT_EQ(one("[2]", "[0,8]", 8), "accepted");
  EXPECT_EQ(one("[-1]", "[0,8]", 8), "a: a negative number");
  EXPECT_EQ(one("[9223372036854775808]", "[0,8]", 8),
            "a: a dimension of 9223372036854775808 is too large");
  EXPECT_EQ(one("[18446744073709551616]", "[0,8]", 8), "a: unexpected value of 'shape'");
  EXPECT_EQ(one("[2.0]", "[0,8]", 8), "a: unexpected value of 'shape'");
  EXPECT_EQ(one("[4611686018427387904,8]", "[0,0]", 0),
            "a: has 0 bytes of data, its shape and type ask for another number");
  EXPECT_EQ(one("[2]", "[8,0]", 8), "a: 'data_offsets' is not a [begin, end] pair");
  EXPECT_EQ(one("[2]", "[0,8,8]", 8), "a: 'data_offsets' is not a [begin, end] pair");
  EXPECT_EQ(one("[2]", "[0,4]", 4),
            "a: has 4 bytes of data, its shape and type ask for another number");
  EXPECT_EQ(one("[2]", "[4,12]", 12), "a: leaves a hole of 4 bytes before its data");
  EXPECT_EQ(one("[2]", "[0,8]", 7), "a: ends beyond the end of the file; is it cut off?");
  EXPECT_EQ(one("[2]", "[0,8]", 9), "has 1 bytes that belong to no tensor");
  EXPECT_EQ(one("[2]", "[0,8]", 8, "F99"), "a: has the unknown type 'F99'");
  EXPECT_EQ(one("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]", 4),
            "a: 'shape' has more than 16 numbers");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                    R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
                    6),
            "b: overlaps the tensor before it");
}

TEST(SafeTensors, RefusesBadLengths) {
  std::vector<Tensor> tensors;
  HeaderError error;
  std::string good = makeFile(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1);
  for (size_t cut = 0; cut < good.size(); ++cut)
    EXPECT_FALSE(read(good.substr(0, cut), tensors, error)) << cut;
  for (uint64_t length : {uint64_t(1) << 31, uint64_t(1) << 63, ~uint64_t(0), ~uint64_t(0) - 8}) {
    std::string file = good;
    for (int i = 0; i < 8; ++i)
      file[i] = static_cast<char>(length >> (8 * i));
    EXPECT_FALSE(read(file, tensors, error));
  }
}
