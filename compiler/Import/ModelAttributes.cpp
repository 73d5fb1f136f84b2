//===- ModelAttributes.cpp - What config files add to an imported module -===//

#include "compiler/Import/ModelAttributes.h"

#include "compiler/Import/Locations.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

static constexpr int64_t kContextOfUnknownModel = 2048; // tokens

/// The tokenizer's absolute path, or an error that says how to give it.
static FailureOr<std::string> findTokenizer(MLIRContext *context, StringRef neighbour,
                                            const ImportOptions &options) {
  SmallString<256> path(options.tokenizerPath);
  bool isDefault = path.empty();
  if (isDefault) {
    path = llvm::sys::path::parent_path(neighbour);
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
static int64_t chooseCapacity(Location loc, const ImportOptions &options,
                              const ConfigFacts &facts) {
  if (options.context > 0) {
    if (facts.positions > 0 && options.context > facts.positions)
      emitWarning(loc) << "a context of " << options.context << " tokens exceeds the "
                       << facts.positions << " positions the model was made for";
    return options.context;
  }
  if (facts.positions > 0)
    return std::min(options.defaultContext, facts.positions);
  int64_t capacity = std::min(options.defaultContext, kContextOfUnknownModel);
  InFlightDiagnostic remark = emitRemark(loc);
  remark << "the number of positions is unknown: the context is " << capacity << " tokens";
  remark.attachNote() << "give --context=N, or put the model's config.json beside it";
  return capacity;
}

FailureOr<ConfigFacts> pi::attachFacts(ModuleOp module, StringRef neighbour,
                                       const ImportOptions &options) {
  MLIRContext *context = module.getContext();
  FailureOr<std::string> tokenizer = findTokenizer(context, neighbour, options);
  if (failed(tokenizer))
    return failure();
  FailureOr<ConfigFacts> facts = readConfigFacts(context, neighbour, *tokenizer);
  if (failed(facts))
    return failure();
  if (options.configFiles)
    *options.configFiles = facts->files;
  if (facts->eos.empty()) {
    InFlightDiagnostic warning = emitWarning(fileLocation(context, options.modelPath));
    warning << "no end-of-text token is known: generation stops at -n or a full context only";
    warning.attachNote() << "put the model's config.json or generation_config.json beside it";
  }
  Builder builder(context);
  int64_t capacity = chooseCapacity(fileLocation(context, options.modelPath), options, *facts);
  module->setAttr("pi.model",
                  ModelAttr::get(context, builder.getStringAttr(""), facts->positions, capacity,
                                 facts->bos, builder.getDenseI64ArrayAttr(facts->eos),
                                 builder.getStringAttr(*tokenizer), options.exact));
  return facts;
}
