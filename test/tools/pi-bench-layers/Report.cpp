//===- Report.cpp - Settings as a table or JSON -===//

#include "test/tools/pi-bench-layers/Report.h"

#include "runtime/main/Json.h"

#include <algorithm>
#include <cstdio>

using namespace pi;
using namespace pi::bench;

static const char *cpuOf(const Setting &setting) {
  return setting.vectorBits == 512 ? "x86-64-v4" : "x86-64-v3";
}

static double bestMilliseconds(const Series &series) {
  return *std::min_element(series.seconds.begin(), series.seconds.end()) * 1e3;
}

template <typename... Args> static std::string format(const char *pattern, Args... args) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, args...);
  return line;
}

std::string pi::bench::toMarkdown(const MeasureOptions &options,
                                  const std::vector<Setting> &settings) {
  std::string text = "| shape | cpu | threads | read GB/s | f16-convert GB/s |\n"
                     "| --- | --- | --: | --: | --: |\n";
  for (const Setting &s : settings)
    text += format("| %s | %s | %u | %.2f | %.2f |\n", s.shape.name().c_str(), cpuOf(s), s.threads,
                   s.read.bestGbs(), s.convert.bestGbs());
  text += "\n| shape | cpu | threads | work | active % | GB/s | ratio | median ratio | ms "
          "| time per row |\n"
          "| --- | --- | --: | --- | --: | --: | --: | --: | --: | --: |\n";
  for (const Setting &s : settings)
    for (const Series &w : s.works)
      text += format("| %s | %s | %u | %s | %g | %.2f | %.2f | %.2f | %.3f | %.2f |\n",
                     s.shape.name().c_str(), cpuOf(s), s.threads, w.work.c_str(), w.activePercent,
                     w.bestGbs(), s.bestRatio(w), s.medianRatio(w), bestMilliseconds(w),
                     s.timePerRow(w));
  return text + "\nBest of " + std::to_string(options.repeats) + " repeats, " +
         (options.clock == ClockKind::Wall ? "wall" : "CPU") +
         " time; ratio: to the lower of read and convert, read by as many\n"
         "samples taken in turns; median ratio: to the sample right before; time per row: "
         "relative\n"
         "to 100 % active; rows read: a loop by hand that reads the listed rows and computes "
         "nothing.\n";
}

std::string pi::bench::toJson(const std::vector<Setting> &settings) {
  constexpr int digits = 6;
  JsonWriter json;
  json.beginArray();
  for (const Setting &s : settings) {
    json.beginObject();
    json.key("shape").string(s.shape.name());
    json.key("cpu").string(cpuOf(s));
    json.key("threads").integer(s.threads);
    json.key("read_gbs").number(s.read.bestGbs(), digits);
    json.key("convert_gbs").number(s.convert.bestGbs(), digits);
    json.key("rows").beginArray();
    for (const Series &w : s.works) {
      json.beginObject();
      json.key("work").string(w.work);
      json.key("active_percent").number(w.activePercent, digits);
      json.key("bytes").integer(static_cast<int64_t>(w.bytes));
      json.key("gbs").number(w.bestGbs(), digits);
      json.key("gbs_median").number(w.medianGbs(), digits);
      json.key("ratio").number(s.bestRatio(w), digits);
      json.key("ratio_median").number(s.medianRatio(w), digits);
      json.key("ms").number(bestMilliseconds(w), digits);
      json.key("time_per_row").number(s.timePerRow(w), digits);
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.endArray();
  return json.text() + "\n";
}
