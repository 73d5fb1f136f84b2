//===- Falcon.cpp - FalconForCausalLM with ReLU -===//

#include "compiler/Import/HuggingFace/Families.h"

using namespace mlir;
using namespace pi;

namespace {
class Falcon : public Family {
public:
  StringRef getName() const override { return "falcon"; }
  void readConfig(Config &config) override;
  void build(DecoderBuilder &builder, Checkpoint &checkpoint) const override;

private:
  Value buildAttention(DecoderBuilder &b, Value x, int64_t layer, const std::string &prefix) const;
  Value buildFfn(DecoderBuilder &b, Value x, int64_t layer, const std::string &prefix) const;
  Value norm(DecoderBuilder &b, Value x, const std::string &name, const std::string &tensor) const {
    return b.norm(llm::NormKind::Layer, x, name, tensor, eps);
  }
  TensorUse bias(const std::string &tensor, int64_t length, ArrayRef<int64_t> rows = {}) const {
    return hasBias ? TensorUse{tensor + ".bias", {length}, SmallVector<int64_t>(rows)}
                   : TensorUse();
  }

  std::vector<float> frequencies;
  float eps = 0;
  int64_t numNorms = 1; // before a parallel block
  bool isTied = true, hasBias = false, isParallel = true;
};
} // namespace

std::unique_ptr<Family> pi::makeFalcon() { return std::make_unique<Falcon>(); }

void Falcon::readConfig(Config &config) {
  readCommonSizes(config, shape);
  shape.intermediate = config.getSize({"ffn_hidden_size"}, 4 * shape.hidden);
  shape.headDim = std::max<int64_t>(1, shape.hidden / shape.heads);
  if (shape.hidden % shape.heads != 0 || shape.headDim % 2 != 0)
    config.fail() << "hidden_size must be an even multiple of num_attention_heads";
  // modeling_falcon.py: the new architecture has groups, the old one 1 or all.
  // Configurations of before the name (RefinedWeb) tell it by having groups.
  bool isNew = config.getBool({"new_decoder_architecture"}, config.has({"n_head_kv"}));
  bool isMultiQuery = config.getBool({"multi_query"}, true);
  if (isNew)
    shape.kvHeads = config.getSize({"num_kv_heads", "n_head_kv"}, shape.heads, Config::kMaxHeads);
  else
    shape.kvHeads = isMultiQuery ? 1 : shape.heads;
  if (shape.heads % shape.kvHeads != 0)
    config.fail() << "num_attention_heads must be a multiple of num_kv_heads";
  isParallel = isNew || config.getBool({"parallel_attn"}, true);
  if (isNew)
    numNorms = config.getSize({"num_ln_in_parallel_attn"}, 2);
  if (numNorms > 2)
    config.fail() << "num_ln_in_parallel_attn must be 1 or 2";
  config.requireRelu("gelu");
  config.requireBool("alibi", false, false, "attention is biased by position");
  eps = static_cast<float>(config.getPositive({"layer_norm_epsilon"}, 1e-5));
  frequencies = config.getRotaryFrequencies(shape.headDim);
  hasBias = config.getBool({"bias"}, false);
  isTied = config.getBool({"tie_word_embeddings"}, true);
}

/// query_key_value holds, for each key/value head, the rows of its query heads, then those
/// of its key and its value.
Value Falcon::buildAttention(DecoderBuilder &b, Value x, int64_t layer,
                             const std::string &prefix) const {
  std::string name = "layers." + std::to_string(layer) + ".";
  std::string fused = prefix + "self_attention.query_key_value";
  int64_t dim = shape.headDim, group = shape.heads / shape.kvHeads + 2; // heads
  int64_t allRows = shape.kvHeads * group * dim;
  auto project = [&](StringRef weight, int64_t first, int64_t count) {
    SmallVector<int64_t> rows;
    for (int64_t h = 0; h < shape.kvHeads; ++h)
      rows.append({(h * group + first) * dim, count * dim});
    return b.linear(x, name + weight, {fused + ".weight", {allRows, shape.hidden}, rows},
                    bias(fused, allRows, rows));
  };
  Value q = project("q", 0, group - 2), k = project("k", group - 2, 1),
        v = project("v", group - 1, 1);
  std::string dense = prefix + "self_attention.dense";
  return b.linear(b.attention(q, k, v, frequencies), name + "o",
                  {dense + ".weight", {shape.hidden, shape.hidden}, {}}, bias(dense, shape.hidden));
}

Value Falcon::buildFfn(DecoderBuilder &b, Value x, int64_t layer, const std::string &prefix) const {
  std::string up = prefix + "mlp.dense_h_to_4h", down = prefix + "mlp.dense_4h_to_h";
  return b.ffn(x, layer, {}, {up + ".weight", {shape.intermediate, shape.hidden}, {}},
               bias(up, shape.intermediate),
               {down + ".weight", {shape.hidden, shape.intermediate}, {}},
               bias(down, shape.hidden));
}

void Falcon::build(DecoderBuilder &b, Checkpoint &checkpoint) const {
  std::string root = checkpoint.has("word_embeddings.weight") ? "" : "transformer.";
  TensorUse table{root + "word_embeddings.weight", {shape.vocab, shape.hidden}, {}};
  Value x = b.embed(table);
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    std::string name = "layers." + std::to_string(layer) + ".";
    std::string prefix = root + "h." + std::to_string(layer) + ".";
    if (!isParallel) {
      Value n = norm(b, x, name + "attn_norm", prefix + "input_layernorm");
      x = b.add(x, buildAttention(b, n, layer, prefix));
      n = norm(b, x, name + "ffn_norm", prefix + "post_attention_layernorm");
      x = b.add(x, buildFfn(b, n, layer, prefix));
      continue;
    }
    bool two = numNorms == 2;
    Value n = norm(b, x, name + "ffn_norm", prefix + (two ? "ln_mlp" : "input_layernorm"));
    Value f = buildFfn(b, n, layer, prefix);
    if (two)
      n = norm(b, x, name + "attn_norm", prefix + "ln_attn");
    x = b.add(x, b.add(f, buildAttention(b, n, layer, prefix)));
  }
  x = norm(b, x, "final_norm", root + "ln_f");
  if (isTied)
    checkpoint.ignore("lm_head.weight");
  b.logits(x, isTied ? table : TensorUse{"lm_head.weight", table.shape, {}});
}
