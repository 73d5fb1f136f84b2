//===- Opt.cpp - OPTForCausalLM with ReLU -===//

#include "compiler/Import/HuggingFace/Families.h"

using namespace mlir;
using namespace pi;

/// Rows of the table of positions before position 0 (modeling_opt.py).
static constexpr int64_t kPositionOffset = 2;
/// torch.nn.LayerNorm's default, which OPT leaves as it is.
static constexpr float kEps = 1e-5f;

namespace {
class Opt : public Family {
public:
  StringRef getName() const override { return "opt"; }
  void readConfig(Config &config) override;
  void build(DecoderBuilder &builder, Checkpoint &checkpoint) const override;
  int64_t getLearnedPositions() const override { return positions; }

private:
  Value buildAttention(DecoderBuilder &b, Value x, const std::string &name,
                       const std::string &prefix) const;
  TensorUse bias(const std::string &tensor, int64_t length) const {
    return hasBias ? TensorUse{tensor + ".bias", {length}, {}} : TensorUse();
  }

  int64_t positions = 0;
  bool normBefore = true, hasBias = true, isTied = true;
};
} // namespace

std::unique_ptr<Family> pi::makeOpt() { return std::make_unique<Opt>(); }

void Opt::readConfig(Config &config) {
  readCommonSizes(config, shape);
  shape.intermediate = config.getSize({"ffn_dim"});
  shape.kvHeads = shape.heads;
  shape.headDim = std::max<int64_t>(1, shape.hidden / shape.heads);
  if (shape.hidden % shape.heads != 0)
    config.fail() << "hidden_size must be a multiple of num_attention_heads";
  if (config.getSize({"word_embed_proj_dim"}, shape.hidden) != shape.hidden)
    config.fail() << "embeddings of another size than hidden_size (word_embed_proj_dim) are not "
                     "supported";
  config.requireRelu("relu");
  config.requireBool("layer_norm_elementwise_affine", true, true, "norms have weights");
  positions = config.getSize({"max_position_embeddings"});
  normBefore = config.getBool({"do_layer_norm_before"}, true);
  if (config.getBool({"_remove_final_layer_norm"}, false) && normBefore)
    config.fail() << "_remove_final_layer_norm = true is not supported";
  hasBias = config.getBool({"enable_bias"}, true);
  isTied = config.getBool({"tie_word_embeddings"}, true);
}

Value Opt::buildAttention(DecoderBuilder &b, Value x, const std::string &name,
                          const std::string &prefix) const {
  auto project = [&](Value row, StringRef weight, StringRef tensor) {
    std::string full = prefix + "self_attn." + tensor.str();
    return b.linear(row, name + weight, {full + ".weight", {shape.hidden, shape.hidden}, {}},
                    bias(full, shape.hidden));
  };
  Value q = project(x, "q", "q_proj"), k = project(x, "k", "k_proj"), v = project(x, "v", "v_proj");
  return project(b.attention(q, k, v, {}), "o", "out_proj");
}

void Opt::build(DecoderBuilder &b, Checkpoint &checkpoint) const {
  std::string root = checkpoint.has("decoder.embed_tokens.weight") ? "decoder." : "model.decoder.";
  TensorUse table{root + "embed_tokens.weight", {shape.vocab, shape.hidden}, {}};
  Value x = b.embed(
      table, {root + "embed_positions.weight", {positions + kPositionOffset, shape.hidden}, {}},
      kPositionOffset);
  auto norm = [&](Value v, const std::string &name, const std::string &tensor) {
    return b.norm(llm::NormKind::Layer, v, name, tensor, kEps);
  };
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    std::string name = "layers." + std::to_string(layer) + ".", prefix = root + name;
    std::string first = prefix + "self_attn_layer_norm", second = prefix + "final_layer_norm";
    Value n = normBefore ? norm(x, name + "attn_norm", first) : x;
    x = b.add(x, buildAttention(b, n, name, prefix));
    // A norm is called after the block that reads it.
    n = norm(x, name + "ffn_norm", normBefore ? second : first);
    Value f = b.ffn(n, layer, {}, {prefix + "fc1.weight", {shape.intermediate, shape.hidden}, {}},
                    bias(prefix + "fc1", shape.intermediate),
                    {prefix + "fc2.weight", {shape.hidden, shape.intermediate}, {}},
                    bias(prefix + "fc2", shape.hidden));
    x = b.add(normBefore ? x : n, f);
    if (!normBefore)
      x = norm(x,
               layer + 1 < shape.layers ? "layers." + std::to_string(layer + 1) + ".attn_norm"
                                        : "final_norm",
               second);
  }
  if (normBefore)
    x = norm(x, "final_norm", root + "final_layer_norm");
  if (isTied)
    checkpoint.ignore("lm_head.weight");
  b.logits(x, isTied ? table : TensorUse{"lm_head.weight", table.shape, {}});
}
