//===- ProfileMain.cpp - pi-profile: how often neurons are active -===//

#include "compiler/Profile/ProfileFile.h"
#include "compiler/Profile/Report.h"
#include "compiler/Profile/WriteFile.h"
#include "tools/Mains.h"
#include "tools/pi-profile/Options.h"
#include "tools/pi-profile/ReadPlan.h"
#include "tools/pi-profile/Run.h"
#include "tools/pi-profile/Show.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace pi;

/// Lets `print` write to standard output.
static llvm::Error writeStdout(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  print(llvm::outs());
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (error && error != std::errc::broken_pipe) // a reader that went away has had enough
    return llvm::createStringError("cannot write to standard output: " + error.message());
  return llvm::Error::success();
}

static llvm::Error show(const ProfileOptions &options) {
  llvm::Expected<Profile> profile = readProfile(options.inputs[0]);
  if (!profile)
    return profile.takeError();
  return writeStdout([&](llvm::raw_ostream &os) {
    options.json ? showJson(*profile, os) : showText(*profile, os);
  });
}

static llvm::Error refuseInputs(const ProfileOptions &options) {
  for (const std::string &input : options.inputs)
    if (llvm::sys::fs::equivalent(options.output, input))
      return llvm::createStringError("'" + options.output + "' (-o) is the input '" + input +
                                     "'; name another output");
  return llvm::Error::success();
}

/// Says on standard error what a merged profile still lacks.
static void noteMissing(const Profile &profile, const std::string &path) {
  size_t missing = profile.shardCount - profile.shards.size();
  if (missing > 0)
    llvm::errs() << "pi-profile: note: " << path << " holds " << profile.shards.size() << " of "
                 << profile.shardCount << " shards; merge the other " << missing << " too\n";
  if (profile.interrupted)
    llvm::errs() << "pi-profile: note: " << path << " holds a shard that was interrupted\n";
}

/// One profile after the other, so that memory is that of two.
static llvm::Error merge(const ProfileOptions &options) {
  if (llvm::Error error = refuseInputs(options))
    return error;
  llvm::Expected<Profile> sum = readProfile(options.inputs[0]);
  if (!sum)
    return sum.takeError();
  for (const std::string &input : llvm::ArrayRef(options.inputs).drop_front()) {
    llvm::Expected<Profile> next = readProfile(input);
    if (!next)
      return next.takeError();
    if (llvm::Error error = mergeInto(*sum, *next))
      return llvm::createStringError(
          input + ": does not merge with what precedes it: " + llvm::toString(std::move(error)));
  }
  if (llvm::Error error = writeProfile(*sum, options.output))
    return error;
  noteMissing(*sum, options.output);
  return llvm::Error::success();
}

static llvm::Error report(const ProfileOptions &options) {
  if (llvm::Error error = refuseInputs(options))
    return error;
  llvm::Expected<Profile> profile = readProfile(options.inputs[0], SampleReading::Skip);
  if (!profile)
    return profile.takeError();
  ReportExtras extras;
  extras.title = llvm::sys::path::stem(options.inputs[0]).str();
  if (!options.plan.empty())
    if (llvm::Error error = readPlan(options.plan, *profile, extras))
      return error;
  auto print = [&](llvm::raw_ostream &os) { writeReport(*profile, extras, os); };
  return options.output == "-" ? writeStdout(print) : writeFile(options.output, print);
}

static llvm::Error runCommand(const ProfileOptions &options) {
  switch (options.command) {
  case ProfileCommand::Run:
    llvm_unreachable("has an exit code of its own");
  case ProfileCommand::Show:
    return show(options);
  case ProfileCommand::Merge:
    return merge(options);
  case ProfileCommand::Report:
    return report(options);
  }
  llvm_unreachable("unknown command");
}

int pi::profileMain(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails with EFBIG
  ProfileOptions options;
  if (std::optional<int> code = parseProfileOptions(argc, argv, options))
    return *code;
  if (options.command == ProfileCommand::Run)
    return runCounting(options, argv[0]);
  if (llvm::Error error = runCommand(options)) {
    llvm::errs() << "pi-profile: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
