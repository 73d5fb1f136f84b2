//===- LowerTileOps.h - Tile operations to loops over vectors -*- C++ -*-===//
// One function and one file per operation. Each writes the loops before `op`; the
// caller erases `op`.
//===----------------------------------------------------------------------===//

#ifndef PI_CODEGEN_CPU_LOWERTILEOPS_H
#define PI_CODEGEN_CPU_LOWERTILEOPS_H

#include "codegen/Cpu/VectorLoops.h"
#include "dialects/Plan/IR/Plan.h"

namespace pi::cpu {

/// `firstTile`, `lastTile`: the tiles [firstTile, lastTile) of the call, of which the
/// row is read in tile 0.
void lowerEmbed(plan::EmbedOp op, VectorBuilder &b, mlir::Value firstTile, mlir::Value lastTile);
void lowerNorm(plan::NormOp op, VectorBuilder &b);
void lowerMatvec(plan::MatvecOp op, VectorBuilder &b);
void lowerMap(plan::MapOp op, VectorBuilder &b);
void lowerRope(plan::RopeOp op, VectorBuilder &b);
void lowerAppend(plan::AppendOp op, VectorBuilder &b);
void lowerAttend(plan::AttendOp op, VectorBuilder &b);
void lowerNeurons(plan::NeuronsOp op, VectorBuilder &b);
void lowerReduce(plan::ReduceOp op, VectorBuilder &b);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_LOWERTILEOPS_H
