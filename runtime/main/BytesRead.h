//===- BytesRead.h - What a token reads from memory -----------------------===//

#ifndef PI_RUNTIME_MAIN_BYTESREAD_H
#define PI_RUNTIME_MAIN_BYTESREAD_H

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"

#include <cstdint>
#include <map>

namespace pi {

/// Counts the bytes of weights and KV cache that the steps of a program read for a token:
/// one row of each weight of the embedding; of a layer's neurons the rows that are read
/// only where a neuron is active (`up` beside a gate, `down`) by the counts of the last
/// token; every other weight of a step whole; one entry of the cache per token in it.
/// Activations are not counted. Weights are told apart by their names in the file.
class BytesRead {
public:
  BytesRead(const pi_program &tables, const Payload &payload);

  /// For the last call of `program`, which ran `lanes` tokens from `position` on, the last
  /// of them with logits: weights that are always read count once; of rows that are read
  /// where a neuron is active, no more than all. O(groups).
  double ofLastBlock(const Program &program, uint32_t lanes, int64_t position) const;

private:
  double always = 0;                   // for every block
  double cachePerToken = 0;            // for each token in the cache
  std::map<uint32_t, double> ifActive; // layer -> bytes were all its neurons active
};

} // namespace pi

#endif // PI_RUNTIME_MAIN_BYTESREAD_H
