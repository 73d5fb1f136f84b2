//===- MachineFile.cpp - The description of a measured machine -===//

#include "compiler/Target/MachineFile.h"

#include "compiler/Import/JsonFile.h"
#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace pi;

static constexpr uint64_t kMaxFileBytes = 1 << 20;
static constexpr int64_t kVersion = 1;
static constexpr double kMaxSpeed = 1e9; // bytes per us: 10^6 GB/s

namespace {

/// The fields of one object of the file; each error is at the field. Calls after the
/// first error say nothing more.
class Fields {
public:
  Fields(MLIRContext *context, StringRef path, StringRef prefix, const llvm::json::Object &object)
      : context(context), path(path), prefix(prefix), object(object) {}

  bool hasFailed() const { return failed; }

  void string(StringRef name, std::string &out) {
    const llvm::json::Value *value = get(name);
    if (!value)
      return;
    std::optional<StringRef> text = value->getAsString();
    // It is printed in one line.
    if (!text || text->empty() || text->size() > 200 ||
        llvm::any_of(*text, [](unsigned char c) { return c < ' ' || c == 127; }))
      return fail(name, "expected a text of 1 to 200 bytes in one line");
    out = text->str();
  }
  void whole(StringRef name, int64_t min, int64_t max, int64_t &out) {
    const llvm::json::Value *value = get(name);
    if (!value)
      return;
    std::optional<int64_t> number = value->getAsInteger();
    if (!number || *number < min || *number > max)
      return fail(name, "expected a whole number from " + Twine(min) + " to " + Twine(max));
    out = *number;
  }
  /// Bytes per microsecond.
  void speed(StringRef name, int64_t &out) {
    const llvm::json::Value *value = get(name);
    if (!value)
      return;
    std::optional<double> number = value->getAsNumber();
    if (!number || !(*number >= 1 && *number <= kMaxSpeed))
      return fail(name, "expected bytes per microsecond, a number from 1 to 10^9");
    out = std::llround(*number);
  }
  /// Null where it is missing.
  const llvm::json::Value *get(StringRef name) {
    known.push_back(name);
    const llvm::json::Value *value = object.get(name);
    if (!value)
      fail(name, "is missing");
    return failed ? nullptr : value;
  }
  const llvm::json::Value *getOptional(StringRef name) {
    known.push_back(name);
    return failed ? nullptr : object.get(name);
  }
  /// An object in a field; null after an error.
  const llvm::json::Object *asObject(StringRef name, const llvm::json::Value &value) {
    const llvm::json::Object *inner = value.getAsObject();
    if (!inner)
      fail(name, "expected an object");
    return inner;
  }
  /// After all fields were read: there are no others.
  void finish() {
    SmallVector<StringRef> names;
    for (const auto &field : object)
      names.push_back(field.first);
    llvm::sort(names); // the object has no order
    for (StringRef name : names)
      if (!llvm::is_contained(known, name))
        return fail(name, "is no field of a machine file of version " + Twine(kVersion));
  }
  void fail(StringRef name, const Twine &message) {
    if (!failed)
      emitError(nodeLocation(context, path, (prefix + name).str())) << message;
    failed = true;
  }

private:
  MLIRContext *context;
  StringRef path, prefix;
  const llvm::json::Object &object;
  SmallVector<StringRef> known;
  bool failed = false;
};

} // namespace

static LogicalResult readCpu(Fields &&fields, MachineFile::Cpu &cpu) {
  fields.string("name", cpu.name);
  fields.whole("threads", 1, 1 << 16, cpu.threads);
  fields.speed("read_bytes_per_us", cpu.readBytesPerUs);
  fields.speed("f16_bytes_per_us", cpu.f16BytesPerUs);
  fields.finish();
  return failure(fields.hasFailed());
}

static LogicalResult readGpu(Fields &&fields, MachineFile::Gpu &gpu) {
  fields.string("name", gpu.name);
  fields.speed("read_bytes_per_us", gpu.readBytesPerUs);
  fields.finish();
  return failure(fields.hasFailed());
}

FailureOr<MachineFile> pi::readMachineFile(MLIRContext *context, StringRef path) {
  FailureOr<std::optional<llvm::json::Object>> read = readJsonFile(context, path, kMaxFileBytes);
  if (failed(read))
    return failure();
  if (!*read) {
    emitError(fileLocation(context, path)).append("No such file").attachNote()
        << "pi-compile --measure -o FILE writes a machine file";
    return failure();
  }
  Fields fields(context, path, "", **read);
  const llvm::json::Value *version = fields.get("version");
  if (version && version->getAsInteger() != kVersion)
    fields.fail("version",
                "expected " + Twine(kVersion) + ", the version that this pi-compile reads");
  MachineFile machine;
  if (const llvm::json::Value *cpu = fields.get("cpu"))
    if (const llvm::json::Object *object = fields.asObject("cpu", *cpu))
      if (failed(readCpu(Fields(context, path, "cpu.", *object), machine.cpu)))
        return failure();
  if (const llvm::json::Value *gpu = fields.getOptional("gpu"))
    if (const llvm::json::Object *object = fields.asObject("gpu", *gpu))
      if (failed(readGpu(Fields(context, path, "gpu.", *object), machine.gpu.emplace())))
        return failure();
  if (const llvm::json::Value *crossing = fields.getOptional("crossing_us")) {
    machine.crossingUs = crossing->getAsNumber();
    if (!machine.crossingUs || !(*machine.crossingUs >= 0 && *machine.crossingUs <= 1e6))
      fields.fail("crossing_us", "expected microseconds, a number from 0 to 10^6");
  }
  fields.finish();
  if (fields.hasFailed())
    return failure();
  return machine;
}
