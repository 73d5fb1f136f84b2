//===- Commands.cpp - main of every executable ----------------------------===//

#include "runtime/main/Commands.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Status.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Prompt.h"
#include "runtime/main/Session.h"
#include "runtime/main/Signals.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <unistd.h>

namespace pi {

/// Loads what the command needs, in order, and runs it.
static int32_t runCommand(Session &session, Options &options, Output &output, std::string &detail) {
  if (options.command == Command::Info)
    return runInfo(session, options, output);
  if (options.command == Command::Verify)
    return runVerify(session, options, output, detail);
  if (options.gpuRequired)
    return fail(PI_ERROR_DEVICE, detail,
                "--gpu-required, but this file holds no GPU code (pi-compile --gpu=)");
  if (options.command == Command::Generate)
    if (int32_t status = findPrompt(options, detail))
      return status;
  if (int32_t status = session.loadProgram(options, detail))
    return status;
  if (options.command == Command::Bench)
    return runBench(session, options, output, detail);
  bool needsTokenizer = options.command != Command::Logits || options.hasPrompt;
  if (needsTokenizer)
    if (int32_t status = session.loadTokenizer(detail))
      return status;
  switch (options.command) {
  case Command::Logits:
    return runLogits(session, options, output, detail);
  case Command::Count:
    return runCount(session, options, detail);
  case Command::Perplexity:
    return runPerplexity(session, options, output, detail);
  default:
    return options.interactive ? runInteractive(session, options, output, detail)
                               : runGenerate(session, options, output, detail);
  }
}

/// The name a program was called by, without its folder.
static std::string baseName(const char *argv0) {
  std::string name = argv0 ? argv0 : "";
  name = name.substr(name.rfind('/') + 1); // npos + 1 is 0
  return name.empty() ? "pi" : name;
}

static int usageError(const std::string &program, const std::string &detail) {
  std::fprintf(stderr, "%s: error: %s\nnote: see --help\n", program.c_str(), detail.c_str());
  return pi_status_exit_code(PI_ERROR_USAGE);
}

int runMain(int argc, const char *const *argv, const pi_program &tables) {
  installSignalHandlers();
  const char *argv0 = argc > 0 ? argv[0] : nullptr;
  std::string program = baseName(argv0), detail;
  Options options;
  if (!parseOptions(argc > 0 ? argc - 1 : 0, argv + (argc > 0), options, detail))
    return usageError(program, detail);
  Output output(STDOUT_FILENO);
  Session session(tables);
  int32_t status;
  if (options.help)
    status = output.write(helpText(options.command, program));
  else if (status = session.openFile(argv0, detail); status == PI_OK)
    status = options.version ? printVersion(session, program, output)
                             : runCommand(session, options, output, detail);
  if (status == PI_ERROR_USAGE)
    return usageError(program, detail);
  if (status == PI_ERROR_WRITE && detail.empty())
    detail = std::string(std::strerror(output.error()));
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED && !output.readerGone()) {
    output.separateNotes();
    std::fprintf(stderr, "%s: error: %s\n", program.c_str(), describe(status, detail).c_str());
  }
  return pi_status_exit_code(status);
}

} // namespace pi
