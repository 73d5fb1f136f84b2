//===- Neuron.cpp - The neuron dialect -===//

#include "dialects/Neuron/IR/Neuron.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi::neuron;

#include "dialects/Neuron/IR/NeuronOpsDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Neuron/IR/NeuronOpsAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Neuron/IR/NeuronOpsTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Neuron/IR/NeuronOps.cpp.inc"

void NeuronDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Neuron/IR/NeuronOpsAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Neuron/IR/NeuronOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Neuron/IR/NeuronOps.cpp.inc"
      >();
}

LogicalResult ActsType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t neurons) {
  if (neurons < 1)
    return emitError() << "a group has at least one neuron, got " << neurons;
  return success();
}

SmallVector<int64_t> ProfileAttr::getCountList() const {
  if (auto resource = dyn_cast<DenseI64ResourceElementsAttr>(getCounts()))
    return SmallVector<int64_t>(*resource.tryGetAsArrayRef());
  return llvm::to_vector(cast<DenseIntElementsAttr>(getCounts()).getValues<int64_t>());
}

LogicalResult ProfileAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t tokens,
                                  ElementsAttr counts) {
  auto resource = dyn_cast<DenseI64ResourceElementsAttr>(counts);
  bool isKnown =
      resource ? resource.tryGetAsArrayRef().has_value() : isa<DenseIntElementsAttr>(counts);
  if (!counts.getElementType().isInteger(64) || counts.getShapedType().getRank() != 1 || !isKnown)
    return emitError() << "counts must be a vector of i64, got " << counts.getShapedType();
  if (tokens < 1)
    return emitError() << "a profile has seen at least one token, got " << tokens;
  auto isOutside = [&](int64_t count) { return count < 0 || count > tokens; };
  if (resource ? llvm::any_of(*resource.tryGetAsArrayRef(), isOutside)
               : llvm::any_of(cast<DenseIntElementsAttr>(counts).getValues<int64_t>(), isOutside))
    return emitError() << "a count is outside 0 to the number of tokens, " << tokens;
  return success();
}

LogicalResult GroupOp::verify() {
  int64_t first = getFirst(), last = getLast();
  if (first < 0 || last <= first)
    return emitOpError() << "rows (" << first << " to " << last << ") are no range";
  if (static_cast<int64_t>(getLayer()) < 0)
    return emitOpError() << "layer must not be negative, got " << static_cast<int64_t>(getLayer());
  for (GroupOp other : getOperation()->getBlock()->getOps<GroupOp>()) {
    if (other == *this)
      break;
    if (other.getLayer() == getLayer() && first < static_cast<int64_t>(other.getLast()) &&
        static_cast<int64_t>(other.getFirst()) < last) {
      InFlightDiagnostic diagnostic = emitOpError()
                                      << "rows overlap with " << other.getSymNameAttr();
      diagnostic.attachNote(other.getLoc()) << "the other group is here";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult GateUpOp::verify() {
  if (getGate() && getUpBias())
    return emitOpError("up_bias goes without gate only");
  return success();
}

LogicalResult MergeOp::verify() {
  if (getShares().empty())
    return emitOpError("needs at least one share");
  for (Value share : getShares())
    if (share.getType() != getResult().getType())
      return emitOpError("share ")
             << share.getType() << " differs from the result " << getResult().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Symbol uses
//===----------------------------------------------------------------------===//

static LogicalResult checkWeight(Operation *op, SymbolTableCollection &symbols,
                                 FlatSymbolRefAttr name, StringRef what, GroupOp group,
                                 int64_t features) {
  if (!name)
    return success();
  auto weight = symbols.lookupNearestSymbolFrom<pi::WeightOp>(op, name);
  if (!weight)
    return op->emitOpError() << what << " names no pi.weight: " << name;
  ArrayRef<int64_t> shape = weight.getTensorType().getShape();
  bool vectorOk = features < 0 && shape.size() == 1 && group.fits(shape[0]);
  bool matrixOk =
      features >= 0 && shape.size() == 2 && group.fits(shape[0]) && shape[1] == features;
  if (!vectorOk && !matrixOk)
    return op->emitOpError() << what << " has an unexpected shape: " << weight.getType();
  return success();
}

/// The group `name` names, checked against the number of neurons of `acts`.
static GroupOp lookupGroup(Operation *op, SymbolTableCollection &symbols, FlatSymbolRefAttr name,
                           ActsType acts) {
  auto group = symbols.lookupNearestSymbolFrom<GroupOp>(op, name);
  if (!group) {
    op->emitOpError("names no neuron.group: ") << name;
    return nullptr;
  }
  if (group.getRows() != acts.getNeurons()) {
    op->emitOpError() << "group " << name << " has " << group.getRows() << " rows, activations "
                      << acts.getNeurons();
    return nullptr;
  }
  return group;
}

static LogicalResult checkOrder(GroupOp group, SymbolTableCollection &symbols, int64_t rows) {
  if (!group.getOrderAttr())
    return success();
  auto order = symbols.lookupNearestSymbolFrom<pi::OrderOp>(group, group.getOrderAttr());
  if (!order)
    return group.emitOpError("names no pi.order: ") << group.getOrderAttr();
  if (order.getRows().getNumElements() != rows)
    return group.emitOpError() << "order " << group.getOrderAttr() << " has "
                               << order.getRows().getNumElements() << " rows, its weights have "
                               << rows;
  return success();
}

LogicalResult GroupOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (Attribute name : getWeightsAttr() ? getWeightsAttr().getValue() : ArrayRef<Attribute>()) {
    auto weight =
        symbols.lookupNearestSymbolFrom<pi::WeightOp>(*this, cast<FlatSymbolRefAttr>(name));
    if (!weight)
      return emitOpError("names no pi.weight: ") << name;
    if (!fits(weight.getTensorType().getDimSize(0)))
      return emitOpError() << "has more rows than its weight " << name << " of type "
                           << weight.getType();
    int64_t rows = weight.getTensorType().getDimSize(0);
    if (getProfileAttr() && getProfileAttr().getCounts().getNumElements() != rows)
      return emitOpError() << "profile has " << getProfileAttr().getCounts().getNumElements()
                           << " neurons, its weight " << name << " has " << rows << " rows";
    if (failed(checkOrder(*this, symbols, rows)))
      return failure();
  }
  return success();
}

LogicalResult GateUpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  GroupOp group = lookupGroup(*this, symbols, getGroupAttr(), getResult().getType());
  if (!group)
    return failure();
  int64_t features = cast<RankedTensorType>(getInput().getType()).getShape().back();
  if (failed(checkWeight(*this, symbols, getUpAttr(), "up", group, features)) ||
      failed(checkWeight(*this, symbols, getGateAttr(), "gate", group, features)))
    return failure();
  return checkWeight(*this, symbols, getUpBiasAttr(), "up_bias", group, -1);
}

LogicalResult DownOp::verifySymbolUses(SymbolTableCollection &symbols) {
  GroupOp group = lookupGroup(*this, symbols, getGroupAttr(), getActs().getType());
  if (!group)
    return failure();
  int64_t features = cast<RankedTensorType>(getResult().getType()).getShape().back();
  return checkWeight(*this, symbols, getDownAttr(), "down", group, features);
}

LogicalResult MergeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getBias())
    return success();
  auto weight = symbols.lookupNearestSymbolFrom<pi::WeightOp>(*this, getBiasAttr());
  if (!weight)
    return emitOpError("bias names no pi.weight: ") << getBiasAttr();
  int64_t features = cast<RankedTensorType>(getResult().getType()).getShape().back();
  if (weight.getTensorType().getShape() != ArrayRef<int64_t>{features})
    return emitOpError() << "bias has an unexpected shape: " << weight.getType();
  return success();
}
