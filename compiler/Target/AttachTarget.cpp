//===- AttachTarget.cpp - Put the facts of the target machine on the module -===//

#include "compiler/Target/Passes.h"

#include "compiler/Target/CpuTable.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Builders.h"

#define DEBUG_TYPE "pi-attach-target"

namespace pi {
#define GEN_PASS_DEF_ATTACHTARGET
#include "compiler/Target/Passes.h.inc"
} // namespace pi

using namespace mlir;

namespace {
struct AttachTarget : pi::impl::AttachTargetBase<AttachTarget> {
  using AttachTargetBase::AttachTargetBase;
  void runOnOperation() override;
};
} // namespace

void AttachTarget::runOnOperation() {
  const pi::CpuTarget *target = pi::findCpu(cpu);
  if (!target) {
    InFlightDiagnostic diagnostic = getOperation().emitError("cannot compile for CPU '")
                                    << cpu << "'";
    diagnostic.attachNote() << "known are x86-64-v3 (AVX2, FMA, F16C), x86-64-v4 (AVX-512) and "
                               "native on a machine that has at least x86-64-v3";
    return signalPassFailure();
  }
  Builder builder(&getContext());
  auto entry = [&](StringRef key, Attribute value) {
    return DataLayoutEntryAttr::get(builder.getStringAttr(key), value);
  };
  auto device = TargetDeviceSpecAttr::get(
      &getContext(),
      {entry("pi.cpu", builder.getStringAttr(target->name)),
       entry("pi.vector_bits", builder.getI64IntegerAttr(target->vectorBits)),
       entry("pi.read_bytes_per_us", builder.getI64IntegerAttr(target->readBytesPerUs))});
  auto system = TargetSystemSpecAttr::get(&getContext(), {entry("cpu0", device)});
  getOperation()->setAttr(DLTIDialect::kTargetSystemDescAttrName, system);
}
