//===- Measure.h - Layers against what the machine can do -*- C++ -*-===//

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_MEASURE_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_MEASURE_H

#include "test/tools/pi-bench-layers/LayerKernels.h"
#include "test/tools/pi-bench-layers/Steps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi::bench {

struct MeasureOptions {
  std::vector<LayerShape> shapes;
  std::vector<int64_t> vectorBits;   ///< 256, 512
  std::vector<uint32_t> threads;     ///< ascending
  std::vector<double> activePercent; ///< descending, of (0, 100]
  int64_t repeats = 9;
  int64_t poolBytes = 0; ///< weights of as many layers as this takes; at least one layer
  ClockKind clock = ClockKind::Wall;
};

/// One kind of work in one setting: a sample per repeat.
struct Series {
  std::string work;         ///< `dense`, `rows read`, `sparse`, `gate+sparse`
  double activePercent = 0; ///< of sparse work; dense: 100
  double bytes = 0;         ///< of weights, per repeat
  double activeRows = 0;    ///< per repeat
  std::vector<double> seconds;
  std::vector<double> readSeconds; ///< of reading the pool right before

  double bestGbs() const;
  double medianGbs() const;
};

/// What was measured of one shape with one number of threads and one vector width.
struct Setting {
  LayerShape shape;
  int64_t vectorBits = 0;
  uint32_t threads = 0;
  Series read, convert; ///< all samples
  std::vector<Series> works;

  /// Best of `work` against the lower of the machine's two rates, each the best of as many
  /// samples, taken in turns.
  double bestRatio(const Series &work) const;
  /// Median over repeats of the ratio to the lower of the two right before.
  double medianRatio(const Series &work) const;
  /// Time per active row against that of the same work at 100 %, best repeats; 0 where 100 %
  /// was not measured.
  double timePerRow(const Series &work) const;
};

/// Measures every setting; `progress` is told what begins. False after an error on stderr.
bool measure(const MeasureOptions &options, void (*progress)(const std::string &what),
             std::vector<Setting> &out);

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_MEASURE_H
