//===- SplitTest.cpp - Splitting texts into words -------------------------===//

#include "runtime/text/PreTokenizer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {
namespace {

using Words = std::vector<std::string>;
using Stage = PreTokenizer::Stage;

Words gpt2(std::string_view text) {
  Words words;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = gpt2WordEnd(text, begin);
    EXPECT_GT(end, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

Words split(std::vector<Stage> stages, std::string_view text, bool atStart = true) {
  PreTokenizer preTokenizer;
  for (Stage &stage : stages)
    preTokenizer.add(std::move(stage));
  Words words;
  PreTokenizer::Scratch scratch;
  preTokenizer.split(text, atStart, scratch,
                     [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(Gpt2Words, Contractions) {
  EXPECT_EQ(gpt2("I'm"), (Words{"I", "'m"}));
  EXPECT_EQ(gpt2("they've we'll don't he'd"),
            (Words{"they", "'ve", " we", "'ll", " don", "'t", " he", "'d"}));
  // Case counts, and the expression does not look at what follows.
  EXPECT_EQ(gpt2("I'M 'sun"), (Words{"I", "'", "M", " '", "sun"}));
  EXPECT_EQ(gpt2("'sun"), (Words{"'s", "un"}));
  EXPECT_EQ(gpt2("''s"), (Words{"''", "s"}));
  EXPECT_EQ(gpt2("'r"), (Words{"'", "r"}));
  EXPECT_EQ(gpt2("'"), (Words{"'"}));
}

TEST(Gpt2Words, WhiteSpace) {
  EXPECT_EQ(gpt2("a  b"), (Words{"a", " ", " b"}));
  EXPECT_EQ(gpt2("a   b"), (Words{"a", "  ", " b"}));
  EXPECT_EQ(gpt2("a   "), (Words{"a", "   "}));
  EXPECT_EQ(gpt2("a \n"), (Words{"a", " \n"}));
  EXPECT_EQ(gpt2("a\nb"), (Words{"a", "\n", "b"}));
  EXPECT_EQ(gpt2("a\n\nb"), (Words{"a", "\n", "\n", "b"}));
  EXPECT_EQ(gpt2("a\n b"), (Words{"a", "\n", " b"}));
  EXPECT_EQ(gpt2("a\u00a0b"), (Words{"a", "\u00a0", "b"}));
  EXPECT_EQ(gpt2(" "), (Words{" "}));
  EXPECT_EQ(gpt2(""), Words{});
}

TEST(Gpt2Words, NumbersSymbolsOtherScripts) {
  EXPECT_EQ(gpt2("x12 345.6"), (Words{"x", "12", " 345", ".", "6"}));
  EXPECT_EQ(gpt2("1½Ⅷ٣"), (Words{"1½Ⅷ٣"}));
  EXPECT_EQ(gpt2("a, (b)!?"), (Words{"a", ",", " (", "b", ")!?"}));
  EXPECT_EQ(gpt2("你好 世界"), (Words{"你好", " 世界"}));
  EXPECT_EQ(gpt2("hi😀😀 😀x"), (Words{"hi", "😀😀", " 😀", "x"}));
  EXPECT_EQ(gpt2("e\u0301t"), (Words{"e", "\u0301", "t"})); // a mark is other
}

TEST(Metaspace, Schemes) {
  Stage stage{};
  stage.kind = Stage::Metaspace;
  stage.content = "▁";
  stage.behavior = SplitBehavior::MergedWithNext;
  stage.prepend = Stage::Prepend::First;
  EXPECT_EQ(split({stage}, "a b"), (Words{"▁a", "▁b"}));
  EXPECT_EQ(split({stage}, "a b", false), (Words{"a", "▁b"}));
  EXPECT_EQ(split({stage}, " a"), (Words{"▁a"})); // no second one
  EXPECT_EQ(split({stage}, "▁a"), (Words{"▁a"}));
  EXPECT_EQ(split({stage}, "  a  "), (Words{"▁", "▁a", "▁", "▁"}));
  EXPECT_EQ(split({stage}, ""), Words{});
  stage.prepend = Stage::Prepend::Never;
  EXPECT_EQ(split({stage}, "a b"), (Words{"a", "▁b"}));
  stage.prepend = Stage::Prepend::Always;
  stage.splitWords = false;
  EXPECT_EQ(split({stage}, "a b", false), (Words{"▁a▁b"}));
}

TEST(ByteLevelStage, PrefixSpaceAndBytes) {
  Stage stage{};
  stage.kind = Stage::ByteLevel;
  EXPECT_EQ(split({stage}, "é b"), (Words{"Ã©", "Ġb"}));
  stage.addPrefixSpace = true;
  EXPECT_EQ(split({stage}, "a b"), (Words{"Ġa", "Ġb"}));
  EXPECT_EQ(split({stage}, " a"), (Words{"Ġa"}));
  stage.splitWords = false;
  EXPECT_EQ(split({stage}, "a b"), (Words{"ĠaĠb"}));
}

TEST(SplitBehaviors, AroundADelimiter) {
  Stage stage{};
  stage.kind = Stage::Split;
  stage.content = "-";
  auto with = [&](SplitBehavior behavior) {
    stage.behavior = behavior;
    return split({stage}, "a--b-");
  };
  EXPECT_EQ(with(SplitBehavior::Removed), (Words{"a", "b"}));
  EXPECT_EQ(with(SplitBehavior::Isolated), (Words{"a", "-", "-", "b", "-"}));
  EXPECT_EQ(with(SplitBehavior::MergedWithPrevious), (Words{"a-", "-", "b-"}));
  EXPECT_EQ(with(SplitBehavior::MergedWithNext), (Words{"a", "-", "-b", "-"}));
  EXPECT_EQ(with(SplitBehavior::Contiguous), (Words{"a", "--", "b", "-"}));
  stage.invert = true;
  EXPECT_EQ(with(SplitBehavior::Removed), (Words{"-", "-", "-"}));
}

// Punctuation, byte level, digits in threes: the stages of Falcon models.
TEST(StageSequence, Falcon) {
  Stage punctuation{};
  punctuation.kind = Stage::Punctuation;
  punctuation.behavior = SplitBehavior::Contiguous;
  Stage byteLevel{};
  byteLevel.kind = Stage::ByteLevel;
  Stage digits{};
  digits.kind = Stage::Digits;
  digits.behavior = SplitBehavior::Contiguous;
  Stage threes{};
  threes.kind = Stage::ThreeDigits;
  EXPECT_EQ(split({punctuation, byteLevel, digits, threes}, "In 12345 (x)..."),
            (Words{"In", "Ġ", "123", "45", "Ġ", "(", "x", ")..."}));
}

} // namespace
} // namespace pi::text
