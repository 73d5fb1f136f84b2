//===- Profile.h - How often neurons are active, and how strongly -===//
// What a profile run counted, in integers, so that the order of merging cannot matter.
// Files are in ProfileFile.h, what follows from the counts in Impact.h. No MLIR.

#ifndef PI_COMPILER_PROFILE_PROFILE_H
#define PI_COMPILER_PROFILE_PROFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pi {

/// Units of LayerProfile::mass in an activation of 1.
constexpr double kMassUnits = 1 << 24;

/// The neurons of one feed-forward block.
struct LayerProfile {
  uint32_t layer = 0;           ///< index in the model
  uint32_t hidden = 0;          ///< width of the block's input
  std::vector<uint64_t> counts; ///< [neurons], tokens at which the activation was > 0
  std::vector<uint64_t> mass;   ///< [neurons], sum of |activation| in 1 / kMassUnits
  std::vector<float> downNorms; ///< [neurons], L2 norm of the neuron's row of down; may be empty

  size_t neurons() const { return counts.size(); }
  /// Bytes of this layer's mask in a sample.
  size_t maskBytes() const { return (neurons() + 7) / 8; }
};

/// All blocks' inputs and active neurons at one position of one sequence.
struct ProfileSample {
  uint64_t priority = 0;      ///< hash of seed, sequence and position; the smallest are kept
  uint64_t sequence = 0;      ///< index in the whole run, not in the shard
  uint64_t position = 0;      ///< in the sequence, bos is 0
  std::vector<float> inputs;  ///< [sum of hidden], layer after layer as in Profile::layers
  std::vector<uint8_t> masks; ///< [sum of maskBytes], neuron n is bit n % 8 of byte n / 8
};

/// Counts of some shards of one run over one model. Fields up to `layers` (but `tokens`,
/// `shards` and `interrupted`) say which run it was: only profiles of one run merge.
struct Profile {
  uint64_t fingerprint = 0; ///< of the model
  std::string source;       ///< "self-sampled", or the corpora's names without folders
  uint64_t sourceHash = 0;  ///< of the corpora's bytes; 0 where the model wrote the text
  uint64_t seed = 0;        ///< of sampling and of the samples' priorities
  uint64_t tokenGoal = 0;   ///< tokens that all shards together shall see; 0: all there are
  uint32_t window = 0;      ///< positions of a sequence at most, bos counted
  uint32_t sampleLimit = 0; ///< samples that are kept
  uint32_t shardCount = 1;  ///< shards of the run

  std::vector<uint32_t> shards = {0}; ///< those that are counted here, ascending
  uint64_t tokens = 0;                ///< positions seen, bos counted
  bool interrupted = false;           ///< a shard ended before its last token
  std::vector<LayerProfile> layers;   ///< ascending by layer
  std::vector<ProfileSample> samples; ///< as keepSamples leaves them

  /// True where every shard is counted to its end.
  bool isComplete() const { return !interrupted && shards.size() == shardCount; }
};

/// Greatest sizes that files may have; far above any model, low enough for exact sums.
constexpr uint32_t kMaxProfileLayers = 1 << 16;
constexpr uint32_t kMaxProfileWidth = 1 << 24;  ///< of neurons and of hidden
constexpr uint32_t kMaxProfileSource = 1 << 16; ///< bytes
constexpr uint64_t kMaxProfileTokens = uint64_t(1) << 56;

/// Checks what every profile holds to: sizes agree and are within the limits, the source is UTF-8,
/// shards and layers ascend, no count exceeds the tokens, norms are finite, samples are in order,
/// not too many, and no mask has bits past its neurons. The error names the first fault.
llvm::Error checkProfile(const Profile &profile);

/// Total order of samples: priority, sequence, position, then the bits of inputs and masks.
bool isBefore(const ProfileSample &a, const ProfileSample &b);

/// Sorts the samples and keeps the first sampleLimit.
void keepSamples(Profile &profile);

/// The inputs, [hidden], of layers[index] in one of the profile's samples.
llvm::ArrayRef<float> getInput(const Profile &profile, const ProfileSample &sample, size_t index);

/// The mask, [maskBytes], of layers[index] in one of the profile's samples.
llvm::ArrayRef<uint8_t> getMask(const Profile &profile, const ProfileSample &sample, size_t index);

/// Adds `from` to `into`. Whatever the order and grouping of merges, the result is the
/// same to the bit: counts and tokens add up, mass saturates at 2^64 - 1, the sampleLimit
/// smallest samples stay. Refused, with `into` unchanged: another model, another run, a
/// shard that is in both. Both must pass checkProfile.
llvm::Error mergeInto(Profile &into, const Profile &from);

} // namespace pi

#endif // PI_COMPILER_PROFILE_PROFILE_H
