//===- Impact.h - Which neurons matter, as a profile says -===//
// Pure functions of the counts of one layer. No MLIR.

#ifndef PI_COMPILER_PROFILE_IMPACT_H
#define PI_COMPILER_PROFILE_IMPACT_H

#include "compiler/Profile/Profile.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

/// The shares of activations that summaries are about, in percent.
constexpr std::array<int, 3> kCoverages = {80, 90, 95};

/// One layer in a few numbers.
struct HotnessSummary {
  uint32_t layer = 0;
  uint64_t neurons = 0;
  double sparsity = 0;                                   ///< [0, 1]; NaN where there are no tokens
  std::array<uint64_t, kCoverages.size()> covering = {}; ///< fewest neurons for kCoverages
  uint64_t never = 0;                                    ///< neurons that were not active at all
  double hottest = 0;                                    ///< share of tokens of the hottest neuron

  double coveringShare(size_t i) const { return double(covering[i]) / double(neurons); }
};

/// Summarises one layer; O(neurons log neurons).
HotnessSummary summarise(const LayerProfile &layer, uint64_t tokens);

} // namespace pi

#endif // PI_COMPILER_PROFILE_IMPACT_H
