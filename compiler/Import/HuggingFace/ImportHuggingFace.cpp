//===- ImportHuggingFace.cpp - Phase `import`: safetensors -> llm dialect -===//

#include "compiler/Import/HuggingFace/Families.h"
#include "compiler/Import/Import.h"
#include "compiler/Import/Locations.h"
#include "compiler/Import/ModelAttributes.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

/// Reads the sizes; null after errors at config.json.
static std::unique_ptr<Family> readFamily(Config &config) {
  std::string type = config.getString({"model_type"}, "");
  std::unique_ptr<Family> family = makeFamily(type);
  if (!family) {
    if (config.isGood())
      (type.empty() ? config.fail().append("has no model_type")
                    : config.fail().append("model_type is '", type, "'"))
              .attachNote()
          << "known are llama, opt and falcon; other models are read from model.onnx, which is "
             "recognised by its graph";
    return nullptr;
  }
  if (config.has({"quantization_config"}))
    config.fail() << "quantised checkpoints (quantization_config) are not supported; give the "
                     "model before quantisation";
  family->readConfig(config);
  return config.isGood() ? std::move(family) : nullptr;
}

/// Sets family and capacity, which a table of learned positions limits.
static LogicalResult finishModel(ModuleOp module, const Family &family, Location loc) {
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  int64_t learned = family.getLearnedPositions();
  if (learned > 0 && model.getCapacity() > learned) {
    InFlightDiagnostic diagnostic = emitError(loc);
    diagnostic << "a context of " << model.getCapacity()
               << " tokens needs as many learned positions, the table has " << learned;
    diagnostic.attachNote() << "give --context=" << learned << " or less";
    return failure();
  }
  MLIRContext *context = module.getContext();
  module->setAttr("pi.model",
                  ModelAttr::get(context, StringAttr::get(context, family.getName()),
                                 model.getPositions(), model.getCapacity(), model.getBos(),
                                 model.getEos(), model.getTokenizer(), model.getExact()));
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> pi::importHuggingFace(MLIRContext *context,
                                                       const ImportOptions &options) {
  context->loadDialect<func::FuncDialect, PiDialect, llm::LlmDialect>();
  StringRef directory = options.modelPath;
  FailureOr<Checkpoint> checkpoint = Checkpoint::open(context, directory);
  if (failed(checkpoint))
    return failure();
  FailureOr<Config> config = Config::read(context, directory);
  if (failed(config))
    return failure();
  std::unique_ptr<Family> family = readFamily(*config);
  if (!family)
    return failure();
  Location loc = fileLocation(context, directory);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  SmallString<256> configPath(directory);
  llvm::sys::path::append(configPath, "config.json");
  if (failed(attachFacts(*module, configPath, options)) ||
      failed(finishModel(*module, *family, loc)))
    return failure();
  DecoderBuilder builder(*module, *checkpoint, family->shape,
                         (*module)->getAttrOfType<ModelAttr>("pi.model").getCapacity());
  family->build(builder, *checkpoint);
  if (failed(checkpoint->finish()) || failed(verify(*module)))
    return failure();
  return module;
}
