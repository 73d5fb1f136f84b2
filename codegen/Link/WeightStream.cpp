//===- WeightStream.cpp - Streams a weight from its source in stored order -===//

#include "codegen/Link/WeightStream.h"

#include "codegen/Link/FloatConvert.h"
#include "codegen/Link/WeightSource.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>
#include <vector>

using namespace pi;

/// Side of the square tiles of a transposition: a tile of f32 and its image stay in L1.
static constexpr int64_t kTile = 64;
/// Larger mappings give their pages back now and then, so that the resident size does
/// not follow the size of a large head; one page fault brings 16 pages, so not too often.
static constexpr uint64_t kLargeMappingBytes = 512u << 20;
static constexpr int64_t kBlocksPerRelease = 64;

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

/// The rows to take, in order, in terms of the matrix after the transposition.
static Ranges getRanges(const WeightSpec &weight) {
  if (!weight.ranges.empty())
    return weight.ranges;
  return {{0, weight.transpose ? weight.sourceCols : weight.sourceRows}};
}

/// Collects numbers in the source's type and hands them on in the stored type.
namespace {
class ConvertingSink {
public:
  ConvertingSink(const WeightSpec &weight, WeightSink sink)
      : from(weight.sourceType), to(weight.dtype), sink(sink) {
    // Both buffers hold as many numbers as fit the wider of the two types.
    uint64_t widest = std::max(getElementBytes(from), getElementBytes(to));
    capacity = std::min<uint64_t>(kBlockBytes / widest, uint64_t(weight.rows) * weight.cols);
    block.resize(capacity * getElementBytes(from));
    if (from != to)
      converted.resize(capacity * getElementBytes(to));
  }

  /// Numbers a block holds.
  int64_t getCapacity() const { return capacity; }
  int64_t getFree() const { return capacity - used; }
  /// Where the next numbers go; at most `getFree()`.
  uint8_t *getEnd() { return block.data() + used * getElementBytes(from); }
  /// Takes `count` numbers that lie at `getEnd()`.
  absl::Status add(int64_t count) {
    used += count;
    assert(used <= capacity && "block overflow");
    return used == capacity ? flush() : absl::OkStatus();
  }
  absl::Status flush() {
    uint64_t count = std::exchange(used, 0);
    if (count == 0)
      return absl::OkStatus();
    if (from == to)
      return sink(llvm::ArrayRef<uint8_t>(block.data(), count * getElementBytes(to)));
    convertFloats(block.data(), from, converted.data(), to, count);
    return sink(llvm::ArrayRef<uint8_t>(converted.data(), count * getElementBytes(to)));
  }

private:
  pi_dtype from;
  pi_dtype to;
  WeightSink sink;
  int64_t capacity = 0; // numbers
  int64_t used = 0;     // numbers
  std::vector<uint8_t> block;
  std::vector<uint8_t> converted;
};
} // namespace

/// Copies ranges of rows as they lie in the source.
static absl::Status streamRows(const WeightSpec &weight, const SourceFile &source,
                               uint64_t sourceOffset, ConvertingSink &sink) {
  uint64_t elementBytes = getElementBytes(weight.sourceType);
  for (auto [first, count] : getRanges(weight)) {
    uint64_t offset = sourceOffset + uint64_t(first) * weight.sourceCols * elementBytes;
    int64_t left = count * weight.sourceCols;
    while (left > 0) {
      int64_t taken = std::min(left, sink.getFree());
      llvm::MutableArrayRef<uint8_t> piece(sink.getEnd(), taken * elementBytes);
      if (absl::Status status = source.read(offset, piece); !status.ok())
        return nameWeight(status, weight);
      if (absl::Status status = sink.add(taken); !status.ok())
        return status;
      offset += taken * elementBytes;
      left -= taken;
    }
  }
  return sink.flush();
}

/// to[c][r] = from[r][columns[c]] for r < rows, in tiles; `to` has rows of `rows`
/// numbers. Neither side need be aligned. A tile is turned in a buffer of its own: rows
/// of `to` are often a power of two apart and would compete for the same cache sets.
template <size_t elementBytes>
static void gatherColumns(const uint8_t *from, int64_t fromCols, int64_t rows,
                          llvm::ArrayRef<int64_t> columns, uint8_t *to) {
  int64_t numColumns = columns.size();
  uint8_t tile[kTile * kTile * elementBytes];
  for (int64_t r0 = 0; r0 < rows; r0 += kTile)
    for (int64_t c0 = 0; c0 < numColumns; c0 += kTile) {
      int64_t tileRows = std::min(kTile, rows - r0);
      llvm::ArrayRef<int64_t> tileColumns = columns.slice(c0).take_front(kTile);
      for (int64_t r = 0; r < tileRows; ++r) {
        const uint8_t *row = from + (r0 + r) * fromCols * elementBytes;
        for (auto [c, column] : llvm::enumerate(tileColumns))
          std::memcpy(tile + (c * kTile + r) * elementBytes, row + column * elementBytes,
                      elementBytes);
      }
      for (size_t c = 0; c < tileColumns.size(); ++c)
        std::memcpy(to + ((c0 + c) * rows + r0) * elementBytes, tile + c * kTile * elementBytes,
                    tileRows * elementBytes);
    }
}

/// Makes rows of the output from columns of the source: as many at a time as fit a
/// block, or a part of one where a single row is longer than a block.
static absl::Status streamTransposed(const WeightSpec &weight, const SourceFile &source,
                                     uint64_t sourceOffset, ConvertingSink &sink) {
  uint64_t elementBytes = getElementBytes(weight.sourceType);
  MappedRange mapped;
  if (absl::Status status = mapped.map(
          source, sourceOffset, uint64_t(weight.sourceRows) * weight.sourceCols * elementBytes);
      !status.ok())
    return nameWeight(status, weight);

  std::vector<int64_t> columns; // of the source, one per row of the output
  columns.reserve(weight.rows);
  for (auto [first, count] : getRanges(weight))
    for (int64_t i = 0; i < count; ++i)
      columns.push_back(first + i);

  int64_t rowsPerBlock = std::max<int64_t>(1, sink.getCapacity() / weight.sourceRows);
  int64_t partRows =
      rowsPerBlock > 1 ? weight.sourceRows : std::min(weight.sourceRows, sink.getCapacity());
  llvm::ArrayRef<int64_t> left(columns);
  for (int64_t blocks = 1; !left.empty(); ++blocks) {
    if (blocks % kBlocksPerRelease == 0 && weight.sourceBytes > kLargeMappingBytes)
      mapped.releasePages();
    llvm::ArrayRef<int64_t> block = left.take_front(rowsPerBlock);
    left = left.drop_front(block.size());
    for (int64_t r = 0; r < weight.sourceRows; r += partRows) {
      int64_t rows = std::min(partRows, weight.sourceRows - r);
      const uint8_t *from = mapped.data() + uint64_t(r) * weight.sourceCols * elementBytes;
      if (elementBytes == 4)
        gatherColumns<4>(from, weight.sourceCols, rows, block, sink.getEnd());
      else
        gatherColumns<2>(from, weight.sourceCols, rows, block, sink.getEnd());
      if (absl::Status status = sink.add(rows * block.size()); !status.ok())
        return status;
      if (absl::Status status = sink.flush(); !status.ok())
        return status;
    }
  }
  return absl::OkStatus();
}

/// The same where the rows are in no order of the source: gathering them from all over it
/// would read it once per block. It is turned whole in memory, then rows are taken.
static absl::Status streamTransposedRows(const WeightSpec &weight, const SourceFile &source,
                                         uint64_t sourceOffset, ConvertingSink &sink) {
  uint64_t rowBytes = weight.sourceRows * getElementBytes(weight.sourceType);
  WeightSpec whole = weight;
  whole.ranges.clear();
  whole.rows = weight.sourceCols;
  whole.dtype = weight.sourceType;
  std::vector<uint8_t> turned;
  turned.reserve(whole.rows * rowBytes);
  ConvertingSink collecting(whole, [&](llvm::ArrayRef<uint8_t> bytes) {
    turned.insert(turned.end(), bytes.begin(), bytes.end());
    return absl::OkStatus();
  });
  if (absl::Status status = streamTransposed(whole, source, sourceOffset, collecting); !status.ok())
    return status;
  for (auto [first, count] : weight.ranges) {
    const uint8_t *from = turned.data() + first * rowBytes;
    for (int64_t left = count * weight.sourceRows; left > 0;) {
      int64_t taken = std::min(left, sink.getFree());
      uint64_t bytes = taken * getElementBytes(weight.sourceType);
      std::memcpy(sink.getEnd(), from, bytes);
      if (absl::Status status = sink.add(taken); !status.ok())
        return status;
      from += bytes;
      left -= taken;
    }
  }
  return sink.flush();
}

absl::Status pi::streamWeight(const WeightSpec &weight, const std::string &spoolFolder,
                              WeightSink sink) {
  absl::StatusOr<WeightSource> source = openSource(weight, spoolFolder);
  if (!source.ok())
    return source.status();
  if (weight.getStoredBytes() == 0)
    return absl::OkStatus();

  ConvertingSink converting(weight, sink);
  if (!weight.transpose)
    return streamRows(weight, source->file, source->offset, converting);
  constexpr size_t fewRanges = 16;
  return weight.ranges.size() <= fewRanges
             ? streamTransposed(weight, source->file, source->offset, converting)
             : streamTransposedRows(weight, source->file, source->offset, converting);
}
