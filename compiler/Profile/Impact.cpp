//===- Impact.cpp - Which neurons matter, as a profile says -===//

#include "compiler/Profile/Impact.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

using namespace pi;

std::vector<double> pi::getFrequency(const LayerProfile &layer, uint64_t tokens) {
  std::vector<double> result(layer.neurons());
  for (size_t n = 0; n < result.size() && tokens > 0; ++n)
    result[n] = double(layer.counts[n]) / double(tokens);
  return result;
}

std::vector<double> pi::getContribution(const LayerProfile &layer) {
  std::vector<double> result(layer.neurons());
  for (size_t n = 0; n < result.size(); ++n)
    result[n] = double(layer.mass[n]) / kMassUnits *
                (layer.downNorms.empty() ? 1.0 : double(layer.downNorms[n]));
  return result;
}

template <typename T> static std::vector<uint32_t> sortDescending(llvm::ArrayRef<T> values) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  return order;
}

std::vector<uint32_t> pi::sortByHotness(llvm::ArrayRef<double> impact) {
  return sortDescending(impact);
}

std::vector<uint32_t> pi::sortByHotness(llvm::ArrayRef<uint64_t> counts) {
  return sortDescending(counts);
}

/// Sums of the k greatest counts, [neurons + 1]; exact up to 2^64.
static std::vector<long double> sumGreatest(llvm::ArrayRef<uint64_t> counts) {
  std::vector<uint64_t> sorted(counts.begin(), counts.end());
  llvm::sort(sorted, std::greater<>());
  std::vector<long double> sums(1, 0);
  for (uint64_t count : sorted)
    sums.push_back(sums.back() + static_cast<long double>(count));
  return sums;
}

std::vector<double> pi::getCoverageCurve(llvm::ArrayRef<uint64_t> counts) {
  std::vector<long double> sums = sumGreatest(counts);
  std::vector<double> curve;
  for (long double sum : sums)
    curve.push_back(sums.back() > 0 ? double(sum / sums.back()) : 1.0);
  return curve;
}

size_t pi::countForCoverage(llvm::ArrayRef<uint64_t> counts, double share) {
  std::vector<double> curve = getCoverageCurve(counts);
  return std::min<size_t>(llvm::lower_bound(curve, share) - curve.begin(), counts.size());
}

double pi::getSparsity(const LayerProfile &layer, uint64_t tokens) {
  if (tokens == 0 || layer.neurons() == 0)
    return std::numeric_limits<double>::quiet_NaN();
  long double active = std::accumulate(layer.counts.begin(), layer.counts.end(), 0.0L);
  return double(1 - active / (static_cast<long double>(tokens) * layer.neurons()));
}

HotnessSummary pi::summarise(const LayerProfile &layer, uint64_t tokens) {
  HotnessSummary summary;
  summary.layer = layer.layer;
  summary.neurons = layer.neurons();
  summary.sparsity = getSparsity(layer, tokens);
  std::vector<double> curve = getCoverageCurve(layer.counts);
  for (auto [percent, covering] : llvm::zip_equal(kCoverages, summary.covering))
    covering = llvm::lower_bound(curve, percent / 100.0) - curve.begin();
  summary.never = llvm::count(layer.counts, 0u);
  uint64_t most = *llvm::max_element(layer.counts);
  summary.hottest = tokens ? double(most) / double(tokens) : 0;
  return summary;
}
