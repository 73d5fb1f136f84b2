//===- DecodeTest.cpp - Ids to text, whole and as a stream ----------------===//

#include "SmallTokenizers.h"

#include "runtime/text/StreamDecoder.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/Unicode.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text::test {
namespace {

using Pieces = std::vector<std::string>;

constexpr int32_t kSpace = 259;
constexpr int32_t kHello = 290;
int32_t letter(char c) { return 260 + (c - 'a'); }
int32_t byte(int value) { return 3 + value; }

// What push() returned for each generated id, then finish().
Pieces stream(const Tokenizer &tokenizer, const Ids &prompt, const Ids &generated,
              bool skipSpecial = true) {
  StreamDecoder decoder(tokenizer, prompt.data(), prompt.size(), skipSpecial);
  Pieces pieces;
  for (int32_t id : generated)
    pieces.emplace_back(decoder.push(id));
  pieces.emplace_back(decoder.finish());
  for (const std::string &piece : pieces)
    EXPECT_TRUE(isValidUtf8(piece)) << piece;
  return pieces;
}

TEST(Decode, LlamaChain) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(decode(*tokenizer, {kHello, kHello}), "hello hello");
  EXPECT_EQ(decode(*tokenizer, {kSpace, kHello}), " hello"); // one is cut
  EXPECT_EQ(decode(*tokenizer, {letter('a'), kSpace}), "a ");
  EXPECT_EQ(decode(*tokenizer, {1, kHello, 2}, true), "hello");
  EXPECT_EQ(decode(*tokenizer, {1, kHello, 2}, false), "<s> hello</s>");
  EXPECT_EQ(decode(*tokenizer, {}), "");
  EXPECT_EQ(decode(*tokenizer, {-1, 291, 1 << 30, kHello}), "hello");
}

// One ill-formed place makes every byte of its run U+FFFD.
TEST(Decode, ByteRuns) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(decode(*tokenizer, {byte(0xC3), byte(0xA9), byte('!')}), "é!");
  EXPECT_EQ(decode(*tokenizer, {byte('!'), byte(0xC3)}), "��");
  EXPECT_EQ(decode(*tokenizer, {byte(0xC3), letter('x'), byte(0xA9), byte('!')}), "�x��");
}

TEST(Decode, ByteLevelIsRepairedAsOneText) {
  auto tokenizer = parse(byteLevelSpec());
  EXPECT_EQ(decode(*tokenizer, {0xC3, 0xA9, ' ', 'x'}), "é x");
  EXPECT_EQ(decode(*tokenizer, {'a', 0xF0, 0x9F, 'b', 0xC3}), "a�b�");
}

TEST(Decode, ByteLevelKeepsForeignAddedTokens) {
  Spec spec = byteLevelSpec();
  spec.addedTokens = "[" + addedToken(256, "Ġ你") + "]";
  EXPECT_EQ(decode(*parse(spec), {'a', 256}), "aĠ你");
}

TEST(Decode, Metaspace) {
  Spec spec = llamaSpec();
  spec.decoder = R"({"type": "Metaspace", "replacement": "▁",
                     "prepend_scheme": "always"})";
  EXPECT_EQ(decode(*parse(spec), {kHello, kHello, kSpace}), "hello hello ");
  spec.decoder = R"({"type": "Metaspace", "replacement": "▁",
                     "prepend_scheme": "never"})";
  EXPECT_EQ(decode(*parse(spec), {kHello, kHello}), " hello hello");
}

TEST(Decode, NoDecoderJoinsWithSpaces) {
  Spec spec;
  spec.vocab = {"a", "b"};
  EXPECT_EQ(decode(*parse(spec), {0, 1, 1}), "a b b");
}

TEST(Decode, StripAtBothEnds) {
  Spec spec;
  spec.vocab = {"a", "--", "-"};
  auto withStrip = [&](bool fuse, int start, int stop) {
    spec.decoder = R"({"type": "Sequence", "decoders": [)" +
                   std::string(fuse ? R"({"type": "Fuse"},)" : "") +
                   R"({"type": "Strip", "content": "-", "start": )" + std::to_string(start) +
                   R"(, "stop": )" + std::to_string(stop) + "}]}";
    return parse(spec);
  };
  EXPECT_EQ(decode(*withStrip(true, 1, 0), {1, 0, 1}), "-a--");
  EXPECT_EQ(decode(*withStrip(true, 3, 1), {1, 0, 1}), "a-");
  EXPECT_EQ(decode(*withStrip(true, 0, 3), {0, 1, 0, 2, 1, 2}), "a--a-");
  EXPECT_EQ(decode(*withStrip(true, 1, 1), {1, 1}), "--");
  EXPECT_EQ(decode(*withStrip(true, 9, 9), {1, 1}), "");
  EXPECT_EQ(decode(*withStrip(false, 1, 0), {1, 0, 1}), "-a-");
  EXPECT_EQ(decode(*withStrip(false, 1, 1), {1, 0, 2}), "a");
}

TEST(Stream, WordsComeAtOnce) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(stream(*tokenizer, {}, {kHello, kHello, letter('a')}),
            (Pieces{"hello", " hello", "a", ""}));
  // After a prompt the space in front stays.
  EXPECT_EQ(stream(*tokenizer, {1, kHello}, {kHello, 2}), (Pieces{" hello", "", ""}));
  EXPECT_EQ(stream(*tokenizer, {1, kHello}, {2}, false), (Pieces{"</s>", ""}));
}

TEST(Stream, ByteTokensAreHeldUntilTheRunEnds) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(stream(*tokenizer, {}, {letter('a'), byte(0xC3), byte(0xA9), letter('b')}),
            (Pieces{"a", "", "", "éb", ""}));
  EXPECT_EQ(stream(*tokenizer, {}, {byte(0xF0), byte(0x9F)}), (Pieces{"", "", "��"}));
}

TEST(Stream, ByteLevelHoldsOnlyUnfinishedCharacters) {
  auto tokenizer = parse(byteLevelSpec());
  EXPECT_EQ(stream(*tokenizer, {}, {'a', 0xF0, 0x9F, 0x98, 0x80, 'b'}),
            (Pieces{"a", "", "", "", "😀", "b", ""}));
  EXPECT_EQ(stream(*tokenizer, {}, {0xF0, 0x9F, 'b', 0xC3}), (Pieces{"", "", "�b", "", "�"}));
}

TEST(Stream, PromptThatHoldsText) {
  auto tokenizer = parse(llamaSpec());
  // The prompt ends in a byte run, which decode(prompt) has in full.
  EXPECT_EQ(stream(*tokenizer, {kHello, byte('\n')}, {letter('a')}), (Pieces{"a", ""}));
  EXPECT_EQ(stream(*tokenizer, {kHello, byte('\n')}, {byte('\n')}), (Pieces{"", "\n"}));
  EXPECT_EQ(stream(*tokenizer, {kHello, byte('\n')}, {}), (Pieces{""}));
  // The prompt ends within a character: decode(prompt) is no prefix.
  auto byteLevel = parse(byteLevelSpec());
  EXPECT_EQ(stream(*byteLevel, {'a', 0xC3}, {0xA9, 'b'}), (Pieces{"é", "b", ""}));
  EXPECT_EQ(stream(*byteLevel, {'a', 0xC3}, {'b'}), (Pieces{"b", ""}));
}

TEST(Stream, StripAtTheEndHoldsItsCharacters) {
  Spec spec;
  spec.vocab = {"a", "-"};
  spec.decoder = R"({"type": "Sequence", "decoders": [{"type": "Fuse"},
      {"type": "Strip", "content": "-", "start": 0, "stop": 1}]})";
  auto tokenizer = parse(spec);
  EXPECT_EQ(stream(*tokenizer, {}, {0, 1, 1, 0, 1}), (Pieces{"a", "", "-", "-a", "", ""}));
}

// Random ids: the pieces together are decode(all) without the longest common
// prefix with decode(prompt).
TEST(Stream, EqualsDecodeOnRandomIds) {
  std::mt19937 random(1);
  for (const Spec &spec : {llamaSpec(), byteLevelSpec()}) {
    auto tokenizer = parse(spec);
    for (int round = 0; round < 3000; ++round) {
      Ids prompt(random() % 4);
      Ids generated(random() % 8);
      Ids all;
      for (Ids *ids : {&prompt, &generated})
        for (int32_t &id : *ids) {
          // Mostly bytes that make up characters of several bytes.
          int32_t high = 0xC0 + random() % 0x40;
          int32_t low = 0x80 + random() % 0x40;
          int32_t base = spec.vocab.size() == 256 ? 0 : 3;
          uint32_t kind = random() % 4;
          id = kind == 0 ? int32_t(random() % tokenizer->vocabSize())
                         : base + (kind == 1 ? high : low);
          all.push_back(id);
        }
      std::string whole = decode(*tokenizer, all, true);
      std::string start = decode(*tokenizer, prompt, true);
      size_t common = 0;
      while (common < start.size() && common < whole.size() && whole[common] == start[common])
        ++common;
      while (common < whole.size() && (whole[common] & 0xC0) == 0x80)
        --common;
      std::string text;
      for (const std::string &piece : stream(*tokenizer, prompt, generated))
        text += piece;
      ASSERT_EQ(text, whole.substr(common));
    }
  }
}

} // namespace
} // namespace pi::text::test
