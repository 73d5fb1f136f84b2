//===- LlmWeights.cpp - Weights of the reference interpreter -===//

#include "test/tools/pi-llm-run/LlmWeights.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <fstream>
#include <memory>

using namespace mlir;
using namespace pi;

/// The low `bits` of a number in a file (16: f16 or bf16, 32: f32) as f32.
static float toFloat(uint32_t bits, Type type) {
  if (type.isF32())
    return llvm::bit_cast<float>(bits);
  if (type.isBF16())
    return llvm::bit_cast<float>(bits << 16);
  APFloat value(APFloat::IEEEhalf(), APInt(16, bits & 0xffff));
  return value.convertToFloat();
}

/// `value` after storage as `type`: round to nearest even.
static float roundTo(float value, FloatType type) {
  if (type.isF32())
    return value;
  APFloat rounded(value);
  bool lost;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return rounded.convertToFloat();
}

/// The next varint of a packed field; false at its end or where it is damaged.
static bool readVarint(const std::string &bytes, size_t &at, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    uint8_t byte = bytes[at++];
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

static uint32_t littleEndian(const std::string &bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i)
    value |= uint32_t(uint8_t(bytes[at + i])) << (8 * i);
  return value;
}

/// The source's numbers in file order; fewer than its type says where it is damaged.
static std::vector<float> decode(const std::string &bytes, SourceAttr source) {
  std::vector<float> values;
  Type type = source.getType().getElementType();
  int64_t count = source.getType().getNumElements();
  values.reserve(count);
  if (source.getEncoding() == Encoding::Int32Data) {
    uint64_t number;
    for (size_t at = 0; at < bytes.size() && readVarint(bytes, at, number);)
      values.push_back(toFloat(number, type));
    return values;
  }
  bool floats = source.getEncoding() == Encoding::FloatData || type.isF32();
  size_t width = floats ? 4 : 2;
  Type stored = floats ? Type(Float32Type::get(type.getContext())) : type;
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    values.push_back(toFloat(littleEndian(bytes, at, width), stored));
  return values;
}

/// Arranges `source` numbers [rows, cols] as the layout says.
static LlmWeight arrange(const std::vector<float> &source, pi::WeightOp op) {
  RankedTensorType sourceType = op.getSource().getType(), type = op.getTensorType();
  bool isVector = type.getRank() == 1;
  LayoutAttr layout = op.getLayoutAttr();
  bool transpose = layout && layout.getTranspose();
  int64_t sourceCols = sourceType.getRank() > 1 ? sourceType.getDimSize(1) : 1;

  std::vector<int64_t> taken; // row of the (transposed) source for each row of the weight
  if (layout && !layout.getRows().empty()) {
    for (size_t i = 0; i < layout.getRows().size(); i += 2)
      for (int64_t k = 0; k < layout.getRows()[i + 1]; ++k)
        taken.push_back(layout.getRows()[i] + k);
  } else {
    for (int64_t r = 0; r < type.getDimSize(0); ++r)
      taken.push_back(r);
  }

  int64_t cols = isVector ? 1 : type.getDimSize(1);
  auto element = cast<FloatType>(type.getElementType());
  LlmWeight weight;
  weight.values.reserve(type.getNumElements());
  for (int64_t row : taken)
    for (int64_t col = 0; col < cols; ++col)
      weight.values.push_back(roundTo(
          transpose ? source[col * sourceCols + row] : source[row * sourceCols + col], element));
  weight.rows = isVector ? 1 : type.getDimSize(0);
  weight.cols = isVector ? type.getDimSize(0) : cols;
  return weight;
}

const LlmWeight *LlmWeights::get(FlatSymbolRefAttr name) {
  std::unique_ptr<LlmWeight> &entry = loaded[name.getAttr()];
  if (entry)
    return entry.get();
  auto op = symbols.lookup<pi::WeightOp>(name.getAttr());
  assert(op && "verifiers have looked the weight up");
  SourceAttr source = op.getSource();
  std::ifstream file(source.getFile().str(), std::ios::binary | std::ios::ate);
  uint64_t fileBytes = file ? static_cast<uint64_t>(file.tellg()) : 0;
  if (!file || source.getOffset() > fileBytes ||
      source.getBytes() > fileBytes - source.getOffset()) {
    op.emitError("cannot read ") << source.getBytes() << " bytes at " << source.getOffset()
                                 << " of '" << source.getFile().getValue() << "'";
    return nullptr;
  }
  std::string bytes(source.getBytes(), '\0');
  file.seekg(source.getOffset());
  file.read(bytes.data(), bytes.size());
  std::vector<float> values = decode(bytes, source);
  if (!file || static_cast<int64_t>(values.size()) != source.getType().getNumElements()) {
    op.emitError("source holds ") << values.size() << " numbers, its type " << source.getType()
                                  << " more or fewer";
    return nullptr;
  }
  entry = std::make_unique<LlmWeight>(arrange(values, op));
  return entry.get();
}
