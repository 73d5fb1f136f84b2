//===- WeightStreamTest.cpp - Streaming against a reference in memory -===//

#include "codegen/Link/WeightStream.h"

#include "codegen/Link/FloatConvert.h"
#include "test/unit/link/TempFolder.h"
#include "gtest/gtest.h"

#include <bit>
#include <cstring>
#include <random>
#include <sys/stat.h>

using namespace pi;
using namespace pi::test;

namespace {

constexpr pi_dtype kTypes[] = {PI_F32, PI_F16, PI_BF16};

class WeightStreamTest : public testing::Test {
protected:
  /// Fills a file with `spec`'s source and sets its file, offset and bytes.
  std::string makeSource(WeightSpec &spec, const std::string &file = "source");
  void randomise(WeightSpec &spec, int64_t rows = 0);
  std::string stream(const WeightSpec &spec);

  TempFolder folder;
  std::mt19937 random{1};
};

int64_t getFullRows(const WeightSpec &spec) {
  return spec.transpose ? spec.sourceCols : spec.sourceRows;
}

/// Sets the stored shape from the source's and the layout.
void finishShape(WeightSpec &spec) {
  spec.rows = spec.ranges.empty() ? getFullRows(spec) : 0;
  for (auto [first, count] : spec.ranges)
    spec.rows += count;
  spec.cols = spec.transpose ? spec.sourceRows : spec.sourceCols;
}

/// One number after the other, by index arithmetic alone.
std::string makeReference(const WeightSpec &spec, const std::string &numbers) {
  auto ranges = spec.ranges;
  if (ranges.empty())
    ranges.push_back({0, getFullRows(spec)});
  uint64_t fromBytes = getElementBytes(spec.sourceType), toBytes = getElementBytes(spec.dtype);
  std::string result(spec.getStoredBytes(), '\0');
  uint8_t *to = reinterpret_cast<uint8_t *>(result.data());
  for (auto [first, count] : ranges)
    for (int64_t row = first; row < first + count; ++row)
      for (int64_t col = 0; col < spec.cols; ++col, to += toBytes) {
        int64_t index = spec.transpose ? col * spec.sourceCols + row : row * spec.sourceCols + col;
        convertFloats(reinterpret_cast<const uint8_t *>(numbers.data()) + index * fromBytes,
                      spec.sourceType, to, spec.dtype, 1);
      }
  return result;
}

std::string encodeVarints(const std::string &numbers) {
  std::string bytes;
  for (size_t i = 0; i < numbers.size(); i += 2) {
    uint32_t value = uint8_t(numbers[i]) | uint32_t(uint8_t(numbers[i + 1])) << 8;
    for (; value >= 0x80; value >>= 7)
      bytes.push_back(char(value | 0x80));
    bytes.push_back(char(value));
  }
  return bytes;
}

std::string WeightStreamTest::makeSource(WeightSpec &spec, const std::string &file) {
  finishShape(spec);
  spec.name = "w";
  spec.file = folder / file;
  std::string numbers(spec.sourceRows * spec.sourceCols * getElementBytes(spec.sourceType), '\0');
  for (char &byte : numbers)
    byte = char(random());
  std::string bytes = spec.encoding == SourceEncoding::Int32Data ? encodeVarints(numbers) : numbers;
  spec.sourceOffset = random() % 5000;
  spec.sourceBytes = bytes.size();
  writeFile(spec.file, std::string(spec.sourceOffset, 'x') + bytes + "tail");
  return numbers;
}

/// A random source and layout; `rows` of the result, or any number of them.
void WeightStreamTest::randomise(WeightSpec &spec, int64_t rows) {
  spec.sourceType = kTypes[random() % 3];
  spec.encoding = SourceEncoding(random() % 3);
  if (spec.encoding == SourceEncoding::FloatData)
    spec.sourceType = PI_F32;
  if (spec.encoding == SourceEncoding::Int32Data && spec.sourceType == PI_F32)
    spec.sourceType = PI_F16;
  spec.transpose = random() % 2;
  int64_t layout = random() % 3; // all rows, ranges, an order
  int64_t full = layout == 0 && rows ? rows : 1 + random() % 200;
  spec.sourceRows = spec.transpose ? 1 + random() % 200 : full;
  spec.sourceCols = spec.transpose ? full : 1 + random() % 200;
  if (layout == 0)
    return;
  for (int64_t left = rows ? rows : 1 + random() % 200; left > 0;) { // overlapping, backwards
    int64_t first = random() % full;
    int64_t count = layout == 2 ? 1 : 1 + random() % std::min(left, full - first);
    spec.ranges.push_back({first, count});
    left -= count;
  }
}

std::string WeightStreamTest::stream(const WeightSpec &spec) {
  std::string result;
  absl::Status status = streamWeight(spec, folder.getPath(), [&](llvm::ArrayRef<uint8_t> block) {
    EXPECT_LE(block.size(), kBlockBytes);
    result.append(reinterpret_cast<const char *>(block.data()), block.size());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  for (const std::string &name : folder.list())
    EXPECT_EQ(name.rfind("source", 0), 0u) << "spool files are removed";
  return result;
}

} // namespace

TEST_F(WeightStreamTest, RandomShapesLayoutsAndTypes) {
  for (int round = 0; round < 300; ++round) {
    WeightSpec spec;
    spec.dtype = kTypes[random() % 3];
    randomise(spec);
    std::string numbers = makeSource(spec);
    ASSERT_EQ(stream(spec), makeReference(spec, numbers)) << "round " << round;
  }
}

/// Row r of each part, in order, of parts in `references`.
static std::string interleave(const WeightSpec &bundle,
                              const std::vector<std::string> &references) {
  std::string result;
  for (int64_t row = 0; row < bundle.rows; ++row)
    for (const std::string &part : references) {
      size_t rowBytes = part.size() / bundle.rows;
      result += part.substr(row * rowBytes, rowBytes);
    }
  return result;
}

TEST_F(WeightStreamTest, BundlesOfRandomParts) {
  for (int round = 0; round < 200; ++round) {
    WeightSpec bundle;
    bundle.dtype = kTypes[random() % 3];
    bundle.rows = 1 + random() % 100;
    std::vector<std::string> references;
    for (int i = 2 + random() % 2; i > 0; --i) {
      WeightSpec part;
      part.dtype = bundle.dtype;
      randomise(part, bundle.rows);
      std::string numbers = makeSource(part, "source" + std::to_string(i));
      ASSERT_EQ(part.rows, bundle.rows);
      references.push_back(makeReference(part, numbers));
      bundle.cols += part.cols;
      bundle.parts.push_back(part);
    }
    ASSERT_EQ(stream(bundle), interleave(bundle, references)) << "round " << round;
  }
}

TEST_F(WeightStreamTest, BundlesOverManyBlocksAndWithLongRows) {
  struct Shape {
    int64_t rows, cols[2];
  };
  for (Shape shape : {Shape{1200, {700, 1100}}, Shape{3, {700001, 1}}, Shape{2, {300000, 300001}}})
    for (bool transpose : {false, true}) {
      WeightSpec bundle;
      bundle.rows = shape.rows;
      std::vector<std::string> references;
      for (int64_t cols : shape.cols) {
        WeightSpec part;
        part.sourceType = cols % 2 ? PI_F32 : PI_F16;
        part.transpose = transpose;
        part.sourceRows = transpose ? cols : shape.rows;
        part.sourceCols = transpose ? shape.rows : cols;
        for (int64_t row = 0; row < shape.rows; ++row) // the last one first
          part.ranges.push_back({shape.rows - 1 - row, 1});
        std::string numbers = makeSource(part, "source" + std::to_string(cols));
        references.push_back(makeReference(part, numbers));
        bundle.cols += cols;
        bundle.parts.push_back(part);
      }
      ASSERT_GT(bundle.getStoredBytes(), 2 * kBlockBytes);
      EXPECT_TRUE(stream(bundle) == interleave(bundle, references));
    }
}

TEST_F(WeightStreamTest, TransposedRowsInAnOrder) {
  WeightSpec spec;
  spec.sourceType = PI_F16;
  spec.sourceRows = 900;
  spec.sourceCols = 1600;
  spec.transpose = true;
  for (int64_t i = 0; i < 1600; i += 2) // half of them, all over the source
    spec.ranges.push_back({i * 7 % 1600, 1});
  std::string numbers = makeSource(spec);
  ASSERT_GT(spec.getStoredBytes(), kBlockBytes);
  EXPECT_TRUE(stream(spec) == makeReference(spec, numbers));
}

TEST_F(WeightStreamTest, ErrorsOfBundlesNameThePart) {
  WeightSpec bundle, part;
  part.sourceRows = part.sourceCols = 4;
  makeSource(part);
  bundle.rows = 4;
  bundle.cols = 8;
  bundle.parts = {part, part};
  bundle.parts[1].name = "second";
  bundle.parts[1].sourceBytes -= 4;
  auto accept = [](llvm::ArrayRef<uint8_t>) { return absl::OkStatus(); };
  absl::Status status = streamWeight(bundle, folder.getPath(), accept);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("weight 'second' is damaged: it takes 60 bytes"),
            std::string::npos)
      << status;
  bundle.parts[1] = part;
  auto refuse = [](llvm::ArrayRef<uint8_t>) { return absl::ResourceExhaustedError("full"); };
  EXPECT_EQ(streamWeight(bundle, folder.getPath(), refuse), absl::ResourceExhaustedError("full"));
}

TEST_F(WeightStreamTest, ManyBlocks) {
  for (bool transpose : {false, true})
    for (pi_dtype type : {PI_F32, PI_F16}) {
      WeightSpec spec;
      spec.sourceType = type;
      spec.dtype = PI_F32;
      spec.sourceRows = 1500;
      spec.sourceCols = 1300;
      spec.transpose = transpose;
      spec.ranges = {{700, 600}, {0, 650}};
      std::string numbers = makeSource(spec);
      ASSERT_GT(spec.getStoredBytes(), 3 * kBlockBytes);
      EXPECT_TRUE(stream(spec) == makeReference(spec, numbers));
    }
}

TEST_F(WeightStreamTest, ARowLongerThanABlock) {
  for (bool transpose : {false, true}) {
    WeightSpec spec;
    spec.sourceType = spec.dtype = PI_F32;
    spec.sourceRows = transpose ? 700001 : 3;
    spec.sourceCols = transpose ? 3 : 700001;
    spec.transpose = transpose;
    spec.ranges = {{2, 1}, {0, 2}};
    std::string numbers = makeSource(spec);
    ASSERT_GT(spec.cols * 4u, kBlockBytes);
    EXPECT_TRUE(stream(spec) == makeReference(spec, numbers));
  }
}

TEST_F(WeightStreamTest, VarintsOverBlocksAndNegativeOnes) {
  WeightSpec spec;
  spec.sourceType = spec.dtype = PI_F16;
  spec.encoding = SourceEncoding::Int32Data;
  spec.sourceRows = 1100;
  spec.sourceCols = 900;
  spec.transpose = true;
  std::string numbers = makeSource(spec);
  ASSERT_GT(spec.sourceBytes, kBlockBytes) << "a varint lies across two blocks";
  EXPECT_TRUE(stream(spec) == makeReference(spec, numbers));

  // An int32 of -1 takes ten bytes; its low 16 bits are the number.
  WeightSpec negative;
  negative.name = "w";
  negative.file = folder / "source";
  negative.sourceType = negative.dtype = PI_F16;
  negative.encoding = SourceEncoding::Int32Data;
  negative.rows = negative.sourceRows = 2;
  negative.cols = negative.sourceCols = 1;
  std::string bytes = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05";
  negative.sourceBytes = bytes.size();
  writeFile(negative.file, bytes);
  EXPECT_EQ(stream(negative), std::string("\xff\xff\x05\x00", 4));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string getError(const WeightSpec &spec, const TempFolder &folder) {
  absl::Status status = streamWeight(spec, folder.getPath(),
                                     [](llvm::ArrayRef<uint8_t>) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  std::string message(status.message());
  EXPECT_EQ(message.rfind(spec.file + ": ", 0), 0u) << message;
  EXPECT_NE(message.find("weight 'w'"), std::string::npos) << message;
  return message;
}

TEST_F(WeightStreamTest, SourceThatIsNoLongerThere) {
  WeightSpec spec;
  spec.sourceRows = spec.sourceCols = 4;
  makeSource(spec);
  spec.file = folder / "gone";
  EXPECT_NE(getError(spec, folder).find("No such file"), std::string::npos);
  spec.file = folder.getPath();
  EXPECT_NE(getError(spec, folder).find("not a regular file"), std::string::npos);
  spec.file = folder / "fifo";
  ASSERT_EQ(mkfifo(spec.file.c_str(), 0600), 0);
  EXPECT_NE(getError(spec, folder).find("not a regular file"), std::string::npos);
}

TEST_F(WeightStreamTest, SourceThatHasBecomeShorter) {
  for (bool transpose : {false, true}) {
    WeightSpec spec;
    spec.sourceRows = spec.sourceCols = 100;
    spec.transpose = transpose;
    makeSource(spec);
    writeFile(spec.file, readFile(spec.file).substr(0, spec.sourceOffset + spec.sourceBytes - 1));
    EXPECT_NE(getError(spec, folder).find("the file ends at byte"), std::string::npos);
    spec.sourceOffset = UINT64_MAX - 10;
    EXPECT_NE(getError(spec, folder).find("the file ends at byte"), std::string::npos);
  }
}

TEST_F(WeightStreamTest, SourceOfAnotherSizeOrKind) {
  WeightSpec spec;
  spec.sourceType = PI_F16;
  spec.sourceRows = spec.sourceCols = 10;
  makeSource(spec);
  spec.sourceBytes -= 2;
  EXPECT_NE(getError(spec, folder).find("takes 198 bytes in the file, expected 200"),
            std::string::npos);
  spec.encoding = SourceEncoding::FloatData;
  EXPECT_NE(getError(spec, folder).find("cannot lie in float_data"), std::string::npos);
  spec.encoding = SourceEncoding::Int32Data;
  spec.sourceType = PI_F32;
  EXPECT_NE(getError(spec, folder).find("cannot lie in int32_data"), std::string::npos);
}

TEST_F(WeightStreamTest, DamagedVarints) {
  WeightSpec spec;
  spec.sourceType = PI_F16;
  spec.encoding = SourceEncoding::Int32Data;
  spec.sourceRows = spec.sourceCols = 2;
  makeSource(spec);
  spec.sourceOffset = 0;
  spec.sourceBytes = 3;
  writeFile(spec.file, "\x01\x02\x03");
  EXPECT_NE(getError(spec, folder).find("holds 3 numbers, expected 4"), std::string::npos);
  spec.sourceBytes = 5;
  writeFile(spec.file, "\x01\x02\x03\x04\x80"); // the last one does not end
  getError(spec, folder);
  spec.sourceBytes = 11;
  writeFile(spec.file, std::string(11, '\x80'));
  EXPECT_NE(getError(spec, folder).find("more than 10 bytes"), std::string::npos);
}

TEST_F(WeightStreamTest, ErrorsOfTheSinkPassThrough) {
  for (bool transpose : {false, true}) {
    WeightSpec spec;
    spec.sourceRows = spec.sourceCols = 4;
    spec.transpose = transpose;
    makeSource(spec);
    absl::Status status = streamWeight(spec, folder.getPath(), [](llvm::ArrayRef<uint8_t>) {
      return absl::ResourceExhaustedError("full");
    });
    EXPECT_EQ(status, absl::ResourceExhaustedError("full"));
  }
}
