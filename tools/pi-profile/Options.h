//===- Options.h - The command line of pi-profile -===//

#ifndef PI_TOOLS_PI_PROFILE_OPTIONS_H
#define PI_TOOLS_PI_PROFILE_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace pi {

enum class ProfileCommand { Show, Merge, Report };

struct ProfileOptions {
  ProfileCommand command = ProfileCommand::Show;
  std::vector<std::string> inputs; ///< profiles; one but for Merge
  std::string output;              ///< of Merge and Report; of Report "-" is standard output
  bool json = false;               ///< of Show
};

/// Prints an error of usage; returns exit code 2.
int reportProfileUsage(const std::string &message);

/// Reads the command line. Returns an exit code where there is nothing (more) to do: 2
/// after a message, 0 after --help or --version.
std::optional<int> parseProfileOptions(int argc, const char *const *argv, ProfileOptions &options);

} // namespace pi

#endif // PI_TOOLS_PI_PROFILE_OPTIONS_H
