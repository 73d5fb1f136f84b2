//===- Report.h - Settings as a table or JSON -*- C++ -*-===//

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_REPORT_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_REPORT_H

#include "test/tools/pi-bench-layers/Measure.h"

#include <string>
#include <vector>

namespace pi::bench {

/// Two tables: what the machine does, then a row per work.
std::string toMarkdown(const MeasureOptions &options, const std::vector<Setting> &settings);

/// `[{"shape","cpu","threads","read_gbs","convert_gbs","rows":[{"work","active_percent",
/// "gbs","gbs_median","ratio","ratio_median","ms","time_per_row"}]}]`.
std::string toJson(const std::vector<Setting> &settings);

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_REPORT_H
