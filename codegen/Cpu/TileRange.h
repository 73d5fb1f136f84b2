//===- TileRange.h - From tiles to elements -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_TILERANGE_H
#define PI_CODEGEN_CPU_TILERANGE_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

/// Elements [begin, end) that a call covers; empty where begin >= end.
struct TileRange {
  mlir::Value begin;
  mlir::Value end;
};

/// The elements of tiles [begin, end) where tile `first` starts at element 0 and a
/// tile has `perTile` elements, clipped to [0, total).
inline TileRange elementsOf(VectorBuilder &b, mlir::Value begin, mlir::Value end, int64_t first,
                            int64_t perTile, int64_t total) {
  auto element = [&](mlir::Value tile) {
    mlir::Value local = b.sub(tile, b.index(first));
    return b.clampIndex(b.mul(local, b.index(perTile)), total);
  };
  return {element(begin), element(end)};
}

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_TILERANGE_H
