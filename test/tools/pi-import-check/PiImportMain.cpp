//===- PiImportMain.cpp - Prints what the import phase makes of a model -===//
// Test tool: pi-import MODEL [--tokenizer=FILE] [--context=N] [--exact] [--locs].

#include "compiler/Import/Import.h"
#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace cl = llvm::cl;

static void print(Diagnostic &diagnostic, StringRef file) {
  static constexpr const char *kSeverities[] = {"note", "warning", "error", "remark"};
  std::string where = pi::describeLocation(diagnostic.getLocation());
  llvm::errs() << (where.empty() ? file.str() : where) << ": "
               << kSeverities[static_cast<int>(diagnostic.getSeverity())] << ": "
               << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    print(note, file);
}

int main(int argc, char **argv) {
  cl::opt<std::string> model(cl::Positional, cl::Required, cl::desc("<model.onnx>"));
  cl::opt<std::string> tokenizer("tokenizer", cl::desc("tokenizer.json"));
  cl::opt<int64_t> contextTokens("context", cl::desc("KV cache in tokens"));
  cl::opt<bool> exact("exact", cl::desc("exact mode"));
  cl::opt<bool> locs("locs", cl::desc("print locations"));
  cl::ParseCommandLineOptions(argc, argv, "prints the onnx dialect of a model\n");

  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    print(diagnostic, model);
    return success();
  });
  pi::ImportOptions options{model, tokenizer, contextTokens, exact};
  FailureOr<OwningOpRef<ModuleOp>> module = pi::importOnnx(&context, options);
  if (failed(module))
    return 1;
  (*module)->print(llvm::outs(), OpPrintingFlags().enableDebugInfo(locs, false));
  llvm::outs() << "\n";
  return 0;
}
