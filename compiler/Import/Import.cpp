//===- Import.cpp - Phase `import`: ONNX file -> onnx dialect -===//

#include "compiler/Import/Import.h"

#include "compiler/Import/Locations.h"
#include "compiler/Import/ModelAttributes.h"
#include "compiler/Import/OnnxImporter.h"
#include "compiler/Import/OnnxReader.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pi;

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

/// Sets `pi.config`: the sizes that `pi-record-shape` compares with the graph's.
static void attachSizes(ModuleOp module, const ConfigFacts &facts) {
  if (facts.sizes.empty())
    return;
  Builder builder(module.getContext());
  NamedAttrList sizes;
  for (const auto &size : facts.sizes)
    sizes.set(size.getKey(), builder.getI64IntegerAttr(size.getValue()));
  module->setAttr("pi.config", sizes.getDictionary(module.getContext()));
}

FailureOr<OwningOpRef<ModuleOp>> pi::importOnnx(MLIRContext *context,
                                                const ImportOptions &options) {
  context->loadDialect<func::FuncDialect, PiDialect, onnx::OnnxDialect>();
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

  FailureOr<ConfigFacts> facts = attachFacts(**module, options.modelPath, options);
  if (failed(facts))
    return failure();
  attachSizes(**module, *facts);
  if (failed(verify(**module)))
    return failure();
  return module;
}
