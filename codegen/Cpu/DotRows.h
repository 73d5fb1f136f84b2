//===- DotRows.h - Dot products of several rows with one vector -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_DOTROWS_H
#define PI_CODEGEN_CPU_DOTROWS_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

/// Rows of a matrix that are multiplied at once: their loads of the vector are
/// shared, and kDotRows * VectorBuilder::kParts accumulators stay in registers
/// (16 would spill with the 16 registers of AVX2).
constexpr int64_t kDotRows = 2;

/// Prefetches what is read a fixed number of bytes after the current columns of `rows`:
/// further columns of a row, then the first ones of its successor in `next`. Rows are
/// read from column 0 to `length`.
class ReadAhead {
public:
  /// `next` has as many rows as `rows`, or none: nothing is prefetched then.
  ReadAhead(VectorBuilder &b, llvm::ArrayRef<Row> rows, llvm::ArrayRef<Row> next, int64_t length);

  /// Columns per round.
  int64_t getRound() const { return VectorBuilder::kParts * b.getLanes(); }
  /// The first column, a multiple of getRound(), at which successors are prefetched.
  int64_t getCut() const { return cut; }
  /// At the begin of the round of columns [j, j + getRound()), all of which lie before
  /// the cut or (`behindCut`) after it.
  void prefetch(mlir::Value j, bool behindCut);

private:
  VectorBuilder &b;
  llvm::SmallVector<Row> rows, next;
  int64_t distance = 0; // columns
  int64_t cut = 0;
};

/// The f32 dot products of `rows` with the first `length` elements of `input`, reading
/// ahead into the rows `next` (see ReadAhead). A row's result is bit-identical whatever
/// rows it shares the call with.
llvm::SmallVector<mlir::Value> dotRows(VectorBuilder &b, llvm::ArrayRef<Row> rows, const Row &input,
                                       int64_t length, llvm::ArrayRef<Row> next = {});

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_DOTROWS_H
