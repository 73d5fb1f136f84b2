//===- Run.cpp - Counting the neurons of a model -===//

#include "tools/pi-profile/Run.h"

#include "compiler/Profile/ProfileFile.h"
#include "tools/pi-compile/Calibrate.h"
#include "tools/pi-compile/ChildProcess.h"
#include "tools/pi-compile/CompileMain.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace pi;

int pi::runCounting(const ProfileOptions &options, const char *program) {
  installTerminationHandlers(program);
  DriverOptions compile;
  compile.input = options.inputs[0];
  compile.tokenizer = options.tokenizer;
  compile.programPath = findProgram(program);
  compile.verbose = options.verbose;
  std::string folder = llvm::sys::path::parent_path(options.output).str();
  Profile profile;
  CalibrationOptions calibration = options.calibration;
  calibration.keepsWhatWasCounted = true;
  int code = calibrate(compile, calibration, folder.empty() ? "." : folder, profile);
  if ((code != kExitOk && code != kExitInterrupted) || profile.layers.empty())
    return code;
  if (llvm::Error error = writeProfile(profile, options.output)) {
    llvm::errs() << "pi-profile: error: " << llvm::toString(std::move(error)) << "\n";
    return kExitBadInput;
  }
  llvm::errs() << "pi-profile: " << options.output << ": " << profile.tokens << " tokens"
               << (profile.interrupted ? ", interrupted\n" : "\n");
  return code;
}
