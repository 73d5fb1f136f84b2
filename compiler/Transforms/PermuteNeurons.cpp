//===- PermuteNeurons.cpp - Rows of weights in the order of the groups -===//

#include "compiler/Transforms/Passes.h"

#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

#define DEBUG_TYPE "pi-permute-neurons"

namespace pi {
#define GEN_PASS_DEF_PERMUTENEURONS
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

/// Orders the weights of a module.
class Permuter {
public:
  explicit Permuter(ModuleOp module) : module(module), symbols(module) {}
  void run();

private:
  FlatSymbolRefAttr ordered(FlatSymbolRefAttr name, neuron::GroupOp group);
  FlatSymbolRefAttr compose(WeightOp weight, LayoutAttr layout, FlatSymbolRefAttr order);
  void order(neuron::GroupOp group);

  ModuleOp module;
  SymbolTable symbols;
  /// (weight, order) -> the weight in that order.
  llvm::MapVector<std::pair<Attribute, Attribute>, FlatSymbolRefAttr> made;
  /// (layout before, order) -> the order of both, one after the other.
  llvm::MapVector<std::pair<Attribute, Attribute>, FlatSymbolRefAttr> composed;
  llvm::DenseMap<Attribute, LayoutAttr> layouts; // of weights, before they were put in order
  llvm::DenseSet<Attribute> taken; // weights that are in an order, or used without one
};

struct PermuteNeurons : pi::impl::PermuteNeuronsBase<PermuteNeurons> {
  using PermuteNeuronsBase::PermuteNeuronsBase;
  void runOnOperation() override { Permuter(getOperation()).run(); }
};

} // namespace

/// The order for a layout that puts the rows of the weight, as `layout` has them, into
/// `order`. Those of a weight that has an order, or is a part of one, are ordered anew.
FlatSymbolRefAttr Permuter::compose(WeightOp weight, LayoutAttr layout, FlatSymbolRefAttr order) {
  if (!layout || (!layout.getOrder() && layout.getPart().empty()))
    return order;
  // Of the layout only these two and the number of rows matter: gate, up and down share one.
  auto outer = symbols.lookup<OrderOp>(order.getAttr());
  int64_t rows = layout.getNumRows();
  if (rows < 0)
    rows = weight.getSource().getType().getDimSize(layout.getTranspose() ? 1 : 0);
  auto key =
      LayoutAttr::get(module.getContext(), false, {0, rows}, layout.getOrder(), layout.getPart());
  FlatSymbolRefAttr &result = composed[{key, order}];
  if (result)
    return result;
  SmallVector<int32_t> list(rows);
  std::iota(list.begin(), list.end(), 0);
  if (layout.getOrder())
    list = symbols.lookup<OrderOp>(layout.getOrder().getAttr()).getOrder();
  SmallVector<int32_t> before = list;
  int64_t first = layout.getPart().empty() ? 0 : layout.getPart().front();
  for (auto [k, row] : llvm::enumerate(outer.getOrder()))
    list[first + k] = before[first + row];
  OpBuilder b(outer);
  OrderOp op = outer.clone();
  symbols.insert(op, Block::iterator(outer)); // under a free name
  auto type = RankedTensorType::get({rows}, b.getI32Type());
  auto blob = HeapAsmResourceBlob::allocateAndCopyInferAlign(ArrayRef<int32_t>(list));
  op.setRowsAttr(cast<ElementsAttr>(
      Attribute(DenseI32ResourceElementsAttr::get(type, op.getSymName(), std::move(blob)))));
  result = FlatSymbolRefAttr::get(op.getSymNameAttr());
  return result;
}

/// The weight that has the rows of `name` in the group's order: itself, or a copy where
/// others need it as it is.
FlatSymbolRefAttr Permuter::ordered(FlatSymbolRefAttr name, neuron::GroupOp group) {
  FlatSymbolRefAttr &result = made[{name, group.getOrderAttr()}];
  if (result)
    return result;
  auto weight = symbols.lookup<WeightOp>(name.getAttr());
  assert(weight && "the verifier has looked the weight up");
  LayoutAttr layout = layouts.insert({name, weight.getLayoutAttr()}).first->second;
  if (!taken.insert(name).second) {
    weight = weight.clone();
    weight.setSymName((name.getValue() + ".of_" + group.getOrderAttr().getValue()).str());
    OpBuilder(symbols.lookup(name.getAttr())).insert(weight);
    symbols.insert(weight);
  }
  weight.setLayoutAttr(LayoutAttr::get(module.getContext(), layout && layout.getTranspose(),
                                       layout ? layout.getRows() : ArrayRef<int64_t>(),
                                       compose(weight, layout, group.getOrderAttr()),
                                       layout ? layout.getPart() : ArrayRef<int64_t>()));
  result = FlatSymbolRefAttr::get(weight.getSymNameAttr());
  return result;
}

/// Orders what a row of the group is made of, in the group and in the operations that
/// name it.
void Permuter::order(neuron::GroupOp group) {
  auto replace = [&](Operation *op, StringRef attribute) {
    if (auto name = op->getAttrOfType<FlatSymbolRefAttr>(attribute))
      op->setAttr(attribute, ordered(name, group));
  };
  module.walk([&](Operation *op) {
    auto name = op->getAttrOfType<FlatSymbolRefAttr>("group");
    if (!name || name.getAttr() != group.getSymNameAttr())
      return;
    if (isa<neuron::GateUpOp>(op))
      for (StringRef attribute : {"gate", "up", "up_bias"})
        replace(op, attribute);
    else if (isa<neuron::DownOp>(op))
      replace(op, "down");
  });
  SmallVector<Attribute> weights;
  if (ArrayAttr names = group.getWeightsAttr()) {
    for (auto name : names.getAsRange<FlatSymbolRefAttr>())
      weights.push_back(ordered(name, group));
    group.setWeightsAttr(ArrayAttr::get(module.getContext(), weights));
  }
}

void Permuter::run() {
  // Weights that others name too, or groups without an order, stay as they are.
  module.walk([&](Operation *op) {
    if (!isa<neuron::GroupOp, neuron::GateUpOp, neuron::DownOp>(op))
      for (NamedAttribute attribute : op->getAttrs())
        if (isa<FlatSymbolRefAttr>(attribute.getValue()))
          taken.insert(attribute.getValue());
  });
  for (auto group : module.getOps<neuron::GroupOp>())
    if (ArrayAttr names = group.getWeightsAttr(); names && !group.getOrderAttr())
      taken.insert(names.begin(), names.end());
  for (auto group : module.getOps<neuron::GroupOp>())
    if (group.getOrderAttr())
      order(group);
  for (auto group : module.getOps<neuron::GroupOp>())
    group.removeOrderAttr();
}
