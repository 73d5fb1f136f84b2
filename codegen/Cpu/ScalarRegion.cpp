//===- ScalarRegion.cpp - Scalar regions applied to scalars or vectors -===//

#include "codegen/Cpu/ScalarRegion.h"

#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pi::cpu;

/// Elementwise operations that every supported CPU has instructions for.
static bool hasInstruction(Operation &op) {
  if (!op.hasTrait<OpTrait::Elementwise>() || op.getNumResults() != 1 || op.getNumRegions() != 0)
    return false;
  if (isa<arith::RemFOp>(op)) // a call of fmodf
    return false;
  return isa<arith::ArithDialect>(op.getDialect()) ||
         isa<math::SqrtOp, math::AbsFOp, math::FmaOp>(op);
}

LogicalResult pi::cpu::checkScalarRegion(Region &region) {
  for (Operation &op : region.front()) {
    if (isa<plan::YieldOp>(op) || op.hasTrait<OpTrait::ConstantLike>() || hasInstruction(op))
      continue;
    InFlightDiagnostic diag = op.emitOpError("has no vector code on a CPU");
    diag.attachNote() << "regions of tile operations hold elementwise operations of arith, "
                         "math.sqrt, math.absf and math.fma";
    return diag;
  }
  return success();
}

Value pi::cpu::applyRegion(VectorBuilder &b, Region &region, ValueRange args) {
  Block &block = region.front();
  int64_t lanes = args.empty() ? 1 : VectorBuilder::lanesOf(args.front().getType());
  IRMapping mapping;
  mapping.map(block.getArguments(), args);
  // Constants and values from outside the region are still scalars.
  auto lookup = [&](Value value) {
    Value mapped = mapping.lookupOrDefault(value);
    return VectorBuilder::lanesOf(mapped.getType()) == lanes ? mapped : b.splat(mapped, lanes);
  };
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      b.clone(op, mapping);
      continue;
    }
    OperationState state(b.getLoc(), op.getName());
    state.operands = llvm::map_to_vector(op.getOperands(), lookup);
    state.types = {VectorBuilder::getShaped(op.getResult(0).getType(), lanes)};
    state.attributes = op.getAttrs();
    state.propertiesAttr = op.getPropertiesAsAttribute();
    mapping.map(op.getResult(0), b.create(state)->getResult(0));
  }
  return lookup(cast<plan::YieldOp>(block.getTerminator()).getValue());
}
