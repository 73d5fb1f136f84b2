//===- NeuronsTest.cpp - plan.select and plan.apply against sums in f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace pi::test;

namespace {
/// With a gate; without one, its place taken by up; with up's bias. Each exact.
enum class Kind { Gated, Plain, Bias };
/// Weights apart; up and down in one; all three in one (then lists may be predicted).
enum class Store { Apart, UpDown, Bundle };

struct NeuronsCase {
  Kind kind;
  int64_t neurons, features, first, last, perTile;
  Dtype type;
  int64_t tiles = 3; // of apply
  Store store = Store::Apart;
  int64_t vectorBits = 256;
  bool traced = true;

  bool isGated() const { return kind == Kind::Gated; }
  int64_t rows() const { return last - first; }
  int64_t segments() const { return (rows() + perTile - 1) / perTile; }
};

/// A part of each row of a weight.
struct Part {
  GuardedBuffer *weight;
  int64_t column;
};

/// Where the trace begins in its buffer.
constexpr int64_t kTraceFirst = 3;

/// The buffers of one case. `test` is gate, or up where there is no gate.
struct NeuronsBuffers {
  explicit NeuronsBuffers(const NeuronsCase &c)
      : length(c.features), x({1, length}, Dtype::F32),
        a({c.neurons, length * (c.store == Store::Bundle ? 3 : 1)}, c.type),
        b({c.neurons, length * (c.store == Store::UpDown ? 2 : 1)}, c.type),
        d({c.neurons, length}, c.type), bias({c.neurons}, Dtype::F32), ids({c.rows()}, Dtype::F32),
        acts({c.rows()}, Dtype::F32), counts({c.segments()}, Dtype::F32),
        partial({c.tiles, length}, Dtype::F32), trace({kTraceFirst + c.neurons}, Dtype::F32),
        test{&a, 0}, up{&b, 0}, down{&d, 0} {
    if (c.store == Store::Bundle)
      up = {&a, length}, down = {&a, 2 * length};
    if (c.store == Store::UpDown)
      down = {&b, length};
  }
  /// In the order of the kernels' arguments.
  std::vector<GuardedBuffer *> all() {
    return {&x, &a, &b, &d, &bias, &ids, &acts, &counts, &partial, &trace};
  }
  void fillRandom(std::mt19937_64 &random) {
    for (GuardedBuffer *buffer : all())
      buffer->fillRandom(random); // results too: they are set, not added to
  }
  float get(const Part &part, int64_t row, int64_t f) const {
    int64_t columns = static_cast<int64_t>(part.weight->getNumElements()) /
                      static_cast<int64_t>(bias.getNumElements());
    return part.weight->get(row * columns + part.column + f);
  }
  void set(const Part &part, int64_t row, int64_t f, float value) {
    int64_t columns = static_cast<int64_t>(part.weight->getNumElements()) /
                      static_cast<int64_t>(bias.getNumElements());
    part.weight->set(row * columns + part.column + f, value);
  }
  int32_t id(int64_t k) const { return static_cast<const int32_t *>(ids.data())[k]; }
  /// The listed rows, in order.
  std::vector<int64_t> listed(int64_t perTile) const {
    std::vector<int64_t> rows;
    for (size_t s = 0; s < counts.getNumElements(); ++s)
      for (int64_t k = 0; k < static_cast<int64_t>(counts.get(s)); ++k)
        rows.push_back(id(static_cast<int64_t>(s) * perTile + k));
    return rows;
  }
  /// Lists `rows` in segments of at most `perTile`.
  void setList(const std::vector<int64_t> &rows, int64_t perTile) {
    counts.fill(0);
    for (size_t k = 0; k < rows.size(); ++k) {
      static_cast<int32_t *>(ids.data())[k] = static_cast<int32_t>(rows[k]);
      size_t segment = k / static_cast<size_t>(perTile);
      counts.set(segment, counts.get(segment) + 1);
    }
  }

  int64_t length;
  GuardedBuffer x, a, b, d, bias, ids, acts, counts, partial, trace;
  Part test, up, down;
};

std::string idsType(const NeuronsBuffers &b) {
  return "memref<" + std::to_string(b.ids.getNumElements()) + "xi32>";
}

std::string moduleText(const NeuronsCase &c, NeuronsBuffers &b, const std::string &body) {
  std::vector<std::string> types;
  for (GuardedBuffer *buffer : b.all())
    types.push_back(buffer == &b.ids ? idsType(b) : buffer->memrefType());
  return makeModuleText(types, body, c.vectorBits);
}

const char *const kRelu = " {\n^bb0(%pre: f32):\n%zero = arith.constant 0.0 : f32\n"
                          "%r = arith.maximumf %pre, %zero : f32\nplan.yield %r : f32\n}";

std::string selectText(const NeuronsCase &c, NeuronsBuffers &b) {
  bool biased = c.kind == Kind::Bias;
  std::string trace = c.traced ? " trace %arg9 from " + std::to_string(kTraceFirst) : "";
  return moduleText(c, b,
                    "plan.select %arg0, %arg1" + std::string(biased ? " bias %arg4" : "") +
                        " -> %arg5, %arg6, %arg7" + trace + " rows(" + std::to_string(c.first) +
                        " to " + std::to_string(c.last) + ") tiles(%begin to %end) per_tile " +
                        std::to_string(c.perTile) + kRelu + " : " + b.x.memrefType() + ", " +
                        b.a.memrefType() + (biased ? " bias " + b.bias.memrefType() : "") + " -> " +
                        idsType(b) + ", " + b.acts.memrefType() + ", " + b.counts.memrefType() +
                        (c.traced ? " trace " + b.trace.memrefType() : ""));
}

/// A clause of plan.apply and its type, for a part of a weight.
void addPart(std::string &text, std::string &types, NeuronsBuffers &b, const char *name,
             const Part &part) {
  const char *arg = part.weight == &b.a ? "%arg1" : part.weight == &b.b ? "%arg2" : "%arg3";
  text += std::string(" ") + name + " " + arg + " from " + std::to_string(part.column);
  types += std::string(" ") + name + " " + part.weight->memrefType();
}

std::string applyText(const NeuronsCase &c, NeuronsBuffers &b, bool predicted) {
  std::string text = "plan.apply list(%arg5, %arg7" + std::string(predicted ? "" : ", %arg6") +
                     ") per_segment " + std::to_string(c.perTile);
  std::string types =
      idsType(b) + ", " + b.counts.memrefType() + (predicted ? "" : ", " + b.acts.memrefType());
  if (predicted || c.isGated())
    text += " input %arg0", types += " input " + b.x.memrefType();
  if (predicted)
    addPart(text, types, b, "gate", b.test);
  if (predicted && c.kind == Kind::Bias)
    text += " bias %arg4", types += " bias " + b.bias.memrefType();
  if (c.isGated())
    addPart(text, types, b, "up", b.up);
  addPart(text, types, b, "down", b.down);
  text += " -> %arg8";
  types += " -> " + b.partial.memrefType();
  if (c.traced) {
    text += " trace %arg9 from " + std::to_string(kTraceFirst);
    types += " trace " + b.trace.memrefType();
  }
  return moduleText(c, b,
                    text + " tiles(%begin to %end)" + (predicted ? kRelu : "") + " : " + types);
}

/// What a row should give, and how far off it may be.
struct Expected {
  double pre = 0, preError = 0;
  double a = 0, aError = 0; // after up
  bool surelyActive() const { return pre > preError; }
  bool surelyInactive() const { return pre < -preError; }
};

double dot(const NeuronsBuffers &b, const Part &part, int64_t row, double *absolute) {
  double sum = 0;
  *absolute = 0;
  for (int64_t f = 0; f < b.length; ++f) {
    double product = double(b.get(part, row, f)) * b.x.get(f);
    sum += product;
    *absolute += std::abs(product);
  }
  return sum;
}

Expected expectRow(const NeuronsCase &c, const NeuronsBuffers &b, int64_t row) {
  double bound = dotBound(c.features, c.vectorBits / 32) + 2 * kRound;
  Expected e;
  double absolute, up = 1, upError = 0;
  e.pre = dot(b, b.test, row, &absolute);
  if (c.kind == Kind::Bias)
    e.pre += b.bias.get(row), absolute += std::abs(b.bias.get(row));
  e.preError = bound * absolute;
  if (c.isGated()) {
    up = dot(b, b.up, row, &absolute);
    upError = bound * absolute;
  }
  // A neuron whose sum is within the bound of zero may fall on either side: its share is
  // as small.
  e.a = std::max(e.pre, 0.0) * up;
  if (!e.surelyInactive())
    e.aError = e.preError * std::abs(up) + std::abs(e.pre) * upError + e.preError * upError +
               std::abs(e.a) * kRound;
  return e;
}

/// The list is ascending, of rows of its segment, without any that must be in it missing.
void compareList(const NeuronsCase &c, const NeuronsBuffers &b) {
  for (int64_t s = 0; s < c.segments(); ++s) {
    int64_t k = s * c.perTile, end = k + static_cast<int64_t>(b.counts.get(s));
    for (int64_t row = c.first + s * c.perTile;
         row < std::min(c.first + (s + 1) * c.perTile, c.last); ++row) {
      Expected e = expectRow(c, b, row);
      bool isListed = k < end && b.id(k) == row;
      EXPECT_FALSE(isListed && e.surelyInactive()) << "row " << row;
      EXPECT_FALSE(!isListed && e.surelyActive()) << "row " << row;
      if (c.traced)
        EXPECT_EQ(b.trace.get(kTraceFirst + row), -1) << "row " << row;
      if (isListed)
        EXPECT_NEAR(b.acts.get(k++), std::max(e.pre, 0.0), e.preError * 1.01) << "row " << row;
    }
    EXPECT_EQ(k, end) << "segment " << s;
  }
}

/// The partial sums of tile t are those of its share of `rows`.
void compareSums(const NeuronsCase &c, const NeuronsBuffers &b, const std::vector<int64_t> &rows) {
  int64_t count = static_cast<int64_t>(rows.size());
  for (int64_t t = 0; t < c.tiles; ++t) {
    std::vector<double> expected(c.features), error(c.features);
    for (int64_t k = count * t / c.tiles; k < count * (t + 1) / c.tiles; ++k) {
      Expected e = expectRow(c, b, rows[k]);
      if (c.traced && e.surelyActive())
        EXPECT_NEAR(b.trace.get(kTraceFirst + rows[k]), std::abs(e.a), e.aError * 1.01);
      for (int64_t f = 0; f < c.features; ++f) {
        double d = b.get(b.down, rows[k], f);
        expected[f] += e.a * d;
        error[f] += (e.aError + std::abs(e.a) * kRound * double(count / c.tiles + 2)) * std::abs(d);
      }
    }
    for (int64_t f = 0; f < c.features; ++f)
      EXPECT_NEAR(b.partial.get(t * c.features + f), expected[f], error[f] * 1.01)
          << "tile " << t << " feature " << f;
  }
}

/// Runs both kernels on the buffers as they are.
void checkExact(const NeuronsCase &c, NeuronsBuffers &b) {
  auto select = CompiledProgram::create(selectText(c, b));
  auto apply = CompiledProgram::create(applyText(c, b, /*predicted=*/false));
  ASSERT_TRUE(select && apply);
  EXPECT_TRUE(select->sameForAllSplits(b.all(), {7, 9}, c.segments()));
  compareList(c, b);
  EXPECT_TRUE(apply->sameForAllSplits(b.all(), {8, 9}, c.tiles));
  compareSums(c, b, b.listed(c.perTile));
}

void checkPredicted(const NeuronsCase &c, NeuronsBuffers &b, const std::vector<int64_t> &rows) {
  b.setList(rows, c.perTile);
  auto apply = CompiledProgram::create(applyText(c, b, /*predicted=*/true));
  ASSERT_TRUE(apply);
  EXPECT_TRUE(apply->sameForAllSplits(b.all(), {8, 9}, c.tiles));
  compareSums(c, b, rows);
}

std::string nameOf(const NeuronsCase &c) {
  return std::to_string(c.neurons) + "x" + std::to_string(c.features) + nameOf(c.type) + " kind " +
         std::to_string(static_cast<int>(c.kind)) + " store " +
         std::to_string(static_cast<int>(c.store)) + " tiles " + std::to_string(c.tiles);
}

void checkRandom(const NeuronsCase &c, uint64_t seed) {
  SCOPED_TRACE(nameOf(c));
  std::mt19937_64 random(seed);
  NeuronsBuffers b(c);
  b.fillRandom(random);
  checkExact(c, b);
  std::vector<int64_t> rows;
  for (int64_t row = c.first; row < c.last; ++row)
    if (random() % 3)
      rows.push_back(row);
  checkPredicted(c, b, rows);
}

/// Makes row `row` active (or not): its products with x are all positive (negative).
void setActive(const NeuronsCase &c, NeuronsBuffers &b, int64_t row, bool active) {
  for (int64_t f = 0; f < c.features; ++f)
    b.set(b.test, row, f, active ? b.x.get(f) : -b.x.get(f));
  b.bias.set(row, 0);
}
} // namespace

TEST(Neurons, KindsShapesAndTypes) {
  uint64_t seed = 1;
  for (Kind kind : {Kind::Gated, Kind::Plain, Kind::Bias})
    for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
      for (NeuronsCase c : {NeuronsCase{kind, 32, 64, 0, 32, 16, type},
                            {kind, 1, 8, 0, 1, 4, type, 1},
                            {kind, 37, 33, 0, 37, 5, type, 4},
                            {kind, 50, 100, 7, 43, 9, type, 7}, // a group inside the layer
                            {kind, 20, 5, 0, 20, 20, type, 2}})
        checkRandom(c, seed++);
  for (Kind kind : {Kind::Gated, Kind::Plain})
    checkRandom({.kind = kind,
                 .neurons = 37,
                 .features = 33,
                 .first = 0,
                 .last = 37,
                 .perTile = 5,
                 .type = Dtype::F16,
                 .traced = false},
                seed++);
}

TEST(Neurons, PartsOfABundle) {
  uint64_t seed = 100;
  for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
    for (Store store : {Store::UpDown, Store::Bundle})
      for (int64_t features : {24, 100, 1200}) // the last is longer than what is read ahead
        checkRandom({Kind::Gated, 41, features, 2, 40, 8, type, 3, store}, seed++);
  checkRandom({Kind::Gated, 16, 2100, 0, 16, 4, Dtype::F16, 2, Store::Bundle}, seed++);
}

TEST(Neurons, Avx512) {
  if (!hostHasAvx512())
    GTEST_SKIP() << "no AVX-512";
  checkRandom({Kind::Gated, 64, 200, 0, 64, 16, Dtype::F16, 5, Store::Apart, 512}, 1);
  checkRandom({Kind::Gated, 40, 1300, 0, 40, 16, Dtype::BF16, 3, Store::Bundle, 512}, 2);
  checkRandom({Kind::Bias, 30, 77, 3, 29, 7, Dtype::F32, 2, Store::Apart, 512, false}, 3);
}

TEST(Neurons, RandomShapes) {
  std::mt19937_64 random(4711);
  auto up = [&](int64_t limit) { return 1 + static_cast<int64_t>(random() % limit); };
  for (int i = 0; i < 15; ++i) {
    NeuronsCase c{static_cast<Kind>(random() % 3),  up(90), up(300), 0, 0, up(20),
                  static_cast<Dtype>(random() % 3), up(9)};
    c.first = static_cast<int64_t>(random() % c.neurons);
    c.last = c.first + up(c.neurons - c.first);
    if (c.isGated())
      c.store = static_cast<Store>(random() % 3);
    checkRandom(c, 1000 + i);
  }
}

// Which rows are active decides nothing but the sums: none, all, those of one segment,
// the first or the last alone.
TEST(Neurons, WhereTheActiveRowsLie) {
  for (Kind kind : {Kind::Gated, Kind::Plain})
    for (int pattern = 0; pattern < 5; ++pattern) {
      SCOPED_TRACE(pattern);
      NeuronsCase c{kind, 48, 70, 0, 48, 8, Dtype::F16, 5};
      std::mt19937_64 random(pattern);
      NeuronsBuffers b(c);
      b.fillRandom(random);
      std::vector<int64_t> active;
      for (int64_t row = 0; row < c.neurons; ++row) {
        bool isActive = pattern == 1 || (pattern == 2 && row / c.perTile == 3) ||
                        (pattern == 3 && row == 0) || (pattern == 4 && row == 47);
        setActive(c, b, row, isActive);
        if (isActive)
          active.push_back(row);
      }
      checkExact(c, b);
      EXPECT_EQ(b.listed(c.perTile), active);
      if (active.empty())
        for (double value : b.partial.toDoubles())
          EXPECT_EQ(value, 0);
      std::vector<int64_t> everything(c.neurons);
      for (int64_t row = 0; row < c.neurons; ++row)
        everything[row] = row;
      checkPredicted(c, b, everything); // the gate leaves rows out
      checkPredicted(c, b, {});
    }
}

// The activations of a row have the same bits in any grouping and any tiling.
TEST(Neurons, ActivationsDoNotDependOnTheGroup) {
  std::vector<float> acts, traces;
  for (int split = 0; split < 4; ++split) {
    NeuronsCase c{
        Kind::Gated,         45,         150,      split == 1 ? 7 : 0, split == 2 ? 31 : 45,
        split == 3 ? 45 : 6, Dtype::F16, split + 1};
    std::mt19937_64 random(5);
    NeuronsBuffers all({Kind::Gated, 45, 150, 0, 45, 6, Dtype::F16});
    all.fillRandom(random);
    NeuronsBuffers b(c);
    for (auto [from, to] :
         {std::pair(&all.x, &b.x), {&all.a, &b.a}, {&all.b, &b.b}, {&all.d, &b.d}})
      memcpy(to->data(), from->data(), from->getNumBytes());
    checkExact(c, b);
    std::vector<float> byRow(c.neurons, -1);
    for (int64_t s = 0; s < c.segments(); ++s)
      for (int64_t k = s * c.perTile; k < s * c.perTile + b.counts.get(s); ++k)
        byRow[b.id(k)] = b.acts.get(k);
    if (split == 0)
      acts = byRow;
    for (int64_t row = c.first; row < c.last; ++row) {
      EXPECT_EQ(byRow[row], acts[row]) << split << " " << row;
      if (split == 0)
        traces.push_back(b.trace.get(kTraceFirst + row));
      EXPECT_EQ(b.trace.get(kTraceFirst + row), traces[row]) << split << " " << row;
    }
  }
}

// As in a dense sum: where a factor is NaN, so is the result.
TEST(Neurons, NanReachesTheOutput) {
  const float nan = std::nanf("");
  for (Kind kind : {Kind::Gated, Kind::Plain, Kind::Bias})
    for (bool predicted : {false, true})
      for (int place = 0; place < 4; ++place) { // x, the tested row, bias or up, down
        SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + ", " + std::to_string(place));
        NeuronsCase c{kind, 16, 40, 0, 16, 8, Dtype::F32, 1};
        std::mt19937_64 random(11);
        NeuronsBuffers b(c);
        b.fillRandom(random);
        const int64_t row = 3;
        setActive(c, b, row, true);
        b.bias.set(row, 1.0f);
        if (place == 0)
          b.x.set(5, nan);
        else if (place == 1)
          b.set(b.test, row, 7, nan);
        else if (place == 2 && kind == Kind::Bias)
          b.bias.set(row, nan);
        else if (place == 2)
          b.set(kind == Kind::Gated ? b.up : b.test, row, 9, nan);
        else
          b.set(b.down, row, 11, nan);
        std::vector<int64_t> everything(c.neurons);
        for (int64_t r = 0; r < c.neurons; ++r)
          everything[r] = r;
        if (predicted) {
          b.setList(everything, c.perTile);
        } else {
          auto select = CompiledProgram::create(selectText(c, b));
          ASSERT_TRUE(select);
          select->call(b.all(), 0, c.segments());
        }
        auto apply = CompiledProgram::create(applyText(c, b, predicted));
        ASSERT_TRUE(apply);
        apply->call(b.all(), 0, c.tiles);
        for (int64_t f = 0; f < c.features; ++f)
          EXPECT_EQ(std::isnan(b.partial.get(f)), place != 3 || f == 11) << f;
      }
}

// A row of 1024 f32 is a page: those of inactive neurons are made inaccessible.
TEST(Neurons, InactiveRowsAreNotRead) {
  for (bool predicted : {false, true}) {
    NeuronsCase c{Kind::Gated, 24, 1024, 0, 24, 8, Dtype::F32};
    std::mt19937_64 random(10);
    NeuronsBuffers b(c);
    b.fillRandom(random);
    std::vector<int64_t> everything(c.neurons);
    for (int64_t row = 0; row < c.neurons; ++row) {
      everything[row] = row;
      setActive(c, b, row, row % 3 == 0);
    }
    auto select = CompiledProgram::create(selectText(c, b));
    auto apply = CompiledProgram::create(applyText(c, b, predicted));
    ASSERT_TRUE(select && apply);
    const size_t rowBytes = 4096;
    auto protect = [&](int access) {
      for (int64_t r = 0; r < c.neurons; ++r)
        for (const Part &part : {b.up, b.down})
          if (r % 3 != 0)
            mprotect(static_cast<char *>(part.weight->data()) + r * rowBytes, rowBytes, access);
    };
    protect(PROT_NONE);
    select->call(b.all(), 0, 3);
    if (predicted)
      b.setList(everything, c.perTile);
    apply->call(b.all(), 0, c.tiles);
    protect(PROT_READ);
    compareSums(c, b, b.listed(c.perTile));
  }
}
