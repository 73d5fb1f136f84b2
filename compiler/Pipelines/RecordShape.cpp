//===- RecordShape.cpp - Sizes of the model as a module attribute -===//

#include "compiler/Pipelines/Passes.h"

#include "dialects/Llm/IR/Llm.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

#define DEBUG_TYPE "pi-record-shape"

namespace pi {
#define GEN_PASS_DEF_RECORDSHAPE
#include "compiler/Pipelines/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

/// Number of features of a row of activations, [1, features].
static int64_t getFeatures(Value row) {
  return cast<RankedTensorType>(row.getType()).getShape().back();
}

namespace {

struct RecordShape : pi::impl::RecordShapeBase<RecordShape> {
  using RecordShapeBase::RecordShapeBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto decode = symbols.lookup<func::FuncOp>("decode");
    if (!decode)
      return;
    llm::EmbedOp embed;
    llm::AttentionOp attention;
    llm::LogitsOp logits;
    int64_t layers = 0, intermediate = 0;
    for (Operation &op : decode.getOps()) {
      embed = isa<llm::EmbedOp>(op) ? cast<llm::EmbedOp>(op) : embed;
      attention = isa<llm::AttentionOp>(op) ? cast<llm::AttentionOp>(op) : attention;
      logits = isa<llm::LogitsOp>(op) ? cast<llm::LogitsOp>(op) : logits;
      auto ffn = dyn_cast<llm::FfnOp>(op);
      if (!ffn)
        continue;
      ++layers;
      auto up = symbols.lookup<WeightOp>(ffn.getUp());
      assert(up && "the verifier of llm.ffn has looked `up` up");
      intermediate = std::max(intermediate, up.getTensorType().getDimSize(0));
    }
    if (!embed || !attention || !logits || layers == 0)
      return;
    llm::KvCacheType cache = attention.getCache().getType();
    auto shape = ShapeAttr::get(&getContext(), layers, getFeatures(embed.getResult()), intermediate,
                                attention.getHeads(), cache.getHeads(),
                                getFeatures(logits.getResult()), cache.getType());
    getOperation()->setAttr("pi.shape", shape);
    confirm({{"num_hidden_layers", shape.getLayers()},
             {"hidden_size", shape.getHidden()},
             {"vocab_size", shape.getVocab()}});
  }

  /// Compares what config.json says with what the graph has.
  void confirm(ArrayRef<std::pair<StringRef, int64_t>> sizes) {
    auto config = dyn_cast_or_null<DictionaryAttr>(getOperation()->removeAttr("pi.config"));
    std::string differences;
    for (auto [name, size] : sizes)
      if (auto said = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
          said && said.getInt() != size)
        differences += llvm::formatv("{0}{1} {2} instead of {3}", differences.empty() ? "" : ", ",
                                     name, said.getInt(), size);
    if (differences.empty())
      return;
    InFlightDiagnostic diagnostic = emitWarning(getOperation().getLoc());
    diagnostic << "config.json is not of this graph: it says " << differences;
    diagnostic.attachNote() << "the graph decides its sizes, but begin and end tokens come from "
                               "config files: put the model's own beside it";
  }
};

} // namespace
