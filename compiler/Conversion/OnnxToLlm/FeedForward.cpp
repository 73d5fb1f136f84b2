//===- FeedForward.cpp - relu(x up) down and relu(x gate) * (x up) down -===//

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

/// What people call the activation that `op` is part of, or "".
static StringRef activationName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](onnx::SigmoidOp) { return "SiLU"; })
      .Case<onnx::ErfOp, onnx::GeluOp, onnx::TanhOp>([](Operation *) { return "GELU"; })
      .Default([](Operation *) { return StringRef(); });
}

/// Last part of a node's name, e.g. "gate_proj" of "/model/layers.3/mlp/gate_proj/MatMul".
static StringRef shortName(Operation *op) {
  auto named = op->getLoc()->findInstanceOf<NameLoc>();
  if (!named)
    return op->getName().stripDialect();
  StringRef name = named.getName().getValue();
  auto [path, last] = name.rsplit('/');
  if (last.empty() || path.empty())
    return name;
  return path.rsplit('/').second;
}

bool Raiser::refuseActivation(const Linear &down) {
  // Elementwise operations between the first product and this one.
  SmallVector<Value> work{down.input};
  llvm::SmallDenseSet<Operation *> seen;
  Operation *culprit = nullptr, *up = nullptr;
  while (!work.empty()) {
    Operation *op = tracer.strip(work.pop_back_val()).getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (std::optional<Linear> linear = matchLinear(op->getResult(0))) {
      up = linear->node;
      raiseRow(linear->input, "ffn_norm"); // what lies before is looked at too
      continue;
    }
    if (!activationName(op).empty())
      culprit = op;
    if (seen.size() < 64)
      work.append(op->operand_begin(), op->operand_end());
  }
  if (!culprit || !up)
    return false;
  block(
      culprit,
      "expected Relu between " + shortName(up) + " and " + shortName(down.node) + ", found " +
          culprit->getName().stripDialect() + " (" + activationName(culprit) + ")",
      "this model is not ReLU-fied: its neurons are never exactly zero; use a ReLU version of it");
  return true;
}

Value Raiser::raiseFfn(const Linear &down) {
  Value hidden = tracer.strip(down.input);
  auto reluOf = [&](Value v) { return tracer.strip(v).getDefiningOp<onnx::ReluOp>(); };
  onnx::ReluOp relu = reluOf(hidden);
  std::optional<Linear> gate, up;
  if (relu) {
    up = matchLinear(relu.getX());
  } else if (auto mul = hidden.getDefiningOp<onnx::MulOp>()) {
    for (auto [active, other] : {std::pair(mul.getA(), mul.getB()), {mul.getB(), mul.getA()}})
      if (!gate && (relu = reluOf(active))) {
        gate = matchLinear(relu.getX());
        up = matchLinear(other);
      }
    if (!gate)
      up = std::nullopt;
  }
  if (!up) {
    if (refuseActivation(down))
      return {};
    Operation *found = hidden.getDefiningOp();
    return block(found ? found : down.node,
                 "expected Relu of a linear layer before " + shortName(down.node),
                 "feed-forward blocks known here are relu(up) down and (relu(gate) * up) down");
  }
  if (gate && (gate->bias || up->bias))
    return block(gate->node, "a bias on a gated feed-forward block is not supported");
  if (gate && (tracer.strip(gate->input) != tracer.strip(up->input) || gate->out != up->out))
    return block(gate->node, "gate and up must read the same input");
  Value x = raiseRow(up->input, "ffn_norm");
  if (!x)
    return {};
  if (up->out != down.in || down.out != up->in)
    return block(down.node, "the feed-forward block does not return to its input's size");
  std::string prefix = "layers." + std::to_string(ffns) + ".";
  FlatSymbolRefAttr gateName, upBias, downBias;
  if (gate)
    gateName = declare(prefix + "gate", gate->weight, gate->transposed);
  FlatSymbolRefAttr upName = declare(prefix + "up", up->weight, up->transposed);
  if (up->bias)
    upBias = declare(prefix + "up_bias", up->bias, false);
  // Neuron-major: [neurons, features], the transpose of [out, in].
  FlatSymbolRefAttr downName = declare(prefix + "down", down.weight, !down.transposed);
  if (down.bias)
    downBias = declare(prefix + "down_bias", down.bias, false);
  sawGate |= gate.has_value();
  ++ffns;
  return llm::FfnOp::create(builder, relu.getLoc(), x.getType(),
                            ActAttr::get(builder.getContext(), Act::Relu), x, gateName, upName,
                            upBias, downName, downBias);
}
