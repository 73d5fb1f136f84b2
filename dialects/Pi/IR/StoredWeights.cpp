//===- StoredWeights.cpp - What the executable stores, and in which order -===//

#include "dialects/Pi/IR/StoredWeights.h"

using namespace mlir;
using namespace pi;

RankedTensorType pi::getStoredType(Operation *op) {
  if (auto bundle = dyn_cast<BundleOp>(op))
    return bundle.getTensorType();
  return cast<WeightOp>(op).getTensorType();
}

StoredWeights::StoredWeights(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto bundle : module.getOps<BundleOp>()) {
    int64_t first = 0;
    for (auto name : bundle.getParts().getAsRange<FlatSymbolRefAttr>()) {
      columns.insert({name.getValue(), {bundle, first}});
      auto part = symbols.lookup<WeightOp>(name.getAttr());
      first += part ? part.getTensorType().getShape().back() : 0;
    }
  }
  for (Operation &op : *module.getBody()) {
    auto weight = dyn_cast<WeightOp>(op);
    if (weight && !columns.insert({weight.getSymName(), {&op, 0}}).second)
      continue; // a part
    if (!weight && !isa<BundleOp>(op))
      continue;
    indices[SymbolTable::getSymbolName(&op).getValue()] = stored.size();
    stored.push_back(&op);
  }
}

int64_t StoredWeights::indexOf(StringRef name) const {
  auto index = indices.find(name);
  return index == indices.end() ? -1 : index->second;
}
