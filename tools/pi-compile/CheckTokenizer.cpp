//===- CheckTokenizer.cpp - Is the tokenizer one that executables can use? -===//

#include "tools/pi-compile/CheckTokenizer.h"

#include "compiler/Import/Locations.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/text/Tokenizer.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

LogicalResult pi::checkTokenizer(ModuleOp module) {
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  if (!model)
    return success(); // the level check of the phase says so
  StringRef path = model.getTokenizer().getValue();
  Location loc = fileLocation(module.getContext(), path);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return emitError(loc) << "cannot read the tokenizer: " << file.getError().message();
  std::string error;
  StringRef bytes = (*file)->getBuffer();
  if (text::Tokenizer::parse({bytes.data(), bytes.size()}, error))
    return success();
  InFlightDiagnostic diagnostic = emitError(loc) << "cannot use this tokenizer: " << error;
  diagnostic.attachNote() << "--tokenizer=FILE names another tokenizer.json";
  return diagnostic;
}
