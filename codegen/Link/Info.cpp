//===- Info.cpp - Facts of the model that travel in the executable -===//

#include "codegen/Link/Info.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pi;

static std::string nameType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static uint64_t getBytes(RankedTensorType type) {
  return type.getNumElements() * (type.getElementTypeBitWidth() / 8);
}

/// The element type that most bytes of matrices have; f32 without matrices.
static std::string findWeightType(ModuleOp module) {
  llvm::MapVector<Type, uint64_t> bytes;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (weight.getTensorType().getRank() == 2)
      bytes[weight.getTensorType().getElementType()] += getBytes(weight.getTensorType());
  auto *most = llvm::max_element(bytes, llvm::less_second());
  return most == bytes.end() ? "f32" : nameType(most->first);
}

static void writeGroup(llvm::json::OStream &json, neuron::GroupOp group,
                       const SymbolTable &symbols) {
  uint64_t bytes = 0;
  std::string type;
  if (ArrayAttr names = group.getWeightsAttr())
    for (auto name : names.getAsRange<FlatSymbolRefAttr>()) {
      RankedTensorType weight = symbols.lookup<WeightOp>(name.getValue()).getTensorType();
      bytes += getBytes(weight) / weight.getDimSize(0) * group.getRows();
      if (type.empty())
        type = nameType(weight.getElementType());
    }
  json.object([&] {
    json.attribute("layer", static_cast<int64_t>(group.getLayer()));
    json.attribute("place", stringifyPlace(group.getPlace()));
    json.attribute("rows", group.getRows());
    json.attribute("bytes", bytes);
    json.attribute("weights", type);
  });
}

static void writeModel(llvm::json::OStream &json, ModelAttr model, ShapeAttr shape,
                       const std::string &weights) {
  json.attribute("family", model.getFamily().getValue());
  json.attribute("layers", shape.getLayers());
  json.attribute("hidden", shape.getHidden());
  json.attribute("intermediate", shape.getIntermediate());
  json.attribute("heads", shape.getHeads());
  json.attribute("kv_heads", shape.getKvHeads());
  json.attribute("vocab", shape.getVocab());
  json.attribute("context", model.getCapacity());
  json.attribute("weights", weights);
  json.attribute("kv", nameType(shape.getKv()));
  json.attribute("exact", model.getExact());
}

absl::StatusOr<std::string> pi::buildInfo(ModuleOp module, const std::string &compilerVersion,
                                          const std::string &cpu) {
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  auto shape = module->getAttrOfType<ShapeAttr>("pi.shape");
  if (!model || !shape)
    return absl::InternalError(
        absl::StrCat("the module has no ", model ? "pi.shape" : "pi.model", " attribute"));
  SymbolTable symbols(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    writeModel(json, model, shape, findWeightType(module));
    json.attribute("cpu", cpu);
    json.attribute("gpu_arch", nullptr);
    json.attribute("min_driver", nullptr);
    json.attribute("compiler", compilerVersion);
    json.attributeArray("groups", [&] {
      for (neuron::GroupOp group : module.getOps<neuron::GroupOp>())
        writeGroup(json, group, symbols);
    });
    json.attributeObject("device_bytes", [&] {
      for (const char *kind : {"weights", "kv", "predictors", "scratch"})
        json.attribute(kind, 0);
    });
    if (model.getBos() >= 0)
      json.attribute("bos", model.getBos());
    else
      json.attribute("bos", nullptr);
    json.attributeArray("eos", [&] {
      for (int64_t id : model.getEos().asArrayRef())
        json.value(id);
    });
  });
  return text;
}
