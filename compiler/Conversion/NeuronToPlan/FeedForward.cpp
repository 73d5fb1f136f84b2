//===- FeedForward.cpp - Groups of neurons and their merge as dispatches -===//

#include "compiler/Conversion/NeuronToPlan/Lowering.h"

#include "compiler/Conversion/NeuronToPlan/Tiling.h"
#include "dialects/Pi/IR/StoredWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pi;

/// act(pre), as scalar arithmetic.
static Value activate(OpBuilder &builder, Location loc, Act act, Value pre) {
  switch (act) {
  case Act::Relu: {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    return arith::MaximumFOp::create(builder, loc, pre, zero);
  }
  }
  llvm_unreachable("all activations are listed");
}

LogicalResult Lowering::lowerDown(neuron::DownOp op) {
  auto gateUp = op.getActs().getDefiningOp<neuron::GateUpOp>();
  if (!gateUp || gateUp.getGroup() != op.getGroup())
    return op.emitOpError("activations must come from neuron.gate_up of the same group");
  auto group = SymbolTable::lookupNearestSymbolFrom<neuron::GroupOp>(module, op.getGroupAttr());
  assert(group && "verifiers have looked the group up");
  // Groups on gpu0 have no kernels of their own yet: what stands here is their CPU twin.

  for (StringRef weight : {gateUp.getUp(), op.getDown()})
    if (isa<BundleOp>(StoredWeights(module).find(weight).op))
      return op.emitOpError("reads rows of a bundle: no kernel does that yet");

  KernelBuilder kernel(program, isLazyNorm(gateUp.getInput()) ? "norm_ffn" : "ffn", op.getLoc());
  OpBuilder &b = kernel.builder();
  int64_t perTile = neuronsPerTile(group.getRows());
  int64_t tiles = llvm::divideCeil(group.getRows(), perTile);
  Value input = readRow(kernel, gateUp.getInput());
  Value gate = kernel.weight(gateUp.getGateAttr()), up = kernel.weight(gateUp.getUpAttr());
  Value upBias = kernel.weight(gateUp.getUpBiasAttr()), down = kernel.weight(op.getDownAttr());
  Value partial = program.makeScratch(op.getLoc(), tiles, featuresOf(op.getResult()));
  Value counts = program.makeVector(op.getLoc(), tiles);
  int64_t firstRow = group.getFirstRow(cast<MemRefType>(up.getType()).getDimSize(0));
  if (instrument && firstRow != static_cast<int64_t>(group.getFirst()))
    return op.emitOpError("cannot be traced: the group has weights of its own");
  Value trace = traceOf(gateUp, group);
  auto neurons = plan::NeuronsOp::create(b, op.getLoc(), input, gate, up, upBias, down,
                                         kernel.arg(partial), kernel.arg(counts),
                                         trace ? kernel.arg(trace) : Value(), firstRow,
                                         firstRow + group.getRows(), kernel.begin(), kernel.end(),
                                         perTile);
  activity.push_back({counts, group});
  fillScalarRegion(b, op.getLoc(), neurons.getActivation(), 1,
                   [&](OpBuilder &builder, ValueRange args) {
                     return activate(builder, op.getLoc(), gateUp.getAct(), args.front());
                   });
  kernel.dispatch(tiles);
  partials[op.getResult()] = partial;
  if (!llvm::all_of(op->getUsers(), llvm::IsaPred<neuron::MergeOp>))
    rows[op.getResult()] = emitReduce("ffn_reduce", op.getLoc(), partial, FlatSymbolRefAttr(), {});
  return success();
}

/// The buffer [neurons of the layer] of its activations, of an instrumented program.
Value Lowering::traceOf(neuron::GateUpOp op, neuron::GroupOp group) {
  if (!instrument)
    return {};
  auto [entry, isNew] =
      traces.insert({static_cast<int64_t>(group.getLayer()), {op.getLoc(), {}, {}}});
  if (isNew) {
    auto up = SymbolTable::lookupNearestSymbolFrom<WeightOp>(module, op.getUpAttr());
    entry->second.activations = program.makeVector(op.getLoc(), up.getTensorType().getDimSize(0));
    entry->second.input = rows.lookup(op.getInput());
    assert(entry->second.input && "norms of traced blocks are in buffers");
  }
  return entry->second.activations;
}

/// At the end, so that the buffers stay until a token is done.
void Lowering::nameTraces() {
  for (auto &[layer, trace] : traces)
    program.setTrace(trace.loc, trace.activations, trace.input, layer);
}

/// Dispatches a new row = sum of the rows of `partial` + bias + addends.
Value Lowering::emitReduce(StringRef name, Location loc, Value partial, FlatSymbolRefAttr bias,
                           ArrayRef<Value> addends) {
  int64_t features = cast<MemRefType>(partial.getType()).getShape().back();
  KernelBuilder kernel(program, name, loc);
  Value output = program.makeRow(loc, features);
  Value from = kernel.arg(partial), into = kernel.arg(output);
  SmallVector<Value> extras;
  if (bias)
    extras.push_back(kernel.weight(bias));
  for (Value addend : addends)
    extras.push_back(kernel.arg(addend));
  auto reduce = plan::ReduceOp::create(kernel.builder(), loc, from, into, extras, kernel.begin(),
                                       kernel.end(), kColumnsPerTile);
  fillScalarRegion(kernel.builder(), loc, reduce.getEpilogue(), 1 + extras.size(), sumOf);
  kernel.dispatch(llvm::divideCeil(features, kColumnsPerTile));
  return output;
}

LogicalResult Lowering::lowerMerge(neuron::MergeOp op) {
  SmallVector<Value> shares;
  for (Value share : op.getShares()) {
    if (!partials.contains(share))
      return op.emitOpError("shares must come from neuron.down");
    shares.push_back(partials.lookup(share));
  }
  // One group after the other; bias and residual sums go with the last.
  SmallVector<Value> sum;
  for (Value share : ArrayRef(shares).drop_back())
    sum = {emitReduce("ffn_share", op.getLoc(), share, FlatSymbolRefAttr(), sum)};
  Chain chain = chainFrom(op.getResult());
  sum.append(chain.addends);
  rows[chain.result] = emitReduce("ffn_merge", op.getLoc(), shares.back(), op.getBiasAttr(), sum);
  return success();
}
