//===- Decoder.cpp - From tokens back to text -----------------------------===//
// A stage gets a token (or, once tokens are fused, a piece of the one token)
// and feeds the next. The depth of calls is the number of stages.
//===----------------------------------------------------------------------===//

#include "runtime/text/Decoder.h"

#include "runtime/text/ByteLevel.h"
#include "runtime/text/EndsWith.h"
#include "runtime/text/Normalizer.h"
#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pi::text {

using Stage = Decoder::Stage;

bool Decoder::add(Stage stage) {
  bool fuses = stage.kind == Stage::Fuse || stage.kind == Stage::ByteLevel ||
               stage.kind == Stage::JoinSpaces;
  bool fused = isFusedBefore(stages.size());
  if (fused && stage.kind != Stage::Fuse && stage.kind != Stage::Strip)
    return false;
  if (fuses && !fused)
    firstFuse = stages.size();
  stages.push_back(std::move(stage));
  return true;
}

//===----------------------------------------------------------------------===//
// Byte tokens
//===----------------------------------------------------------------------===//

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

// The byte that `<0xNN>` stands for, -1 for any other token. Like Rust's
// from_str_radix, `+` may stand for the first digit.
static int byteOfToken(std::string_view token) {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>')
    return -1;
  int high = token[3] == '+' ? 0 : hexDigit(token[3]);
  int low = hexDigit(token[4]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

void DecodeState::feedByteFallback(size_t index, std::string_view token, std::string &out) {
  int byte = byteOfToken(token);
  if (byte >= 0) {
    // Held until the run ends: one ill-formed place turns every byte of the
    // run into U+FFFD.
    perStage[index].pending.push_back(static_cast<char>(byte));
    return;
  }
  flushBytes(index, out);
  feed(index + 1, token, out);
}

void DecodeState::flushBytes(size_t index, std::string &out) {
  std::string &run = perStage[index].pending;
  if (run.empty())
    return;
  if (isValidUtf8(run))
    feed(index + 1, run, out);
  else
    for (size_t i = 0; i < run.size(); ++i)
      feed(index + 1, kReplacementChar, out);
  run.clear();
}

void DecodeState::feedByteLevel(size_t index, std::string_view token, std::string &out) {
  StageState &state = perStage[index];
  appendCharsAsBytes(token, state.pending);
  state.scratch.clear();
  size_t consumedBytes = appendRepaired(state.pending, false, state.scratch);
  state.pending.erase(0, consumedBytes);
  feed(index + 1, state.scratch, out);
}

//===----------------------------------------------------------------------===//
// Strip
//===----------------------------------------------------------------------===//

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Cuts at most `limit` times `content` in front; returns how often.
static size_t cutFront(std::string_view &text, std::string_view content, size_t limit) {
  size_t count = 0;
  for (; count < limit && startsWith(text, content); ++count)
    text.remove_prefix(content.size());
  return count;
}

static size_t cutBack(std::string_view &text, std::string_view content, size_t limit) {
  size_t count = 0;
  for (; count < limit && endsWith(text, content); ++count)
    text.remove_suffix(content.size());
  return count;
}

void DecodeState::feedFusedStrip(size_t index, std::string_view text, std::string &out) {
  const Stage &stage = decoder->getStages()[index];
  StageState &state = perStage[index];
  if (!state.started) {
    state.cut += cutFront(text, stage.content, stage.start - state.cut);
    state.started = !text.empty();
  }
  if (text.empty())
    return;
  std::string_view kept = text;
  size_t held = cutBack(kept, stage.content, stage.stop);
  state.scratch.clear();
  if (kept.empty()) {
    // Nothing but the character: of all that are held, the last `stop` stay.
    held += state.counter;
    state.counter = std::min(held, stage.stop);
    held -= state.counter;
  } else {
    std::swap(held, state.counter);
  }
  for (size_t i = 0; i < held; ++i)
    state.scratch.append(stage.content);
  state.scratch.append(kept);
  feed(index + 1, state.scratch, out);
}

//===----------------------------------------------------------------------===//
// DecodeState
//===----------------------------------------------------------------------===//

void DecodeState::feed(size_t index, std::string_view token, std::string &out) {
  if (index == perStage.size()) {
    out.append(token);
    return;
  }
  const Stage &stage = decoder->getStages()[index];
  StageState &state = perStage[index];
  switch (stage.kind) {
  case Stage::Replace:
    state.scratch.clear();
    appendReplaced(token, stage.pattern, stage.content, state.scratch);
    feed(index + 1, state.scratch, out);
    return;
  case Stage::ByteFallback:
    feedByteFallback(index, token, out);
    return;
  case Stage::Fuse:
    feed(index + 1, token, out);
    return;
  case Stage::Strip:
    if (decoder->isFusedBefore(index)) {
      feedFusedStrip(index, token, out);
      return;
    }
    cutFront(token, stage.content, stage.start);
    cutBack(token, stage.content, stage.stop);
    feed(index + 1, token, out);
    return;
  case Stage::ByteLevel:
    feedByteLevel(index, token, out);
    return;
  case Stage::Metaspace:
    state.scratch.clear();
    appendReplaced(token, stage.pattern, stage.dropFirst && !state.started ? "" : " ",
                   state.scratch);
    state.started = true;
    feed(index + 1, state.scratch, out);
    return;
  case Stage::JoinSpaces:
    if (state.started)
      feed(index + 1, " ", out);
    state.started = true;
    feed(index + 1, token, out);
    return;
  }
}

void DecodeState::push(std::string_view token, std::string &out) { feed(0, token, out); }

void DecodeState::finish(std::string &out) {
  for (size_t index = 0; index < perStage.size(); ++index) {
    StageState &state = perStage[index];
    switch (decoder->getStages()[index].kind) {
    case Stage::ByteFallback:
      flushBytes(index, out);
      break;
    case Stage::ByteLevel:
      state.scratch.clear();
      appendRepaired(state.pending, true, state.scratch);
      state.pending.clear();
      feed(index + 1, state.scratch, out);
      break;
    default: // what a Strip holds is cut
      break;
    }
  }
}

} // namespace pi::text
