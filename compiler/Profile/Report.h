//===- Report.h - A profile as one HTML page -===//

#ifndef PI_COMPILER_PROFILE_REPORT_H
#define PI_COMPILER_PROFILE_REPORT_H

#include "compiler/Profile/Profile.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pi {

/// Where a plan puts one layer.
struct ReportPlacementRow {
  uint32_t layer = 0;
  std::string attention; ///< its place, such as "gpu"
  uint64_t hotRows = 0;  ///< neurons on the device
  uint64_t coldRows = 0; ///< neurons on the CPU
  double coverage = 0;   ///< share of activations that the hot rows have, [0, 1]
  uint64_t deviceBytes = 0;
  double cpuUs = 0; ///< predicted time of a token in this layer
  double gpuUs = 0; ///< likewise
};

/// A name and its value, as they are printed.
using ReportFact = std::pair<std::string, std::string>;

/// What the page says beside the profile. All texts are UTF-8 and are escaped.
struct ReportExtras {
  std::string title;                         ///< such as the model's name
  std::vector<ReportFact> modelFacts;        ///< first in the list of facts
  std::vector<ReportFact> placementFacts;    ///< budget, predicted speed and so on
  std::vector<ReportPlacementRow> placement; ///< empty: the page says that no plan was given
};

/// Writes a page that needs no network and no script: facts, charts over all layers, for
/// each layer the curve of sorted hotness with the share of neurons for 80, 90 and 95 % of
/// the activations and its sparsity, a table of these, the placement. The profile must
/// pass checkProfile. Same input, same bytes.
void writeReport(const Profile &profile, const ReportExtras &extras, llvm::raw_ostream &os);

} // namespace pi

#endif // PI_COMPILER_PROFILE_REPORT_H
