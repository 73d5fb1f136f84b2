//===- BufferLifetimes.cpp - Which buffers of a program live when -===//

#include "compiler/Conversion/NeuronToPlan/BufferLifetimes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace pi;

static int64_t bytesOf(MemRefType type) {
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

ArenaBuffers pi::collectBuffers(plan::ProgramOp program, plan::ArenaOp arena) {
  llvm::DenseMap<Operation *, int64_t> stepOf;
  int64_t steps = 0;
  for (Operation &op : program.getBody().front())
    stepOf[&op] = steps++;

  ArenaBuffers buffers;
  for (auto buffer : program.getBody().getOps<plan::BufferOp>()) {
    if (buffer.getArena() != arena.getSymName())
      continue;
    LiveBuffer live{0, steps, bytesOf(cast<MemRefType>(buffer.getResult().getType()))};
    if (arena.getKind() == plan::ArenaKind::Activations) {
      live.first = buffer->use_empty() ? stepOf.lookup(buffer) : steps;
      live.last = stepOf.lookup(buffer);
      for (Operation *user : buffer->getUsers()) {
        live.first = std::min(live.first, stepOf.lookup(user));
        live.last = std::max(live.last, stepOf.lookup(user));
      }
    }
    buffers.ops.push_back(buffer);
    buffers.live.push_back(live);
  }
  return buffers;
}

static LogicalResult checkArena(plan::ProgramOp program, plan::ArenaOp arena) {
  if (!arena.getBytes())
    return arena.emitOpError("has no size; run pi-plan-memory");
  ArenaBuffers buffers = collectBuffers(program, arena);
  ArenaLayout layout;
  for (plan::BufferOp buffer : buffers.ops) {
    if (!buffer.getOffset())
      return buffer.emitOpError("has no offset; run pi-plan-memory");
    layout.offsets.push_back(*buffer.getOffset());
  }
  auto overlap = findOverlap(buffers.live, layout);
  if (!overlap)
    return success();
  InFlightDiagnostic diagnostic = buffers.ops[overlap->second].emitOpError(
      "shares bytes with another buffer while both are in use");
  diagnostic.attachNote(buffers.ops[overlap->first].getLoc()) << "the other buffer is here";
  return diagnostic;
}

LogicalResult pi::checkArenas(ModuleOp module) {
  for (auto program : module.getOps<plan::ProgramOp>())
    for (auto arena : module.getOps<plan::ArenaOp>())
      if (failed(checkArena(program, arena)))
        return failure();
  return success();
}
