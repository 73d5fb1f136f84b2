//===- LowerEmbed.cpp - plan.embed to a copy of a row -===//

#include "codegen/Cpu/LowerTileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

void pi::cpu::lowerEmbed(plan::EmbedOp op, VectorBuilder &b, Value firstTile, Value lastTile) {
  // Tile 0 is ours where firstTile <= 0 < lastTile.
  Value zero = b.index(0);
  Value starts = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, firstTile, zero);
  Value ends = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, lastTile, zero);
  auto guard = scf::IfOp::create(b, arith::AndIOp::create(b, starts, ends).getResult(),
                                 /*withElseRegion=*/false);
  b.setInsertionPointToStart(&guard.getThenRegion().front());

  Row table{op.getTable(), {op.getToken()}, {}};
  Row output = b.row(op.getOutput());
  Row positions;
  if (op.getPositions())
    positions = {op.getPositions(), {b.add(op.getPosition(), b.index(op.getOffset()))}, {}};
  int64_t features = cast<MemRefType>(op.getTable().getType()).getDimSize(1);
  b.forChunks(b.index(0), b.index(features), [&](Value j, int64_t n) {
    Value x = b.load(table, j, n);
    if (positions.memref)
      x = b.add(x, b.load(positions, j, n));
    b.store(x, output, j);
  });
}
