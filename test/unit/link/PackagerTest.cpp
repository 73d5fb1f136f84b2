//===- PackagerTest.cpp - What the packager writes -===//

#include "codegen/Link/Packager.h"

#include "test/unit/link/PackageReader.h"
#include "test/unit/link/TempFolder.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <sys/stat.h>

using namespace pi;
using namespace pi::test;

namespace {

class PackagerTest : public testing::Test {
protected:
  PackagerTest() {
    writeFile(model, source);
    writeFile(elf, "ELF of any length");
    writeFile(tokenizer, "{\"model\": {}}");
    package.elfPath = elf;
    package.info = "{\"family\":\"llama\"}";
    package.tokenizerPath = tokenizer;
    package.outputPath = out;
  }

  /// A [rows, cols] f16 weight that lies at `offset` of the model.
  WeightSpec makeWeight(const std::string &name, uint64_t offset, int64_t rows, int64_t cols) {
    WeightSpec spec;
    spec.name = name;
    spec.file = model;
    spec.dtype = spec.sourceType = PI_F16;
    spec.rows = spec.sourceRows = rows;
    spec.cols = spec.sourceCols = cols;
    spec.sourceOffset = offset;
    spec.sourceBytes = rows * cols * 2;
    return spec;
  }

  TempFolder folder;
  std::string model = folder / "model.onnx", elf = folder / "elf", out = folder / "out.bin",
              tokenizer = folder / "tokenizer.json";
  // Bytes 0..23, the same as a [3, 4] matrix of two-byte numbers transposed, and the
  // first again.
  std::string source = "aAbBcCdDeEfFgGhHiIjJkKlL"
                       "aAeEiIbBfFjJcCgGkKdDhHlL"
                       "aAbBcCdDeEfFgGhHiIjJkKlL";
  Package package;
};

} // namespace

TEST_F(PackagerTest, HoldsEverything) {
  WeightSpec norm = makeWeight("norm", 2, 3, 1);
  norm.isVector = true;
  norm.dtype = PI_F32;
  package.weights = {makeWeight("first", 0, 3, 4), norm, makeWeight("layer", 24, 2, 5)};
  package.weights[2].layer = 7;
  uint64_t last = 0, total = 0;
  package.progress = [&](uint64_t done, uint64_t all) {
    EXPECT_GE(done, last);
    last = done;
    total = all;
  };
  ASSERT_TRUE(writePackage(package).ok());
  EXPECT_EQ(last, 24u + 12 + 20);
  EXPECT_EQ(total, last);

  ReadPackage read = readPackage(readFile(out));
  EXPECT_EQ(read.elf.substr(0, 17), "ELF of any length");
  EXPECT_EQ(read.elf.size(), PI_PAYLOAD_ALIGN);
  // Facts of the linked program are added.
  std::string begin = package.info.substr(0, package.info.rfind('}'));
  EXPECT_EQ(read.info.substr(0, begin.size()), begin);
  EXPECT_NE(read.info.find("\"code_bytes\":"), std::string::npos);
  EXPECT_NE(read.info.find("\"code_checksum\":\""), std::string::npos);
  EXPECT_EQ(read.tokenizer, "{\"model\": {}}");
  ASSERT_EQ(read.weights.size(), 3u);
  EXPECT_EQ(read.weights[0].name, "first");
  EXPECT_EQ(read.weights[0].bytes, source.substr(0, 24));
  EXPECT_EQ(read.weights[0].entry.rows, 3u);
  EXPECT_EQ(read.weights[0].entry.cols, 4u);
  EXPECT_EQ(read.weights[0].entry.dtype, uint32_t(PI_F16));
  EXPECT_EQ(read.weights[0].entry.layer, UINT32_MAX);
  EXPECT_EQ(read.weights[1].entry.rows, 1u);
  EXPECT_EQ(read.weights[1].entry.cols, 3u);
  EXPECT_EQ(read.weights[1].entry.dtype, uint32_t(PI_F32));
  EXPECT_EQ(read.weights[1].entry.bytes, 12u);
  EXPECT_EQ(read.weights[2].entry.layer, 7u);
  EXPECT_EQ(read.weights[2].bytes, source.substr(24, 20));
}

TEST_F(PackagerTest, NoWeightsAtAll) {
  ASSERT_TRUE(writePackage(package).ok());
  ReadPackage read = readPackage(readFile(out));
  EXPECT_EQ(read.footer.payload_bytes, 0u);
  EXPECT_TRUE(read.weights.empty());
}

TEST_F(PackagerTest, EqualWeightsShareAnOffset) {
  WeightSpec transposed = makeWeight("tied head", 24, 4, 3);
  transposed.transpose = true;
  std::swap(transposed.rows, transposed.cols);
  package.weights = {makeWeight("embed", 0, 3, 4), makeWeight("other", 2, 3, 3), transposed,
                     makeWeight("again", 48, 3, 4), makeWeight("prefix", 0, 3, 3)};
  ASSERT_TRUE(writePackage(package).ok());
  ReadPackage read = readPackage(readFile(out));
  ASSERT_EQ(read.weights.size(), 5u);
  EXPECT_EQ(read.weights[0].entry.offset, 0u);
  EXPECT_EQ(read.weights[1].entry.offset, 256u);
  EXPECT_EQ(read.weights[2].entry.offset, 0u);
  EXPECT_EQ(read.weights[3].entry.offset, 0u);
  EXPECT_EQ(read.weights[4].entry.offset, 512u) << "a prefix is not equal";
  EXPECT_EQ(read.footer.payload_bytes, 512u + 18);
  EXPECT_EQ(read.weights[2].bytes, source.substr(0, 24));
}

TEST_F(PackagerTest, ADuplicateAtTheEndLeavesNoBytes) {
  package.weights = {makeWeight("a", 0, 3, 4)};
  ASSERT_TRUE(writePackage(package).ok());
  uint64_t once = readPackage(readFile(out)).footer.payload_bytes;
  package.weights.push_back(makeWeight("b", 48, 3, 4));
  ASSERT_TRUE(writePackage(package).ok());
  EXPECT_EQ(readPackage(readFile(out)).footer.payload_bytes, once);
}

TEST_F(PackagerTest, DuplicatesLargerThanABlock) {
  // Two weights of 5 MB that differ in the last byte only, and a third equal to the first.
  std::string big(5000000, '\0');
  for (size_t i = 0; i < big.size(); ++i)
    big[i] = char(i * 31 + (i >> 8));
  std::string changed = big;
  changed.back() ^= 1;
  writeFile(model, big + changed + big);
  package.weights = {makeWeight("a", 0, 2500, 1000), makeWeight("b", big.size(), 2500, 1000),
                     makeWeight("c", 2 * big.size(), 2500, 1000)};
  ASSERT_TRUE(writePackage(package).ok());
  ReadPackage read = readPackage(readFile(out));
  EXPECT_TRUE(read.weights[0].bytes == big);
  EXPECT_TRUE(read.weights[1].bytes == changed);
  EXPECT_EQ(read.weights[2].entry.offset, read.weights[0].entry.offset);
  EXPECT_EQ(read.footer.payload_bytes, read.weights[1].entry.offset + big.size());
}

TEST_F(PackagerTest, SameBytesWhateverTheNamesOfFiles) {
  package.weights = {makeWeight("a", 0, 3, 4), makeWeight("b", 24, 3, 4)};
  ASSERT_TRUE(writePackage(package).ok());
  std::string first = readFile(out);
  TempFolder other;
  std::filesystem::copy(model, other / "renamed.onnx");
  for (WeightSpec &weight : package.weights)
    weight.file = other / "renamed.onnx";
  package.outputPath = other / "renamed.bin";
  ASSERT_TRUE(writePackage(package).ok());
  EXPECT_TRUE(readFile(package.outputPath) == first);
}

TEST_F(PackagerTest, IsExecutableAsTheUmaskAllows) {
  for (mode_t mask : {022, 077}) {
    mode_t before = umask(mask);
    absl::Status status = writePackage(package);
    umask(before);
    ASSERT_TRUE(status.ok());
    struct stat info;
    ASSERT_EQ(stat(out.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0777 & ~mask);
  }
}

TEST_F(PackagerTest, FollowsASymbolicLink) {
  TempFolder other;
  writeFile(other / "target", "old");
  std::filesystem::create_symlink(other / "target", out);
  ASSERT_TRUE(writePackage(package).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(out));
  readPackage(readFile(other / "target"));
  EXPECT_EQ(other.list(), std::vector<std::string>{"target"});
}
