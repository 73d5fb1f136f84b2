//===- Commands.h - What an executable can do -----------------------------===//
// One function per command. Each writes its result to `output`, everything else to
// standard error, and returns a status with its `detail`.

#ifndef PI_RUNTIME_MAIN_COMMANDS_H
#define PI_RUNTIME_MAIN_COMMANDS_H

#include "runtime/abi/pi_abi.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"

#include <cstdint>
#include <string>

namespace pi {

/// Continues a prompt. Needs file, program and tokenizer.
int32_t runGenerate(Session &session, const Options &options, Output &output, std::string &detail);

/// Continues a text line by line from standard input. Needs the same.
int32_t runInteractive(Session &session, const Options &options, Output &output,
                       std::string &detail);

/// Logits at each position of given ids or of a prompt. Needs file and program, and
/// the tokenizer for a prompt.
int32_t runLogits(Session &session, const Options &options, Output &output, std::string &detail);

/// Perplexity of a file. Needs file, program and tokenizer.
int32_t runPerplexity(Session &session, const Options &options, Output &output,
                      std::string &detail);

/// The facts of the manifest. Needs the file.
int32_t runInfo(const Session &session, const Options &options, Output &output);

/// Reads all weights. Needs the file. Error: PI_ERROR_WEIGHT.
int32_t runVerify(const Session &session, const Options &options, Output &output,
                  std::string &detail);

/// `main` of every executable: reads the command line, runs one command, prints what
/// went wrong; returns the exit code.
int runMain(int argc, const char *const *argv, const pi_program &tables);

} // namespace pi

#endif // PI_RUNTIME_MAIN_COMMANDS_H
