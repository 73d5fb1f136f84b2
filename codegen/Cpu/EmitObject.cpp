//===- EmitObject.cpp - The module's LLVM dialect to an attribute with an object -===//

#include "codegen/Cpu/CpuCodegen.h"
#include "codegen/Cpu/CpuTarget.h"
#include "codegen/Cpu/Object.h"
#include "codegen/Cpu/Passes.h"
#include "codegen/Link/TempFile.h"
#include "dialects/Pi/IR/ErrorKinds.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "pi-emit-object"

namespace pi::cpu {
#define GEN_PASS_DEF_EMITOBJECT
#include "codegen/Cpu/Passes.h.inc"
} // namespace pi::cpu

using namespace mlir;
using namespace pi;

static bool isLlvmOp(Operation &op) { return isa<LLVM::LLVMDialect>(op.getDialect()); }

/// Writes `bytes` to `folder`/`name`, through a temporary name.
static LogicalResult saveTemp(StringRef folder, StringRef name, StringRef bytes, Location loc) {
  SmallString<128> path(folder);
  if (std::error_code error = llvm::sys::fs::create_directories(path)) {
    InFlightDiagnostic diag = emitError(loc, "cannot write '") << path << "': " << error.message();
    markError(diag, ErrorKind::User);
    diag.attachNote() << "--save-temps needs a folder that can be written";
    return diag;
  }
  llvm::sys::path::append(path, name);
  absl::StatusOr<TempFile> file = TempFile::create(path.str().str(), "--save-temps", "", 0666);
  absl::Status status = file.status();
  if (status.ok())
    status = file->write(bytes);
  if (status.ok())
    status = file->commit();
  if (status.ok())
    return success();
  InFlightDiagnostic diag = emitError(loc)
                            << StringRef(status.message().data(), status.message().size());
  markError(diag, ErrorKind::User);
  return diag;
}

namespace {
struct EmitObject : public cpu::impl::EmitObjectBase<EmitObject> {
  using EmitObjectBase::EmitObjectBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    EmitObjectBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<cpu::Target> target = cpu::getTarget(module);
    if (failed(target))
      return signalPassFailure();
    // Only what becomes code: facts and weights of the model stay outside.
    OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc());
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isLlvmOp(op))
        op.moveBefore(code->getBody(), code->getBody()->end());
    std::string irText;
    llvm::raw_string_ostream irStream(irText);
    FailureOr<std::string> object =
        cpu::emitObject(*code, target->cpu, saveTemps.empty() ? nullptr : &irStream);
    if (failed(object))
      return signalPassFailure();
    if (!saveTemps.empty() && (failed(saveTemp(saveTemps, "cold.ll", irText, module.getLoc())) ||
                               failed(saveTemp(saveTemps, "cold.o", *object, module.getLoc()))))
      return signalPassFailure();
    cpu::setObject(module, *object);
  }
};
} // namespace
