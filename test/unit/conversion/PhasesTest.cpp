//===- PhasesTest.cpp - Names of the phases -===//

#include "compiler/Pipelines/Phases.h"

#include "gtest/gtest.h"

using namespace pi;

namespace {

TEST(Phases, NamesReadBack) {
  std::string names;
  for (Phase phase : allPhases()) {
    EXPECT_EQ(parsePhase(phaseName(phase)), phase);
    names += phaseName(phase).str() + " ";
  }
  EXPECT_EQ(names, "import raise partition quantise plan codegen link ");
  EXPECT_EQ(parsePhase("quantize"), std::nullopt);
  EXPECT_EQ(parsePhase(""), std::nullopt);
}

} // namespace
