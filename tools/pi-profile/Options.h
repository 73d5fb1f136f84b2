//===- Options.h - The command line of pi-profile -===//

#ifndef PI_TOOLS_PI_PROFILE_OPTIONS_H
#define PI_TOOLS_PI_PROFILE_OPTIONS_H

#include "tools/pi-compile/Calibrate.h"

#include <optional>
#include <string>
#include <vector>

namespace pi {

enum class ProfileCommand { Run, Show, Merge, Report };

struct ProfileOptions {
  ProfileCommand command = ProfileCommand::Show;
  std::vector<std::string> inputs; ///< profiles, one but for Merge; of Run the model
  std::string output;              ///< of all but Show; of Report "-" is standard output
  bool json = false;               ///< of Show
  std::string plan;                ///< of Report: from pi-compile --explain=json; empty: none
  CalibrationOptions calibration;  ///< of Run
  std::string tokenizer;           ///< of Run; empty: beside the model
  bool verbose = false;            ///< of Run
};

/// Prints an error of usage; returns exit code 2.
int reportProfileUsage(const std::string &message);

/// Reads the command line. Returns an exit code where there is nothing (more) to do: 2
/// after a message, 0 after --help or --version.
std::optional<int> parseProfileOptions(int argc, const char *const *argv, ProfileOptions &options);

} // namespace pi

#endif // PI_TOOLS_PI_PROFILE_OPTIONS_H
