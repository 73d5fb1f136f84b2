//===- LlmWeights.h - Weights of the reference interpreter -===//
// Reads what `pi.weight` names, whole, as f32. Written apart from the packager, so that
// one checks the other.

#ifndef PI_TEST_TOOLS_PI_LLM_RUN_LLMWEIGHTS_H
#define PI_TEST_TOOLS_PI_LLM_RUN_LLMWEIGHTS_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace pi {

/// Row-major numbers of a weight, as the executable would hold them: arranged by the
/// layout and rounded to the weight's element type.
struct LlmWeight {
  int64_t rows = 0; // 1 for vectors
  int64_t cols = 0;
  std::vector<float> values; // [rows, cols]
};

/// Reads every weight of `module` once, when it is first asked for.
class LlmWeights {
public:
  explicit LlmWeights(mlir::ModuleOp module) : symbols(module) {}

  /// The weight `name`; null after an error at the weight's location, where its file is
  /// missing, too short, or damaged. The pointer is valid as long as this object.
  const LlmWeight *get(mlir::FlatSymbolRefAttr name);

private:
  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::StringAttr, std::unique_ptr<LlmWeight>> loaded;
};

} // namespace pi

#endif // PI_TEST_TOOLS_PI_LLM_RUN_LLMWEIGHTS_H
