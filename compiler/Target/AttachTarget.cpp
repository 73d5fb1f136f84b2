//===- AttachTarget.cpp - Put the facts of the target machine on the module -===//

#include "compiler/Target/Passes.h"

#include "compiler/Target/CpuTable.h"
#include "compiler/Target/GpuTable.h"
#include "compiler/Target/MachineFile.h"
#include "compiler/Target/MemoryTable.h"
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

private:
  FailureOr<TargetDeviceSpecAttr> makeCpu(const std::optional<pi::MachineFile> &measured);
  FailureOr<TargetDeviceSpecAttr> makeGpu(const std::optional<pi::MachineFile> &measured);
};

/// Collects the entries of a device.
class Entries {
public:
  explicit Entries(MLIRContext *context) : builder(context) {}
  void add(StringRef key, Attribute value) {
    entries.push_back(DataLayoutEntryAttr::get(builder.getStringAttr(key), value));
  }
  void add(StringRef key, StringRef value) { add(key, builder.getStringAttr(value)); }
  void add(StringRef key, int64_t value) { add(key, builder.getI64IntegerAttr(value)); }
  void add(StringRef key, double value) { add(key, builder.getF64FloatAttr(value)); }
  TargetDeviceSpecAttr make() { return TargetDeviceSpecAttr::get(builder.getContext(), entries); }

private:
  Builder builder;
  SmallVector<DataLayoutEntryInterface> entries;
};
} // namespace

FailureOr<TargetDeviceSpecAttr>
AttachTarget::makeCpu(const std::optional<pi::MachineFile> &measured) {
  const pi::CpuTarget *target = pi::findCpu(cpu);
  if (!target) {
    InFlightDiagnostic diagnostic = getOperation().emitError("cannot compile for CPU '")
                                    << cpu << "'";
    diagnostic.attachNote() << "known are x86-64-v3 (AVX2, FMA, F16C), x86-64-v4 (AVX-512) and "
                               "native on a machine that has at least x86-64-v3";
    return failure();
  }
  Entries entries(&getContext());
  entries.add("pi.cpu", target->name);
  entries.add("pi.vector_bits", target->vectorBits);
  if (measured) {
    const pi::MachineFile::Cpu &found = measured->cpu;
    entries.add("pi.read_bytes_per_us", found.readBytesPerUs);
    entries.add("pi.f16_bytes_per_us", found.f16BytesPerUs);
    entries.add("pi.measured_on", found.name + ", " + std::to_string(found.threads) +
                                      (found.threads == 1 ? " thread" : " threads"));
  } else if (const pi::MemoryClass *memory = pi::findMemoryClass(machine)) {
    entries.add("pi.read_bytes_per_us", memory->readBytesPerUs);
    entries.add("pi.memory", memory->name);
  } else {
    entries.add("pi.read_bytes_per_us", target->readBytesPerUs);
  }
  return entries.make();
}

FailureOr<TargetDeviceSpecAttr>
AttachTarget::makeGpu(const std::optional<pi::MachineFile> &measured) {
  const pi::GpuTarget *target = pi::findGpu(gpu);
  if (!target) {
    InFlightDiagnostic diagnostic = getOperation().emitError("cannot plan for GPU '") << gpu << "'";
    diagnostic.attachNote() << "known are none, " << pi::knownGpus();
    return failure();
  }
  bool isMeasured = measured && measured->gpu;
  if (isMeasured && measured->gpu->name != gpu) {
    InFlightDiagnostic diagnostic = getOperation().emitError("the machine file is of GPU '")
                                    << measured->gpu->name << "', not of '" << gpu << "'";
    diagnostic.attachNote() << "give --gpu=" << measured->gpu->name
                            << ", or a machine file without \"gpu\"";
    return failure();
  }
  Entries entries(&getContext());
  entries.add("pi.gpu", target->name);
  entries.add("pi.arch", target->arch);
  entries.add("pi.memory_bytes", target->memoryBytes);
  entries.add("pi.read_bytes_per_us",
              isMeasured ? measured->gpu->readBytesPerUs : target->readBytesPerUs);
  entries.add("pi.bus_bytes_per_us", target->busBytesPerUs);
  entries.add("pi.crossing_us",
              measured ? measured->crossingUs.value_or(pi::kFlagUs) : pi::kFlagUs);
  return entries.make();
}

void AttachTarget::runOnOperation() {
  std::optional<pi::MachineFile> measured;
  if (!machine.empty() && !pi::findMemoryClass(machine)) {
    FailureOr<pi::MachineFile> read = pi::readMachineFile(&getContext(), machine);
    if (failed(read))
      return signalPassFailure();
    measured = *read;
  }
  Builder builder(&getContext());
  SmallVector<DataLayoutEntryInterface> devices;
  auto add = [&](StringRef id, FailureOr<TargetDeviceSpecAttr> device) {
    if (succeeded(device))
      devices.push_back(DataLayoutEntryAttr::get(builder.getStringAttr(id), *device));
    return LogicalResult(device);
  };
  if (failed(add("cpu0", makeCpu(measured))))
    return signalPassFailure();
  if (gpu != "none" && failed(add("gpu0", makeGpu(measured))))
    return signalPassFailure();
  auto system = TargetSystemSpecAttr::get(&getContext(), devices);
  getOperation()->setAttr(DLTIDialect::kTargetSystemDescAttrName, system);
}
