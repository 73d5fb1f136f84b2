//===- Sampler.cpp - Chooses the next token -------------------------------===//

#include "runtime/text/Sampler.h"

#include "runtime/text/Probabilities.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace pi::text {

/// The order of candidates: likeliest first, equal ones by id.
static bool before(const Sampler::Candidate &a, const Sampler::Candidate &b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

double uniform(std::mt19937_64 &random) {
  return double(random() >> 11) * 0x1p-53; // the library's own conversion is not specified
}

Sampler::Sampler(const SamplerSettings &settings, size_t vocab, uint64_t seed)
    : settings(settings), vocab(vocab),
      lastN(settings.repeatPenalty == 1 || settings.repeatLastN < 0 ? 0
                                                                    : size_t(settings.repeatLastN)),
      random(seed) {
  bool some = settings.topK > 0 && uint64_t(settings.topK) < vocab;
  kept.reserve(settings.temperature == 0 ? 1 : some ? size_t(settings.topK) : vocab);
  if (penalises()) {
    adjusted.resize(vocab);
    stamps.resize(vocab);
    recent.reserve(lastN);
  }
}

void Sampler::accept(int32_t id) {
  if (!penalises() || id < 0 || size_t(id) >= vocab)
    return;
  if (recent.size() < lastN)
    recent.push_back(id);
  else
    recent[recentNext] = id;
  recentNext = (recentNext + 1) % lastN;
}

void Sampler::forget() {
  recent.clear();
  recentNext = 0;
}

/// The logits with those of recent tokens made less likely, each once.
const float *Sampler::penalise(const float *logits) {
  if (recent.empty())
    return logits;
  if (++round == 0) { // 2^32 tokens later: old stamps mean nothing any more
    std::fill(stamps.begin(), stamps.end(), 0);
    round = 1;
  }
  std::copy(logits, logits + vocab, adjusted.begin());
  auto penalty = float(settings.repeatPenalty);
  for (int32_t token : recent) {
    auto id = size_t(token);
    if (stamps[id] == round)
      continue;
    stamps[id] = round;
    adjusted[id] = adjusted[id] > 0 ? adjusted[id] / penalty : adjusted[id] * penalty;
  }
  return adjusted.data();
}

/// Keeps what min-p would keep; returns the sum of all weights, for top-p.
double Sampler::keepAll(const float *logits, float largest) {
  double total = 0;
  for (size_t i = 0; i < vocab; ++i) {
    double weight = relativeProbability(logits[i], largest, 1);
    total += weight;
    if (weight >= settings.minP)
      kept.push_back({int32_t(i), logits[i], weight});
  }
  return total;
}

/// Keeps the k likeliest, in order; returns the sum of their weights.
double Sampler::keepTopK(const float *logits, float largest) {
  // A heap of the best so far, the worst of them on top.
  auto count = size_t(settings.topK);
  for (size_t i = 0; i < vocab; ++i) {
    if (kept.size() == count && !(logits[i] > kept.front().logit))
      continue;
    if (kept.size() == count) {
      std::pop_heap(kept.begin(), kept.end(), before);
      kept.pop_back();
    }
    kept.push_back({int32_t(i), logits[i], 0});
    std::push_heap(kept.begin(), kept.end(), before);
  }
  std::sort_heap(kept.begin(), kept.end(), before);
  double total = 0;
  for (Candidate &candidate : kept) {
    candidate.weight = relativeProbability(candidate.logit, largest, 1);
    total += candidate.weight;
  }
  return total;
}

/// Keeps the likeliest until they hold topP of `total`, at least one. Sorts in growing
/// pieces, so that a short list out of a large vocabulary costs no full sort.
void Sampler::keepTopP(double total) {
  constexpr size_t firstPiece = 64, growth = 4;
  double wanted = settings.topP * total, sum = 0;
  auto at = [&](size_t i) { return kept.begin() + ptrdiff_t(i); };
  size_t sorted = 0;
  for (size_t piece = firstPiece; sorted < kept.size(); piece *= growth) {
    size_t end = std::min(kept.size(), sorted + piece);
    if (end < kept.size())
      std::nth_element(at(sorted), at(end), kept.end(), before);
    std::sort(at(sorted), at(end), before);
    for (; sorted < end; ++sorted) {
      sum += kept[sorted].weight;
      if (sum >= wanted) {
        kept.resize(sorted + 1);
        return;
      }
    }
  }
}

void Sampler::keepMinP() {
  auto unlikely = [&](const Candidate &candidate) { return candidate.weight < settings.minP; };
  kept.erase(std::remove_if(kept.begin(), kept.end(), unlikely), kept.end());
}

int32_t Sampler::draw(float largest) {
  double sum = 0, seen = 0;
  for (Candidate &candidate : kept) {
    candidate.weight = relativeProbability(candidate.logit, largest, settings.temperature);
    sum += candidate.weight;
  }
  double target = uniform(random) * sum;
  int32_t last = -1;
  for (const Candidate &candidate : kept) {
    if (candidate.weight > 0)
      last = candidate.id;
    seen += candidate.weight;
    if (seen > target)
      return candidate.id;
  }
  return last; // target was rounded up to the sum
}

int32_t Sampler::choose(const float *logits) {
  kept.clear();
  if (penalises())
    logits = penalise(logits);
  int32_t best = argmax(logits, vocab);
  if (best < 0 || !std::isfinite(logits[best]))
    return -1;
  float largest = logits[best];
  if (settings.temperature == 0) {
    kept.push_back({best, largest, 1});
    return best;
  }
  bool some = settings.topK > 0 && uint64_t(settings.topK) < vocab;
  double total = some ? keepTopK(logits, largest) : keepAll(logits, largest);
  if (settings.topP < 1)
    keepTopP(total);
  keepMinP();
  return draw(largest);
}

} // namespace pi::text
