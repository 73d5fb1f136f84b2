//===- BufferLifetimes.h - Which buffers of a program live when -===//

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_BUFFERLIFETIMES_H
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_BUFFERLIFETIMES_H

#include "compiler/Conversion/NeuronToPlan/ArenaLayout.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/IR/BuiltinOps.h"

namespace pi {

/// The buffers of one arena in program order, and for each its lifetime.
struct ArenaBuffers {
  llvm::SmallVector<plan::BufferOp> ops;
  llvm::SmallVector<LiveBuffer> live;
};

/// Steps are operations of `program`, counted from 0: a buffer lives from the first to
/// the last that names it (plan.logits is the end); one in an arena of caches always.
ArenaBuffers collectBuffers(plan::ProgramOp program, plan::ArenaOp arena);

/// Fails with an error at the first arena without a size, buffer without an offset, or
/// buffer that shares bytes with another while both live.
mlir::LogicalResult checkArenas(mlir::ModuleOp module);

} // namespace pi

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_BUFFERLIFETIMES_H
