//===- ModelSizes.cpp - What a placement needs to know of a module -===//

#include "compiler/Analysis/ModelSizes.h"

#include "compiler/Analysis/ModelFingerprint.h"
#include "dialects/Llm/IR/Llm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace pi;

namespace {

class Measurer {
public:
  Measurer(ModuleOp module, bool widenTo32)
      : module(module), symbols(module), widenTo32(widenTo32) {}
  FailureOr<ModelSizes> run();

private:
  PlacementLayer &layer(int64_t index);
  uint64_t bytesOf(FlatSymbolRefAttr name);
  LogicalResult addNeurons();
  void addRows(LayerNeurons &neurons, PlacementLayer &layer, const BlockWeights &block);
  void addAttention(llm::AttentionOp op, func::FuncOp decode);
  void addWeights(Operation *op, PlacementLayer &layer, llvm::DenseSet<Attribute> &seen);
  void addScratch(func::FuncOp decode);

  ModuleOp module;
  SymbolTable symbols;
  bool widenTo32;
  ModelSizes sizes;
};

} // namespace

PlacementLayer &Measurer::layer(int64_t index) {
  if (sizes.problem.layers.size() <= static_cast<size_t>(index)) {
    sizes.problem.layers.resize(index + 1);
    sizes.neurons.resize(index + 1);
  }
  return sizes.problem.layers[index];
}

uint64_t Measurer::bytesOf(FlatSymbolRefAttr name) {
  auto weight = name ? symbols.lookup<WeightOp>(name.getAttr()) : WeightOp();
  if (!weight)
    return 0;
  RankedTensorType type = weight.getTensorType();
  unsigned bits = type.getElementTypeBitWidth();
  return type.getNumElements() * (widenTo32 && type.getRank() == 2 ? 4 : bits / 8);
}

/// Rows by hotness, and what they take and read.
void Measurer::addRows(LayerNeurons &neurons, PlacementLayer &layer, const BlockWeights &weights) {
  BlockWeights block = weights;
  auto rowBytes = [&](WeightOp weight) {
    return weight ? bytesOf(FlatSymbolRefAttr::get(weight.getSymNameAttr())) /
                        weight.getTensorType().getDimSize(0)
                  : 0;
  };
  WeightOp check = block.gate ? block.gate : block.up;
  layer.checkBytes = rowBytes(check) + rowBytes(block.upBias);
  layer.rowBytes = layer.checkBytes + (block.gate ? rowBytes(block.up) : 0) + rowBytes(block.down);
  int64_t count = neurons.group.getRows();
  neurons.order.resize(count);
  std::iota(neurons.order.begin(), neurons.order.end(), 0);
  layer.frequency.assign(count, 1.0f);
  neuron::ProfileAttr profile = neurons.group.getProfileAttr();
  sizes.profiled &= profile != nullptr;
  if (!profile)
    return;
  SmallVector<int64_t> counts = profile.getCountList();
  llvm::sort(neurons.order, [&](int32_t a, int32_t b) {
    return std::pair(-counts[a], a) < std::pair(-counts[b], b);
  });
  for (auto [frequency, row] : llvm::zip(layer.frequency, neurons.order))
    frequency = static_cast<float>(static_cast<double>(counts[row]) /
                                   static_cast<double>(profile.getTokens()));
}

LogicalResult Measurer::addNeurons() {
  llvm::DenseMap<int64_t, BlockWeights> blocks;
  for (const BlockWeights &block : findBlocks(module))
    blocks[block.layer] = block;
  sizes.profiled = !blocks.empty();
  for (auto group : module.getOps<neuron::GroupOp>()) {
    PlacementLayer &into = layer(group.getLayer());
    LayerNeurons &neurons = sizes.neurons[group.getLayer()];
    auto block = blocks.find(group.getLayer());
    if (block == blocks.end())
      continue;
    if (neurons.group || group.getFirst() != 0 || group.getOrderAttr()) {
      InFlightDiagnostic diagnostic = group.emitOpError("is split already");
      if (neurons.group)
        diagnostic.attachNote(neurons.group.getLoc()) << "another group of the layer is here";
      return diagnostic;
    }
    neurons.group = group;
    addRows(neurons, into, block->second);
  }
  return success();
}

/// Adds every weight that `op` names and that is not in `seen`.
void Measurer::addWeights(Operation *op, PlacementLayer &layer, llvm::DenseSet<Attribute> &seen) {
  for (NamedAttribute attribute : op->getAttrs())
    if (auto name = dyn_cast<FlatSymbolRefAttr>(attribute.getValue());
        name && seen.insert(name).second)
      layer.attentionBytes += bytesOf(name);
}

/// What leads from norms to the attention, and the products of its result.
void Measurer::addAttention(llm::AttentionOp op, func::FuncOp decode) {
  auto cache = op.getCache();
  if (auto append = cache.getDefiningOp<llm::KvAppendOp>())
    cache = cast<TypedValue<llm::KvCacheType>>(append.getCache());
  auto argument = dyn_cast<BlockArgument>(cache);
  if (!argument)
    return;
  int64_t index = 0;
  for (BlockArgument other : decode.getArguments().take_front(argument.getArgNumber()))
    index += isa<llm::KvCacheType>(other.getType());
  PlacementLayer &into = layer(index);
  llm::KvCacheType type = op.getCache().getType();
  into.cacheBytes += 2 * type.getHeads() * type.getCapacity() * type.getDim() *
                     (type.getType().getIntOrFloatBitWidth() / 8);
  into.cacheReadBytes = into.cacheBytes / 2;

  llvm::DenseSet<Attribute> seen;
  SmallVector<Operation *> pending{op};
  llvm::DenseSet<Operation *> visited;
  while (!pending.empty()) {
    Operation *next = pending.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    addWeights(next, into, seen);
    if (isa<llm::NormOp>(next))
      continue; // what comes before it is of other blocks
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && isa<llm::RopeOp, llm::KvAppendOp, llm::LinearOp, llm::NormOp>(producer))
        pending.push_back(producer);
  }
  for (Operation *user : op->getUsers())
    if (isa<llm::LinearOp>(user))
      addWeights(user, into, seen);
}

/// Rows, scores and partial sums in f32.
void Measurer::addScratch(func::FuncOp decode) {
  constexpr uint64_t rows = 8, partials = 64;
  uint64_t hidden = 0, scores = 0, vocab = 0, neurons = 0;
  auto features = [](Value row) {
    return static_cast<uint64_t>(cast<RankedTensorType>(row.getType()).getShape().back());
  };
  decode.walk([&](Operation *op) {
    if (auto attention = dyn_cast<llm::AttentionOp>(op)) {
      hidden = std::max(hidden, features(attention.getResult()));
      scores = std::max<uint64_t>(scores, attention.getHeads() *
                                              attention.getCache().getType().getCapacity());
    } else if (auto logits = dyn_cast<llm::LogitsOp>(op)) {
      vocab = std::max(vocab, features(logits.getResult()));
    }
  });
  for (const PlacementLayer &each : sizes.problem.layers)
    neurons = std::max<uint64_t>(neurons, each.frequency.size());
  sizes.problem.scratchBytes =
      sizeof(float) * ((rows + partials) * hidden + scores + vocab + 2 * neurons);
}

FailureOr<ModelSizes> Measurer::run() {
  auto decode = symbols.lookup<func::FuncOp>("decode");
  if (failed(addNeurons()))
    return failure();
  if (!decode)
    return sizes;
  decode.walk([&](llm::AttentionOp op) { addAttention(op, decode); });
  decode.walk([&](llm::LogitsOp op) {
    sizes.problem.headBytes += bytesOf(op.getHeadAttr()) + bytesOf(op.getBiasAttr());
    if (auto norm = op->getOperand(0).getDefiningOp<llm::NormOp>())
      sizes.problem.headBytes += bytesOf(norm.getWeightAttr()) + bytesOf(norm.getBiasAttr());
  });
  addScratch(decode);
  return sizes;
}

FailureOr<ModelSizes> pi::measureModel(ModuleOp module, bool widenTo32) {
  return Measurer(module, widenTo32).run();
}
