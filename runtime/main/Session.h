//===- Session.h - Everything loaded that a command needs -----------------===//

#ifndef PI_RUNTIME_MAIN_SESSION_H
#define PI_RUNTIME_MAIN_SESSION_H

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Executable.h"
#include "runtime/core/PinnedWeights.h"
#include "runtime/core/Program.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/ModelFacts.h"
#include "runtime/main/Options.h"
#include "runtime/text/Tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

/// The running executable: its file, facts, tokenizer and program. Each part is loaded
/// when a command asks for it; the calls must be made in the order below.
class Session {
public:
  /// `tables` is what the executable was linked with.
  explicit Session(const pi_program &tables) : tables(tables) {}
  Session(const Session &) = delete;

  /// Maps the own file and reads the facts. Errors: of Executable::openSelf and
  /// PI_ERROR_INFO.
  int32_t openFile(const char *argv0, std::string &detail);

  /// Checks the CPU, starts the team, copies the weights where they are to be pinned and
  /// binds the program with lanes of one text. Errors: PI_ERROR_CPU, _INPUT, _PROGRAM,
  /// _MEMORY, _INTERRUPTED.
  int32_t loadProgram(const Options &options, std::string &detail);

  /// Reads the tokenizer. Error: PI_ERROR_TOKENIZER.
  int32_t loadTokenizer(std::string &detail);

  /// Token ids of a prompt, with the tokenizer's special tokens; of an empty one, bos
  /// alone. Error: PI_ERROR_INPUT where that gives no tokens.
  int32_t encodePrompt(std::string_view text, std::vector<int32_t> &ids, std::string &detail) const;

  /// bos: of the model's facts, else of the tokenizer; -1 if there is none.
  int32_t bosId() const;
  /// Whether the model's facts list `id` as one that ends a text.
  bool isEos(int32_t id) const;

  /// Checks ids against the vocabulary and their number against the context.
  /// Error: PI_ERROR_INPUT.
  int32_t checkIds(const std::vector<int32_t> &ids, std::string &detail) const;

  /// One token; PI_ERROR_INTERRUPTED after SIGINT.
  int32_t step(int32_t token, int64_t position) { return stepBlock(&token, 1, position); }

  /// `count` tokens that follow one another, from `position` on, one in each lane; count
  /// in [1, lanes()]. logits(i) are those of tokens[i], the last one's alone with
  /// `lastLogitsOnly`. PI_ERROR_INTERRUPTED after SIGINT.
  int32_t stepBlock(const int32_t *tokens, uint32_t count, int64_t position,
                    bool lastLogitsOnly = false);

  /// Other lanes than those of one text: see Program::setLanes.
  int32_t setLanes(uint32_t count, LaneCaches caches, std::string &detail) {
    return program->setLanes(count, caches, detail);
  }
  /// One token in each of the first lanes; PI_ERROR_INTERRUPTED after SIGINT.
  int32_t stepLanes(const Program::Input *inputs, uint32_t count);

  /// Any number of tokens in blocks of as many as there are lanes. `fed` grows by those that
  /// were run, whatever is returned. logits() are those of the last one.
  int32_t feed(const int32_t *tokens, size_t count, int64_t position, size_t &fed);

  const pi_program &programTables() const { return tables; }
  const Payload &payload() const { return executable.payload(); }
  const ModelFacts &modelFacts() const { return facts; }
  const text::Tokenizer &tokenizer() const { return *loadedTokenizer; }
  /// [vocab()] f32 of a lane, by default of that which ran the last token.
  const float *logits(uint32_t lane) const { return program->logits(lane); }
  const float *logits() const { return program->logits(lastLane); }
  uint32_t lanes() const { return program->numLanes(); }
  const Program &runningProgram() const { return *program; }
  uint32_t vocab() const { return tables.vocab; }
  /// Tokens the KV cache may hold in this run.
  int64_t context() const { return contextTokens; }
  uint32_t threads() const { return team->size(); }
  Team &threadTeam() { return *team; }

private:
  const pi_program &tables;
  Executable executable;
  ModelFacts facts;
  std::unique_ptr<text::Tokenizer> loadedTokenizer;
  PinnedWeights pinned;
  std::unique_ptr<Team> team;
  std::unique_ptr<Program> program;
  int64_t contextTokens = 0;
  uint32_t lastLane = 0; // of the last block
};

} // namespace pi

#endif // PI_RUNTIME_MAIN_SESSION_H
