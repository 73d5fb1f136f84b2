//===- ElementwiseTest.cpp - plan.map, reduce, embed and append -===//

#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

static std::string n(int64_t value) { return std::to_string(value); }

// Elementwise f32 arithmetic is the same in scalar code: results are equal.
TEST(Map, AddRelu) {
  for (int64_t length : {1, 5, 8, 50, 64, 129})
    for (int64_t perTile : {1, 3, 16, 200}) {
      std::mt19937_64 random(length);
      GuardedBuffer a({1, length}, Dtype::F32), b({length}, Dtype::F32), y({1, length}, Dtype::F32);
      a.fillRandom(random);
      b.fillRandom(random);
      std::string body = "%zero = arith.constant 0.0 : f32\n"
                         "plan.map ins(%arg0, %arg1) -> %arg2 tiles(%begin to %end) per_tile " +
                         n(perTile) +
                         " {\n^bb0(%l: f32, %r: f32):\n%s = arith.addf %l, %r : f32\n"
                         "%c = arith.cmpf ogt, %s, %zero : f32\n"
                         "%v = arith.select %c, %s, %zero : f32\nplan.yield %v : f32\n} : " +
                         a.memrefType() + ", " + b.memrefType() + " -> " + y.memrefType();
      auto program = CompiledProgram::create(
          makeModuleText({a.memrefType(), b.memrefType(), y.memrefType()}, body));
      ASSERT_TRUE(program);
      int64_t tiles = (length + perTile - 1) / perTile;
      EXPECT_TRUE(program->sameForAllSplits({&a, &b, &y}, {2}, tiles));
      for (int64_t i = 0; i < length; ++i)
        EXPECT_EQ(y.get(i), std::max(a.get(i) + b.get(i), 0.0f)) << i;
    }
}

TEST(Reduce, AscendingSum) {
  for (int64_t length : {1, 9, 64, 130})
    for (int64_t tiles : {1, 2, 17}) {
      const int64_t perTile = tiles == 2 ? 50 : 12;
      std::mt19937_64 random(length + tiles);
      GuardedBuffer p({tiles, length}, Dtype::F32), q({3, length}, Dtype::F32);
      GuardedBuffer x({1, length}, Dtype::F32), y({1, length}, Dtype::F32);
      for (GuardedBuffer *buffer : {&p, &q, &x})
        buffer->fillRandom(random);
      std::string body = "plan.reduce %arg0, %arg1 -> %arg3 extras(%arg2 : " + x.memrefType() +
                         ") tiles(%begin to %end) per_tile " + n(perTile) +
                         " {\n^bb0(%sum: f32, %r: f32):\n"
                         "%s = arith.addf %sum, %r : f32\nplan.yield %s : f32\n} : " +
                         p.memrefType() + ", " + q.memrefType() + " -> " + y.memrefType();
      auto program = CompiledProgram::create(
          makeModuleText({p.memrefType(), q.memrefType(), x.memrefType(), y.memrefType()}, body));
      ASSERT_TRUE(program);
      EXPECT_TRUE(
          program->sameForAllSplits({&p, &q, &x, &y}, {3}, (length + perTile - 1) / perTile));
      for (int64_t i = 0; i < length; ++i) {
        float sum = 0; // the documented order, in f32: equal bits
        for (int64_t t = 0; t < tiles; ++t)
          sum += p.get(t * length + i);
        for (int64_t t = 0; t < 3; ++t)
          sum += q.get(t * length + i);
        EXPECT_EQ(y.get(i), sum + x.get(i)) << i;
      }
    }
}

TEST(Embed, RowAndPositions) {
  for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
    for (bool positions : {false, true}) {
      std::mt19937_64 random(3);
      GuardedBuffer table({11, 37}, type), rows({9, 37}, type), y({1, 37}, Dtype::F32);
      table.fillRandom(random);
      rows.fillRandom(random);
      std::string body = "plan.embed %arg0[%token]" +
                         std::string(positions ? " plus %arg1[%position + 2]" : "") +
                         " -> %arg2 : " + table.memrefType() +
                         (positions ? ", " + rows.memrefType() : "") + " -> " + y.memrefType();
      auto program = CompiledProgram::create(
          makeModuleText({table.memrefType(), rows.memrefType(), y.memrefType()}, body));
      ASSERT_TRUE(program);
      program->call({&table, &rows, &y}, 0, 0, 6, 10); // no tile: nothing is written
      EXPECT_EQ(y.get(0), 0.0f);
      program->call({&table, &rows, &y}, 0, 1, 6, 10);
      for (int64_t i = 0; i < 37; ++i)
        EXPECT_EQ(y.get(i), table.get(10 * 37 + i) + (positions ? rows.get(8 * 37 + i) : 0.0f));
    }
}

TEST(Append, RoundsToNearestEven) {
  for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
    for (int64_t dim : {4, 20, 32}) {
      std::mt19937_64 random(dim);
      const int64_t heads = 3, capacity = 5, position = 4;
      GuardedBuffer row({1, heads * dim}, Dtype::F32), cache({heads, capacity, dim}, type);
      row.fillRandom(random);
      row.set(0, 1.0f + 0x1p-11f);     // tie of f16: to even, down
      row.set(1, 1.0f + 3 * 0x1p-11f); // tie of f16: to even, up
      row.set(2, 1.0f + 0x1p-8f);      // tie of bf16
      row.set(3, -1.0f - 3 * 0x1p-8f); // tie of bf16
      std::string body =
          "plan.append %arg0 at %position -> %arg1 tiles(%begin to %end) : " + row.memrefType() +
          " -> " + cache.memrefType();
      auto program =
          CompiledProgram::create(makeModuleText({row.memrefType(), cache.memrefType()}, body));
      ASSERT_TRUE(program);
      EXPECT_TRUE(program->sameForAllSplits({&row, &cache}, {1}, heads, position));
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t p = 0; p < capacity; ++p)
          for (int64_t d = 0; d < dim; ++d)
            EXPECT_EQ(cache.get((h * capacity + p) * dim + d),
                      p == position ? roundTo(type, row.get(h * dim + d)) : 0.0f);
    }
}
