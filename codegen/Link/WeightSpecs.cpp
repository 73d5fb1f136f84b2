//===- WeightSpecs.cpp - From pi.weight to what the packager takes -===//

#include "codegen/Link/WeightSpecs.h"

#include "absl/strings/str_cat.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/StoredWeights.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>
#include <optional>

using namespace mlir;
using namespace pi;

static std::optional<pi_dtype> getDtype(Type type) {
  if (type.isF32())
    return PI_F32;
  if (type.isF16())
    return PI_F16;
  if (type.isBF16())
    return PI_BF16;
  return std::nullopt;
}

static SourceEncoding getEncoding(Encoding encoding) {
  switch (encoding) {
  case Encoding::Raw:
    return SourceEncoding::Raw;
  case Encoding::FloatData:
    return SourceEncoding::FloatData;
  case Encoding::Int32Data:
    return SourceEncoding::Int32Data;
  }
  llvm_unreachable("all encodings are handled");
}

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

/// The rows that the layout takes, as ranges of the source after its transposition: ranges,
/// then the order, then the part. Empty: all.
static Ranges listRanges(WeightOp op, LayoutAttr layout) {
  Ranges ranges;
  ArrayRef<int64_t> rows = layout.getRows();
  for (size_t i = 0; i < rows.size(); i += 2)
    ranges.push_back({rows[i], rows[i + 1]});
  if (!layout.getOrder() && layout.getPart().empty())
    return ranges;
  std::vector<int64_t> all; // row by row
  for (auto [first, count] : ranges)
    for (int64_t i = 0; i < count; ++i)
      all.push_back(first + i);
  RankedTensorType source = op.getSource().getType();
  if (ranges.empty()) {
    all.resize(source.getDimSize(layout.getTranspose() ? 1 : 0));
    std::iota(all.begin(), all.end(), 0);
  }
  if (layout.getOrder()) {
    auto order = SymbolTable::lookupNearestSymbolFrom<OrderOp>(op, layout.getOrder());
    assert(order && "weight_c5");
    std::vector<int64_t> ordered;
    for (int32_t row : order.getOrder())
      ordered.push_back(all[row]);
    all = std::move(ordered);
  }
  if (ArrayRef<int64_t> part = layout.getPart(); !part.empty())
    all = std::vector<int64_t>(all.begin() + part[0], all.begin() + part[1]);
  ranges.clear();
  for (int64_t row : all)
    if (!ranges.empty() && ranges.back().first + ranges.back().second == row)
      ++ranges.back().second;
    else
      ranges.push_back({row, 1});
  return ranges;
}

absl::StatusOr<WeightSpec> pi::makeWeightSpec(WeightOp op) {
  WeightSpec spec;
  SourceAttr source = op.getSource();
  spec.name = op.getSymName().str();
  spec.file = source.getFile().str();
  RankedTensorType stored = op.getTensorType();
  RankedTensorType type = source.getType();
  std::optional<pi_dtype> sourceType = getDtype(type.getElementType());
  if (!sourceType) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return absl::InvalidArgumentError(absl::StrCat(spec.file, ": weight '", spec.name, "' is a ",
                                                   text, "; only f32, f16 and bf16 are supported"));
  }
  spec.dtype = *getDtype(stored.getElementType()); // weight_c1
  spec.isVector = stored.getRank() == 1;
  spec.rows = stored.getDimSize(0);
  spec.cols = spec.isVector ? 1 : stored.getDimSize(1);
  spec.sourceOffset = source.getOffset();
  spec.sourceBytes = source.getBytes();
  spec.sourceType = *sourceType;
  spec.encoding = getEncoding(source.getEncoding());
  spec.sourceRows = type.getDimSize(0);
  spec.sourceCols = type.getRank() == 2 ? type.getDimSize(1) : 1;
  if (LayoutAttr layout = op.getLayoutAttr()) {
    spec.transpose = layout.getTranspose();
    spec.ranges = listRanges(op, layout);
  }
  return spec;
}

static absl::StatusOr<WeightSpec> makeBundleSpec(BundleOp op) {
  WeightSpec spec;
  spec.name = op.getSymName().str();
  spec.dtype = *getDtype(op.getTensorType().getElementType()); // bundle_c2, weight_c1
  spec.rows = op.getTensorType().getDimSize(0);
  spec.cols = op.getTensorType().getDimSize(1);
  for (auto name : op.getParts().getAsRange<FlatSymbolRefAttr>()) {
    absl::StatusOr<WeightSpec> part =
        makeWeightSpec(SymbolTable::lookupNearestSymbolFrom<WeightOp>(op, name));
    if (!part.ok())
      return part.status();
    spec.parts.push_back(*std::move(part));
  }
  return spec;
}

absl::StatusOr<std::vector<WeightSpec>> pi::makeWeightSpecs(ModuleOp module) {
  llvm::DenseMap<StringAttr, uint32_t> layers;
  for (neuron::GroupOp group : module.getOps<neuron::GroupOp>())
    if (ArrayAttr names = group.getWeightsAttr())
      for (auto name : names.getAsRange<FlatSymbolRefAttr>())
        layers[name.getAttr()] = group.getLayer();
  std::vector<WeightSpec> specs;
  StoredWeights stored(module);
  for (Operation *op : stored.getOps()) {
    auto bundle = dyn_cast<BundleOp>(op);
    absl::StatusOr<WeightSpec> spec =
        bundle ? makeBundleSpec(bundle) : makeWeightSpec(cast<WeightOp>(op));
    if (!spec.ok())
      return spec.status();
    StringAttr name = bundle ? cast<FlatSymbolRefAttr>(bundle.getParts()[0]).getAttr()
                             : cast<WeightOp>(op).getSymNameAttr();
    if (auto layer = layers.find(name); layer != layers.end())
      spec->layer = layer->second;
    specs.push_back(*std::move(spec));
  }
  return specs;
}
