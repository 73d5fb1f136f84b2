//===- SplitFfn.cpp - llm.ffn -> neuron.group, gate_up, down, merge -===//

#include "compiler/Conversion/LlmToNeuron/Passes.h"

#include "dialects/Llm/IR/Llm.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#define DEBUG_TYPE "pi-split-ffn"

namespace pi {
#define GEN_PASS_DEF_SPLITFFN
#include "compiler/Conversion/LlmToNeuron/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct SplitFfn : pi::impl::SplitFfnBase<SplitFfn> {
  using SplitFfnBase::SplitFfnBase;
  void runOnOperation() override;

private:
  neuron::GroupOp makeGroup(llm::FfnOp ffn, int64_t layer, SymbolTable &symbols);
};

/// Replaces `ffn` by the three steps over `group`, which holds all its neurons.
void split(llm::FfnOp ffn, neuron::GroupOp group) {
  OpBuilder builder(ffn);
  Location loc = ffn.getLoc();
  Type row = ffn.getResult().getType();
  auto name = FlatSymbolRefAttr::get(group.getSymNameAttr());
  auto acts = neuron::ActsType::get(ffn.getContext(), group.getRows());
  Value active =
      neuron::GateUpOp::create(builder, loc, acts, ffn.getActAttr(), ffn.getInput(), name,
                               ffn.getGateAttr(), ffn.getUpAttr(), ffn.getUpBiasAttr());
  Value share = neuron::DownOp::create(builder, loc, row, active, name, ffn.getDownAttr());
  Value merged =
      neuron::MergeOp::create(builder, loc, row, ValueRange{share}, ffn.getDownBiasAttr());
  ffn.getResult().replaceAllUsesWith(merged);
  ffn.erase();
}

} // namespace

neuron::GroupOp SplitFfn::makeGroup(llm::FfnOp ffn, int64_t layer, SymbolTable &symbols) {
  auto up = symbols.lookup<WeightOp>(ffn.getUp());
  assert(up && "the verifier of llm.ffn has looked `up` up");
  OpBuilder builder(ffn->getParentOfType<func::FuncOp>());
  std::string name = ("layers." + Twine(layer) + ".all").str();
  auto group = neuron::GroupOp::create(builder, ffn.getLoc(), name, layer, /*first=*/0,
                                       /*last=*/up.getTensorType().getDimSize(0), Place::Cpu,
                                       /*sym_visibility=*/StringAttr());
  SmallVector<Attribute> weights; // what a row of the group is made of
  for (FlatSymbolRefAttr weight :
       {ffn.getGateAttr(), ffn.getUpAttr(), ffn.getDownAttr(), ffn.getUpBiasAttr()})
    if (weight)
      weights.push_back(weight);
  group.setWeightsAttr(builder.getArrayAttr(weights));
  symbols.insert(group, builder.getInsertionPoint());
  return group;
}

void SplitFfn::runOnOperation() {
  SymbolTable symbols(getOperation());
  auto decode = symbols.lookup<func::FuncOp>("decode");
  if (!decode)
    return;
  int64_t layer = 0;
  for (llm::FfnOp ffn : llvm::make_early_inc_range(decode.getOps<llm::FfnOp>()))
    split(ffn, makeGroup(ffn, layer++, symbols));
}
