//===- EncodeTest.cpp - Text to ids on small tokenizers -------------------===//

#include "SmallTokenizers.h"

#include "runtime/text/Tokenizer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pi::text::test {
namespace {

constexpr int32_t kSpace = 259; // ▁ of llamaSpec
constexpr int32_t kHello = 290; // ▁hello

int32_t letter(char c) { return 260 + (c - 'a'); }
int32_t byte(int value) { return 3 + value; }

TEST(Encode, MergesAndTemplate) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(tokenizer->encode("hello", false), (Ids{kHello}));
  EXPECT_EQ(tokenizer->encode("hello", true), (Ids{1, kHello}));
  EXPECT_EQ(tokenizer->encode("hello hello", false), (Ids{kHello, kHello}));
  EXPECT_EQ(tokenizer->encode("ohell", false), (Ids{kSpace, letter('o'), 286, 288})); // o, he, ll
  EXPECT_EQ(tokenizer->encode("", true), (Ids{1}));
  EXPECT_EQ(tokenizer->encode("", false), Ids{});
  EXPECT_EQ(tokenizer->bosId(), 1);
  EXPECT_EQ(tokenizer->prefixIds(), Ids{1});
  EXPECT_EQ(tokenizer->suffixIds(), Ids{});
}

TEST(Encode, LowestRankFirstThenLeftmost) {
  Spec spec;
  spec.vocab = {"a", "b", "aa", "ab", "aab"};
  spec.merges = {{"a", "b"}, {"a", "a"}, {"a", "ab"}};
  auto tokenizer = parse(spec);
  // "ab" (rank 0) goes before the "aa" that starts further left.
  EXPECT_EQ(tokenizer->encode("aab", false), (Ids{4}));
  EXPECT_EQ(tokenizer->encode("aaab", false), (Ids{2, 3}));
  EXPECT_EQ(tokenizer->encode("aaaaa", false), (Ids{2, 2, 0}));
}

TEST(Encode, MergesAsStrings) {
  std::string error;
  auto tokenizer = Tokenizer::parse(
      R"({"model": {"vocab": {"a": 0, "b": 1, "ab": 2},
          "merges": ["#version: 0.2", "a b"]}})",
      error);
  ASSERT_TRUE(tokenizer) << error;
  EXPECT_EQ(tokenizer->encode("abba", false), (Ids{2, 1, 0}));
}

TEST(Encode, IgnoreMerges) {
  Spec spec;
  spec.vocab = {"a", "b", "ab"};
  spec.model["ignore_merges"] = "true";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("ab", false), (Ids{2}));
  EXPECT_EQ(tokenizer->encode("aba", false), (Ids{0, 1, 0}));
}

TEST(Encode, ByteFallback) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(tokenizer->encode("é\n", false), (Ids{kSpace, byte(0xC3), byte(0xA9), byte(0x0A)}));
  EXPECT_EQ(tokenizer->encode("😀", false),
            (Ids{kSpace, byte(0xF0), byte(0x9F), byte(0x98), byte(0x80)}));
}

TEST(Encode, IllFormedUtf8CountsAsReplacementCharacter) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(tokenizer->encode("a\xC3", false), tokenizer->encode("a�", false));
  EXPECT_EQ(tokenizer->encode("\xF0\x9F\x98z\xFF", false), tokenizer->encode("�z�", false));
  std::string withZero("a\0b", 3);
  EXPECT_EQ(tokenizer->encode(withZero, false), (Ids{kSpace, letter('a'), byte(0), letter('b')}));
}

TEST(Encode, UnknownCharacters) {
  Spec spec;
  spec.vocab = {"<unk>", "a", "b"};
  spec.model = {{"unk_token", "\"<unk>\""}, {"fuse_unk", "true"}};
  EXPECT_EQ(parse(spec)->encode("axyzb??", false), (Ids{1, 0, 2, 0}));
  spec.model["fuse_unk"] = "false";
  EXPECT_EQ(parse(spec)->encode("axyb", false), (Ids{1, 0, 0, 2}));
  spec.model["unk_token"] = "null";
  EXPECT_EQ(parse(spec)->encode("axyb", false), (Ids{1, 2}));
}

// A byte that has no token makes its character unknown; as in `tokenizers` the
// byte tokens of the character after it come before the unk.
TEST(Encode, SomeByteTokensMissing) {
  Spec spec;
  spec.vocab = {"<unk>", "<0x41>", "a"};
  spec.model = {{"unk_token", "\"<unk>\""}, {"byte_fallback", "true"}};
  EXPECT_EQ(parse(spec)->encode("BAa", false), (Ids{1, 0, 2}));
}

TEST(Encode, ByteLevel) {
  auto tokenizer = parse(byteLevelSpec());
  EXPECT_EQ(tokenizer->encode("é x", false), (Ids{0xC3, 0xA9, 0x20, 'x'}));
  EXPECT_EQ(tokenizer->bosId(), std::nullopt);
}

// Merges never cross the border of two words.
TEST(Encode, ByteLevelWordsAreSeparate) {
  Spec spec = byteLevelSpec();
  spec.merges = {{"a", "Ġ"}, {"Ġ", "b"}};
  spec.vocab.push_back("aĠ");
  spec.vocab.push_back("Ġb");
  EXPECT_EQ(parse(spec)->encode("a b", false), (Ids{'a', 257}));
}

TEST(Encode, NormalizerOfOldLlama) {
  Spec spec = llamaSpec();
  spec.preTokenizer = "null";
  spec.normalizer = R"({"type": "Sequence", "normalizers": [
      {"type": "Prepend", "prepend": "▁"},
      {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("hello", false), (Ids{kHello}));
  EXPECT_EQ(tokenizer->encode("", false), Ids{});
  // Each text between special tokens gets the prefix.
  EXPECT_EQ(tokenizer->encode("hello</s>hello", false), (Ids{kHello, 2, kHello}));
  EXPECT_EQ(tokenizer->encode(" hello", false), (Ids{kSpace, kHello}));
}

TEST(Encode, MetaspaceSchemesAroundSpecialTokens) {
  Spec spec = llamaSpec();
  auto encode = [&](const char *members, const char *text) {
    spec.preTokenizer =
        R"({"type": "Metaspace", "replacement": "▁", )" + std::string(members) + "}";
    return parse(spec)->encode(text, false);
  };
  const Ids plain = {286, 288, letter('o')}; // he, ll, o
  Ids neverIds = plain;
  Ids afterSpecial = {2};
  afterSpecial.insert(afterSpecial.end(), plain.begin(), plain.end());
  EXPECT_EQ(encode(R"("prepend_scheme": "never")", "hello"), neverIds);
  EXPECT_EQ(encode(R"("prepend_scheme": "first")", "hello"), Ids{kHello});
  EXPECT_EQ(encode(R"("prepend_scheme": "first")", "</s>hello"), afterSpecial);
  EXPECT_EQ(encode(R"("prepend_scheme": "always")", "</s>hello"), (Ids{2, kHello}));
  // Files of old versions.
  EXPECT_EQ(encode(R"("add_prefix_space": true)", "hello"), Ids{kHello});
  EXPECT_EQ(encode(R"("add_prefix_space": false)", "hello"), neverIds);
}

TEST(AddedTokens, InTheMiddleOfText) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(tokenizer->encode("hello</s>a<s></s>", false), (Ids{kHello, 2, letter('a'), 1, 2}));
  EXPECT_EQ(tokenizer->encode("<s>", true), (Ids{1, 1}));
  // Not quite special tokens.
  EXPECT_EQ(tokenizer->encode("<s", false), (Ids{kSpace, byte('<'), letter('s')}));
}

TEST(AddedTokens, LeftmostLongest) {
  Spec spec;
  spec.vocab = {"a", "b", "c"};
  spec.addedTokens =
      "[" + addedToken(3, "ab") + "," + addedToken(4, "abc") + "," + addedToken(5, "bcc") + "]";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("abcc", false), (Ids{4, 2}));
  EXPECT_EQ(tokenizer->encode("abbcc", false), (Ids{3, 5}));
}

TEST(AddedTokens, StripAndSingleWord) {
  Spec spec = byteLevelSpec();
  spec.addedTokens = "[" + addedToken(256, "<l>", "\"lstrip\": true") + "," +
                     addedToken(257, "<r>", "\"rstrip\": true") + "," +
                     addedToken(258, "cat", "\"single_word\": true") + "]";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("a \n<l> b", false), (Ids{'a', 256, ' ', 'b'}));
  EXPECT_EQ(tokenizer->encode("a <r> \u00a0b", false), (Ids{'a', ' ', 257, 'b'}));
  EXPECT_EQ(tokenizer->encode("<r>  <l>", false), (Ids{257, 256}));
  EXPECT_EQ(tokenizer->encode("cat cats -cat-", false),
            (Ids{258, ' ', 'c', 'a', 't', 's', ' ', '-', 258, '-'}));
}

TEST(AddedTokens, NormalizedOnesAreFoundInNormalizedText) {
  Spec spec = byteLevelSpec();
  spec.normalizer = R"({"type": "Replace", "pattern": {"String": "x"}, "content": "y"})";
  spec.addedTokens =
      "[" + addedToken(256, "<x>", "\"normalized\": true") + "," + addedToken(257, "[x]") + "]";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("<x><y>[x]", false), (Ids{256, 256, 257}));
  EXPECT_EQ(tokenizer->encode("[y]", false), (Ids{'[', 'y', ']'}));
}

// The ids that the `tokenizers` library gives, not those of the file.
TEST(AddedTokens, IdsFollowTheModel) {
  Spec spec;
  spec.vocab = {"a", "b"};
  spec.addedTokens =
      "[" + addedToken(7, "b") + "," + addedToken(9, "<x>") + "," + addedToken(11, "<y>") + "]";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->idOf("b"), 1);
  EXPECT_EQ(tokenizer->idOf("<x>"), 2);
  EXPECT_EQ(tokenizer->idOf("<y>"), 3);
  EXPECT_EQ(tokenizer->vocabSize(), 4);
}

TEST(Lookup, TokensAndIds) {
  auto tokenizer = parse(llamaSpec());
  EXPECT_EQ(tokenizer->vocabSize(), 291);
  EXPECT_EQ(tokenizer->idOf("▁hello"), kHello);
  EXPECT_EQ(tokenizer->idOf("hello"), std::nullopt);
  EXPECT_EQ(tokenizer->tokenOf(kHello), "▁hello");
  EXPECT_EQ(tokenizer->tokenOf(291), "");
  EXPECT_FALSE(tokenizer->contains(291));
  EXPECT_FALSE(tokenizer->contains(-1));
  EXPECT_TRUE(tokenizer->isSpecial(2));
  EXPECT_FALSE(tokenizer->isSpecial(kHello));
  EXPECT_FALSE(tokenizer->isSpecial(-5));
}

TEST(Template, PutsTokensOnBothSides) {
  Spec spec = llamaSpec();
  spec.postProcessor = R"({"type": "Sequence", "processors": [
      {"type": "ByteLevel", "trim_offsets": false},
      {"type": "TemplateProcessing",
       "single": [{"SpecialToken": {"id": "x", "type_id": 0}},
                  {"SpecialToken": {"id": "<s>", "type_id": 0}},
                  {"Sequence": {"id": "A", "type_id": 0}},
                  {"SpecialToken": {"id": "</s>", "type_id": 0}}],
       "special_tokens": {"x": {"ids": [260, 261]}, "<s>": {"ids": [1]},
                          "</s>": {"ids": [2]}}}]})";
  auto tokenizer = parse(spec);
  EXPECT_EQ(tokenizer->encode("hello", true), (Ids{260, 261, 1, kHello, 2}));
  EXPECT_EQ(tokenizer->encode("hello", false), (Ids{kHello}));
  EXPECT_EQ(tokenizer->bosId(), 1);
}

// One word of 1 MB whose merges cascade: quadratic work would take minutes.
TEST(Encode, LongWord) {
  Spec spec;
  spec.vocab = {"a"};
  std::string token = "a";
  for (int i = 0; i < 10; ++i) {
    spec.merges.push_back({token, token});
    token += token;
    spec.vocab.push_back(token);
  }
  auto tokenizer = parse(spec);
  std::string text(1 << 20, 'a');
  EXPECT_EQ(tokenizer->encode(text, false), Ids(1024, 10));
  EXPECT_EQ(decode(*tokenizer, {10, 0}), token + " a"); // no decoder: joined
}

} // namespace
} // namespace pi::text::test
