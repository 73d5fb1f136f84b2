//===- Probabilities.cpp - What the final logits mean ---------------------===//

#include "runtime/text/Probabilities.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pi::text {

double logProbability(const float *logits, size_t vocab, size_t id) {
  float largest = logits[0];
  for (size_t i = 1; i < vocab; ++i)
    largest = logits[i] > largest ? logits[i] : largest;
  double sum = 0;
  for (size_t i = 0; i < vocab; ++i)
    sum += std::exp(double(logits[i]) - largest);
  return double(logits[id]) - largest - std::log(sum);
}

double relativeProbability(float logit, float largest, double temperature) {
  return std::exp((double(logit) - double(largest)) / temperature);
}

int32_t argmax(const float *logits, size_t vocab) {
  if (vocab == 0)
    return -1;
  size_t best = 0;
  for (size_t i = 0; i < vocab; ++i) {
    if (std::isnan(logits[i]))
      return -1;
    best = logits[i] > logits[best] ? i : best;
  }
  return static_cast<int32_t>(best);
}

void topIds(const float *logits, size_t vocab, size_t count, std::vector<int32_t> &out) {
  out.resize(vocab);
  for (size_t i = 0; i < vocab; ++i)
    out[i] = static_cast<int32_t>(i);
  auto before = [&](int32_t a, int32_t b) {
    bool aNan = std::isnan(logits[a]), bNan = std::isnan(logits[b]);
    if (aNan != bNan)
      return bNan;
    if (!aNan && logits[a] != logits[b])
      return logits[a] > logits[b];
    return a < b;
  };
  count = std::min(count, vocab);
  std::nth_element(out.begin(), out.begin() + static_cast<ptrdiff_t>(count), out.end(), before);
  out.resize(count);
  std::sort(out.begin(), out.end(), before);
}

} // namespace pi::text
