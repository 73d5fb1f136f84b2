//===- ScalarRegion.h - Scalar regions applied to scalars or vectors -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_SCALARREGION_H
#define PI_CODEGEN_CPU_SCALARREGION_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

/// Checks that every operation of the scalar region is elementwise or a constant and
/// becomes instructions, not calls; a located error names the first that is not.
llvm::LogicalResult checkScalarRegion(mlir::Region &region);

/// Writes the region's operations with `args` (all scalars or all vectors of one
/// length) for its arguments; returns what it yields, with as many lanes as `args`.
/// The region has passed checkScalarRegion.
mlir::Value applyRegion(VectorBuilder &b, mlir::Region &region, mlir::ValueRange args);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_SCALARREGION_H
