//===- LlmInterpreter.h - Reference interpreter of the llm dialect -===//
// The oracle: every operation as its description says, in plain scalar f32, sums from
// the first to the last element in f32, no reordering, no library but libm. Batch 1,
// one token a step. Slow on purpose.

#ifndef PI_TEST_TOOLS_PI_LLM_RUN_LLMINTERPRETER_H
#define PI_TEST_TOOLS_PI_LLM_RUN_LLMINTERPRETER_H

#include "dialects/Llm/IR/Llm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/tools/pi-llm-run/LlmWeights.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <vector>

namespace pi {

class LlmInterpreter {
public:
  using Row = std::vector<float>;
  /// Called after each operation that computes a row, with the row's numbers.
  using Observer = llvm::function_ref<void(mlir::Operation *, llvm::ArrayRef<float>)>;

  /// For `@decode` of `module`, at the llm level; `module` must outlive the interpreter.
  explicit LlmInterpreter(mlir::ModuleOp module);

  /// One step: logits of the token after `token`, which is appended to the caches.
  /// Fails with a located error where the module has no @decode, an operation is not of
  /// the llm level, the token is outside the vocabulary or the caches are full.
  mlir::FailureOr<Row> step(int64_t token, Observer observer = [](auto *, auto) {});

  /// Tokens in the caches.
  int64_t getPosition() const { return position; }
  /// Empties the caches.
  void reset();

private:
  struct Cache {
    Row keys, values; // [heads, capacity, dim] each
  };

  mlir::LogicalResult run(mlir::Operation *op, int64_t token);
  mlir::LogicalResult runEmbed(llm::EmbedOp op, int64_t token);
  mlir::LogicalResult runNorm(llm::NormOp op);
  mlir::LogicalResult runProduct(mlir::Operation *op, mlir::FlatSymbolRefAttr weight,
                                 mlir::FlatSymbolRefAttr bias);
  mlir::LogicalResult runRope(llm::RopeOp op);
  mlir::LogicalResult runAppend(llm::KvAppendOp op);
  mlir::LogicalResult runAttention(llm::AttentionOp op);
  mlir::LogicalResult runFfn(llm::FfnOp op);
  mlir::LogicalResult runAdd(llm::AddOp op);

  mlir::func::FuncOp decode;
  LlmWeights weights;
  llvm::DenseMap<mlir::Value, Row> rows;
  llvm::DenseMap<mlir::Value, std::shared_ptr<Cache>> caches;
  int64_t position = 0;
};

} // namespace pi

#endif // PI_TEST_TOOLS_PI_LLM_RUN_LLMINTERPRETER_H
