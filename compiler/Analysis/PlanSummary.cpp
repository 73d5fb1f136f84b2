//===- PlanSummary.cpp - What a plan reads for one token, and where -===//

#include "compiler/Analysis/PlanSummary.h"

#include "dialects/Plan/IR/Plan.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace pi;

static uint64_t bytesOf(Value v) {
  auto type = cast<MemRefType>(v.getType());
  return type.getNumElements() * (type.getElementTypeBitWidth() / 8);
}

static uint64_t rowBytes(Value v) {
  return bytesOf(v) / cast<MemRefType>(v.getType()).getDimSize(0);
}

/// Bytes of a row of `weight` as long as those of `like`.
static uint64_t partBytes(Value weight, Value like) {
  auto elements = cast<MemRefType>(like.getType()).getShape().back();
  return elements * (cast<MemRefType>(weight.getType()).getElementTypeBitWidth() / 8);
}

namespace {

/// What one kernel reads of its operands, and which work it holds. The same for every
/// dispatch of the kernel.
struct KernelFacts {
  Place place = Place::Cpu;
  bool isEmbedding = false, isAttention = false, isNeurons = false;
  bool followsSelect = false; // its neurons were counted by an earlier kernel
  int64_t neurons = 0;
  TokenBytes weights; // if the operands are weights
  uint64_t cacheBytes = 0;
  /// By operand of the dispatch: bytes read if it is a weight.
  SmallVector<TokenBytes> reads;
  std::optional<unsigned> counts; // operand that takes the numbers of active neurons
};

/// A dispatch with the layer that its attention or neurons belong to.
struct Step {
  plan::DispatchOp op;
  const KernelFacts *kernel;
  std::optional<int64_t> layer; // index in PlanSummary::layers
};

class Summariser {
public:
  explicit Summariser(ModuleOp module) : module(module), symbols(module) {}
  PlanSummary run();

private:
  const KernelFacts &lookAt(plan::KernelOp kernel);
  void collectSteps(plan::ProgramOp program);
  void nameLayers(plan::ProgramOp program);
  void collectLives();
  size_t findCut(size_t first, size_t last) const;
  SmallVector<size_t> findBorders() const;
  void addStep(Step &step, LayerSummary *layer);
  void readTarget();

  ModuleOp module;
  SymbolTable symbols;
  std::map<std::string, KernelFacts> kernels;
  SmallVector<Step> steps;
  SmallVector<std::pair<size_t, size_t>> lives; // first and last step of each buffer
  PlanSummary summary;
};

} // namespace

/// Bytes that `op` reads of the memref `v`, if that is a weight.
static TokenBytes readBytes(Operation *op, Value v) {
  if (auto embed = dyn_cast<plan::EmbedOp>(op))
    return {rowBytes(v), 0};
  if (auto select = dyn_cast<plan::SelectOp>(op)) {
    uint64_t rows = select.getLastRow() - select.getFirstRow();
    return {v == select.getWeight() ? rows * partBytes(v, select.getInput()) : rows * rowBytes(v),
            0};
  }
  auto apply = dyn_cast<plan::ApplyOp>(op);
  if (!apply)
    return {bytesOf(v), 0};
  uint64_t listable = cast<MemRefType>(apply.getIds().getType()).getNumElements();
  uint64_t parts = llvm::count(ArrayRef<Value>{apply.getGate(), apply.getUp(), apply.getDown()}, v);
  return {0, listable * (parts ? parts * partBytes(v, apply.getPartial()) : rowBytes(v))};
}

/// What `op` says of neurons.
static void addNeurons(KernelFacts &facts, Operation &op) {
  Value counts;
  if (auto select = dyn_cast<plan::SelectOp>(op)) {
    facts.neurons += select.getLastRow() - select.getFirstRow();
    counts = select.getCounts();
  } else if (auto apply = dyn_cast<plan::ApplyOp>(op)) {
    facts.followsSelect = !apply.getGate();
    if (apply.getGate())
      facts.neurons += cast<MemRefType>(apply.getIds().getType()).getNumElements();
    counts = apply.getCounts();
  } else {
    return;
  }
  facts.isNeurons = true;
  if (auto argument = dyn_cast<BlockArgument>(counts))
    facts.counts = argument.getArgNumber() - plan::KernelOp::kNumIndexArgs;
}

const KernelFacts &Summariser::lookAt(plan::KernelOp kernel) {
  auto [found, isNew] = kernels.try_emplace(kernel.getSymName().str());
  KernelFacts &facts = found->second;
  if (!isNew)
    return facts;
  Block *body = kernel.getBlock();
  facts.place = kernel.getPlace();
  unsigned first = plan::KernelOp::kNumIndexArgs;
  facts.reads.resize(body->getNumArguments() - first);
  for (Operation &op : *body) {
    facts.isEmbedding |= isa<plan::EmbedOp>(op);
    if (auto attend = dyn_cast<plan::AttendOp>(op)) {
      facts.isAttention = true;
      facts.cacheBytes += bytesOf(attend.getKeys()) + bytesOf(attend.getValues());
    }
    addNeurons(facts, op);
    for (Value operand : op.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || !isa<MemRefType>(operand.getType()))
        continue;
      // Read by several operations, it comes from memory once.
      TokenBytes &known = facts.reads[argument.getArgNumber() - first];
      TokenBytes now = readBytes(&op, operand);
      known.always = std::max(known.always, now.always);
      known.ifActive = std::max(known.all(), now.all()) - known.always;
    }
  }
  return facts;
}

void Summariser::collectSteps(plan::ProgramOp program) {
  for (auto dispatch : program.getOps<plan::DispatchOp>())
    if (auto kernel = symbols.lookup<plan::KernelOp>(dispatch.getKernel()))
      steps.push_back({dispatch, &lookAt(kernel), std::nullopt});
}

/// Layers are those of `plan.activity`; neurons without it, and attention, take theirs
/// in order of execution.
void Summariser::nameLayers(plan::ProgramOp program) {
  llvm::DenseMap<Value, int64_t> activity;
  for (auto op : program.getOps<plan::ActivityOp>())
    activity[op.getCounts()] = op.getLayer();
  SmallVector<std::pair<size_t, int64_t>> named; // step, layer
  int64_t next = 0;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (!step.kernel->isNeurons)
      continue;
    auto found = activity.end();
    if (step.kernel->counts)
      found = activity.find(step.op.getArgs()[*step.kernel->counts]);
    if (step.kernel->followsSelect && !named.empty())
      named.push_back({i, named.back().second});
    else
      named.push_back({i, found == activity.end() ? next : found->second});
    next = named.back().second + 1;
  }
  SmallVector<int64_t> layers;
  for (auto [step, layer] : named)
    layers.push_back(layer);
  llvm::sort(layers);
  layers.erase(llvm::unique(layers), layers.end());
  for (auto [step, layer] : named)
    steps[step].layer = llvm::lower_bound(layers, layer) - layers.begin();
  for (int64_t layer : layers)
    summary.layers.emplace_back().layer = layer;
  size_t attentions = 0;
  for (Step &step : steps)
    if (step.kernel->isAttention && attentions < layers.size())
      step.layer = attentions++;
}

/// From the first step that uses each buffer to the last.
void Summariser::collectLives() {
  llvm::MapVector<Value, std::pair<size_t, size_t>> uses;
  for (auto [i, step] : llvm::enumerate(steps))
    for (Value v : step.op.getArgs())
      if (v.getDefiningOp<plan::BufferOp>())
        uses.insert({v, {i, i}}).first->second.second = i;
  for (auto &[buffer, life] : uses)
    lives.push_back(life);
}

/// The first of the cuts first..last (a cut is before the step of that number) over
/// which the fewest buffers are alive.
size_t Summariser::findCut(size_t first, size_t last) const {
  size_t best = first, fewest = ~size_t(0);
  for (size_t cut = first; cut <= last; ++cut) {
    size_t alive =
        llvm::count_if(lives, [&](auto life) { return life.first < cut && cut <= life.second; });
    if (alive < fewest) {
      fewest = alive;
      best = cut;
    }
  }
  return best;
}

/// Where layer k begins, for all layers, and where the last one ends.
SmallVector<size_t> Summariser::findBorders() const {
  size_t numLayers = summary.layers.size(), embeddingEnd = 0;
  SmallVector<size_t> firsts(numLayers, steps.size()), lasts(numLayers, 0);
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (step.kernel->isEmbedding)
      embeddingEnd = i + 1;
    if (!step.layer)
      continue;
    firsts[*step.layer] = std::min<size_t>(firsts[*step.layer], i);
    lasts[*step.layer] = std::max<size_t>(lasts[*step.layer], i);
  }
  SmallVector<size_t> borders;
  for (size_t k = 0; k <= numLayers; ++k) {
    size_t low = k == 0 ? embeddingEnd : lasts[k - 1] + 1;
    size_t high = k == numLayers ? steps.size() - 1 : firsts[k];
    borders.push_back(findCut(std::min(low, high), high));
  }
  return borders;
}

void Summariser::addStep(Step &step, LayerSummary *layer) {
  TokenBytes bytes;
  for (auto [i, operand] : llvm::enumerate(step.op.getArgs()))
    if (operand.getDefiningOp<plan::WeightOp>())
      bytes += step.kernel->reads[i];
  bool isCpu = step.kernel->place == Place::Cpu;
  if (!layer) {
    ++summary.otherDispatches;
    (isCpu ? summary.otherCpu : summary.otherGpu) += bytes;
    return;
  }
  ++layer->dispatches;
  (isCpu ? layer->cpu : layer->gpu) += bytes;
  layer->cacheBytes += step.kernel->cacheBytes;
  (isCpu ? layer->coldRows : layer->hotRows) += step.kernel->neurons;
  layer->isGated |= step.kernel->isNeurons;
  if (step.kernel->isAttention) {
    layer->hasAttention = true;
    layer->attention = step.kernel->place;
  }
}

void Summariser::readTarget() {
  TargetSystemSpecInterface system = module.getTargetSystemSpec();
  auto device = system
                    ? system.getDeviceSpecForDeviceID(StringAttr::get(module.getContext(), "cpu0"))
                    : std::nullopt;
  if (!device)
    return;
  auto entry = [&](StringRef key) -> Attribute {
    DataLayoutEntryInterface found =
        device->getSpecForIdentifier(StringAttr::get(module.getContext(), key));
    return found ? found.getValue() : Attribute();
  };
  if (auto name = dyn_cast_or_null<StringAttr>(entry("pi.cpu")))
    summary.cpu = name.str();
  if (auto measured = dyn_cast_or_null<StringAttr>(entry("pi.measured_on")))
    summary.measuredOn = measured.str();
  if (auto memory = dyn_cast_or_null<StringAttr>(entry("pi.memory")))
    summary.memory = memory.str();
  if (auto speed = dyn_cast_or_null<IntegerAttr>(entry("pi.read_bytes_per_us")))
    if (speed.getInt() > 0)
      summary.readBytesPerUs = speed.getInt();
}

PlanSummary Summariser::run() {
  readTarget();
  auto programs = module.getOps<plan::ProgramOp>();
  if (programs.empty())
    return std::move(summary);
  collectSteps(*programs.begin());
  nameLayers(*programs.begin());
  collectLives();
  SmallVector<size_t> borders;
  if (!summary.layers.empty())
    borders = findBorders();
  for (auto [i, step] : llvm::enumerate(steps)) {
    size_t begun = llvm::count_if(borders, [&, at = i](size_t border) { return border <= at; });
    bool isInside = begun >= 1 && begun < borders.size();
    addStep(step, isInside ? &summary.layers[begun - 1] : nullptr);
  }
  return std::move(summary);
}

PlanSummary pi::summarisePlan(ModuleOp module) { return Summariser(module).run(); }
