//===- PlanBuilder.h - Writes a plan.program and its kernels -===//
// What is decided elsewhere is written down here: no choices.

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_PLANBUILDER_H
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_PLANBUILDER_H

#include "dialects/Pi/IR/StoredWeights.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pi {

/// Body of a scalar region: its f32 arguments to the f32 it yields.
using ScalarBody = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

/// Fills the empty `region` with a block of `numArgs` f32 arguments that ends in plan.yield.
void fillScalarRegion(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &region,
                      size_t numArgs, ScalarBody body);

/// The sum of all arguments, from the first to the last.
mlir::Value sumOf(mlir::OpBuilder &builder, mlir::ValueRange args);

/// Columns [column, ...) of the rows of a weight or bundle; null for no weight.
struct WeightPart {
  mlir::Value weight; // [rows, columns]
  int64_t column = 0;
};

/// Appends to a plan.program, which it makes at the end of the module.
class ProgramBuilder {
public:
  /// `name` is free again in the module once the function of that name is gone.
  ProgramBuilder(mlir::ModuleOp module, llvm::StringRef name, mlir::Location loc);

  /// A new [1, features] f32 buffer of one token's activations.
  mlir::Value makeRow(mlir::Location loc, int64_t features);
  /// A new f32 buffer [rows, columns] among the activations.
  mlir::Value makeScratch(mlir::Location loc, int64_t rows, int64_t columns);
  /// A new buffer [heads, capacity, dim] of `type` in the arena of caches.
  mlir::Value makeCache(mlir::Location loc, llvm::ArrayRef<int64_t> shape, mlir::Type type);
  /// The weight `name`, as one value however often it is asked for.
  /// It must not be a part of a bundle.
  mlir::Value weight(mlir::Location loc, mlir::FlatSymbolRefAttr name);
  /// Where the weight `name` is stored: itself, or columns of a bundle.
  WeightPart part(mlir::Location loc, mlir::FlatSymbolRefAttr name);
  /// Whether the weight `name` is a part of a bundle.
  bool isBundled(mlir::FlatSymbolRefAttr name) const {
    return llvm::isa_and_nonnull<BundleOp>(stored.find(name.getValue()).op);
  }
  /// A new buffer [count] of `type` among the activations.
  mlir::Value makeVector(mlir::Location loc, int64_t count, mlir::Type type);
  void setLogits(mlir::Location loc, mlir::Value row);
  void setActivity(mlir::Location loc, mlir::Value counts, int64_t layer, int64_t neurons);
  void setTrace(mlir::Location loc, mlir::Value activations, mlir::Value input, int64_t layer);

  mlir::OpBuilder &builder() { return body; }
  plan::ProgramOp program() { return programOp; }
  /// `base`, or `base_1`, ...: the first that no symbol has.
  std::string freeName(llvm::StringRef base);

private:
  mlir::Value makeBuffer(mlir::Location loc, plan::ArenaOp arena, mlir::MemRefType type);

  mlir::ModuleOp module;
  mlir::OpBuilder body;
  plan::ArenaOp activations, caches;
  plan::ProgramOp programOp;
  StoredWeights stored;
  llvm::DenseMap<mlir::Operation *, mlir::Value> weights; // of weights and bundles
};

/// One kernel and its one dispatch.
class KernelBuilder {
public:
  KernelBuilder(ProgramBuilder &program, llvm::StringRef name, mlir::Location loc);

  /// The kernel's argument for a buffer or weight of the program: one per value.
  mlir::Value arg(mlir::Value programValue);
  /// The kernel's argument for the weight `name`; null for a null `name`.
  mlir::Value weight(mlir::FlatSymbolRefAttr name);
  /// The same for a weight that may be columns of a bundle.
  WeightPart part(mlir::FlatSymbolRefAttr name);

  mlir::Value token() { return kernel.getToken(); }
  mlir::Value position() { return kernel.getPosition(); }
  mlir::Value begin() { return kernel.getBegin(); }
  mlir::Value end() { return kernel.getEnd(); }
  mlir::OpBuilder &builder() { return body; }
  mlir::Location loc() { return kernel.getLoc(); }

  /// Ends the kernel: appends its dispatch over `tiles` tiles to the program.
  void dispatch(int64_t tiles);

private:
  ProgramBuilder &program;
  mlir::OpBuilder body;
  plan::KernelOp kernel;
  llvm::SmallVector<mlir::Value> operands;
  llvm::DenseMap<mlir::Value, mlir::Value> args;
};

} // namespace pi

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_PLANBUILDER_H
