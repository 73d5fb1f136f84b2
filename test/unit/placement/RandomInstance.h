//===- RandomInstance.h - Seeded placement problems -----------------------===//

#ifndef PI_TEST_UNIT_PLACEMENT_RANDOMINSTANCE_H
#define PI_TEST_UNIT_PLACEMENT_RANDOMINSTANCE_H

#include "compiler/Analysis/Placement.h"

#include <cstdint>

namespace pi::test {

struct Instance {
  PlacementProblem problem;
  uint64_t unit = 0; ///< of which all sizes are multiples; 1 where they are not aligned
};

/// 4 to 12 layers of 5 to 43 rows; budgets from next to nothing to more than everything.
Instance randomInstance(uint64_t seed, bool aligned);

} // namespace pi::test

#endif // PI_TEST_UNIT_PLACEMENT_RANDOMINSTANCE_H
