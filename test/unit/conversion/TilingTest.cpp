//===- TilingTest.cpp - How much of a kernel's work is one tile -===//

#include "compiler/Conversion/NeuronToPlan/Tiling.h"

#include "gtest/gtest.h"

using namespace pi;

namespace {

TEST(Tiling, MatvecTilesAreMultiplesOfFourRows) {
  EXPECT_EQ(matvecRowsPerTile(1), 4);
  EXPECT_EQ(matvecRowsPerTile(512), 4);
  EXPECT_EQ(matvecRowsPerTile(513), 8);
  EXPECT_EQ(matvecRowsPerTile(4096), 32);
  EXPECT_EQ(matvecRowsPerTile(128256), 1004);
}

TEST(Tiling, NeuronTilesAreSixteenToSixtyFour) {
  EXPECT_EQ(neuronsPerTile(1), 4);
  EXPECT_EQ(neuronsPerTile(1024), 64);   // 16 tiles
  EXPECT_EQ(neuronsPerTile(1536), 64);   // 24 tiles
  EXPECT_EQ(neuronsPerTile(28672), 448); // 64 tiles
  for (int64_t neurons = 64; neurons < 70000; neurons += 977) {
    int64_t tiles = (neurons + neuronsPerTile(neurons) - 1) / neuronsPerTile(neurons);
    EXPECT_GE(tiles, 8) << neurons;
    EXPECT_LE(tiles, 64) << neurons;
  }
}

} // namespace
