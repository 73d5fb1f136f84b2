//===- Plan.cpp - The plan dialect: program level -===//

#include "dialects/Plan/IR/Plan.h"

#include "dialects/Pi/IR/StoredWeights.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi::plan;

#include "dialects/Plan/IR/PlanEnums.cpp.inc"
#include "dialects/Plan/IR/PlanOpsDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanOpsAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Plan/IR/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/IR/PlanOpsAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Plan/IR/PlanOps.cpp.inc"
      >();
}

LogicalResult KernelOp::verify() {
  Block *block = getBlock();
  if (block->getNumArguments() < kNumIndexArgs)
    return emitOpError("body needs token, position, begin and end arguments");
  for (BlockArgument arg : block->getArguments()) {
    if (arg.getArgNumber() < kNumIndexArgs) {
      if (!arg.getType().isIndex())
        return emitOpError("argument ")
               << arg.getArgNumber() << " must be index, got " << arg.getType();
      continue;
    }
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (!type || !type.hasStaticShape())
      return emitOpError("argument ")
             << arg.getArgNumber() << " must be a memref of static shape, got " << arg.getType();
  }
  return success();
}

LogicalResult ArenaOp::verify() {
  if (getBytes() && static_cast<int64_t>(*getBytes()) < 0)
    return emitOpError("bytes must be at least 0");
  return success();
}

LogicalResult ActivityOp::verify() {
  int64_t layer = getLayer(), neurons = getNeurons();
  if (layer < 0 || layer > UINT16_MAX || neurons < 1)
    return emitOpError() << "layer " << layer << " must be from 0 to 65535, and neurons " << neurons
                         << " at least 1";
  return success();
}

LogicalResult TraceOp::verify() {
  constexpr int64_t maxLayer = 65535;
  int64_t layer = getLayer();
  if (layer < 0 || layer > maxLayer)
    return emitOpError() << "layer " << layer << " is outside 0 to " << maxLayer;
  if (cast<MemRefType>(getActivations().getType()).getRank() != 1)
    return emitOpError() << "activations must be of rank 1, got " << getActivations().getType();
  return success();
}

LogicalResult ProgramOp::verify() {
  int64_t logits = llvm::range_size(getBody().getOps<LogitsOp>());
  if (logits != 1)
    return emitOpError() << "needs exactly one plan.logits, got " << logits;
  return success();
}

LogicalResult BufferOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto arena = symbols.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr());
  if (!arena)
    return emitOpError("names no plan.arena: ") << getArenaAttr();
  if (!getOffset() || !arena.getBytes())
    return success();
  auto type = cast<MemRefType>(getResult().getType());
  int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  int64_t offset = *getOffset();
  if (offset < 0 || offset % 64 != 0)
    return emitOpError() << "offset " << offset << " is no multiple of 64";
  if (offset > static_cast<int64_t>(*arena.getBytes()) - bytes)
    return emitOpError() << "ends at byte " << offset + bytes << ", outside arena "
                         << getArenaAttr() << " of " << *arena.getBytes() << " bytes";
  return success();
}

LogicalResult WeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *weight = symbols.lookupNearestSymbolFrom(*this, getWeightAttr());
  if (!isa_and_nonnull<pi::WeightOp, BundleOp>(weight))
    return emitOpError("names no pi.weight or pi.bundle: ") << getWeightAttr();
  for (auto bundle : weight->getBlock()->getOps<BundleOp>())
    if (llvm::is_contained(bundle.getParts(), getWeightAttr()))
      return emitOpError() << getWeightAttr() << " is stored as a part of "
                           << FlatSymbolRefAttr::get(bundle.getSymNameAttr()) << " only";
  auto type = cast<MemRefType>(getResult().getType());
  RankedTensorType expected = getStoredType(weight);
  if (type.getShape() != expected.getShape() || type.getElementType() != expected.getElementType())
    return emitOpError("type ") << type << " differs from the weight's " << expected;
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // A kernel whose body is lowered already is a function of the same arguments.
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(kernel);
  if (!function && !isa_and_nonnull<KernelOp>(kernel))
    return emitOpError("names no plan.kernel: ") << getKernelAttr();
  if (static_cast<int64_t>(getTiles()) < 1)
    return emitOpError("needs at least one tile");
  TypeRange params = function ? TypeRange(function.getArgumentTypes())
                              : TypeRange(cast<KernelOp>(kernel).getBlock()->getArgumentTypes());
  params = params.drop_front(std::min<size_t>(KernelOp::kNumIndexArgs, params.size()));
  if (params.size() != getArgs().size())
    return emitOpError() << "passes " << getArgs().size() << " arguments, kernel "
                         << getKernelAttr() << " takes " << params.size();
  for (auto [param, arg] : llvm::zip(params, getArgs()))
    if (param != arg.getType())
      return emitOpError("passes ")
             << arg.getType() << ", kernel " << getKernelAttr() << " takes " << param;
  return success();
}
