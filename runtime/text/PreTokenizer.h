//===- PreTokenizer.h - Splitting a text into words -------------*- C++ -*-===//
// The stages that cut a text into the words that byte-pair encoding works on:
// Metaspace, ByteLevel, Digits, Punctuation, Split.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_PRETOKENIZER_H
#define PI_RUNTIME_TEXT_PRETOKENIZER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// Byte range of a text; `isMatch`: a delimiter, not the text between two.
struct TextRange {
  size_t beginBytes;
  size_t endBytes; ///< excluded
  bool isMatch;
};

/// What becomes of a delimiter when a text is split at it.
enum class SplitBehavior : uint8_t {
  Removed,
  Isolated,
  MergedWithPrevious,
  MergedWithNext,
  Contiguous, ///< a run of delimiters is one piece
};

/// Joins and drops `ranges` (which cover a text in order) as `behavior` says;
/// what remains are the pieces.
void applySplitBehavior(SplitBehavior behavior, std::vector<TextRange> &ranges);

/// End in bytes of the word at `begin` (< size) of well-formed `text`, by the
/// expression of GPT-2:
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
size_t gpt2WordEnd(std::string_view text, size_t begin);

/// Splits texts into words in one or more stages. Constant once filled.
class PreTokenizer {
public:
  struct Stage {
    enum Kind : uint8_t {
      Metaspace,   ///< space -> `content`, prefix by `prepend`
      ByteLevel,   ///< GPT-2's splitting, then bytes as printable characters
      Digits,      ///< at \p{N}
      Punctuation, ///< at punctuation
      Split,       ///< at the string `content`
      ThreeDigits, ///< at [0-9][0-9][0-9]
    };
    enum class Prepend : uint8_t { Never, First, Always };
    Kind kind;
    std::string content;
    Prepend prepend = Prepend::Never; ///< Metaspace
    bool addPrefixSpace = false;      ///< ByteLevel
    bool splitWords = true;           ///< Metaspace `split`, else `use_regex`
    bool invert = false;              ///< Split: the text between is the match
    SplitBehavior behavior = SplitBehavior::Isolated;
  };
  using WordSink = std::function<void(std::string_view)>;

  void add(Stage stage) { stages.push_back(std::move(stage)); }

  /// Working memory, reused from text to text.
  struct Scratch {
    struct PerStage {
      std::string text;
      std::string word;
      std::vector<TextRange> ranges;
    };
    std::vector<PerStage> perStage;
  };

  /// Calls `sink` with each word of well-formed `text`, in order; words are
  /// never empty and valid during the call only. `atStart`: the text stands at
  /// the very start of the user's text.
  void split(std::string_view text, bool atStart, Scratch &scratch, const WordSink &sink) const;

private:
  void runStage(size_t index, std::string_view text, bool atStart, Scratch &scratch,
                const WordSink &sink) const;

  std::vector<Stage> stages;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_PRETOKENIZER_H
