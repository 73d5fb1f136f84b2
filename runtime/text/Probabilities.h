//===- Probabilities.h - What the final logits mean -------------*- C++ -*-===//
// Log-softmax, the largest and the largest few of one row of logits. The only
// place of the runtime that computes a softmax.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_PROBABILITIES_H
#define PI_RUNTIME_TEXT_PROBABILITIES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pi::text {

/// Natural logarithm of softmax(logits)[id]. `logits`: [vocab] f32, id < vocab;
/// summed in double, in order. NaN where a logit is NaN or +infinity. O(vocab).
double logProbability(const float *logits, size_t vocab, size_t id);

/// exp((logit - largest) / temperature): how likely a logit is, relative to the largest
/// one. 1 where they are equal, 0 for -infinity. largest finite, temperature > 0.
double relativeProbability(float logit, float largest, double temperature);

/// The id of the largest logit, the lowest of equal ones; -1 if any is NaN or there
/// is none. O(vocab), no allocation.
int32_t argmax(const float *logits, size_t vocab);

/// The ids of the `count` largest logits, largest first, equal ones by id; NaN
/// comes last. All of them if `count` >= vocab. O(vocab + count log count).
void topIds(const float *logits, size_t vocab, size_t count, std::vector<int32_t> &out);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_PROBABILITIES_H
