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

/// The same, one by one.
static std::vector<int64_t> listRows(const WeightSpec &weight) {
  std::vector<int64_t> rows;
  rows.reserve(weight.rows);
  for (auto [first, count] : getRanges(weight))
    for (int64_t i = 0; i < count; ++i)
      rows.push_back(first + i);
  return rows;
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

  std::vector<int64_t> columns = listRows(weight); // of the source, one per row of the output
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

/// Adds `row` to `ranges`, to the last one where it follows that.
static void addRow(Ranges &ranges, int64_t row) {
  if (!ranges.empty() && ranges.back().first + ranges.back().second == row)
    ++ranges.back().second;
  else
    ranges.push_back({row, 1});
}

/// Turns the rows that `weight` takes into an unnamed file, each once and in ascending
/// order, and makes `weight` and `source` one over that file. Rows in no order of the
/// source, if gathered from all over it, would have it read once per block.
static absl::Status turnIntoSpool(WeightSpec &weight, WeightSource &source,
                                  const std::string &spoolFolder) {
  std::vector<int64_t> taken = listRows(weight), rows = taken;
  llvm::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  WeightSpec turned = weight;
  turned.rows = rows.size();
  turned.dtype = weight.sourceType;
  turned.ranges.clear();
  for (int64_t row : rows)
    addRow(turned.ranges, row);
  absl::StatusOr<SourceFile> spool = SourceFile::createSpool(spoolFolder);
  if (!spool.ok())
    return spool.status();
  auto append = [&](llvm::ArrayRef<uint8_t> bytes) { return spool->append(bytes); };
  ConvertingSink appending(turned, append);
  if (absl::Status status = streamTransposed(turned, source.file, source.offset, appending);
      !status.ok())
    return status;
  source = {*std::move(spool), 0};
  weight.sourceCols = std::exchange(weight.sourceRows, turned.rows);
  weight.transpose = false;
  weight.ranges.clear();
  for (int64_t row : taken)
    addRow(weight.ranges, llvm::lower_bound(rows, row) - rows.begin());
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Bundles
//===----------------------------------------------------------------------===//

namespace {
/// A part of a bundle that can be read row by row.
struct OpenPart {
  WeightSpec weight; // not transposed; its ranges are those of the block that is read
  WeightSource source;
  std::vector<int64_t> rows; // of the source, one per row of the bundle
  uint64_t rowBytes = 0;     // as stored
};
} // namespace

static absl::Status openPart(OpenPart &part, const std::string &spoolFolder) {
  absl::StatusOr<WeightSource> source = openSource(part.weight, spoolFolder);
  if (!source.ok())
    return source.status();
  part.source = *std::move(source);
  if (part.weight.transpose)
    if (absl::Status status = turnIntoSpool(part.weight, part.source, spoolFolder); !status.ok())
      return status;
  part.rows = listRows(part.weight);
  part.rowBytes = uint64_t(part.weight.cols) * getElementBytes(part.weight.dtype);
  return absl::OkStatus();
}

/// Streams rows [first, first + count) of the bundle's `part`.
static absl::Status streamPart(OpenPart &part, int64_t first, int64_t count, WeightSink sink) {
  part.weight.ranges.clear();
  for (int64_t row : llvm::ArrayRef<int64_t>(part.rows).slice(first, count))
    addRow(part.weight.ranges, row);
  part.weight.rows = count;
  ConvertingSink converting(part.weight, sink);
  return streamRows(part.weight, part.source.file, part.source.offset, converting);
}

/// Row r of each part, for r in order: a block's rows of one part are read, then those of
/// the next, each to its place in the block.
static absl::Status streamBundle(const WeightSpec &bundle, const std::string &spoolFolder,
                                 WeightSink sink) {
  std::vector<OpenPart> parts;
  for (const WeightSpec &weight : bundle.parts) {
    parts.push_back({weight, {}, {}, 0});
    if (absl::Status status = openPart(parts.back(), spoolFolder); !status.ok())
      return status;
  }
  uint64_t rowBytes = uint64_t(bundle.cols) * getElementBytes(bundle.dtype);
  int64_t rowsPerBlock = std::max<int64_t>(1, kBlockBytes / rowBytes);
  bool isLong = rowBytes > kBlockBytes; // a row at a time then, in pieces
  std::vector<uint8_t> block(isLong ? 0 : std::min(rowsPerBlock, bundle.rows) * rowBytes);
  for (int64_t first = 0; first < bundle.rows; first += rowsPerBlock) {
    int64_t count = std::min(rowsPerBlock, bundle.rows - first);
    uint8_t *column = block.data();
    for (OpenPart &part : parts) {
      uint64_t done = 0; // bytes of the part
      auto place = [&](llvm::ArrayRef<uint8_t> bytes) {
        while (!bytes.empty()) {
          uint64_t inRow = done % part.rowBytes;
          uint64_t taken = std::min<uint64_t>(bytes.size(), part.rowBytes - inRow);
          std::memcpy(column + done / part.rowBytes * rowBytes + inRow, bytes.data(), taken);
          bytes = bytes.drop_front(taken);
          done += taken;
        }
        return absl::OkStatus();
      };
      if (absl::Status status =
              isLong ? streamPart(part, first, count, sink) : streamPart(part, first, count, place);
          !status.ok())
        return status;
      column += isLong ? 0 : part.rowBytes;
    }
    if (isLong)
      continue;
    if (absl::Status status = sink(llvm::ArrayRef<uint8_t>(block.data(), count * rowBytes));
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status pi::streamWeight(const WeightSpec &given, const std::string &spoolFolder,
                              WeightSink sink) {
  if (!given.parts.empty())
    return streamBundle(given, spoolFolder, sink);
  WeightSpec weight = given;
  absl::StatusOr<WeightSource> source = openSource(weight, spoolFolder);
  if (!source.ok())
    return source.status();
  if (weight.getStoredBytes() == 0)
    return absl::OkStatus();

  constexpr size_t fewRanges = 16;
  if (weight.transpose && weight.ranges.size() > fewRanges)
    if (absl::Status status = turnIntoSpool(weight, *source, spoolFolder); !status.ok())
      return status;
  ConvertingSink converting(weight, sink);
  return weight.transpose ? streamTransposed(weight, source->file, source->offset, converting)
                          : streamRows(weight, source->file, source->offset, converting);
}
