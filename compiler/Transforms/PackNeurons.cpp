//===- PackNeurons.cpp - Weights of each group's own, and bundles -===//

#include "compiler/Transforms/Passes.h"

#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "pi-pack-neurons"

namespace pi {
#define GEN_PASS_DEF_PACKNEURONS
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

/// Operations over one group.
struct GroupUsers {
  SmallVector<neuron::GateUpOp, 1> gateUps;
  SmallVector<neuron::DownOp, 1> downs;
};

/// Packs the groups of a module.
class Packer {
public:
  explicit Packer(ModuleOp module);

  /// Gives groups weights of their own.
  void separate();
  /// Bundles rows of groups on the CPU; `all`: also of groups that are alone in their layer.
  void bundle(bool all);
  /// Erases weights that separate() has left without a use.
  void eraseUnused();
  /// Puts weights of groups on gpu0 in front.
  void moveHotToFront();

private:
  FlatSymbolRefAttr own(neuron::GroupOp group, FlatSymbolRefAttr name, StringRef role);
  void separate(neuron::GroupOp group);
  void bundle(neuron::GroupOp group);
  bool isOnlyOf(neuron::GroupOp group, FlatSymbolRefAttr name);
  void findUses();

  ModuleOp module;
  SymbolTable symbols;
  SmallVector<neuron::GroupOp> groups;
  DenseMap<Attribute, GroupUsers> users; // by name of the group; looked up only
  DenseMap<std::pair<Operation *, Attribute>, FlatSymbolRefAttr> made; // looked up only
  llvm::SetVector<Operation *> replaced;
  DenseMap<Attribute, SmallVector<Operation *>> uses; // of symbols; looked up only
};

struct PackNeurons : pi::impl::PackNeuronsBase<PackNeurons> {
  using PackNeuronsBase::PackNeuronsBase;
  void runOnOperation() override;
};

} // namespace

Packer::Packer(ModuleOp module)
    : module(module), symbols(module), groups(module.getOps<neuron::GroupOp>()) {
  module.walk([&](Operation *op) {
    if (auto gateUp = dyn_cast<neuron::GateUpOp>(op))
      users[gateUp.getGroupAttr()].gateUps.push_back(gateUp);
    else if (auto down = dyn_cast<neuron::DownOp>(op))
      users[down.getGroupAttr()].downs.push_back(down);
  });
}

/// The weight that holds the group's rows of `name` alone: itself, or a new one.
FlatSymbolRefAttr Packer::own(neuron::GroupOp group, FlatSymbolRefAttr name, StringRef role) {
  auto weight = symbols.lookup<WeightOp>(name.getAttr());
  assert(weight && "verifiers have looked the weight up");
  RankedTensorType type = weight.getTensorType();
  if (type.getDimSize(0) == group.getRows())
    return name;
  FlatSymbolRefAttr &result = made[{group, name}];
  if (result)
    return result;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = group.getRows();
  LayoutAttr layout = weight.getLayoutAttr();
  int64_t first = group.getFirst();
  if (layout && !layout.getPart().empty())
    first += layout.getPart().front();
  WeightOp mine = weight.clone();
  mine.setSymName((group.getSymName() + "." + role).str());
  mine.setType(type.clone(shape));
  mine.setLayoutAttr(LayoutAttr::get(module.getContext(), layout && layout.getTranspose(),
                                     layout ? layout.getRows() : ArrayRef<int64_t>(),
                                     layout ? layout.getOrder() : FlatSymbolRefAttr(),
                                     {first, first + group.getRows()}));
  symbols.insert(mine, Block::iterator(weight));
  replaced.insert(weight);
  result = FlatSymbolRefAttr::get(mine.getSymNameAttr());
  return result;
}

void Packer::separate(neuron::GroupOp group) {
  GroupUsers &of = users[FlatSymbolRefAttr::get(group.getSymNameAttr())];
  for (neuron::GateUpOp gateUp : of.gateUps) {
    if (FlatSymbolRefAttr gate = gateUp.getGateAttr())
      gateUp.setGateAttr(own(group, gate, "gate"));
    gateUp.setUpAttr(own(group, gateUp.getUpAttr(), "up"));
    if (FlatSymbolRefAttr bias = gateUp.getUpBiasAttr())
      gateUp.setUpBiasAttr(own(group, bias, "up_bias"));
  }
  for (neuron::DownOp down : of.downs)
    down.setDownAttr(own(group, down.getDownAttr(), "down"));
  ArrayAttr names = group.getWeightsAttr();
  if (!names)
    return;
  SmallVector<Attribute> mine;
  for (auto name : names.getAsRange<FlatSymbolRefAttr>())
    mine.push_back(own(group, name, name.getValue()));
  group.setWeightsAttr(ArrayAttr::get(module.getContext(), mine));
}

void Packer::separate() {
  for (neuron::GroupOp group : groups)
    separate(group);
}

void Packer::findUses() {
  uses.clear();
  if (auto range = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (const SymbolTable::SymbolUse &use : *range)
      uses[use.getSymbolRef()].push_back(use.getUser());
}

void Packer::eraseUnused() {
  findUses();
  for (Operation *weight : replaced)
    if (!uses.contains(FlatSymbolRefAttr::get(SymbolTable::getSymbolName(weight))))
      symbols.erase(weight);
}

/// Is the weight named by the group and its operations only, and by no bundle?
bool Packer::isOnlyOf(neuron::GroupOp group, FlatSymbolRefAttr name) {
  const GroupUsers &of = users[FlatSymbolRefAttr::get(group.getSymNameAttr())];
  return llvm::all_of(uses.lookup(name), [&](Operation *user) {
    return user == group || llvm::is_contained(of.gateUps, user) ||
           llvm::is_contained(of.downs, user);
  });
}

void Packer::bundle(neuron::GroupOp group) {
  const GroupUsers &of = users[FlatSymbolRefAttr::get(group.getSymNameAttr())];
  if (of.gateUps.size() != 1 || of.downs.size() != 1)
    return;
  neuron::GateUpOp gateUp = of.gateUps.front();
  FlatSymbolRefAttr up = gateUp.getUpAttr(),
                    down = of.downs.front()->getAttrOfType<FlatSymbolRefAttr>("down");
  // Without a gate every row of up is read, and most of down are not.
  if (!gateUp.getGate() || gateUp.getGateAttr() == up || gateUp.getGateAttr() == down ||
      up == down || !isOnlyOf(group, up) || !isOnlyOf(group, down))
    return;
  auto second = symbols.lookup<WeightOp>(down.getAttr());
  RankedTensorType upType = symbols.lookup<WeightOp>(up.getAttr()).getTensorType();
  RankedTensorType downType = second.getTensorType();
  if (upType.getElementType() != downType.getElementType() ||
      upType.getDimSize(0) != downType.getDimSize(0) || upType.getDimSize(0) != group.getRows())
    return;
  OpBuilder b(module.getContext());
  b.setInsertionPointAfter(second);
  auto rows = BundleOp::create(
      b, group.getLoc(), (group.getSymName() + ".rows").str(),
      upType.clone({upType.getDimSize(0), upType.getDimSize(1) + downType.getDimSize(1)}),
      b.getArrayAttr({up, down}), StringAttr());
  symbols.insert(rows);
}

void Packer::bundle(bool all) {
  DenseMap<uint64_t, int64_t> groupsOf; // of a layer; looked up only
  for (neuron::GroupOp group : groups)
    ++groupsOf[group.getLayer()];
  findUses();
  for (neuron::GroupOp group : groups)
    if (group.getPlace() == Place::Cpu && (all || groupsOf.lookup(group.getLayer()) > 1))
      bundle(group);
}

void Packer::moveHotToFront() {
  DenseSet<Attribute> cold; // weights that groups elsewhere name
  llvm::SetVector<Operation *> hot;
  for (neuron::GroupOp group : groups)
    if (ArrayAttr names = group.getWeightsAttr(); names && group.getPlace() != Place::Gpu0)
      cold.insert(names.begin(), names.end());
  for (neuron::GroupOp group : groups)
    if (ArrayAttr names = group.getWeightsAttr(); names && group.getPlace() == Place::Gpu0)
      for (auto name : names.getAsRange<FlatSymbolRefAttr>())
        if (!cold.contains(name))
          hot.insert(symbols.lookup(name.getAttr()));
  Block *body = module.getBody();
  for (Operation *weight : llvm::reverse(hot))
    weight->moveBefore(body, body->begin());
}

void PackNeurons::runOnOperation() {
  if (!llvm::is_contained({"cold", "all", "none"}, bundle.getValue())) {
    emitError(getOperation().getLoc())
        << "unknown bundles '" << bundle << "': expected cold, all or none";
    return signalPassFailure();
  }
  for (auto group : getOperation().getOps<neuron::GroupOp>())
    if (group.getOrderAttr()) {
      InFlightDiagnostic diagnostic = group.emitOpError("is in an order that its weights are not");
      diagnostic.attachNote() << "run pi-permute-neurons first";
      return signalPassFailure();
    }
  Packer packer(getOperation());
  packer.separate();
  packer.eraseUnused();
  if (bundle != "none")
    packer.bundle(bundle == "all");
  packer.moveHotToFront();
}
