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

/// Speed of prompts and of generation, and of memory. Needs file and program. Error of
/// its own: PI_ERROR_INPUT where a length is above the context.
int32_t runBench(Session &session, const Options &options, Output &output, std::string &detail);

/// Counts what neurons do, into a file (runtime/abi/pi_counts.h). Needs file, program and
/// tokenizer. After SIGINT the file holds what was counted until then. Errors of its own:
/// PI_ERROR_USAGE where the program is not instrumented, PI_ERROR_INPUT, PI_ERROR_NUMBERS.
int32_t runCount(Session &session, const Options &options, std::string &detail);

/// The facts of the manifest. Needs the file.
int32_t runInfo(const Session &session, const Options &options, Output &output);

/// Reads all weights, and checks what else can be checked without running the program.
/// Needs the file. Errors: PI_ERROR_WEIGHT, _CODE, _TOKENIZER, _PROGRAM, _INTERRUPTED.
int32_t runVerify(Session &session, const Options &options, Output &output, std::string &detail);

/// Versions and target of everything inside. Needs the file.
int32_t printVersion(const Session &session, const std::string &program, Output &output);

/// `main` of every executable: reads the command line, runs one command, prints what
/// went wrong; returns the exit code.
int runMain(int argc, const char *const *argv, const pi_program &tables);

} // namespace pi

#endif // PI_RUNTIME_MAIN_COMMANDS_H
