//===- Calibrate.h - A profile from running the model -===//
// Compiles an executable that counts what its neurons do, runs it, and turns what it
// counted into a profile.

#ifndef PI_TOOLS_PI_COMPILE_CALIBRATE_H
#define PI_TOOLS_PI_COMPILE_CALIBRATE_H

#include "compiler/Profile/Profile.h"
#include "tools/pi-compile/Driver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

/// What text to count.
struct CalibrationOptions {
  std::vector<std::string> corpora; // text files; none: the model writes the text itself
  int64_t tokens = 32768;           // that the model writes, rounded up to whole sequences
  int64_t seed = 1;
  int64_t window = 511;             // tokens of text in a sequence, before which bos stands
  int64_t maxChars = -1;            // of each text file; -1: all
  uint32_t shard = 1, shards = 1;   // the shard-th of `shards` parts of the sequences
  uint32_t threads = 0;             // 0: one per CPU
  bool keepsWhatWasCounted = false; // SIGINT ends the counting, not the program
};

/// Compiles `compile`'s model, or IR, without placement, with f32 KV cache where the model
/// is read from its own files, and counts. The executable lies in `folder` (empty: that
/// for temporary files) while it is needed, and takes the space of the model. Prints what it
/// does, and errors. Returns an exit code; after kExitInterrupted `profile` holds what was
/// counted, or has no layers where nothing was.
int calibrate(const DriverOptions &compile, const CalibrationOptions &options,
              const std::string &folder, Profile &profile);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_CALIBRATE_H
