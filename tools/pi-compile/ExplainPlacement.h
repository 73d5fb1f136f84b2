//===- ExplainPlacement.h - Prints a placement for people and for scripts -===//

#ifndef PI_TOOLS_PI_COMPILE_EXPLAINPLACEMENT_H
#define PI_TOOLS_PI_COMPILE_EXPLAINPLACEMENT_H

#include "compiler/Analysis/PlanSummary.h"
#include "dialects/Pi/IR/Pi.h"
#include "llvm/Support/raw_ostream.h"

namespace pi {

/// The fields of --explain=json, with those of design 6.1, of a module whose places
/// `placement` records; `plan` is its summary.
void explainPlacementAsJson(PlacementAttr placement, const PlanSummary &plan,
                            llvm::raw_ostream &os);

/// The same as a table: rows, coverage, bytes and times per layer, totals, what binds, and
/// what one more GiB would give.
void explainPlacementAsText(PlacementAttr placement, const PlanSummary &plan,
                            llvm::raw_ostream &os);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_EXPLAINPLACEMENT_H
