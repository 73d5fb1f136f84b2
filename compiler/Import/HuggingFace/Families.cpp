//===- Families.cpp - The model families that config.json may name -===//

#include "compiler/Import/HuggingFace/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace pi;

std::unique_ptr<Family> pi::makeFamily(llvm::StringRef modelType) {
  // RefinedWeb: Falcon before transformers had it.
  return llvm::StringSwitch<std::unique_ptr<Family> (*)()>(modelType)
      .Case("llama", makeLlama)
      .Case("opt", makeOpt)
      .Cases({"falcon", "RefinedWeb", "RefinedWebModel"}, makeFalcon)
      .Default([]() -> std::unique_ptr<Family> { return nullptr; })();
}

void pi::readCommonSizes(Config &config, DecoderShape &shape) {
  shape.hidden = config.getSize({"hidden_size", "n_embd", "n_embed"});
  shape.layers = config.getSize({"num_hidden_layers", "n_layer"}, std::nullopt, Config::kMaxLayers);
  shape.vocab = config.getSize({"vocab_size"});
  shape.heads = config.getSize({"num_attention_heads", "n_head"}, std::nullopt, Config::kMaxHeads);
}
