//===- PartitionNeurons.cpp - What goes to the GPU, and hot and cold groups -===//
// The decision is made in compiler/Analysis/Placement.h, from sizes that ModelSizes.h
// finds. Here it is written into the IR.

#include "compiler/Transforms/Passes.h"

#include "compiler/Analysis/ModelSizes.h"
#include "compiler/Analysis/Placement.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/ErrorKinds.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#define DEBUG_TYPE "pi-partition-neurons"

namespace pi {
#define GEN_PASS_DEF_PARTITIONNEURONS
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

/// What the module says of a device.
class Device {
public:
  Device(ModuleOp module, StringRef id) : context(module.getContext()) {
    if (TargetSystemSpecInterface system = module.getTargetSystemSpec())
      spec = system.getDeviceSpecForDeviceID(StringAttr::get(context, id));
  }
  bool isThere() const { return spec.has_value(); }
  /// An integer or a float; -1 where it is missing.
  double number(StringRef key) const {
    Attribute value = find(key);
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
      return static_cast<double>(integer.getInt());
    auto real = dyn_cast_or_null<FloatAttr>(value);
    return real ? real.getValueAsDouble() : -1;
  }
  StringRef text(StringRef key) const {
    auto value = dyn_cast_or_null<StringAttr>(find(key));
    return value ? value.getValue() : StringRef();
  }

private:
  Attribute find(StringRef key) const {
    DataLayoutEntryInterface entry =
        spec ? (*spec).getSpecForIdentifier(StringAttr::get(context, key)) : nullptr;
    return entry ? entry.getValue() : Attribute();
  }

  MLIRContext *context;
  std::optional<TargetDeviceSpecInterface> spec;
};

struct PartitionNeurons : pi::impl::PartitionNeuronsBase<PartitionNeurons> {
  using PartitionNeuronsBase::PartitionNeuronsBase;
  void runOnOperation() override;

private:
  LogicalResult describeMachine(PlacementProblem &problem);
  LogicalResult checkBudget(const PlacementProblem &problem);
  void record(const PlacementProblem &problem, const Placement &placement, bool profiled);
  LogicalResult apply(const LayerNeurons &neurons, const LayerPlacement &placed);
  LogicalResult split(const LayerNeurons &neurons, int64_t hotRows);
};

} // namespace

/// Speeds and the budget, from the devices and the options.
LogicalResult PartitionNeurons::describeMachine(PlacementProblem &problem) {
  constexpr int64_t gib = 1 << 30, driverBytes = 500 << 20;
  Device cpu(getOperation(), "cpu0"), gpu(getOperation(), "gpu0");
  PlacementMachine &machine = problem.machine;
  machine.cpuBytesPerUs = cpu.number("pi.read_bytes_per_us");
  machine.gpuBytesPerUs = gpu.number("pi.read_bytes_per_us");
  machine.crossingUs = gpu.number("pi.crossing_us");
  double memoryBytes = gpu.number("pi.memory_bytes");
  if (machine.cpuBytesPerUs <= 0 || machine.gpuBytesPerUs <= 0 || machine.crossingUs < 0 ||
      memoryBytes <= 0) {
    InFlightDiagnostic diagnostic =
        getOperation().emitError("its target spec does not say how fast its devices are");
    diagnostic.attachNote() << "cpu0 needs pi.read_bytes_per_us, gpu0 that, pi.memory_bytes and "
                               "pi.crossing_us; pi-attach-target sets them";
    return diagnostic;
  }
  int64_t bytes = budget > 0 ? budget.getValue() : static_cast<int64_t>(memoryBytes);
  if (static_cast<double>(bytes) > memoryBytes) {
    InFlightDiagnostic diagnostic = emitError(getOperation().getLoc())
                                    << "a budget of " << bytes << " bytes is more than the "
                                    << static_cast<int64_t>(memoryBytes) << " of "
                                    << gpu.text("pi.gpu");
    markError(diagnostic, ErrorKind::DoesNotFit);
    diagnostic.attachNote() << "give a smaller --vram-budget, or none";
    return diagnostic;
  }
  int64_t kept = reserve >= 0 ? reserve.getValue() : bytes < gib ? 0 : driverBytes;
  problem.budgetBytes = std::max<int64_t>(bytes - kept, 0);
  return success();
}

LogicalResult PartitionNeurons::checkBudget(const PlacementProblem &problem) {
  uint64_t least = smallestBudget(problem);
  if (problem.budgetBytes >= least)
    return success();
  InFlightDiagnostic diagnostic = emitError(getOperation().getLoc())
                                  << "nothing fits into " << problem.budgetBytes
                                  << " bytes of device memory: " << problem.scratchBytes
                                  << " are needed for activations alone";
  markError(diagnostic, ErrorKind::DoesNotFit);
  diagnostic.attachNote() << "the smallest budget that fits is " << least
                          << " bytes (--vram-budget, after --vram-reserve); without a GPU give "
                             "--gpu=none";
  return diagnostic;
}

/// `pi.placement`, and a remark per layer.
void PartitionNeurons::record(const PlacementProblem &problem, const Placement &placed,
                              bool profiled) {
  PlacementCost cost = evaluate(problem, placed);
  SmallVector<int64_t> attention, hotRows, bytes;
  SmallVector<double> coverage, cpuUs, gpuUs;
  for (auto [i, layer] : llvm::enumerate(placed.layers)) {
    const LayerCost &part = cost.layers[i];
    attention.push_back(layer.attention == Side::Gpu);
    hotRows.push_back(layer.hotRows);
    bytes.push_back(part.deviceBytes);
    coverage.push_back(part.coverage);
    cpuUs.push_back(part.cpuUs);
    gpuUs.push_back(part.gpuUs);
    remark::passed(getOperation().getLoc(), remark::RemarkOpts::name("placed").category(DEBUG_TYPE))
        << remark::metric("Layer", static_cast<int64_t>(i))
        << remark::metric("HotRows", layer.hotRows) << remark::metric("Coverage", part.coverage)
        << remark::metric("DeviceBytes", static_cast<int64_t>(part.deviceBytes));
  }
  PlacementProblem larger = problem;
  larger.budgetBytes += 1 << 30;
  double moreUs =
      placement == "layers" ? placeLayers(larger).totalUs : placeNeurons(larger).totalUs;
  Builder b(&getContext());
  getOperation()->setAttr(
      "pi.placement",
      PlacementAttr::get(
          &getContext(), b.getStringAttr(Device(getOperation(), "gpu0").text("pi.gpu")),
          problem.budgetBytes, cost.scratchBytes, cost.weightBytes, cost.cacheBytes,
          placed.head == Side::Gpu ? Place::Gpu0 : Place::Cpu, b.getDenseI64ArrayAttr(attention),
          b.getDenseI64ArrayAttr(hotRows), b.getDenseF64ArrayAttr(coverage),
          b.getDenseF64ArrayAttr(cpuUs), b.getDenseF64ArrayAttr(gpuUs),
          b.getDenseI64ArrayAttr(bytes), b.getF64FloatAttr(cost.headUs),
          b.getF64FloatAttr(cost.crossingUs), b.getF64FloatAttr(cost.totalUs),
          b.getF64FloatAttr(placed.boundUs), b.getF64FloatAttr(moreUs), profiled));
}

/// Two groups in place of one, and the steps over each.
LogicalResult PartitionNeurons::split(const LayerNeurons &neurons, int64_t hotRows) {
  neuron::GroupOp whole = neurons.group;
  OpBuilder b(whole);
  Location loc = whole.getLoc();
  std::string prefix = ("layers." + llvm::Twine(whole.getLayer())).str();
  auto type = RankedTensorType::get({static_cast<int64_t>(neurons.order.size())}, b.getI32Type());
  auto blob = HeapAsmResourceBlob::allocateAndCopyInferAlign(ArrayRef<int32_t>(neurons.order));
  auto order = OrderOp::create(b, loc, prefix + ".order",
                               cast<ElementsAttr>(Attribute(DenseI32ResourceElementsAttr::get(
                                   type, prefix + ".order", std::move(blob)))),
                               StringAttr());
  SymbolTable symbols(getOperation());
  auto makeGroup = [&](StringRef name, int64_t first, int64_t last, Place place) {
    auto group = neuron::GroupOp::create(b, loc, prefix + "." + name.str(), whole.getLayer(), first,
                                         last, place, StringAttr());
    group.setWeightsAttr(whole.getWeightsAttr());
    group.setOrderAttr(FlatSymbolRefAttr::get(order.getSymNameAttr()));
    return group;
  };
  neuron::GroupOp groups[] = {makeGroup("hot", 0, hotRows, Place::Gpu0),
                              makeGroup("cold", hotRows, whole.getRows(), Place::Cpu)};

  auto decode = getOperation().lookupSymbol("decode");
  SmallVector<neuron::DownOp> downs;
  decode->walk([&](neuron::DownOp op) {
    if (op.getGroup() == whole.getSymName())
      downs.push_back(op);
  });
  for (neuron::DownOp down : downs) {
    auto gateUp = down.getActs().getDefiningOp<neuron::GateUpOp>();
    if (!gateUp || !llvm::all_of(down->getUsers(), llvm::IsaPred<neuron::MergeOp>))
      return down.emitOpError("must stand between neuron.gate_up and neuron.merge to be split");
    SmallVector<Value> shares;
    b.setInsertionPoint(down);
    for (neuron::GroupOp group : groups) {
      auto name = FlatSymbolRefAttr::get(group.getSymNameAttr());
      auto acts = neuron::ActsType::get(&getContext(), group.getRows());
      Value active = neuron::GateUpOp::create(b, gateUp.getLoc(), acts, gateUp.getActAttr(),
                                              gateUp.getInput(), name, gateUp.getGateAttr(),
                                              gateUp.getUpAttr(), gateUp.getUpBiasAttr());
      shares.push_back(neuron::DownOp::create(b, down.getLoc(), down.getResult().getType(), active,
                                              name, down.getDownAttr()));
    }
    for (Operation *user : llvm::make_early_inc_range(down->getUsers())) {
      SmallVector<Value> operands;
      for (Value operand : user->getOperands())
        if (operand == down.getResult())
          operands.append(shares);
        else
          operands.push_back(operand);
      user->setOperands(operands);
    }
    down.erase();
    if (gateUp->use_empty())
      gateUp.erase();
  }
  whole.erase();
  return success();
}

LogicalResult PartitionNeurons::apply(const LayerNeurons &neurons, const LayerPlacement &placed) {
  if (!neurons.group)
    return success();
  neuron::GroupOp group = neurons.group;
  if (placed.hotRows == 0)
    return success(); // the group stays on the CPU
  if (placed.hotRows < group.getRows())
    return split(neurons, placed.hotRows);
  group.setPlace(Place::Gpu0);
  return success();
}

void PartitionNeurons::runOnOperation() {
  auto dropProfiles = [&] {
    for (auto group : getOperation().getOps<neuron::GroupOp>())
      group.removeProfileAttr();
  };
  if (placement == "none" || !Device(getOperation(), "gpu0").isThere())
    return dropProfiles();
  FailureOr<ModelSizes> sizes = measureModel(getOperation(), weights == "f32");
  if (failed(sizes))
    return signalPassFailure();
  PlacementProblem &problem = sizes->problem;
  if (failed(describeMachine(problem)) || failed(checkBudget(problem)))
    return signalPassFailure();
  bool isDense = placement == "layers";
  if (isDense)
    problem = makeDense(problem);
  Placement placed = isDense ? placeLayers(problem) : placeNeurons(problem);
  record(problem, placed, sizes->profiled);
  for (auto [neurons, layer] : llvm::zip(sizes->neurons, placed.layers))
    if (failed(apply(neurons, layer)))
      return signalPassFailure();
  dropProfiles();
}
