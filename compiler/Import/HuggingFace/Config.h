//===- Config.h - What config.json of a Hugging Face directory says -===//

#ifndef PI_COMPILER_IMPORT_HUGGINGFACE_CONFIG_H
#define PI_COMPILER_IMPORT_HUGGINGFACE_CONFIG_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace pi {

/// Values of config.json under their old and new spellings. Every getter reports a bad
/// value at the file and goes on with the default, so that one run shows all of them;
/// `isGood` tells at the end.
class Config {
public:
  static constexpr int64_t kMaxSize = 1 << 24;  // features, neurons, rows
  static constexpr int64_t kMaxHeads = 1 << 16; // and features of a head
  static constexpr int64_t kMaxLayers = 4096;

  /// A getter's keys: the first that the file has counts. null counts as absent.
  using Keys = std::initializer_list<llvm::StringRef>;

  static mlir::FailureOr<Config> read(mlir::MLIRContext *context, llvm::StringRef directory);

  /// A whole number in [1, max]. Without `otherwise` the key must be there.
  int64_t getSize(Keys keys, std::optional<int64_t> otherwise = std::nullopt,
                  int64_t max = kMaxSize);
  /// A finite number above 0.
  double getPositive(Keys keys, double otherwise);
  bool getBool(Keys keys, bool otherwise);
  std::string getString(Keys keys, llvm::StringRef otherwise);
  /// Whether the first of `keys` that the file has is not null.
  bool has(Keys keys) const { return find(keys) != nullptr; }

  /// Refuses `key` unless it has the value that is built.
  void requireBool(llvm::StringRef key, bool otherwise, bool needed, llvm::StringRef why);
  /// Checks that the activation, under any of its spellings, is ReLU.
  void requireRelu(llvm::StringRef otherwise);

  /// Rotary frequencies, [head_dim / 2], in radians per token: of rope_theta and
  /// rope_scaling, or of rope_parameters. Types default, linear and llama3, as in
  /// transformers' modeling_rope_utils.py, in f32.
  std::vector<float> getRotaryFrequencies(int64_t headDim);

  mlir::InFlightDiagnostic fail();
  bool isGood() const { return good; }

private:
  const llvm::json::Value *find(Keys keys) const { return findIn(object, keys); }
  static const llvm::json::Value *findIn(const llvm::json::Object &object, Keys keys);
  /// A number above 0 of the rotary parameters.
  double getRotary(const llvm::json::Object &parameters, llvm::StringRef key);

  mlir::MLIRContext *context = nullptr;
  std::string path;
  llvm::json::Object object;
  bool good = true;
};

} // namespace pi

#endif // PI_COMPILER_IMPORT_HUGGINGFACE_CONFIG_H
