//===- StopStringsTest.cpp - Texts that end before a string ---------------===//

#include "runtime/text/StopStrings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text::test {
namespace {

using Strings = std::vector<std::string>;

/// What comes out of each piece, then of the end; "|" between them.
std::string feed(StopStrings &stops, const Strings &pieces) {
  std::string out;
  for (const std::string &piece : pieces)
    out += std::string(stops.push(piece)) + "|";
  return out + std::string(stops.finish());
}

std::string feed(const Strings &strings, const Strings &pieces) {
  StopStrings stops(strings);
  return feed(stops, pieces);
}

TEST(StopStrings, NoneHoldsNothing) { EXPECT_EQ(feed(Strings(), {"ab", "", "c"}), "ab||c|"); }

TEST(StopStrings, WithinAPiece) {
  EXPECT_EQ(feed({"END"}, {"xxENDyy"}), "xx|");
  EXPECT_EQ(feed({"END"}, {"END"}), "|");
  EXPECT_EQ(feed({"a"}, {"bab"}), "b|");
}

TEST(StopStrings, AcrossPieces) {
  EXPECT_EQ(feed({"END"}, {"xE", "N", "Dy", "z"}), "x||||");
  EXPECT_EQ(feed({"\n\n"}, {"a\n", "\nb"}), "a||");
}

TEST(StopStrings, HeldBackIsFlushedWhenItFails) {
  EXPECT_EQ(feed({"END"}, {"xE", "N", "!"}), "x||EN!|");
  EXPECT_EQ(feed({"END"}, {"xE", "N"}), "x||EN"); // the text ends
  EXPECT_EQ(feed({"aab"}, {"a", "a", "a", "b"}), "||a||");
  EXPECT_EQ(feed({"END"}, {"EENE", "ND"}), "EEN||");
}

TEST(StopStrings, FirstToBeCompleteWins) {
  EXPECT_EQ(feed({"abcd", "bc"}, {"xabcd"}), "xa|");
  EXPECT_EQ(feed({"bc", "abc"}, {"xabc"}), "x|"); // both end here: the longer one
  EXPECT_EQ(feed({"abc", "bc"}, {"xabc"}), "x|");
}

TEST(StopStrings, CharactersStayWhole) {
  EXPECT_EQ(feed({"é"}, {"è", "é"}), "è||"); // they share their first byte
  EXPECT_EQ(feed({"熊!"}, {"a熊", "?", "熊", "!"}), "a|熊?|||");
}

TEST(StopStrings, Reset) {
  StopStrings stops({"END"});
  EXPECT_EQ(feed(stops, {"aENDb"}), "a|");
  EXPECT_TRUE(stops.found());
  EXPECT_EQ(feed(stops, {"c"}), "|");
  stops.reset();
  EXPECT_FALSE(stops.found());
  EXPECT_EQ(feed(stops, {"cEN"}), "c|EN");
}

/// The text before the first end of a stop string, by definition.
std::string before(const Strings &strings, const std::string &text, bool &found) {
  for (size_t end = 1; end <= text.size(); ++end)
    for (size_t begin = 0; begin < end; ++begin)
      for (const std::string &stop : strings)
        if (text.substr(begin, end - begin) == stop) {
          found = true;
          return text.substr(0, begin);
        }
  found = false;
  return text;
}

TEST(StopStrings, EveryTextCutInEveryWay) {
  const std::vector<Strings> sets = {{"ab"}, {"aa"}, {"aab", "ba"}, {"abab", "bb", "baa"}};
  constexpr uint32_t letters = 7;
  for (const Strings &strings : sets)
    for (uint32_t bits = 0; bits < 1u << letters; ++bits) {
      std::string text;
      for (uint32_t i = 0; i < letters; ++i)
        text += bits >> i & 1 ? 'b' : 'a';
      bool found = false;
      std::string expected = before(strings, text, found);
      for (uint32_t cuts = 0; cuts < 1u << (letters - 1); ++cuts) {
        StopStrings stops(strings);
        std::string out, piece;
        for (uint32_t i = 0; i < letters; ++i) {
          piece += text[i];
          if (i + 1 == letters || (cuts >> i & 1)) {
            out += stops.push(piece);
            piece.clear();
          }
        }
        out += stops.finish();
        ASSERT_EQ(out, expected) << text << " " << cuts;
        ASSERT_EQ(stops.found(), found);
      }
    }
}

} // namespace
} // namespace pi::text::test
