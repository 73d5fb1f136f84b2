//===- DecoderBuilder.cpp - Writes @decode from the tensors of a checkpoint -===//

#include "compiler/Import/HuggingFace/DecoderBuilder.h"

#include <cmath>

using namespace mlir;
using namespace pi;

int64_t TensorUse::countRows() const {
  if (rows.empty())
    return shape[0];
  int64_t count = 0;
  for (size_t i = 1; i < rows.size(); i += 2)
    count += rows[i];
  return count;
}

DecoderBuilder::DecoderBuilder(ModuleOp module, Checkpoint &checkpoint, const DecoderShape &shape,
                               int64_t capacity)
    : module(module), checkpoint(checkpoint), shape(shape), builder(module.getContext()),
      loc(module.getLoc()) {
  Type index = builder.getIndexType();
  SmallVector<Type> arguments{index, index};
  arguments.append(shape.layers,
                   llm::KvCacheType::get(builder.getContext(), shape.kvHeads, shape.headDim,
                                         builder.getF32Type(), capacity));
  builder.setInsertionPointToEnd(module.getBody());
  decode = func::FuncOp::create(builder, loc, "decode", builder.getFunctionType(arguments, {}));
  builder.setInsertionPointToEnd(decode.addEntryBlock());
}

FlatSymbolRefAttr DecoderBuilder::declare(const Twine &name, const TensorUse &use, bool transpose) {
  if (use.tensor.empty())
    return {};
  auto symbol = FlatSymbolRefAttr::get(builder.getContext(), name.str());
  SmallVector<int64_t, 2> dims(use.shape);
  if (transpose)
    std::swap(dims[0], dims[1]);
  if (!use.rows.empty())
    dims[0] = use.countRows();
  const CheckpointTensor *tensor = checkpoint.take(use.tensor, use.shape);
  if (!tensor)
    return symbol;
  loc = checkpoint.locate(use.tensor);
  auto source = SourceAttr::get(builder.getContext(), builder.getStringAttr(tensor->file),
                                tensor->offset, tensor->bytes,
                                RankedTensorType::get(tensor->shape, tensor->type), Encoding::Raw);
  LayoutAttr layout;
  if (transpose || !use.rows.empty())
    layout = LayoutAttr::get(builder.getContext(), transpose, use.rows);
  // Vectors are small and read in f32; matrices stay as they are stored.
  Type element = dims.size() == 1 ? builder.getF32Type() : tensor->type;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(decode);
  WeightOp::create(builder, loc, symbol.getAttr(),
                   TypeAttr::get(RankedTensorType::get(dims, element)), source, layout,
                   StringAttr());
  return symbol;
}

Value DecoderBuilder::embed(const TensorUse &table, const TensorUse &positions, int64_t offset) {
  FlatSymbolRefAttr positionTable = declare("positions", positions);
  FlatSymbolRefAttr name = declare("embed", table);
  return llm::EmbedOp::create(builder, loc, rowType(shape.hidden), decode.getArgument(0),
                              decode.getArgument(1), name, positionTable,
                              builder.getI64IntegerAttr(offset));
}

Value DecoderBuilder::norm(llm::NormKind kind, Value x, const Twine &name, StringRef prefix,
                           float eps) {
  FlatSymbolRefAttr bias;
  if (kind == llm::NormKind::Layer)
    bias = declare(name + "_bias", {(prefix + ".bias").str(), {shape.hidden}, {}});
  FlatSymbolRefAttr weight = declare(name, {(prefix + ".weight").str(), {shape.hidden}, {}});
  return llm::NormOp::create(builder, loc, x.getType(),
                             llm::NormKindAttr::get(builder.getContext(), kind), x, weight, bias,
                             builder.getF32FloatAttr(eps));
}

Value DecoderBuilder::linear(Value x, const Twine &name, const TensorUse &weight,
                             const TensorUse &bias) {
  FlatSymbolRefAttr biasName = declare(name + "_bias", bias);
  FlatSymbolRefAttr weightName = declare(name, weight);
  return llm::LinearOp::create(builder, loc, rowType(weight.countRows()), x, weightName, biasName);
}

Value DecoderBuilder::attention(Value q, Value k, Value v, ArrayRef<float> frequencies) {
  Value position = decode.getArgument(1), cache = decode.getArgument(2 + caches.size());
  if (!frequencies.empty()) {
    q = llm::RopeOp::create(builder, loc, q.getType(), q, position, shape.heads, frequencies);
    k = llm::RopeOp::create(builder, loc, k.getType(), k, position, shape.kvHeads, frequencies);
  }
  cache = llm::KvAppendOp::create(builder, loc, cache.getType(), cache, k, v, position);
  caches.push_back(cache);
  auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(shape.headDim)));
  return llm::AttentionOp::create(builder, loc, q.getType(), q, cache, position,
                                  builder.getI64IntegerAttr(shape.heads),
                                  builder.getF32FloatAttr(scale));
}

Value DecoderBuilder::ffn(Value x, int64_t layer, const TensorUse &gate, const TensorUse &up,
                          const TensorUse &upBias, const TensorUse &down,
                          const TensorUse &downBias) {
  std::string prefix = "layers." + std::to_string(layer) + ".";
  FlatSymbolRefAttr gateName = declare(prefix + "gate", gate);
  FlatSymbolRefAttr upName = declare(prefix + "up", up);
  FlatSymbolRefAttr upBiasName = declare(prefix + "up_bias", upBias);
  // Neuron-major: [neurons, hidden].
  FlatSymbolRefAttr downName = declare(prefix + "down", down, /*transpose=*/true);
  FlatSymbolRefAttr downBiasName = declare(prefix + "down_bias", downBias);
  return llm::FfnOp::create(builder, loc, x.getType(),
                            ActAttr::get(builder.getContext(), Act::Relu), x, gateName, upName,
                            upBiasName, downName, downBiasName);
}

Value DecoderBuilder::add(Value a, Value b) { return llm::AddOp::create(builder, loc, a, b); }

void DecoderBuilder::logits(Value x, const TensorUse &head) {
  FlatSymbolRefAttr name = declare("head", head);
  Value result =
      llm::LogitsOp::create(builder, loc, rowType(shape.vocab), x, name, FlatSymbolRefAttr());
  SmallVector<Value> results{result};
  results.append(caches);
  func::ReturnOp::create(builder, loc, results);
  decode.setFunctionType(FunctionType::get(builder.getContext(), decode.getArgumentTypes(),
                                           ValueRange(results).getTypes()));
}
