//===- Generation.h - A context and the text that continues it ------------===//

#ifndef PI_RUNTIME_MAIN_GENERATION_H
#define PI_RUNTIME_MAIN_GENERATION_H

#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/text/Sampler.h"
#include "runtime/text/StopStrings.h"
#include "runtime/text/StreamDecoder.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

/// What answers took, added up.
struct Timings {
  size_t promptTokens = 0; ///< fed before an answer
  double promptMs = 0;
  double firstTokenMs = 0; ///< of the last answer: from its prompt to its first token
  size_t newTokens = 0;    ///< generated
  size_t decodeSteps = 0;  ///< of them, fed
  double decodeMs = 0;

  double promptSpeed() const; ///< tokens per second
  double decodeSpeed() const;
};

/// The tokens of one context, those of them that were fed, and how the next is chosen.
/// `session` needs file, program and tokenizer, and must outlive this.
class Generation {
public:
  Generation(Session &session, const Options &options);

  /// Puts tokens at the end of the context; nothing changes on failure.
  /// Error: PI_ERROR_INPUT (ids out of range, or too many).
  int32_t add(const std::vector<int32_t> &ids, std::string &detail);

  /// Feeds what was not fed yet and generates until something ends the answer. The text
  /// goes to `output`, or to text() where that is null. On PI_ERROR_INTERRUPTED all that
  /// was generated has been written and the context can be continued. An end-of-text
  /// token that ends the answer is not put into the context, a stop string is. The
  /// context must not be empty. Allocates nothing per token once buffers have grown.
  /// Errors: PI_ERROR_INTERRUPTED, _WRITE, _NUMBERS.
  int32_t answer(Output *output);

  /// An empty context; random numbers go on.
  void reset();

  /// Tokens in the context, and how many more it takes.
  const std::vector<int32_t> &context() const { return tokens; }
  int64_t room() const { return session.context() - int64_t(tokens.size()); }

  /// Of the last answer: its ids, its text (without an output), what ended it (`length`,
  /// `eos`, `stop` or `context`), whether a line end ended the text.
  const std::vector<int32_t> &newTokens() const { return generated; }
  const std::string &text() const { return written; }
  std::string_view finish() const { return finishReason; }
  bool endsLine() const { return lastByte == '\n'; }

  const Timings &timings() const { return sums; }
  /// False where tokens are not drawn.
  bool usesSeed() const { return options.sampling.temperature > 0; }
  uint64_t seed() const { return chosenSeed; }

private:
  int32_t feed();
  int32_t decode(text::StreamDecoder &decoder, double promptMs);
  int32_t write(std::string_view piece);

  Session &session;
  const Options &options;
  const uint64_t chosenSeed;
  text::Sampler sampler;
  text::StopStrings stops;
  std::vector<int32_t> tokens; // the context
  size_t fed = 0;              // of it
  std::vector<int32_t> generated;
  std::string written;
  std::string_view finishReason = "length";
  char lastByte = 0;
  Output *output = nullptr;
  Timings sums;
};

/// One line about a generation, to standard error.
void printStatistics(const Session &session, const Generation &generation);

/// Says on standard error that the context is full, and what `remedy` there is.
void noteFullContext(const Session &session, const char *remedy);

} // namespace pi

#endif // PI_RUNTIME_MAIN_GENERATION_H
