//===- PlanMemory.cpp - Offsets of buffers in their arenas -===//

#include "compiler/Conversion/NeuronToPlan/Passes.h"

#include "compiler/Conversion/NeuronToPlan/ArenaLayout.h"
#include "compiler/Conversion/NeuronToPlan/BufferLifetimes.h"
#include "dialects/Plan/IR/Plan.h"

#define DEBUG_TYPE "pi-plan-memory"

namespace pi {
#define GEN_PASS_DEF_PLANMEMORY
#include "compiler/Conversion/NeuronToPlan/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct PlanMemory : pi::impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;
  void runOnOperation() override;
};

} // namespace

void PlanMemory::runOnOperation() {
  ModuleOp module = getOperation();
  auto programs = llvm::to_vector(module.getOps<plan::ProgramOp>());
  if (programs.size() != 1) {
    emitError(module.getLoc()) << "expected one plan.program, got " << programs.size();
    return signalPassFailure();
  }
  for (plan::ArenaOp arena : module.getOps<plan::ArenaOp>()) {
    ArenaBuffers buffers = collectBuffers(programs.front(), arena);
    ArenaLayout layout = arena.getKind() == plan::ArenaKind::KvCache
                             ? layoutInSequence(buffers.live)
                             : layoutByLifetime(buffers.live);
    assert(!findOverlap(buffers.live, layout) && "live buffers share bytes");
    arena.setBytes(layout.totalBytes);
    for (auto [buffer, offset] : llvm::zip_equal(buffers.ops, layout.offsets))
      buffer.setOffset(offset);
  }
}
