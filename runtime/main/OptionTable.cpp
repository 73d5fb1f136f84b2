//===- OptionTable.cpp - The flags of all commands ------------------------===//

#include "runtime/main/OptionTable.h"

#include "runtime/main/Flags.h"
#include "runtime/main/Options.h"

#include <cstdint>

namespace pi {

static constexpr uint32_t generate = uint32_t(Command::Generate);
static constexpr uint32_t logits = uint32_t(Command::Logits);
static constexpr uint32_t perplexity = uint32_t(Command::Perplexity);
static constexpr uint32_t bench = uint32_t(Command::Bench);
static constexpr uint32_t count = uint32_t(Command::Count);
static constexpr uint32_t computing = generate | logits | perplexity | bench | count;
static constexpr uint32_t none = 0, anywhere = ~0u;

static constexpr const char *input = "Text", *sampling = "Choosing tokens",
                            *measuring = "Measuring", *machine = "Machine", *output = "Output",
                            *later = "Later";

static constexpr FlagSpec flagSpecs[] = {
    {"p", "prompt", FlagValue::Required, "TEXT", input,
     "the prompt; \"\" is the begin-of-text token alone", nullptr, nullptr, generate | logits},
    {"f", "file", FlagValue::Required, "FILE", input,
     "the text from a file; - is standard input; of a prompt one\nline end at the end is left out",
     nullptr, nullptr, perplexity | generate},
    {"f", "file", FlagValue::Required, "FILE", input,
     "a text to count; may be given several times (default: text that\nthe model writes itself)",
     nullptr, nullptr, count},
    {"tokens", nullptr, FlagValue::Required, "N", input,
     "tokens that the model writes (default: 32768)", nullptr, nullptr, count},
    {"seed", "s", FlagValue::Required, "N", input,
     "of the model's text and of the sample (default: 1)", nullptr, nullptr, count},
    {"shard", nullptr, FlagValue::Required, "I/N", input,
     "the I-th of N equal parts of the work, from 1", nullptr, nullptr, count},
    {"o", "output", FlagValue::Required, "FILE", output, "where the counts go", nullptr, nullptr,
     count},
    {"i", "interactive", FlagValue::None, nullptr, input,
     "go on with lines from standard input (default on a terminal\nwithout -p and -f)", nullptr,
     nullptr, generate},
    {"n", "predict", FlagValue::Required, "N", input,
     "tokens to generate; -1: until the end of the text or of the\ncontext (default); 0: only "
     "tokenise",
     nullptr, nullptr, generate},
    {"stop", "r", FlagValue::Required, "TEXT", input,
     "end before this text; may be given several times", nullptr, nullptr, generate},
    {"c", "ctx-size", FlagValue::Required, "N", input,
     "tokens of context to use (default: as compiled)", nullptr, nullptr, computing},
    {"ids", nullptr, FlagValue::Required, "1,2,3", input, "token ids instead of a prompt", nullptr,
     nullptr, logits},
    {"window", nullptr, FlagValue::Required, "N", input, "tokens per window (default: 511)",
     nullptr, nullptr, perplexity | count},
    {"max-chars", nullptr, FlagValue::Required, "N", input, "use the first N characters only",
     nullptr, nullptr, perplexity | count},
    {"temp", nullptr, FlagValue::Required, "X", sampling,
     "temperature (default: 0.8); 0: always the likeliest token", nullptr, nullptr, generate},
    {"top-k", nullptr, FlagValue::Required, "N", sampling,
     "choose among the N likeliest (default: 40); 0: among all", nullptr, nullptr, generate},
    {"top-p", nullptr, FlagValue::Required, "X", sampling,
     "choose among the likeliest that together have probability X\n(default: 0.95); 1: off",
     nullptr, nullptr, generate},
    {"min-p", nullptr, FlagValue::Required, "X", sampling,
     "leave out what is less likely than X times the likeliest\n(default: 0.05); 0: off", nullptr,
     nullptr, generate},
    {"repeat-penalty", nullptr, FlagValue::Required, "X", sampling,
     "make recent tokens less likely (default: 1: off)", nullptr, nullptr, generate},
    {"repeat-last-n", nullptr, FlagValue::Required, "N", sampling,
     "how many tokens are recent (default: 64); -1: the context", nullptr, nullptr, generate},
    {"seed", "s", FlagValue::Required, "N", sampling,
     "of the random numbers (default: -1: a new one, which the\nstatistics say)", nullptr, nullptr,
     generate},
    {"ignore-eos", nullptr, FlagValue::None, nullptr, sampling, "go on after an end-of-text token",
     nullptr, nullptr, generate},
    {"p", "n-prompt", FlagValue::Required, "N", measuring,
     "tokens of prompt (default: 512); 0: no such row", nullptr, nullptr, bench},
    {"n", "n-gen", FlagValue::Required, "N", measuring,
     "tokens to generate (default: 128); 0: no such row", nullptr, nullptr, bench},
    {"r", "repetitions", FlagValue::Required, "N", measuring,
     "runs per row, after one to warm up (default: 5)", nullptr, nullptr, bench},
    {"o", "output", FlagValue::Required, nullptr, output, "the form of the table (default: md)",
     "md|json", nullptr, bench},
    {"top", nullptr, FlagValue::Required, "N", output, "logits per position (default: 10)", nullptr,
     nullptr, logits},
    {"json", nullptr, FlagValue::None, nullptr, output, "print JSON"},
    {"help", "h", FlagValue::None, nullptr, output, "print this"},
    {"version", nullptr, FlagValue::None, nullptr, output, "print what made this file"},
    {"t", "threads", FlagValue::Required, "N", machine, "threads (default: one per CPU)", nullptr,
     nullptr, computing},
    {"b", "batch-size", FlagValue::Required, "N", machine,
     "tokens of a prompt or text that are run at once, 1 to 64\n(default: 16); results do not "
     "depend on it",
     nullptr, nullptr, computing},
    {"no-gpu", nullptr, FlagValue::None, nullptr, machine, "use the CPU alone", nullptr, nullptr,
     computing},
    {"gpu-required", nullptr, FlagValue::None, nullptr, machine,
     "fail (exit code 4) where no GPU is used", nullptr, nullptr, computing},
    {"load", nullptr, FlagValue::Required, nullptr, machine,
     "map: weights are read where they lie (default); pin: they are\ncopied into large pages at "
     "start, which are faster",
     "map|pin", nullptr, computing},
    // Known, not built yet: refused, never ignored.
    {"min-recall", nullptr, FlagValue::Required, "X", later, "", nullptr, nullptr, none, anywhere},
    {"layers", nullptr, FlagValue::None, nullptr, later, "", nullptr, nullptr, none, anywhere},
    {"trace", nullptr, FlagValue::Required, "FILE", later, "", nullptr, nullptr, none, anywhere},
};

FlagTable optionTable() { return FlagTable(flagSpecs); }

} // namespace pi
