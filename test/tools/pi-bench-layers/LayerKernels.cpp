//===- LayerKernels.cpp - The kernels of one feed-forward layer, compiled -===//

#include "test/tools/pi-bench-layers/LayerKernels.h"

#include "compiler/Conversion/NeuronToPlan/Tiling.h"

#include <utility>
#include <vector>

using namespace pi::bench;
using pi::test::CompiledProgram;

std::string LayerShape::name() const {
  return std::to_string(hidden) + "x" + std::to_string(neurons) + (isGated ? "" : ":plain");
}

static int64_t tilesOf(int64_t count, int64_t perTile) { return (count + perTile - 1) / perTile; }

static std::string memref(int64_t rows, int64_t columns, const char *type) {
  return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
}
static std::string memref(int64_t elements, const char *type) {
  return "memref<" + std::to_string(elements) + "x" + type + ">";
}

static const char *const kIdentity = " {\n^bb0(%sum: f32):\nplan.yield %sum : f32\n}";
static const char *const kRelu = " {\n^bb0(%pre: f32):\n%zero = arith.constant 0.0 : f32\n"
                                 "%r = arith.maximumf %pre, %zero : f32\nplan.yield %r : f32\n}";
static const char *const kTiles = " tiles(%begin to %end)";

namespace {
/// Texts of the kernels of one shape.
struct Texts {
  Texts(const LayerShape &shape, LayerKernels &kernels, int64_t vectorBits)
      : shape(shape), kernels(kernels), vectorBits(vectorBits), n(shape.neurons), h(shape.hidden),
        x(memref(1, h, "f32")), ids(memref(n, "i32")), acts(memref(n, "f32")),
        counts(memref(kernels.segments, "f32")) {}

  std::string dense() const;
  std::string predicted() const;
  std::string select() const;
  std::string apply() const;
  std::string reduce() const;

  std::string module(const std::vector<std::string> &types, const std::string &body) const {
    return pi::test::makeModuleText(types, body, vectorBits);
  }
  std::string segment() const { return " per_segment " + std::to_string(kernels.perSegment); }
  std::string from(int64_t part) const { return " from " + std::to_string(part * h); }
  std::string partial() const { return memref(kernels.apply.tiles, h, "f32"); }

  const LayerShape &shape;
  const LayerKernels &kernels;
  int64_t vectorBits, n, h;
  std::string x, ids, acts, counts;
};
} // namespace

std::string Texts::dense() const {
  int64_t rows = shape.parts() * n;
  std::string weight = memref(rows, h, "f16"), y = memref(1, rows, "f32");
  return module({x, weight, y}, "plan.matvec %arg1, %arg0 -> %arg2" + std::string(kTiles) +
                                    " first 0 per_tile " +
                                    std::to_string(pi::matvecRowsPerTile(rows)) + kIdentity +
                                    " : " + weight + ", " + x + " -> " + y);
}

std::string Texts::predicted() const {
  std::string bundle = memref(n, shape.parts() * h, "f16");
  std::string up = shape.isGated ? " up %arg1" + from(1) : "";
  std::string upType = shape.isGated ? " up " + bundle : "";
  return module({x, bundle, ids, counts, partial()},
                "plan.apply list(%arg2, %arg3)" + segment() + " input %arg0 gate %arg1" + up +
                    " down %arg1" + from(shape.parts() - 1) + " -> %arg4" + kTiles + kRelu + " : " +
                    ids + ", " + counts + " input " + x + " gate " + bundle + upType + " down " +
                    bundle + " -> " + partial());
}

std::string Texts::select() const {
  std::string weight = memref(n, h, "f16");
  return module({x, weight, acts, ids, acts, counts},
                "plan.select %arg0, %arg1 bias %arg2 -> %arg3, %arg4, %arg5 rows(0 to " +
                    std::to_string(n) + ")" + kTiles + " per_tile " +
                    std::to_string(kernels.perSegment) + kRelu + " : " + x + ", " + weight +
                    " bias " + acts + " -> " + ids + ", " + acts + ", " + counts);
}

std::string Texts::apply() const {
  std::string weight = memref(n, (shape.parts() - 1) * h, "f16");
  std::string up = shape.isGated ? " input %arg0 up %arg1" : "";
  std::string upType = shape.isGated ? " input " + x + " up " + weight : "";
  return module({x, weight, ids, acts, counts, partial()},
                "plan.apply list(%arg2, %arg4, %arg3)" + segment() + up + " down %arg1" +
                    from(shape.parts() - 2) + " -> %arg5" + kTiles + " : " + ids + ", " + counts +
                    ", " + acts + upType + " down " + weight + " -> " + partial());
}

std::string Texts::reduce() const {
  return module({partial(), x}, "plan.reduce %arg0 -> %arg1" + std::string(kTiles) + " per_tile " +
                                    std::to_string(pi::kColumnsPerTile) + kIdentity + " : " +
                                    partial() + " -> " + x);
}

std::unique_ptr<LayerKernels> LayerKernels::compile(const LayerShape &shape, int64_t vectorBits) {
  auto kernels = std::make_unique<LayerKernels>();
  LayerKernels &k = *kernels;
  int64_t rows = shape.parts() * shape.neurons;
  k.perSegment = neuronsPerTile(shape.neurons);
  k.segments = tilesOf(shape.neurons, k.perSegment);
  k.dense.tiles = tilesOf(rows, matvecRowsPerTile(rows));
  k.predicted.tiles = k.apply.tiles = applyTiles(shape.neurons);
  k.select.tiles = k.segments;
  k.reduce.tiles = tilesOf(shape.hidden, kColumnsPerTile);
  Texts texts(shape, k, vectorBits);
  std::pair<LayerKernel *, std::string> all[] = {{&k.dense, texts.dense()},
                                                 {&k.predicted, texts.predicted()},
                                                 {&k.select, texts.select()},
                                                 {&k.apply, texts.apply()},
                                                 {&k.reduce, texts.reduce()}};
  for (auto &[kernel, text] : all)
    if (!(kernel->program = CompiledProgram::create(text)))
      return nullptr;
  return kernels;
}
