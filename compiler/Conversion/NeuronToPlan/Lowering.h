//===- Lowering.h - The decode step as dispatches -===//
// Walks @decode once, in order. A value is either in a buffer of the program, or lazy:
// a norm that every user computes for itself, a rotation or append that attention takes
// in, partial sums that a merge reduces.

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_LOWERING_H
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_LOWERING_H

#include "compiler/Conversion/NeuronToPlan/PlanBuilder.h"
#include "dialects/Llm/IR/Llm.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace pi {

class Lowering {
public:
  /// With `instrument` the program shows what its neurons do (plan.trace).
  Lowering(mlir::ModuleOp module, mlir::func::FuncOp decode, bool instrument);

  /// Makes the program and its kernels; `decode` is left as it is. Fails with a located
  /// error at what has no form in `plan`.
  mlir::LogicalResult run();

private:
  /// `produced` plus the sums that follow it at once, as far as their other operands
  /// are in buffers already.
  struct Chain {
    mlir::Value result;                     // llm value that the whole chain computes
    llvm::SmallVector<mlir::Value> addends; // buffers of the program, [1, features] each
  };
  /// A product with a weight: llm.linear or llm.logits.
  struct Product {
    mlir::Operation *op;
    mlir::FlatSymbolRefAttr weight, bias;
  };
  /// Active neurons of a group, as buffers: see plan.select.
  struct NeuronList {
    mlir::Value ids, acts, counts;
    int64_t perSegment;
  };
  struct Cache {
    mlir::Value keys, values; // [kv heads, capacity, dim] each
  };

  // Lowering.cpp
  mlir::LogicalResult checkOperands(mlir::Operation *op);
  mlir::LogicalResult lower(mlir::Operation *op);
  void lowerEmbed(llm::EmbedOp op);
  void lowerNorm(llm::NormOp op);
  void lowerProducts(mlir::Operation *op);
  void lowerAdd(llm::AddOp op);
  mlir::LogicalResult lowerReturn(mlir::func::ReturnOp op);

  // Attention.cpp
  void makeCaches();
  bool isLazy(llm::RopeOp op);
  void lowerRope(llm::RopeOp op);
  mlir::LogicalResult lowerAppend(llm::KvAppendOp op);
  mlir::LogicalResult lowerAttention(llm::AttentionOp op);
  void emitRope(KernelBuilder &kernel, llm::RopeOp op, int64_t tiles);
  void emitAppend(KernelBuilder &kernel, llm::KvAppendOp op);

  // FeedForward.cpp
  mlir::LogicalResult lowerDown(neuron::DownOp op);
  mlir::LogicalResult lowerMerge(neuron::MergeOp op);
  mlir::Value traceOf(neuron::GateUpOp op, neuron::GroupOp group);
  void nameTraces();
  NeuronList emitSelect(neuron::GateUpOp op, neuron::GroupOp group);
  mlir::Value emitApply(neuron::GateUpOp gateUp, neuron::DownOp op, neuron::GroupOp group,
                        const NeuronList &list);
  mlir::Value emitCopy(KernelBuilder &kernel, mlir::Value input, int64_t tiles);
  mlir::Value emitReduce(llvm::StringRef name, mlir::Location loc,
                         llvm::ArrayRef<mlir::Value> partials, mlir::FlatSymbolRefAttr bias,
                         llvm::ArrayRef<mlir::Value> addends);

  Chain chainFrom(mlir::Value produced);
  /// The kernel's view of a row: its buffer, or a norm computed into a local.
  mlir::Value readRow(KernelBuilder &kernel, mlir::Value value);
  /// A tile of `output` = the sum of `inputs`, all buffers of the program.
  void emitMap(KernelBuilder &kernel, llvm::ArrayRef<mlir::Value> inputs, mlir::Value output,
               int64_t perTile);
  bool isLazyNorm(mlir::Value value);
  int64_t featuresOf(mlir::Value row);

  mlir::ModuleOp module;
  mlir::func::FuncOp decode;
  ProgramBuilder program;
  bool instrument;
  llvm::DenseMap<mlir::Value, mlir::Value> rows;     // llm row -> buffer [1, features]
  llvm::DenseMap<mlir::Value, mlir::Value> partials; // neuron.down -> buffer [tiles, features]
  /// Counts of active neurons, in order of the groups' dispatches.
  llvm::SmallVector<std::pair<mlir::Value, neuron::GroupOp>> activity;
  /// Activations of a layer's neurons, and the row they read.
  struct Trace {
    mlir::Location loc;
    mlir::Value activations, input;
  };
  llvm::MapVector<int64_t, Trace> traces; // by layer
  llvm::DenseMap<mlir::Value, Cache> caches;
  llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value> scores; // (heads, capacity)
  llvm::DenseSet<mlir::Operation *> done;           // taken in by an earlier dispatch
  llvm::DenseSet<mlir::Operation *> pendingAppends; // wait for their attention
};

} // namespace pi

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_LOWERING_H
