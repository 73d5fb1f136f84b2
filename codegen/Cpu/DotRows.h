//===- DotRows.h - Dot products of several rows with one vector -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_DOTROWS_H
#define PI_CODEGEN_CPU_DOTROWS_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

/// Rows of a matrix that are multiplied at once: their loads of the vector are
/// shared, and kDotRows * VectorBuilder::kParts accumulators stay in registers
/// (16 would spill with the 16 registers of AVX2).
constexpr int64_t kDotRows = 2;

/// The f32 dot products of `rows` with the first `length` elements of `input`. While
/// they are read, the rows `ahead` are prefetched. A row's result is bit-identical
/// whatever rows it shares the call with.
llvm::SmallVector<mlir::Value> dotRows(VectorBuilder &b, llvm::ArrayRef<Row> rows, const Row &input,
                                       int64_t length, llvm::ArrayRef<Row> ahead = {});

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_DOTROWS_H
