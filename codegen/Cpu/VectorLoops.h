//===- VectorLoops.h - Loops over rows in vectors of f32 -*- C++ -*-===//
// What the lowerings of tile operations share: a builder that treats scalars and
// vectors alike, loops over the columns of a row, and reductions whose order of
// operations depends on the length of the row only.
//===----------------------------------------------------------------------===//

#ifndef PI_CODEGEN_CPU_VECTORLOOPS_H
#define PI_CODEGEN_CPU_VECTORLOOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pi::cpu {

/// A row of a memref: element j is `memref[lead..., offset + j]`. A memref of rank 1
/// has no `lead`; a null `offset` is zero.
struct Row {
  mlir::Value memref;
  llvm::SmallVector<mlir::Value, 2> lead;
  mlir::Value offset;

  /// Element type as stored: f32, f16 or bf16.
  mlir::Type getElementType() const {
    return mlir::cast<mlir::MemRefType>(memref.getType()).getElementType();
  }
};

/// Builds arithmetic and loops at an insertion point. Floating point values are f32
/// or `vector<n x f32>` (f64 where a caller says so); n = 1 means the scalar type.
class VectorBuilder : public mlir::ImplicitLocOpBuilder {
public:
  /// Vectors have `lanes` f32 elements, a power of two.
  VectorBuilder(mlir::Location loc, int64_t lanes, mlir::Operation *insertBefore)
      : ImplicitLocOpBuilder(loc, insertBefore), lanes(lanes) {}

  /// f32 elements of a hardware vector.
  int64_t getLanes() const { return lanes; }

  /// f32, or a vector of `n` of them.
  mlir::Type getF32(int64_t n) { return getShaped(getF32Type(), n); }
  /// `element`, or a vector of `n` of them.
  static mlir::Type getShaped(mlir::Type element, int64_t n);
  /// Lanes of a scalar (1) or vector type.
  static int64_t lanesOf(mlir::Type type);

  /// `value` as constant of type index.
  mlir::Value index(int64_t value);
  /// `value` as constant of the floating point type or vector `type`.
  mlir::Value constant(mlir::Type type, double value);
  /// `value` as constant of the integer type or vector `type`.
  mlir::Value intConstant(mlir::Type type, int64_t value);
  /// `scalar` in all of `n` lanes.
  mlir::Value splat(mlir::Value scalar, int64_t n);

  mlir::Value add(mlir::Value a, mlir::Value b);                // float or index
  mlir::Value sub(mlir::Value a, mlir::Value b);                // float or index
  mlir::Value mul(mlir::Value a, mlir::Value b);                // float or index
  mlir::Value div(mlir::Value a, mlir::Value b);                // float
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c); // a * b + c, one rounding
  /// The larger; `a` where `b` is NaN.
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// `value` held in [0, limit].
  mlir::Value clampIndex(mlir::Value value, int64_t limit);

  /// The row of a memref [n] or [1, n].
  Row row(mlir::Value memref);
  /// Elements [j, j + n) of `row`, widened to f32.
  mlir::Value load(const Row &row, mlir::Value j, int64_t n);
  /// Stores a scalar or vector of f32 at element j, rounded to nearest even where the
  /// row's type is narrower.
  void store(mlir::Value value, const Row &row, mlir::Value j);
  /// Asks for the cache line of element j to be brought near; never faults.
  void prefetch(const Row &row, mlir::Value j);

  /// Uninitialised memory of the calling thread, 64-byte aligned, allocated once at
  /// the function's entry.
  mlir::Value scratch(mlir::MemRefType type);

  using LoopBody =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value iv, mlir::ValueRange carried)>;
  /// for iv = begin to end step `step`, carrying `inits`; returns the final values.
  llvm::SmallVector<mlir::Value> loop(mlir::Value begin, mlir::Value end, int64_t step,
                                      mlir::ValueRange inits, LoopBody body);
  /// The same without carried values.
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value iv)> body);
  /// begin + (end - begin) rounded down to a multiple of `step`.
  mlir::Value floorEnd(mlir::Value begin, mlir::Value end, int64_t step);

  /// Covers [begin, end): `body(j, lanes)` in vectors, then `body(j, 1)` for the rest.
  void forChunks(mlir::Value begin, mlir::Value end,
                 llvm::function_ref<void(mlir::Value j, int64_t n)> body);

  /// Covers rows [begin, end): `body(r, blockRows)` per whole block, then `body(r, 1)`.
  void forRowBlocks(mlir::Value begin, mlir::Value end, int64_t blockRows,
                    llvm::function_ref<void(mlir::Value r, int64_t rows)> body);

  /// One step of a reduction at columns [j, j + n): the accumulators' new values.
  using ReduceStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value j, int64_t n, mlir::ValueRange accumulators)>;
  using Combine = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;
  /// What is done besides at the begin of each round of kParts vectors from column j.
  using Beside = llvm::function_ref<void(mlir::Value j, bool behindCut)>;
  /// Reduces the columns [begin, end) to `results` scalars, each in kParts vector
  /// accumulators, joined pairwise, then lane by halves, then a scalar tail. The
  /// order of operations of one result does not depend on the number of results. Rounds
  /// are two loops, before and behind column begin + `cut`, a multiple of a round, with
  /// different `beside`; their order of operations is that of one.
  llvm::SmallVector<mlir::Value> reduce(mlir::Value begin, mlir::Value end, int64_t results,
                                        double init, ReduceStep step, Combine combine,
                                        int64_t cut = 0, Beside beside = {});

  /// Vector accumulators of one reduction.
  static constexpr int64_t kParts = 4;

private:
  mlir::Value joinLanes(mlir::Value vector, Combine combine);

  int64_t lanes;
};

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_VECTORLOOPS_H
