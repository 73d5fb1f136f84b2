//===- Llama.cpp - LlamaForCausalLM with ReLU -===//

#include "compiler/Import/HuggingFace/Families.h"

using namespace mlir;
using namespace pi;

namespace {
class Llama : public Family {
public:
  StringRef getName() const override { return "llama"; }
  void readConfig(Config &config) override;
  void build(DecoderBuilder &builder, Checkpoint &checkpoint) const override;

private:
  Value buildAttention(DecoderBuilder &b, Value x, int64_t layer, const std::string &prefix) const;

  std::vector<float> frequencies;
  float eps = 0;
  bool isTied = false, hasAttentionBias = false;
};
} // namespace

std::unique_ptr<Family> pi::makeLlama() { return std::make_unique<Llama>(); }

void Llama::readConfig(Config &config) {
  readCommonSizes(config, shape);
  shape.intermediate = config.getSize({"intermediate_size"});
  shape.kvHeads = config.getSize({"num_key_value_heads"}, shape.heads, Config::kMaxHeads);
  shape.headDim = config.getSize({"head_dim"}, std::max<int64_t>(1, shape.hidden / shape.heads),
                                 Config::kMaxHeads);
  if (shape.headDim % 2 != 0)
    config.fail() << "head_dim must be even, to be rotated";
  if (shape.heads % shape.kvHeads != 0)
    config.fail() << "num_attention_heads must be a multiple of num_key_value_heads";
  config.requireRelu("silu");
  config.requireBool("mlp_bias", false, false, "gated feed-forward blocks have no biases");
  eps = static_cast<float>(config.getPositive({"rms_norm_eps"}, 1e-6));
  frequencies = config.getRotaryFrequencies(shape.headDim);
  hasAttentionBias = config.getBool({"attention_bias"}, false);
  isTied = config.getBool({"tie_word_embeddings"}, false);
}

Value Llama::buildAttention(DecoderBuilder &b, Value x, int64_t layer,
                            const std::string &prefix) const {
  std::string name = "layers." + std::to_string(layer) + ".";
  auto project = [&](Value row, StringRef weight, StringRef tensor, int64_t out, int64_t in) {
    std::string full = prefix + "self_attn." + tensor.str() + "_proj.";
    TensorUse bias;
    if (hasAttentionBias)
      bias = {full + "bias", {out}, {}};
    return b.linear(row, name + weight, {full + "weight", {out, in}, {}}, bias);
  };
  int64_t queries = shape.heads * shape.headDim, keys = shape.kvHeads * shape.headDim;
  Value q = project(x, "q", "q", queries, shape.hidden);
  Value k = project(x, "k", "k", keys, shape.hidden);
  Value v = project(x, "v", "v", keys, shape.hidden);
  return project(b.attention(q, k, v, frequencies), "o", "o", shape.hidden, queries);
}

void Llama::build(DecoderBuilder &b, Checkpoint &checkpoint) const {
  std::string root = checkpoint.has("embed_tokens.weight") ? "" : "model.";
  TensorUse table{root + "embed_tokens.weight", {shape.vocab, shape.hidden}, {}};
  Value x = b.embed(table);
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    std::string name = "layers." + std::to_string(layer), prefix = root + name + ".";
    Value n = b.norm(llm::NormKind::Rms, x, name + ".attn_norm", prefix + "input_layernorm", eps);
    x = b.add(x, buildAttention(b, n, layer, prefix));
    n = b.norm(llm::NormKind::Rms, x, name + ".ffn_norm", prefix + "post_attention_layernorm", eps);
    auto weight = [&](StringRef tensor, int64_t out, int64_t in) {
      return TensorUse{prefix + "mlp." + tensor.str() + "_proj.weight", {out, in}, {}};
    };
    x = b.add(x, b.ffn(n, layer, weight("gate", shape.intermediate, shape.hidden),
                       weight("up", shape.intermediate, shape.hidden), {},
                       weight("down", shape.hidden, shape.intermediate), {}));
  }
  x = b.norm(llm::NormKind::Rms, x, "final_norm", root + "norm", eps);
  if (isTied)
    checkpoint.ignore("lm_head.weight");
  b.logits(x, isTied ? table : TensorUse{"lm_head.weight", table.shape, {}});
}
