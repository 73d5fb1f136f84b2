//===- Sampler.h - Chooses the next token -----------------------*- C++ -*-===//
// From one row of logits to one token id: repeat penalty, top-k, top-p, min-p,
// temperature, draw; in that order, as llama-cli does by default. Depends on its
// arguments alone: no clock, no global state.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_SAMPLER_H
#define PI_RUNTIME_TEXT_SAMPLER_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace pi::text {

/// The defaults are those of llama-cli.
struct SamplerSettings {
  double temperature = 0.8;   ///< 0: the likeliest token, without a draw
  int64_t topK = 40;          ///< keep the k largest logits; 0 or less: all
  double topP = 0.95;         ///< keep the fewest tokens whose probabilities add up to p; 1: all
  double minP = 0.05;         ///< keep tokens at least minP times as likely as the likeliest
  double repeatPenalty = 1.0; ///< > 0; 1: none
  int64_t repeatLastN = 64;   ///< tokens that are looked back at; 0: none
};

/// Keeps the tokens it has seen and the state of its random numbers. The same settings,
/// seed and logits give the same ids everywhere. Nothing is allocated after the
/// constructor.
class Sampler {
public:
  /// A token that may be drawn.
  struct Candidate {
    int32_t id;
    float logit;   ///< after the repeat penalty
    double weight; ///< likelihood relative to the likeliest token's
  };

  /// For rows of `vocab` logits. Memory: 16 bytes per token that top-k leaves, and with
  /// a repeat penalty 8 per token of the vocabulary and 4 per token looked back at.
  Sampler(const SamplerSettings &settings, size_t vocab, uint64_t seed);

  /// Notes a token of the text, of the prompt or generated, for the repeat penalty.
  void accept(int32_t id);

  /// Forgets the tokens noted; random numbers go on.
  void forget();

  /// Chooses from `logits`, [vocab] f32. Ties are broken by the lower id. -1 if a logit
  /// is NaN or +infinity, or none is finite; -infinity is never drawn. O(vocab) plus the
  /// sorting of what is kept: top-p sorts no further than it needs.
  int32_t choose(const float *logits);

  /// What the last choose() chose from; weights are those at the temperature.
  const std::vector<Candidate> &candidates() const { return kept; }

private:
  bool penalises() const { return lastN > 0; }
  const float *penalise(const float *logits);
  double keepAll(const float *logits, float largest);
  double keepTopK(const float *logits, float largest);
  void keepTopP(double total);
  void keepMinP();
  int32_t draw(float largest);

  SamplerSettings settings;
  size_t vocab;
  size_t lastN; // tokens looked back at; 0: no penalty
  std::mt19937_64 random;
  std::vector<Candidate> kept;
  std::vector<float> adjusted;  // [vocab]
  std::vector<uint32_t> stamps; // [vocab]: the round that has penalised a token
  std::vector<int32_t> recent;  // ring of the last `lastN` tokens
  size_t recentNext = 0;        // where the next one goes
  uint32_t round = 0;
};

/// A number in [0, 1) with 53 bits, the same on every machine.
double uniform(std::mt19937_64 &random);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_SAMPLER_H
