//===- Help.cpp - The --help texts of an executable -----------------------===//

#include "runtime/main/OptionTable.h"
#include "runtime/main/Options.h"

#include <cstdint>
#include <string>

namespace pi {

/// `$` stands for the program's name. What stands before the flags of a command.
static const char *introduction(Command command) {
  switch (command) {
  case Command::Generate:
    return "Usage: $ [-p TEXT | -f FILE] [flags]       continue a text\n"
           "       $ logits --ids 1,2,3|-p TEXT        logits at every position\n"
           "       $ perplexity -f FILE                how well it predicts a text\n"
           "       $ bench                             how fast it is\n"
           "       $ info                              what this file holds\n"
           "       $ verify                            check the file\n"
           "Each command has its own --help. The prompt is that of -p or -f; without them it is\n"
           "standard input, or typed in where that is a terminal. It is taken byte by byte: NUL "
           "is\n"
           "a character, ill-formed UTF-8 counts as U+FFFD. The text goes to standard output, all\n"
           "else to standard error. Ctrl-C ends it; what was printed stays.\n";
  case Command::Logits:
    return "Usage: $ logits --ids 1,2,3|-p TEXT [flags]\n"
           "The largest logits at every position, each token fed as given.\n";
  case Command::Perplexity:
    return "Usage: $ perplexity -f FILE [flags]\n"
           "The text is cut into windows of tokens; each is fed after a begin-of-text token and\n"
           "every token of it is scored.\n";
  case Command::Bench:
    return "Usage: $ bench [flags]\n"
           "The speed of reading a prompt (ppN) and of generating (tgN), with tokens that are\n"
           "always the same, from an empty context. Figures are of the median run. cpu_bytes:\n"
           "weights of active neurons and cache read per token; read_gbs: what memory gives to\n"
           "as many threads, measured over a buffer larger than the caches; bound_tok_s: how\n"
           "fast a token could be read from memory. A model that fits into the caches may be\n"
           "faster. A prompt is read -b tokens at a time, which share the weights read.\n";
  case Command::Count:
    return "Usage: $ count -o FILE [-f FILE...] [flags]\n"
           "Only where pi-profile made this file: counts how often each neuron is active, and by\n"
           "how much. After Ctrl-C FILE holds what was counted until then.\n";
  case Command::Info:
    return "Usage: $ info [flags]\nWhat this file holds.\n";
  case Command::Verify:
    return "Usage: $ verify [flags]\n"
           "Reads all weights and the machine code and compares their checksums; checks the\n"
           "manifest (checksum of the weight table, the description and the tokenizer), that the\n"
           "tokenizer can be used and that the program's tables fit the file.\n";
  }
  return "";
}

/// What stands after the flags.
static const char *examples(Command command) {
  switch (command) {
  case Command::Generate:
    return "Examples:\n"
           "  $ -p \"Once upon a time\" -n 64            64 tokens, another text each time\n"
           "  $ -p \"Once upon a time\" -n 64 --temp 0   the likeliest text\n"
           "  $ -f story.txt --seed 1 --stop THE-END   the same text for the same seed\n"
           "  echo \"Hello\" | $ -n 20 --json            ids, text and timings\n"
           "  $                                        line by line, on a terminal\n"
           "\n"
           "Exit codes: 0 ok, 1 bad input or file, 2 usage, 3 does not fit, 4 CPU or device\n"
           "missing, 70 internal error, 130 interrupted.\n";
  case Command::Logits:
    return "Example:\n  $ logits -p \"Once upon\" --top 5 --json\n";
  case Command::Perplexity:
    return "Example:\n  $ perplexity -f text.txt --max-chars 20000 --json\n";
  case Command::Bench:
    return "Examples:\n  $ bench -t 1\n  $ bench -p 0 -n 64 -r 9 -o json\n";
  case Command::Count:
    return "Example:\n  $ count -f text.txt -o text.counts\n";
  case Command::Info:
    return "Example:\n  $ info --json\n";
  case Command::Verify:
    return "Example:\n  $ verify && echo whole\n";
  }
  return "";
}

std::string helpText(Command command, const std::string &program) {
  std::string text = introduction(command);
  text += "\n" + optionTable().help(uint32_t(command)) + "\n" + examples(command);
  std::string result;
  for (char c : text)
    result += c == '$' ? program : std::string(1, c);
  return result;
}

} // namespace pi
