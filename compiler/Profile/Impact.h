//===- Impact.h - Which neurons matter, as a profile says -===//
// Pure functions of the counts of one layer. No MLIR.

#ifndef PI_COMPILER_PROFILE_IMPACT_H
#define PI_COMPILER_PROFILE_IMPACT_H

#include "compiler/Profile/Profile.h"

namespace pi {

/// Share of the tokens at which each neuron is active, [neurons], in [0, 1]; zeros where
/// there are no tokens.
std::vector<double> getFrequency(const LayerProfile &layer, uint64_t tokens);

/// What each neuron adds to the block's output, [neurons]: the sum of its |activation|
/// times the norm of its row of down (1 where the profile has no norms).
std::vector<double> getContribution(const LayerProfile &layer);

/// The neurons, hottest first: descending by `impact` [neurons], ties by index.
std::vector<uint32_t> sortByHotness(llvm::ArrayRef<double> impact);
std::vector<uint32_t> sortByHotness(llvm::ArrayRef<uint64_t> counts);

/// Element k, of [neurons + 1], is the share of all activations that the k most often
/// active neurons have. All ones where nothing was active: then nothing is missed.
std::vector<double> getCoverageCurve(llvm::ArrayRef<uint64_t> counts);

/// The fewest neurons that have at least `share`, in [0, 1], of all activations.
size_t countForCoverage(llvm::ArrayRef<uint64_t> counts, double share);

/// Mean share of neurons that are not active at a token; NaN where there are no tokens.
double getSparsity(const LayerProfile &layer, uint64_t tokens);

} // namespace pi

#endif // PI_COMPILER_PROFILE_IMPACT_H
