//===- StreamDecoder.cpp - Text of tokens as they come --------------------===//

#include "runtime/text/StreamDecoder.h"

#include "runtime/text/Decoder.h"
#include "runtime/text/Tokenizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {

StreamDecoder::StreamDecoder(const Tokenizer &tokenizer, const int32_t *promptIds,
                             size_t promptCount, bool skipSpecial)
    : tokenizer(tokenizer), state(tokenizer.decoder()), skipSpecial(skipSpecial) {
  for (size_t i = 0; i < promptCount; ++i) {
    ready.clear();
    feed(promptIds[i]);
  }
  DecodeState promptOnly = state;
  promptOnly.finish(promptRest);
}

void StreamDecoder::feed(int32_t id) {
  if (tokenizer.contains(id) && !(skipSpecial && tokenizer.isSpecial(id)))
    state.push(tokenizer.tokenOf(id), ready);
}

// What is in `ready` and not the rest of the prompt.
std::string_view StreamDecoder::withoutPrompt() {
  std::string_view rest = std::string_view(promptRest).substr(promptRestBytes);
  std::string_view text = ready;
  size_t limit = std::min(rest.size(), text.size());
  size_t common = 0;
  while (common < limit && rest[common] == text[common])
    ++common;
  promptRestBytes += common;
  if (common < limit) {
    // The token changed the prompt's last characters: go on from there.
    while (common > 0 && (static_cast<uint8_t>(text[common]) & 0xC0) == 0x80)
      --common;
    promptRestBytes = promptRest.size();
  }
  return text.substr(common);
}

std::string_view StreamDecoder::push(int32_t id) {
  ready.clear();
  feed(id);
  return withoutPrompt();
}

std::string_view StreamDecoder::finish() {
  ready.clear();
  state.finish(ready);
  return withoutPrompt();
}

} // namespace pi::text
