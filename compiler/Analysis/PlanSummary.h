//===- PlanSummary.h - What a plan reads for one token, and where -===//
// Numbers that follow from the plan-level IR alone; how they are printed is not here.

#ifndef PI_COMPILER_ANALYSIS_PLANSUMMARY_H
#define PI_COMPILER_ANALYSIS_PLANSUMMARY_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pi {

/// Bytes of weights that one token reads.
struct TokenBytes {
  uint64_t always = 0;   // whatever neurons are active
  uint64_t ifActive = 0; // more, where every neuron is active

  uint64_t all() const { return always + ifActive; }
  TokenBytes &operator+=(TokenBytes other) {
    always += other.always;
    ifActive += other.ifActive;
    return *this;
  }
};

/// One layer of the decoder: its attention and its feed-forward block.
struct LayerSummary {
  int64_t layer = 0;
  int64_t hotRows = 0;  // neurons computed on a GPU
  int64_t coldRows = 0; // neurons computed on the CPU
  Place attention = Place::Cpu;
  bool hasAttention = false;
  bool isGated = false; // the exact gate decides which rows are read
  int64_t dispatches = 0;
  TokenBytes cpu, gpu;     // by the place of the kernel that reads
  uint64_t cacheBytes = 0; // KV cache read at the full context
};

struct PlanSummary {
  llvm::SmallVector<LayerSummary> layers; // ascending
  TokenBytes otherCpu, otherGpu;          // embedding, final norm, head
  int64_t otherDispatches = 0;
  std::string cpu;                       // "pi.cpu" of device cpu0, may be empty
  std::optional<int64_t> readBytesPerUs; // "pi.read_bytes_per_us" of device cpu0
  std::string measuredOn;                // "pi.measured_on": the machine; empty: none was
  std::string memory;                    // "pi.memory": a row of the table of memories, or empty
};

/// Walks the one `plan.program` of `module` (plan level). A layer is what lies between
/// the two points, before and after its attention and its neurons, where the fewest
/// buffers are alive: there only the residual stream passes. Linear in the number of
/// dispatches times that of buffers. A module without a program has no
/// layers.
PlanSummary summarisePlan(mlir::ModuleOp module);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_PLANSUMMARY_H
