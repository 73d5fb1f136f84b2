//===- FeedForward.cpp - Groups of neurons and their merge as dispatches -===//

#include "compiler/Conversion/NeuronToPlan/Lowering.h"

#include "compiler/Conversion/NeuronToPlan/Tiling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pi;

/// Rows of a group's weights.
struct GroupRows {
  int64_t first, last;
  int64_t toLayer; // added to a row: the neuron of the layer
};

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

  // Groups of every place: those on a GPU have the same kernels on the CPU until there are
  // others.
  NeuronList list = emitSelect(gateUp, group);
  Value partial = emitApply(gateUp, op, group, list);
  activity.push_back({list.counts, group});
  partials[op.getResult()] = partial;
  if (!llvm::all_of(op->getUsers(), llvm::IsaPred<neuron::MergeOp>))
    rows[op.getResult()] = emitReduce("ffn_reduce", op.getLoc(), partial, FlatSymbolRefAttr(), {});
  return success();
}

/// Rows [first, last) of the group's weights, and what makes a neuron of the layer of a
/// row: weights hold all neurons of the layer, or those of the group alone.
static GroupRows rowsOf(neuron::GroupOp group, Value weight) {
  int64_t first = group.getFirstRow(cast<MemRefType>(weight.getType()).getDimSize(0));
  return {first, first + group.getRows(), static_cast<int64_t>(group.getFirst()) - first};
}

/// Dispatches the exact check of the group's neurons.
Lowering::NeuronList Lowering::emitSelect(neuron::GateUpOp op, neuron::GroupOp group) {
  Location loc = op.getLoc();
  bool isLazy = isLazyNorm(op.getInput());
  KernelBuilder kernel(program, isLazy ? "norm_ffn_select" : "ffn_select", loc);
  OpBuilder &b = kernel.builder();
  int64_t perTile = neuronsPerTile(group.getRows());
  int64_t tiles = llvm::divideCeil(group.getRows(), perTile);
  Value input = readRow(kernel, op.getInput());
  // The rows of up come a dispatch later: they read the norm that this one leaves.
  if (isLazy && op.getGate())
    rows[op.getInput()] = emitCopy(kernel, input, tiles);
  WeightPart tested = kernel.part(op.getGate() ? op.getGateAttr() : op.getUpAttr());
  Value bias = kernel.weight(op.getUpBiasAttr());
  NeuronList list{program.makeVector(loc, group.getRows(), b.getI32Type()),
                  program.makeVector(loc, group.getRows(), b.getF32Type()),
                  program.makeVector(loc, tiles, b.getF32Type()), perTile};
  GroupRows range = rowsOf(group, tested.weight);
  Value trace = traceOf(op, group);
  Value ids = kernel.arg(list.ids), acts = kernel.arg(list.acts), counts = kernel.arg(list.counts);
  auto select =
      plan::SelectOp::create(b, loc, input, tested.weight, tested.column, bias, ids, acts, counts,
                             trace ? kernel.arg(trace) : Value(), range.toLayer, range.first,
                             range.last, kernel.begin(), kernel.end(), perTile);
  fillScalarRegion(b, loc, select.getActivation(), 1, [&](OpBuilder &builder, ValueRange args) {
    return activate(builder, loc, op.getAct(), args.front());
  });
  kernel.dispatch(tiles);
  return list;
}

/// Dispatches the rows of active neurons; returns the buffer of partial sums.
Value Lowering::emitApply(neuron::GateUpOp gateUp, neuron::DownOp op, neuron::GroupOp group,
                          const NeuronList &list) {
  KernelBuilder kernel(program, "ffn_apply", op.getLoc());
  int64_t tiles = applyTiles(group.getRows());
  Value partial = program.makeScratch(op.getLoc(), tiles, featuresOf(op.getResult()));
  Value ids = kernel.arg(list.ids), counts = kernel.arg(list.counts), acts = kernel.arg(list.acts);
  Value input;
  WeightPart up;
  if (gateUp.getGate()) {
    input = readRow(kernel, gateUp.getInput());
    up = kernel.part(gateUp.getUpAttr());
  }
  WeightPart down = kernel.part(op.getDownAttr());
  Value into = kernel.arg(partial);
  Value trace = traceOf(gateUp, group);
  plan::ApplyOp::create(kernel.builder(), op.getLoc(), ids, counts, acts, list.perSegment, input,
                        /*gate=*/Value(), 0, /*bias=*/Value(), up.weight, up.column, down.weight,
                        down.column, into, trace ? kernel.arg(trace) : Value(),
                        rowsOf(group, down.weight).toLayer, kernel.begin(), kernel.end());
  kernel.dispatch(tiles);
  return partial;
}

/// Has the tiles of `kernel` copy the kernel's row `input` to a new buffer, a part each.
Value Lowering::emitCopy(KernelBuilder &kernel, Value input, int64_t tiles) {
  int64_t features = cast<MemRefType>(input.getType()).getShape().back();
  Value output = program.makeRow(kernel.loc(), features);
  auto map =
      plan::MapOp::create(kernel.builder(), kernel.loc(), ValueRange{input}, kernel.arg(output),
                          kernel.begin(), kernel.end(), llvm::divideCeil(features, tiles));
  fillScalarRegion(kernel.builder(), kernel.loc(), map.getBody(), 1, sumOf);
  return output;
}

/// The buffer [neurons of the layer] of its activations, of an instrumented program.
Value Lowering::traceOf(neuron::GateUpOp op, neuron::GroupOp group) {
  if (!instrument)
    return {};
  auto [entry, isNew] =
      traces.insert({static_cast<int64_t>(group.getLayer()), {op.getLoc(), {}, {}}});
  if (isNew) {
    int64_t neurons = 0; // of the layer
    for (auto other : module.getOps<neuron::GroupOp>())
      if (other.getLayer() == group.getLayer())
        neurons = std::max(neurons, static_cast<int64_t>(other.getLast()));
    entry->second.activations =
        program.makeVector(op.getLoc(), neurons, program.builder().getF32Type());
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

/// Dispatches a new row = sum of the rows of all `partials` + bias + addends.
Value Lowering::emitReduce(StringRef name, Location loc, ArrayRef<Value> partials,
                           FlatSymbolRefAttr bias, ArrayRef<Value> addends) {
  int64_t features = cast<MemRefType>(partials.front().getType()).getShape().back();
  KernelBuilder kernel(program, name, loc);
  Value output = program.makeRow(loc, features);
  SmallVector<Value> from, extras;
  for (Value partial : partials)
    from.push_back(kernel.arg(partial));
  Value into = kernel.arg(output);
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
  Chain chain = chainFrom(op.getResult());
  rows[chain.result] =
      emitReduce("ffn_merge", op.getLoc(), shares, op.getBiasAttr(), chain.addends);
  return success();
}
