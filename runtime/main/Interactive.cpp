//===- Interactive.cpp - A text line by line, on a terminal ---------------===//

#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Generation.h"
#include "runtime/main/LineReader.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/main/Signals.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace pi {

namespace {

/// What to do after a line.
enum class Next { Answer, Prompt, End };

class Conversation {
public:
  Conversation(Session &session, const Options &options, Output &output)
      : session(session), options(options), output(output), generation(session, options),
        lines(STDIN_FILENO), typed(isatty(STDIN_FILENO) == 1) {}

  int32_t run(std::string &detail);

private:
  int32_t begin(std::string &detail);
  int32_t converse(std::string &detail);
  int32_t answer();
  int32_t addLine(const std::string &line, std::string &detail);
  Next obey(const std::string &line);
  int32_t showPrompt();

  Session &session;
  const Options &options;
  Output &output;
  Generation generation;
  LineReader lines;
  const bool typed; // on a terminal: else no prompt is shown
};

} // namespace

static constexpr const char help[] =
    "A line goes on from where the text ends; an empty one lets the model go on. A line with a\n"
    "space before its / is text.\n"
    "  /help    this\n"
    "  /reset   an empty context: a new text\n"
    "  /stats   tokens, time and room in the context\n"
    "  /exit    end (so does Ctrl-D)\n"
    "Ctrl-C stops an answer; at the prompt it ends the program.\n";

/// The prompt is no part of the text: where that does not go to the terminal, nor does it.
int32_t Conversation::showPrompt() {
  if (!typed)
    return PI_OK;
  if (output.isTerminal())
    return output.write("> ");
  std::fputs("> ", stderr);
  return PI_OK;
}

/// One answer; an interrupted one is a finished one.
int32_t Conversation::answer() {
  int32_t status = generation.answer(&output);
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED)
    return status;
  if (status == PI_ERROR_INTERRUPTED || !generation.endsLine())
    if (int32_t problem = output.write("\n"))
      return problem;
  if (status == PI_ERROR_INTERRUPTED)
    rearmInterrupt();
  else if (generation.finish() == "context")
    noteFullContext(session, "/reset begins a new text");
  return PI_OK;
}

/// The tokens of a line: those of a prompt, or of its continuation. What does not fit is
/// said, and left out.
int32_t Conversation::addLine(const std::string &line, std::string &detail) {
  std::vector<int32_t> ids;
  if (generation.context().empty()) {
    if (int32_t status = session.encodePrompt(line, ids, detail))
      return status;
  } else {
    ids = session.tokenizer().encode(line, /*addSpecialTokens=*/false);
  }
  return generation.add(ids, detail);
}

/// Runs a command; a line that is none is for the model.
Next Conversation::obey(const std::string &line) {
  if (line.empty() || line[0] != '/')
    return Next::Answer;
  if (line == "/exit")
    return Next::End;
  if (line == "/help") {
    std::fputs(help, stderr);
  } else if (line == "/reset") {
    generation.reset();
    std::fputs("note: the context is empty\n", stderr);
  } else if (line == "/stats") {
    printStatistics(session, generation);
    std::fprintf(stderr, "context: %zu of %lld tokens\n", generation.context().size(),
                 static_cast<long long>(session.context()));
  } else {
    std::fprintf(stderr, "note: no command %s; /help lists them, a space before it makes it text\n",
                 line.c_str());
  }
  return Next::Prompt;
}

int32_t Conversation::converse(std::string &detail) {
  while (true) {
    if (int32_t status = showPrompt())
      return status;
    std::string line;
    bool ended = false;
    if (int32_t status = lines.next(line, ended, detail))
      return status;
    Next next = ended ? Next::End : obey(line);
    if (next == Next::End)
      return ended && typed ? output.write("\n") : int32_t(PI_OK);
    // There is nothing to go on from before the first line.
    if (next == Next::Prompt || (line.empty() && generation.context().empty()))
      continue;
    std::string problem;
    if (generation.room() < 0) {
      noteFullContext(session, "/reset begins a new text");
    } else if (int32_t status = line.empty() ? int32_t(PI_OK) : addLine(line, problem)) {
      std::fprintf(stderr, "note: %s; /reset begins a new text\n",
                   describe(status, problem).c_str());
    } else if (int32_t failure = answer()) {
      return failure;
    }
  }
}

/// The answer to -p or -f, where one is given.
int32_t Conversation::begin(std::string &detail) {
  if (typed)
    std::fputs("A line is the prompt. /help lists commands, Ctrl-C stops an answer, Ctrl-D ends.\n",
               stderr);
  if (!options.hasPrompt)
    return PI_OK;
  if (int32_t status = addLine(options.prompt, detail))
    return status;
  return answer();
}

int32_t Conversation::run(std::string &detail) {
  int32_t status = begin(detail);
  if (status == PI_OK)
    status = converse(detail);
  if (status == PI_ERROR_INTERRUPTED)
    if (int32_t problem = output.write("\n"))
      return problem;
  if (status == PI_OK || status == PI_ERROR_INTERRUPTED)
    printStatistics(session, generation);
  return status;
}

int32_t runInteractive(Session &session, const Options &options, Output &output,
                       std::string &detail) {
  return Conversation(session, options, output).run(detail);
}

} // namespace pi
