//===- ModelFingerprint.cpp - Which model a profile belongs to -===//

#include "compiler/Analysis/ModelFingerprint.h"

#include "dialects/Neuron/IR/Neuron.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace pi;

/// Elements of each block that are looked at.
static constexpr int64_t kElements = 64;

SmallVector<BlockWeights> pi::findBlocks(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<int64_t, BlockWeights> blocks;
  for (auto group : module.getOps<neuron::GroupOp>()) {
    ArrayAttr names = group.getWeightsAttr();
    auto [entry, isNew] = blocks.insert({static_cast<int64_t>(group.getLayer()), BlockWeights()});
    if (!names || !isNew)
      continue;
    // gate, up, down, up's bias: of them gate and bias may be missing.
    SmallVector<WeightOp> matrices;
    BlockWeights &block = entry->second;
    block.layer = group.getLayer();
    for (auto name : names.getAsRange<FlatSymbolRefAttr>())
      if (auto weight = symbols.lookup<WeightOp>(name.getAttr())) {
        if (weight.getTensorType().getRank() == 2)
          matrices.push_back(weight);
        else
          block.upBias = weight;
      }
    if (matrices.size() < 2)
      continue;
    block.down = matrices.back();
    block.up = matrices[matrices.size() - 2];
    if (matrices.size() == 3)
      block.gate = matrices.front();
  }
  auto found = blocks.takeVector();
  llvm::sort(found, llvm::less_first());
  SmallVector<BlockWeights> result;
  for (auto &[layer, block] : found)
    if (block.up)
      result.push_back(block);
  return result;
}

namespace {
/// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923).
struct Hash {
  uint64_t state = 0xcbf29ce484222325u;
  void add(uint64_t value) {
    for (int i = 0; i < 8; ++i) {
      state = (state ^ (value & 0xff)) * 0x100000001b3u;
      value >>= 8;
    }
  }
};

/// Reads elements of a weight from its source.
class ElementReader {
public:
  explicit ElementReader(WeightOp weight) : weight(weight), source(weight.getSource()) {}
  ~ElementReader() {
    if (fd)
      (void)llvm::sys::fs::closeFile(*fd);
  }
  LogicalResult open();
  /// The bits of element [row, column] as f32.
  FailureOr<uint32_t> read(int64_t row, int64_t column);

private:
  int64_t sourceRow(int64_t row);

  WeightOp weight;
  SourceAttr source;
  std::optional<llvm::sys::fs::file_t> fd;
};
} // namespace

LogicalResult ElementReader::open() {
  auto opened = llvm::sys::fs::openNativeFileForRead(source.getFile().getValue());
  if (!opened)
    return weight.emitError("cannot read ")
           << source.getFile() << ": " << llvm::toString(opened.takeError());
  fd = *opened;
  return success();
}

/// Of the source after its transposition, before row ranges.
int64_t ElementReader::sourceRow(int64_t row) {
  LayoutAttr layout = weight.getLayoutAttr();
  if (!layout || layout.getRows().empty())
    return row;
  ArrayRef<int64_t> ranges = layout.getRows();
  for (size_t i = 0; i < ranges.size(); i += 2) {
    if (row < ranges[i + 1])
      return ranges[i] + row;
    row -= ranges[i + 1];
  }
  llvm_unreachable("weight_c4: the ranges have as many rows as the weight");
}

FailureOr<uint32_t> ElementReader::read(int64_t row, int64_t column) {
  int64_t first = sourceRow(row), second = column;
  if (LayoutAttr layout = weight.getLayoutAttr(); layout && layout.getTranspose())
    std::swap(first, second);
  auto type = cast<FloatType>(source.getType().getElementType());
  unsigned bytes = type.getWidth() / 8;
  char buffer[4] = {};
  auto got = llvm::sys::fs::readNativeFileSlice(
      *fd, llvm::MutableArrayRef(buffer, bytes),
      source.getOffset() + (first * source.getType().getDimSize(1) + second) * bytes);
  if (!got || *got != bytes) {
    llvm::consumeError(got.takeError());
    return weight.emitError("cannot be read from ")
           << source.getFile() << "; has the file changed since it was imported?";
  }
  llvm::APInt bits(type.getWidth(),
                   llvm::support::endian::read32le(buffer) & (bytes == 4 ? 0xffffffffu : 0xffffu));
  llvm::APFloat value(type.getFloatSemantics(), bits);
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint32_t>(value.bitcastToAPInt().getZExtValue());
}

FailureOr<uint64_t> pi::computeFingerprint(ModuleOp module) {
  Hash hash;
  for (BlockWeights block : findBlocks(module)) {
    RankedTensorType type = block.up.getTensorType();
    int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
    for (int64_t value : {block.layer, rows, columns, block.gate ? int64_t(1) : int64_t(0)})
      hash.add(value);
    if (block.up.getSource().getEncoding() == Encoding::Int32Data)
      continue; // varints: no element can be found without reading all before it
    ElementReader reader(block.up);
    if (failed(reader.open()))
      return failure();
    for (int64_t i = 0; i < kElements; ++i) {
      // All over the matrix: consecutive rows and columns wherever the sizes are no multiples.
      FailureOr<uint32_t> bits = reader.read(i * rows / kElements, i * 7919 % columns);
      if (failed(bits))
        return failure();
      hash.add(*bits);
    }
  }
  return hash.state;
}
