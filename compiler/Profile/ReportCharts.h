//===- ReportCharts.h - The charts of a report, as inline SVG -===//

#ifndef PI_COMPILER_PROFILE_REPORTCHARTS_H
#define PI_COMPILER_PROFILE_REPORTCHARTS_H

#include "compiler/Profile/Impact.h"
#include "compiler/Profile/Profile.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <vector>

namespace pi {

/// The smallest share of tokens that a logarithmic axis shows: a power of ten, at most
/// one of the tokens, from 1e-5 to 1e-2.
double chooseFloor(uint64_t tokens);

/// Frequency of the neurons, hottest first, on a logarithmic axis from `floor`; coloured
/// by the shares of activations.
void drawHotness(const LayerProfile &layer, const HotnessSummary &summary, uint64_t tokens,
                 double floor, llvm::raw_ostream &os);

/// A bar for each layer: the mean share of neurons that are active, 1 - sparsity.
void drawActive(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os);

/// A bar for each layer: neurons for 80, 90 and 95 % of the activations, on each other.
void drawShares(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os);

} // namespace pi

#endif // PI_COMPILER_PROFILE_REPORTCHARTS_H
