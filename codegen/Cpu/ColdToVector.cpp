//===- ColdToVector.cpp - Kernels on the CPU to loops over vectors -===//

#include "codegen/Cpu/CpuTarget.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/Passes.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "pi-cold-to-vector"

namespace pi::cpu {
#define GEN_PASS_DEF_COLDTOVECTOR
#include "codegen/Cpu/Passes.h.inc"
} // namespace pi::cpu

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

/// Moves the kernel's body into a function of the same name and signature.
static func::FuncOp outline(plan::KernelOp kernel) {
  OpBuilder builder(kernel);
  Block *block = kernel.getBlock();
  auto type = builder.getFunctionType(block->getArgumentTypes(), {});
  auto function = func::FuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), type);
  function.setPrivate();
  function.getBody().takeBody(kernel.getBody());
  kernel.erase();
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, function.getLoc());
  return function;
}

/// Loops for one operation of a kernel's body; anything else stays as it is.
static LogicalResult lowerOp(Operation *op, Block *body, int64_t lanes) {
  if (!isa<plan::PlanDialect>(op->getDialect()))
    return success();
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(checkScalarRegion(region)))
      return failure();
  VectorBuilder b(op->getLoc(), lanes, op);
  bool known =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](plan::LocalOp local) {
            local.replaceAllUsesWith(b.scratch(cast<MemRefType>(local.getResult().getType())));
            return true;
          })
          .Case([&](plan::EmbedOp embed) {
            lowerEmbed(embed, b, body->getArgument(2), body->getArgument(3));
            return true;
          })
          .Case([&](plan::NormOp norm) { return lowerNorm(norm, b), true; })
          .Case([&](plan::MatvecOp matvec) { return lowerMatvec(matvec, b), true; })
          .Case([&](plan::MapOp map) { return lowerMap(map, b), true; })
          .Case([&](plan::RopeOp rope) { return lowerRope(rope, b), true; })
          .Case([&](plan::AppendOp append) { return lowerAppend(append, b), true; })
          .Case([&](plan::AttendOp attend) { return lowerAttend(attend, b), true; })
          .Case([&](plan::SelectOp select) { return lowerSelect(select, b), true; })
          .Case([&](plan::ApplyOp apply) { return lowerApply(apply, b), true; })
          .Case([&](plan::ReduceOp reduce) { return lowerReduce(reduce, b), true; })
          .Default(false);
  if (!known)
    return op->emitOpError("has no CPU code");
  op->erase();
  return success();
}

namespace {
struct ColdToVector : public cpu::impl::ColdToVectorBase<ColdToVector> {
  void runOnOperation() override {
    FailureOr<Target> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<plan::KernelOp>())) {
      if (kernel.getPlace() != Place::Cpu)
        continue;
      Block &body = outline(kernel).getBody().front();
      for (Operation &op : llvm::make_early_inc_range(body))
        if (failed(lowerOp(&op, &body, target->vectorBits / 32)))
          return signalPassFailure();
    }
  }
};
} // namespace
