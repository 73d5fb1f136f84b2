//===- Import.cpp - Phase `import`: ONNX file -> onnx dialect -===//

#include "compiler/Import/Import.h"

#include "compiler/Import/Locations.h"
#include "compiler/Import/ModelFacts.h"
#include "compiler/Import/OnnxImporter.h"
#include "compiler/Import/OnnxReader.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

static constexpr int64_t kLargestDefaultContext = 4096; // tokens
static constexpr int64_t kContextOfUnknownModel = 2048; // tokens

static constexpr int64_t kOldestOpset = 9;
static constexpr int64_t kNewestOpset = 27; // newest whose operators were read

static LogicalResult checkVersions(MLIRContext *context, const onnxfile::Model &model) {
  Location loc = fileLocation(context, model.path);
  int64_t opset = model.opset();
  if (opset < kOldestOpset)
    return emitError(loc) << "operator set " << opset << " is older than " << kOldestOpset
                          << ", the oldest supported; export with opset_version=17";
  if (opset > kNewestOpset)
    emitWarning(loc) << "operator set " << opset << " is newer than " << kNewestOpset
                     << "; operators are read as that version defines them";
  return success();
}

/// The tokenizer's absolute path, or an error that says how to give it.
static FailureOr<std::string> findTokenizer(MLIRContext *context, const ImportOptions &options) {
  SmallString<256> path(options.tokenizerPath);
  bool isDefault = path.empty();
  if (isDefault) {
    path = llvm::sys::path::parent_path(options.modelPath);
    llvm::sys::path::append(path, "tokenizer.json");
  }
  if (!llvm::sys::fs::is_regular_file(path)) {
    InFlightDiagnostic error =
        emitError(fileLocation(context, isDefault ? StringRef(options.modelPath) : path.str()));
    if (isDefault)
      error << "no tokenizer.json beside the model";
    else
      error << "tokenizer is not a readable file";
    error.attachNote() << "name the model's tokenizer.json with --tokenizer=FILE";
    return failure();
  }
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/false);
  return path.str().str();
}

/// Tokens the KV cache holds.
static int64_t chooseCapacity(Location loc, const ImportOptions &options, const ModelFacts &facts) {
  if (options.context > 0) {
    if (facts.positions > 0 && options.context > facts.positions)
      emitWarning(loc) << "a context of " << options.context << " tokens exceeds the "
                       << facts.positions << " positions the model was made for";
    return options.context;
  }
  if (facts.positions > 0)
    return std::min(kLargestDefaultContext, facts.positions);
  InFlightDiagnostic remark = emitRemark(loc);
  remark << "the number of positions is unknown: the context is " << kContextOfUnknownModel
         << " tokens";
  remark.attachNote() << "give --context=N, or put the model's config.json beside it";
  return kContextOfUnknownModel;
}

FailureOr<OwningOpRef<ModuleOp>> pi::importOnnx(MLIRContext *context,
                                                const ImportOptions &options) {
  context->loadDialect<func::FuncDialect, PiDialect, onnx::OnnxDialect>();
  Location loc = fileLocation(context, options.modelPath);
  onnxfile::ReadError error;
  std::unique_ptr<onnxfile::Model> model = onnxfile::readModel(options.modelPath, error);
  if (!model) {
    InFlightDiagnostic diagnostic =
        emitError(nodeLocation(context, options.modelPath, error.element));
    diagnostic << error.message;
    if (!error.note.empty())
      diagnostic.attachNote() << error.note;
    return failure();
  }
  if (failed(checkVersions(context, *model)))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> module = buildOnnxModule(context, *model);
  if (failed(module))
    return failure();

  FailureOr<std::string> tokenizer = findTokenizer(context, options);
  if (failed(tokenizer))
    return failure();
  FailureOr<ModelFacts> facts = readModelFacts(context, options.modelPath, *tokenizer);
  if (failed(facts))
    return failure();
  Builder builder(context);
  (*module)->getOperation()->setAttr(
      "pi.model", ModelAttr::get(context, builder.getStringAttr(""), facts->positions,
                                 chooseCapacity(loc, options, *facts), facts->bos,
                                 builder.getDenseI64ArrayAttr(facts->eos),
                                 builder.getStringAttr(*tokenizer), options.exact));
  if (!facts->sizes.empty()) {
    NamedAttrList sizes;
    for (const auto &size : facts->sizes)
      sizes.set(size.getKey(), builder.getI64IntegerAttr(size.getValue()));
    (*module)->getOperation()->setAttr("pi.config", sizes.getDictionary(context));
  }
  if (failed(verify(**module)))
    return failure();
  return module;
}
