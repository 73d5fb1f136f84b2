//===- Measure.cpp - Layers against what the machine can do -===//

#include "test/tools/pi-bench-layers/Measure.h"

#include "test/tools/pi-bench-layers/LayerData.h"
#include "test/tools/pi-bench-layers/Reference.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace pi;
using namespace pi::bench;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

static double leastOf(const std::vector<double> &values) {
  return *std::min_element(values.begin(), values.end());
}

double Series::bestGbs() const { return bytes / leastOf(seconds) * 1e-9; }
double Series::medianGbs() const { return bytes / median(seconds) * 1e-9; }

double Setting::bestRatio(const Series &work) const {
  double bound = std::min(read.bytes / leastOf(work.readSeconds) * 1e-9, convert.bestGbs());
  return work.bestGbs() / bound;
}

double Setting::medianRatio(const Series &work) const {
  std::vector<double> ratios;
  for (size_t i = 0; i < work.seconds.size(); ++i)
    ratios.push_back(work.bytes / work.seconds[i] /
                     std::min(read.bytes / work.readSeconds[i], convert.medianGbs() * 1e9));
  return median(ratios);
}

double Setting::timePerRow(const Series &work) const {
  for (const Series &all : works)
    if (all.work == work.work && all.activePercent == 100)
      return leastOf(work.seconds) / work.activeRows / (leastOf(all.seconds) / all.activeRows);
  return 0;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static int64_t rowsOf(const LayerShape &shape, double percent) {
  auto rows =
      static_cast<int64_t>(std::llround(static_cast<double>(shape.neurons) * percent / 100));
  return std::clamp<int64_t>(rows, 1, shape.neurons);
}

/// The series of a setting, still empty: dense, then all kinds of sparse at each level.
static void prepare(Setting &setting, const MeasureOptions &options, const LayerData &data) {
  const LayerShape &shape = setting.shape;
  auto layers = static_cast<double>(data.layers());
  auto rowBytes = static_cast<double>(shape.rowBytes());
  double all = layers * static_cast<double>(shape.neurons);
  double parts = static_cast<double>(shape.parts());
  setting.works.push_back({"dense", 100, all * parts * rowBytes, all, {}, {}});
  for (double percent : options.activePercent) {
    double active = layers * static_cast<double>(rowsOf(shape, percent));
    for (const char *work : {"rows read", "sparse"})
      setting.works.push_back({work, percent, active * parts * rowBytes, active, {}, {}});
    setting.works.push_back(
        {"gate+sparse", percent, (all + active * (parts - 1)) * rowBytes, active, {}, {}});
  }
}

/// Seconds of reading the pool: wider vectors do not always read faster, so the best.
static double sampleRead(Setting &setting, LayerData &data, Team &team, ClockKind clock) {
  double best = 0;
  for (int64_t bits = 256; bits <= setting.vectorBits; bits *= 2) {
    double seconds = runSteps(team, data.read(bits), clock);
    best = best == 0 ? seconds : std::min(best, seconds);
  }
  setting.read.seconds.push_back(best);
  return best;
}

static std::vector<Step> stepsOf(const Series &work, LayerData &data, const LayerKernels &kernels) {
  if (work.work == "dense")
    return data.dense(kernels);
  if (work.work == "rows read")
    return data.rows();
  return work.work == "sparse" ? data.sparse(kernels) : data.gateAndSparse(kernels);
}

/// One sample of every series. The pool is read before each work, so that caches hold none
/// of what comes next.
static bool sample(Setting &setting, const LayerKernels &kernels, LayerData &data, Team &team,
                   ClockKind clock, std::mt19937_64 &random) {
  for (Series &work : setting.works) {
    int64_t rows = rowsOf(setting.shape, work.activePercent);
    if (work.work == "rows read")
      data.makeLists(kernels, rows, random);
    setting.convert.seconds.push_back(runSteps(team, data.convert(setting.vectorBits), clock));
    work.readSeconds.push_back(sampleRead(setting, data, team, clock));
    data.touchLists();
    work.seconds.push_back(runSteps(team, stepsOf(work, data, kernels), clock));
    if (work.work == "gate+sparse" && !data.isListed(rows)) {
      llvm::errs() << "error: plan.select did not list the active rows\n";
      return false;
    }
  }
  return true;
}

static bool measureShape(const MeasureOptions &options, const LayerShape &shape, LayerData &data,
                         int64_t bits, std::vector<Setting> &out,
                         void (*progress)(const std::string &)) {
  std::unique_ptr<LayerKernels> kernels = LayerKernels::compile(shape, bits);
  if (!kernels)
    return false;
  for (uint32_t threads : options.threads) {
    progress(shape.name() + ", " + std::to_string(bits) + " bits, " + std::to_string(threads) +
             " threads");
    Team team(threads);
    Setting setting{shape, bits, threads, {}, {}, {}};
    setting.read.bytes = static_cast<double>(data.read(bits)[0].tiles * kReferenceTileBytes);
    setting.convert.bytes = static_cast<double>(data.convert(bits)[0].tiles * kReferenceTileBytes);
    prepare(setting, options, data);
    std::mt19937_64 random(1);
    for (int64_t repeat = 0; repeat < options.repeats; ++repeat)
      if (!sample(setting, *kernels, data, team, options.clock, random))
        return false;
    out.push_back(std::move(setting));
  }
  return true;
}

bool pi::bench::measure(const MeasureOptions &options, void (*progress)(const std::string &),
                        std::vector<Setting> &out) {
  for (const LayerShape &shape : options.shapes) {
    LayerData data;
    if (!data.allocate(shape, options.poolBytes, options.threads.back())) {
      llvm::errs() << "error: no memory for a layer of " << shape.name() << "\n";
      return false;
    }
    for (int64_t bits : options.vectorBits)
      if (!measureShape(options, shape, data, bits, out, progress))
        return false;
  }
  return true;
}
