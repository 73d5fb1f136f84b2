//===- Prompt.h - Where the prompt comes from -----------------------------===//

#ifndef PI_RUNTIME_MAIN_PROMPT_H
#define PI_RUNTIME_MAIN_PROMPT_H

#include "runtime/main/Options.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pi {

/// Finds the prompt of generation: -p; else the file of -f; else standard input, unless
/// it is a terminal: then use is interactive. Of a file and of standard input one line
/// end at the end is left out. With `interactive` and neither -p nor -f there is none.
/// Sets `hasPrompt`, `prompt` and `interactive` of `options`. Errors: PI_ERROR_OPEN,
/// PI_ERROR_INPUT, PI_ERROR_INTERRUPTED, and PI_ERROR_USAGE where standard input is
/// empty and nothing else is given.
int32_t findPrompt(Options &options, std::string &detail);

/// `text` without one line end ("\n") at its end, as llama-cli does.
std::string_view withoutLineEnd(std::string_view text);

} // namespace pi

#endif // PI_RUNTIME_MAIN_PROMPT_H
