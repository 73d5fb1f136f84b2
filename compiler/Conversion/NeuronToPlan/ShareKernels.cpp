//===- ShareKernels.cpp - Equal kernels become one, names are closed up -===//

#include "compiler/Conversion/NeuronToPlan/Passes.h"

#include "dialects/Plan/IR/Plan.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "pi-share-kernels"

namespace pi {
#define GEN_PASS_DEF_SHAREKERNELS
#include "compiler/Conversion/NeuronToPlan/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct ShareKernels : pi::impl::ShareKernelsBase<ShareKernels> {
  using ShareKernelsBase::ShareKernelsBase;
  void runOnOperation() override;
};

bool equal(plan::KernelOp a, plan::KernelOp b) {
  return a.getPlace() == b.getPlace() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// `norm_qkv` of `norm_qkv_12`.
StringRef baseOf(StringRef name) {
  StringRef base = name.rtrim("0123456789");
  return base.size() < name.size() && base.size() > 1 && base.ends_with("_") ? base.drop_back()
                                                                             : name;
}

} // namespace

void ShareKernels::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<plan::KernelOp> kept;
  llvm::DenseMap<StringAttr, plan::KernelOp> replacement; // name before -> kernel that stays
  for (plan::KernelOp kernel : llvm::make_early_inc_range(module.getOps<plan::KernelOp>())) {
    auto *same = llvm::find_if(kept, [&](plan::KernelOp other) { return equal(other, kernel); });
    if (same == kept.end()) {
      kept.push_back(kernel);
      replacement[kernel.getSymNameAttr()] = kernel;
    } else {
      replacement[kernel.getSymNameAttr()] = *same;
      kernel.erase();
    }
  }

  llvm::StringSet<> taken;
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (!isa<plan::KernelOp>(symbol))
      taken.insert(symbol.getName());
  for (plan::KernelOp kernel : kept) {
    StringRef base = baseOf(kernel.getSymName());
    std::string name = base.str();
    for (int64_t n = 1; !taken.insert(name).second; ++n)
      name = (base + "_" + Twine(n)).str();
    kernel.setSymName(name);
  }
  module.walk([&](plan::DispatchOp dispatch) {
    dispatch.setKernel(replacement.lookup(dispatch.getKernelAttr().getAttr()).getSymName());
  });
}
