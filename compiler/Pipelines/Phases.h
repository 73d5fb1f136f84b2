//===- Phases.h - The phases of a compilation -===//
// Names, options and pass pipelines. The driver and `pi-opt --pi-phase-<name>` run the
// same functions. import, codegen and link are no pipelines of this library.

#ifndef PI_COMPILER_PIPELINES_PHASES_H
#define PI_COMPILER_PIPELINES_PHASES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace pi {

/// In order of execution.
enum class Phase { Import, Raise, Partition, Quantise, Plan, Codegen, Link };

/// "import", "raise", ...
llvm::StringRef phaseName(Phase phase);
/// The phase of that name, if there is one.
std::optional<Phase> parsePhase(llvm::StringRef name);
/// All phases in order.
llvm::ArrayRef<Phase> allPhases();

struct RaiseOptions : mlir::PassPipelineOptions<RaiseOptions> {
  Option<std::string> kv{*this, "kv", llvm::cl::desc("element type of the KV cache: f16 or f32"),
                         llvm::cl::init("f32")};
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("CPU to compile for: x86-64-v3, x86-64-v4 or native"),
                          llvm::cl::init("x86-64-v3")};
  Option<std::string> gpu{*this, "gpu",
                          llvm::cl::desc("GPU to plan for, a name of the table; none: no GPU"),
                          llvm::cl::init("none")};
  Option<std::string> machine{*this, "machine",
                              llvm::cl::desc("machine file or class of memory; empty: tables"),
                              llvm::cl::init("")};
};

struct PartitionOptions : mlir::PassPipelineOptions<PartitionOptions> {
  Option<std::string> profile{*this, "profile",
                              llvm::cl::desc("profile of the model (.piprof); empty: none"),
                              llvm::cl::init("")};
  Option<int64_t> budget{*this, "budget",
                         llvm::cl::desc("bytes of device memory to use; 0: all of it"),
                         llvm::cl::init(0)};
  Option<int64_t> reserve{*this, "reserve",
                          llvm::cl::desc("of them for the driver; -1: 500 MiB, or 0 where the "
                                         "budget is below 1 GiB"),
                          llvm::cl::init(-1)};
  Option<std::string> placement{*this, "placement",
                                llvm::cl::desc("what is placed: neurons, layers or none"),
                                llvm::cl::init("neurons")};
  Option<std::string> weights{*this, "weights",
                              llvm::cl::desc("type that matrices will have, as for quantise"),
                              llvm::cl::init("as-stored")};
};

struct QuantiseOptions : mlir::PassPipelineOptions<QuantiseOptions> {
  Option<std::string> weights{*this, "weights",
                              llvm::cl::desc("type in which matrices are stored: as-stored or f32"),
                              llvm::cl::init("as-stored")};
};

struct PlanOptions : mlir::PassPipelineOptions<PlanOptions> {
  Option<bool> instrument{*this, "instrument",
                          llvm::cl::desc("show what neurons do, for a profile"),
                          llvm::cl::init(false)};
};

/// onnx -> llm.
void populateRaisePipeline(mlir::OpPassManager &manager, const RaiseOptions &options);
/// llm -> neuron.
void populatePartitionPipeline(mlir::OpPassManager &manager, const PartitionOptions &options);
/// neuron -> neuron. Until quantised weights exist it sets the type of matrices, checks
/// its level and passes the module on.
void populateQuantisePipeline(mlir::OpPassManager &manager, const QuantiseOptions &options);
/// neuron -> plan.
void populatePlanPipeline(mlir::OpPassManager &manager, const PlanOptions &options);

/// The check that a module is what `phase` leaves behind, for modules read from files.
/// `phase` is import, raise, partition, quantise or plan.
void populateLevelCheck(mlir::OpPassManager &manager, Phase phase);

/// Registers `pi-phase-partition` and so on.
void registerPhasePipelines();

} // namespace pi

#endif // PI_COMPILER_PIPELINES_PHASES_H
