//===- Prompt.cpp - Where the prompt comes from ---------------------------===//

#include "runtime/main/Prompt.h"

#include "runtime/core/Status.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace pi {

/// No context holds so much; standard input may never end.
static constexpr uint64_t maxPromptBytes = uint64_t(1) << 28;

std::string_view withoutLineEnd(std::string_view text) {
  if (!text.empty() && text.back() == '\n')
    text.remove_suffix(1);
  return text;
}

int32_t findPrompt(Options &options, std::string &detail) {
  if (options.hasPrompt || (options.interactive && !options.hasFile))
    return PI_OK;
  if (!options.hasFile && isatty(STDIN_FILENO) == 1) {
    options.interactive = true;
    if (options.json || options.maxTokens == 0)
      return fail(PI_ERROR_USAGE, detail, "--json and -n 0 need a prompt: -p TEXT or -f FILE");
    return PI_OK;
  }
  std::string text;
  struct stat input = {};
  bool isOpen = options.hasFile || fstat(STDIN_FILENO, &input) == 0;
  if (isOpen)
    if (int32_t status =
            readFile(options.hasFile ? options.file : "-", maxPromptBytes, text, detail))
      return status;
  if (text.empty() && !options.hasFile)
    return fail(PI_ERROR_USAGE, detail,
                "a prompt is needed: -p TEXT, -f FILE, or a text on standard input (it is empty)");
  options.hasPrompt = true;
  options.prompt = withoutLineEnd(text);
  return PI_OK;
}

} // namespace pi
