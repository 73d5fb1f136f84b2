//===- ImportModel.cpp - Chooses the reader of a model -===//

#include "compiler/Import/Import.h"

#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

/// Whether a file begins with the opcode PROTO and one of the protocols that have it.
static bool isPickle(StringRef head) {
  return head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

/// What a file that is no ONNX file is, and what to do; empty for others.
static std::pair<StringRef, StringRef> recogniseForeign(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  std::string start;
  if (llvm::sys::fs::is_regular_file(path))
    if (auto buffer = llvm::MemoryBuffer::getFileSlice(path, 8, 0))
      start = (*buffer)->getBuffer().str();
  StringRef head(start);
  if (head.starts_with("GGUF"))
    return {"is a GGUF file, which holds no graph",
            "give the model's Hugging Face directory, or an export to ONNX"};
  if (extension == ".safetensors" || path.ends_with(".safetensors.index.json"))
    return {"is a part of a Hugging Face directory",
            "give the directory that holds it, config.json and tokenizer.json"};
  if (extension == ".mlir" || head.starts_with("module") || head.starts_with("#loc"))
    return {"is IR, not a model",
            "--compile-from=PHASE goes on from what --compile-to=PHASE wrote"};
  if (head.starts_with("PK\x03\x04") || isPickle(head))
    return {"is a pickle, which runs code when it is read, and is refused",
            "convert it with transformers: from_pretrained(DIR), then save_pretrained(NEW, "
            "safe_serialization=True), and give NEW"};
  return {};
}

FailureOr<OwningOpRef<ModuleOp>> pi::importModel(MLIRContext *context,
                                                 const ImportOptions &options) {
  if (llvm::sys::fs::is_directory(options.modelPath))
    return importHuggingFace(context, options);
  auto [what, advice] = recogniseForeign(options.modelPath);
  if (what.empty())
    return importOnnx(context, options);
  emitError(fileLocation(context, options.modelPath)).append(what).attachNote() << advice;
  return failure();
}
