//===- Object.cpp - LLVM dialect to an ELF object -===//

#include "codegen/Cpu/Object.h"

#include "codegen/Cpu/CpuTarget.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// Fails where the object needs a symbol of somebody else.
static LogicalResult checkUndefined(StringRef bytes, Location loc) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "cold.o"));
  if (!object)
    return emitError(loc, "the object cannot be read back: ") << llvm::toString(object.takeError());
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      return emitError(loc, "the object has a symbol that cannot be read");
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty())
      return emitError(loc, "the generated code calls '") << *name << "', which nothing provides";
  }
  return success();
}

FailureOr<std::string> pi::cpu::emitObject(ModuleOp module, StringRef cpu,
                                           llvm::raw_ostream *irText) {
  auto machine = createTargetMachine(cpu, module.getLoc());
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, "cold");
  if (!llvmModule)
    return module.emitError("cannot be translated to LLVM IR");
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  optimise(*llvmModule, **machine);
  if (irText)
    llvmModule->print(*irText, nullptr);

  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return module.emitError("no object can be made for CPU '") << cpu << "'", failure();
  codegen.run(*llvmModule);
  std::string object(bytes.begin(), bytes.end());
  if (failed(checkUndefined(object, module.getLoc())))
    return failure();
  return object;
}
