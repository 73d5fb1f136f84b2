//===- StreamDecoder.h - Text of tokens as they come ------------*- C++ -*-===//
// Decodes the tokens that follow a prompt, one by one, for printing.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_STREAMDECODER_H
#define PI_RUNTIME_TEXT_STREAMDECODER_H

#include "runtime/text/Decoder.h"
#include "runtime/text/Tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {

/// Emits decode(prompt + generated) without the leading decode(prompt), in
/// pieces. Each piece is well-formed UTF-8 in itself.
///
/// Text is held back only while it is not certain: an unfinished UTF-8
/// sequence, or a run of `<0xNN>` byte tokens (which decodes as a whole).
/// Should decode(prompt) be no prefix of the whole (a prompt that ends within a
/// character), the longest common prefix is left out instead.
class StreamDecoder {
public:
  /// `tokenizer` must outlive this object; `promptIds` is read here only.
  /// O(prompt).
  StreamDecoder(const Tokenizer &tokenizer, const int32_t *promptIds, size_t promptCount,
                bool skipSpecial = true);

  /// Takes the next token; returns the text ready to print, valid until the
  /// next call. Ids without a token give nothing. Amortised O(token); no
  /// allocation once the buffers have grown.
  std::string_view push(int32_t id);

  /// Returns the text held back; the text is then complete. Call it once.
  std::string_view finish();

private:
  void feed(int32_t id);
  std::string_view withoutPrompt();

  const Tokenizer &tokenizer;
  DecodeState state;
  bool skipSpecial;
  std::string promptRest;     // end of decode(prompt) that `state` holds back
  size_t promptRestBytes = 0; // of it, seen so far in the text
  std::string ready;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_STREAMDECODER_H
