//===- Decoder.h - From tokens back to text ---------------------*- C++ -*-===//
// The decoder stages of a tokenizer and their state while tokens stream
// through them. One implementation serves whole texts and streams.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_DECODER_H
#define PI_RUNTIME_TEXT_DECODER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// The stages, in order. Constant once filled.
class Decoder {
public:
  struct Stage {
    enum Kind : uint8_t {
      Replace,      ///< every `pattern` of a token becomes `content`
      ByteFallback, ///< runs of `<0xNN>` tokens become their bytes
      Fuse,         ///< all tokens become one
      Strip,        ///< cuts the character `content` at the ends of each token
      ByteLevel,    ///< GPT-2's characters become bytes; all tokens one
      Metaspace,    ///< `pattern` becomes a space, none in the first token
      JoinSpaces,   ///< a space between tokens; all tokens one
    };
    Kind kind;
    std::string pattern;    ///< not empty for Replace and Metaspace
    std::string content;    ///< one character for Strip
    size_t start = 0;       ///< Strip: at most so many characters in front
    size_t stop = 0;        ///< Strip: and so many at the end
    bool dropFirst = false; ///< Metaspace: the first token loses its spaces
  };

  /// Adds a stage. False if it is one that cannot follow the stages before:
  /// once tokens are fused, only Fuse and Strip are possible.
  bool add(Stage stage);

  const std::vector<Stage> &getStages() const { return stages; }

  /// True if stage `index` gets one endless token in pieces.
  bool isFusedBefore(size_t index) const { return index > firstFuse; }

private:
  std::vector<Stage> stages;
  size_t firstFuse = SIZE_MAX;
};

/// Tokens streaming through a decoder. Copyable: a copy goes on on its own.
class DecodeState {
public:
  /// `decoder` must outlive this object.
  explicit DecodeState(const Decoder &decoder)
      : decoder(&decoder), perStage(decoder.getStages().size()) {}

  /// Appends to `out` the text that is certain once `token` has come. It is
  /// well-formed UTF-8 in itself. Amortised linear in the token.
  void push(std::string_view token, std::string &out);

  /// Appends what was held back. No `push` may follow.
  void finish(std::string &out);

private:
  struct StageState {
    std::string pending;  // ByteFallback, ByteLevel: bytes held back
    std::string scratch;  // text handed to the next stage
    size_t counter = 0;   // Strip, fused: characters held back at the end
    size_t cut = 0;       // Strip, fused: characters cut in front
    bool started = false; // a token or, for Strip, its first text was seen
  };

  void feed(size_t index, std::string_view token, std::string &out);
  void feedByteFallback(size_t index, std::string_view token, std::string &out);
  void flushBytes(size_t index, std::string &out);
  void feedByteLevel(size_t index, std::string_view token, std::string &out);
  void feedFusedStrip(size_t index, std::string_view text, std::string &out);

  const Decoder *decoder;
  std::vector<StageState> perStage;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_DECODER_H
