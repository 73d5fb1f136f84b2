//===- LowerTileOps.h - Tile operations to loops over vectors -*- C++ -*-===//
// One function and one file per operation. Each writes the loops before `op`; the
// caller erases `op`.
//===----------------------------------------------------------------------===//

#ifndef PI_CODEGEN_CPU_LOWERTILEOPS_H
#define PI_CODEGEN_CPU_LOWERTILEOPS_H

#include "codegen/Cpu/VectorLoops.h"
#include "dialects/Plan/IR/Plan.h"

namespace pi::cpu {

/// Copies the row of the token, widened to f32. `firstTile`, `lastTile`: the tiles
/// [firstTile, lastTile) of the call; the row is read in tile 0.
void lowerEmbed(plan::EmbedOp op, VectorBuilder &b, mlir::Value firstTile, mlir::Value lastTile);
/// Normalises a row: LayerNorm or RMSNorm.
void lowerNorm(plan::NormOp op, VectorBuilder &b);
/// Rows of a matrix times a row, each sum through the op's region.
void lowerMatvec(plan::MatvecOp op, VectorBuilder &b);
/// The op's region on every element of its rows.
void lowerMap(plan::MapOp op, VectorBuilder &b);
/// Rotates the heads of a row by the angles of the position.
void lowerRope(plan::RopeOp op, VectorBuilder &b);
/// Writes a row into the KV cache at the position.
void lowerAppend(plan::AppendOp op, VectorBuilder &b);
/// Softmax attention of a row's heads over the KV cache up to the position.
void lowerAttend(plan::AttendOp op, VectorBuilder &b);
/// Lists the active neurons of a feed-forward block; those whose activation is NaN are
/// active.
void lowerSelect(plan::SelectOp op, VectorBuilder &b);
/// Listed neurons to partial sums, one row per tile.
void lowerApply(plan::ApplyOp op, VectorBuilder &b);
/// Adds up partial sums, one partial after the other, in the order of their tiles.
void lowerReduce(plan::ReduceOp op, VectorBuilder &b);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_LOWERTILEOPS_H
