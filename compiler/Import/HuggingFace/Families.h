//===- Families.h - The model families that config.json may name -===//
// One file per family: it reads the sizes from config.json and names the tensors as the
// family's class of transformers (5.17) saves them.

#ifndef PI_COMPILER_IMPORT_HUGGINGFACE_FAMILIES_H
#define PI_COMPILER_IMPORT_HUGGINGFACE_FAMILIES_H

#include "compiler/Import/HuggingFace/Config.h"
#include "compiler/Import/HuggingFace/DecoderBuilder.h"

#include <memory>

namespace pi {

/// A family of models: what of config.json it needs, and how its decoder is built.
class Family {
public:
  virtual ~Family() = default;
  /// As `#pi.model` calls it.
  virtual llvm::StringRef getName() const = 0;
  /// Reads sizes and refuses what is not built, with errors at config.json.
  virtual void readConfig(Config &config) = 0;
  /// Builds all of @decode.
  virtual void build(DecoderBuilder &builder, Checkpoint &checkpoint) const = 0;
  /// Positions of a table of learned ones, 0 where there is none.
  virtual int64_t getLearnedPositions() const { return 0; }

  DecoderShape shape; // set by readConfig
};

/// The family of a model_type; null for an unknown one.
std::unique_ptr<Family> makeFamily(llvm::StringRef modelType);

std::unique_ptr<Family> makeLlama();
std::unique_ptr<Family> makeOpt();
std::unique_ptr<Family> makeFalcon();

/// Sizes that all families spell alike: hidden_size, num_hidden_layers, vocab_size and
/// num_attention_heads, under their old names too.
void readCommonSizes(Config &config, DecoderShape &shape);

} // namespace pi

#endif // PI_COMPILER_IMPORT_HUGGINGFACE_FAMILIES_H
