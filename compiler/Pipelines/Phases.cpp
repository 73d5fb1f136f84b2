//===- Phases.cpp - The phases of a compilation -===//

#include "compiler/Pipelines/Phases.h"

#include "compiler/Conversion/LlmToNeuron/Passes.h"
#include "compiler/Conversion/NeuronToPlan/Passes.h"
#include "compiler/Conversion/OnnxToLlm/Passes.h"
#include "compiler/Pipelines/Passes.h"
#include "compiler/Target/Passes.h"
#include "compiler/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pi;

static constexpr Phase kPhases[] = {Phase::Import,   Phase::Raise, Phase::Partition,
                                    Phase::Quantise, Phase::Plan,  Phase::Codegen,
                                    Phase::Link};

llvm::ArrayRef<Phase> pi::allPhases() { return kPhases; }

StringRef pi::phaseName(Phase phase) {
  static constexpr StringRef names[] = {"import", "raise",   "partition", "quantise",
                                        "plan",   "codegen", "link"};
  return names[static_cast<size_t>(phase)];
}

std::optional<Phase> pi::parsePhase(StringRef name) {
  const auto *phase = llvm::find_if(kPhases, [&](Phase p) { return phaseName(p) == name; });
  return phase == std::end(kPhases) ? std::nullopt : std::optional(*phase);
}

/// Level of the module that `phase` leaves behind.
static StringRef levelAfter(Phase phase) {
  switch (phase) {
  case Phase::Import:
    return "onnx";
  case Phase::Raise:
    return "llm";
  case Phase::Partition:
  case Phase::Quantise:
    return "neuron";
  case Phase::Plan:
    return "plan";
  case Phase::Codegen:
  case Phase::Link:
    break;
  }
  llvm_unreachable("codegen checks its own result, link leaves no module");
}

void pi::populateLevelCheck(OpPassManager &manager, Phase phase) {
  CheckLevelOptions options;
  options.level = levelAfter(phase).str();
  options.phase = phaseName(phase).str();
  manager.addPass(createCheckLevel(options));
}

void pi::populateRaisePipeline(OpPassManager &manager, const RaiseOptions &options) {
  manager.addPass(createAddCache());
  manager.addPass(createFreezeShapes());
  manager.addPass(createRaiseTransformerBlocks(RaiseTransformerBlocksOptions{options.kv}));
  manager.addPass(
      createAttachTarget(AttachTargetOptions{options.cpu, options.gpu, options.machine}));
  populateLevelCheck(manager, Phase::Raise);
}

void pi::populatePartitionPipeline(OpPassManager &manager, const PartitionOptions &options) {
  manager.addPass(createRecordShape());
  manager.addPass(createSplitFfn());
  manager.addPass(createAttachProfile(AttachProfileOptions{options.profile}));
  PartitionNeuronsOptions partition;
  partition.budget = options.budget;
  partition.reserve = options.reserve;
  partition.placement = options.placement;
  partition.weights = options.weights;
  manager.addPass(createPartitionNeurons(partition));
  manager.addPass(createPermuteNeurons());
  manager.addPass(createPackNeurons());
  populateLevelCheck(manager, Phase::Partition);
}

void pi::populateQuantisePipeline(OpPassManager &manager, const QuantiseOptions &options) {
  manager.addPass(createConvertWeights(ConvertWeightsOptions{options.weights}));
  populateLevelCheck(manager, Phase::Quantise);
}

void pi::populatePlanPipeline(OpPassManager &manager, const PlanOptions &options) {
  manager.addPass(createNeuronToPlan(NeuronToPlanOptions{options.instrument}));
  manager.addPass(createShareKernels());
  manager.addPass(createPlanMemory());
  populateLevelCheck(manager, Phase::Plan);
}

void pi::registerPhasePipelines() {
  static const PassPipelineRegistration<RaiseOptions> raise(
      "pi-phase-raise", "Phase raise: onnx -> llm", populateRaisePipeline);
  static const PassPipelineRegistration<PartitionOptions> partition(
      "pi-phase-partition", "Phase partition: llm -> neuron", populatePartitionPipeline);
  static const PassPipelineRegistration<QuantiseOptions> quantise(
      "pi-phase-quantise",
      "Phase quantise: sets the type of matrices; passes the module on until quantised "
      "weights exist",
      populateQuantisePipeline);
  static const PassPipelineRegistration<PlanOptions> plan(
      "pi-phase-plan", "Phase plan: neuron -> plan", populatePlanPipeline);
}
