//===- FlagsTest.cpp - The flag parser ------------------------------------===//

#include "runtime/main/Flags.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace pi;

namespace {

constexpr uint32_t build = 1, show = 2;

constexpr FlagSpec specs[] = {
    {"o", nullptr, FlagValue::Required, "FILE", "Output", "write here"},
    {"context", "c", FlagValue::Required, "N", "Model", "tokens"},
    {"save-temps", nullptr, FlagValue::Optional, "DIR", "Output", "keep files"},
    {"exact", nullptr, FlagValue::None, nullptr, "Model", "no shortcuts"},
    {"kv", nullptr, FlagValue::Required, nullptr, "Model", "cache type", "f16|f32", "q8"},
    {"temp", nullptr, FlagValue::Required, "X", "Model", "temperature"},
    {"n", nullptr, FlagValue::Required, "N", "Model", "count", nullptr, nullptr, build},
    {"json", nullptr, FlagValue::None, nullptr, "Output", "JSON", nullptr, nullptr, show, build},
    {"seed", nullptr, FlagValue::Required, "N", "Model", "", nullptr, nullptr, 0, build | show},
};

struct Result {
  bool ok;
  ParsedFlags flags;
  std::string error;
};

Result parse(std::vector<const char *> arguments, uint32_t scope = build) {
  Result result;
  result.ok = FlagTable(specs).parse(int(arguments.size()), arguments.data(), scope,
                                     scope == build ? "build" : "show", result.flags, result.error);
  EXPECT_EQ(result.ok, result.error.empty());
  return result;
}

std::string errorOf(std::vector<const char *> arguments, uint32_t scope = build) {
  return parse(arguments, scope).error;
}

using Texts = std::vector<std::string_view>;

TEST(Flags, Spellings) {
  Result r = parse({"in.onnx", "-o", "a.bin", "--context=7", "-c", "8", "--exact", "-n", "-1"});
  ASSERT_TRUE(r.ok) << r.error;
  EXPECT_EQ(r.flags.positionals(), Texts({"in.onnx"}));
  EXPECT_EQ(r.flags.get("o"), "a.bin");
  EXPECT_EQ(r.flags.get("context"), "8"); // the last one wins
  EXPECT_EQ(r.flags.all("context"), Texts({"7", "8"}));
  EXPECT_TRUE(r.flags.has("exact"));
  EXPECT_FALSE(r.flags.has("kv"));
  EXPECT_EQ(r.flags.get("kv", "f16"), "f16");
  EXPECT_EQ(r.flags.get("n"), "-1");
  EXPECT_EQ(parse({"--context", "9"}).flags.get("context"), "9");
  EXPECT_EQ(parse({"-o=x=y"}).flags.get("o"), "x=y");
  EXPECT_EQ(parse({"--context="}).flags.get("context", "none"), "");
}

TEST(Flags, OptionalValuesTakeOnlyEqualsSigns) {
  Result r = parse({"--save-temps", "dir"});
  ASSERT_TRUE(r.ok);
  EXPECT_FALSE(r.flags.last("save-temps")->hasValue);
  EXPECT_EQ(r.flags.positionals(), Texts({"dir"}));
  EXPECT_EQ(parse({"--save-temps=dir"}).flags.get("save-temps"), "dir");
}

TEST(Flags, WhatIsNoFlagIsAnArgument) {
  EXPECT_EQ(parse({"-", "a", "--", "--exact", "-o"}).flags.positionals(),
            Texts({"-", "a", "--exact", "-o"}));
  EXPECT_EQ(parse({""}).flags.positionals(), Texts({""}));
  EXPECT_EQ(parse({"-o", "--exact"}).flags.get("o"), "--exact"); // a value is a value
}

TEST(Flags, Errors) {
  EXPECT_EQ(errorOf({"--contxt=3"}), "unknown flag '--contxt'; did you mean '--context'?");
  EXPECT_EQ(errorOf({"--zzzzzz"}), "unknown flag '--zzzzzz'");
  EXPECT_EQ(errorOf({"-context"}), "unknown flag '-context'; did you mean '--context'?");
  EXPECT_EQ(errorOf({"--o"}), "unknown flag '--o'");
  EXPECT_EQ(errorOf({"-z"}), "unknown flag '-z'");
  EXPECT_EQ(errorOf({"-n64"}), "unknown flag '-n64'; did you mean '-n 64'?");
  EXPECT_EQ(errorOf({"-o"}), "-o needs a value: -o FILE");
  EXPECT_EQ(errorOf({"--exact=yes"}), "--exact takes no value, got 'yes'");
  EXPECT_EQ(errorOf({"--kv=f23"}), "--kv: expected one of f16|f32, got 'f23'; did you mean 'f32'?");
  EXPECT_EQ(errorOf({"--kv=bfloat"}), "--kv: expected one of f16|f32, got 'bfloat'");
  EXPECT_EQ(errorOf({"--kv="}), "--kv: expected one of f16|f32, got ''");
  EXPECT_EQ(errorOf({"--kv=q8"}), "--kv=q8 is not built yet");
  EXPECT_EQ(errorOf({"--json"}), "--json is not built yet");
  EXPECT_EQ(errorOf({"--seed=1"}), "--seed is not built yet");
  EXPECT_EQ(errorOf({"-n", "3"}, show), "-n does not apply to 'show'");
}

TEST(Flags, WholeNumbers) {
  auto read = [](const char *text, int64_t min, int64_t max) {
    Result r = parse({"-n", text});
    int64_t value = -77;
    std::string error;
    bool ok = r.flags.getInteger("n", min, max, value, error);
    return ok ? std::to_string(value) : error;
  };
  EXPECT_EQ(read("12", 0, 100), "12");
  EXPECT_EQ(read("-1", -1, 100), "-1");
  EXPECT_EQ(read("0", 1, 100), "-n: expected a whole number from 1 to 100, got '0'");
  EXPECT_EQ(read("1e3", 0, 5000), "-n: expected a whole number from 0 to 5000, got '1e3'");
  EXPECT_EQ(read("", 0, INT64_MAX), "-n: expected a whole number of at least 0, got ''");
  EXPECT_EQ(read("99999999999999999999", 0, INT64_MAX),
            "-n: expected a whole number of at least 0, got '99999999999999999999'");
  for (const char *bad : {"-", "+1", " 1", "1 ", "0x10", "--1", "١"})
    EXPECT_NE(read(bad, -100, 100).find("expected"), std::string::npos) << bad;
  int64_t kept = 5;
  std::string error;
  EXPECT_TRUE(parse({}).flags.getInteger("n", 0, 9, kept, error));
  EXPECT_EQ(kept, 5);
}

TEST(Flags, Numbers) {
  auto read = [](const char *text) {
    double value = 0;
    std::string error;
    bool ok = parse({"--temp", text}).flags.getNumber("temp", 0, 2, value, error);
    return ok ? value : -1;
  };
  EXPECT_EQ(read("0.5"), 0.5);
  EXPECT_EQ(read("0"), 0);
  EXPECT_EQ(read("1e-3"), 1e-3);
  for (const char *bad : {"", "x", "2.1", "-0.1", "nan", "inf", "0x1", "1,5", "1 "})
    EXPECT_EQ(read(bad), -1) << bad;
}

TEST(Flags, HelpIsGroupedAndHidesWhatIsNotBuilt) {
  EXPECT_EQ(FlagTable(specs).help(build), "Output:\n"
                                          "  -o FILE                   write here\n"
                                          "  --save-temps[=DIR]        keep files\n"
                                          "\n"
                                          "Model:\n"
                                          "  -c, --context=N           tokens\n"
                                          "  --exact                   no shortcuts\n"
                                          "  --kv=f16|f32              cache type\n"
                                          "  --temp=X                  temperature\n"
                                          "  -n N                      count\n");
  EXPECT_EQ(FlagTable(specs).help(show).find("-n N"), std::string::npos);
  EXPECT_NE(FlagTable(specs).help(show).find("--json"), std::string::npos);
}

TEST(Flags, NearestWord) {
  EXPECT_EQ(nearestWord("perplexty", "logits|perplexity|info"), "perplexity");
  EXPECT_EQ(nearestWord("inof", "logits|perplexity|info"), "info");
  EXPECT_EQ(nearestWord("infoo", "logits|perplexity|info"), "info");
  EXPECT_EQ(nearestWord("", "a|b"), "");
  EXPECT_EQ(nearestWord(std::string(1000, 'x'), "a|b"), "");
}

TEST(Flags, OneNameInTwoScopes) {
  static constexpr FlagSpec twice[] = {
      {"p", nullptr, FlagValue::Required, "TEXT", "A", "a text", nullptr, nullptr, 1},
      {"p", "count", FlagValue::None, nullptr, "B", "a switch", nullptr, nullptr, 2},
  };
  const char *line[] = {"-p", "x"};
  std::string error;
  ParsedFlags first, second;
  ASSERT_TRUE(FlagTable(twice).parse(2, line, 1, "", first, error)) << error;
  EXPECT_EQ(first.get("p"), "x");
  ASSERT_TRUE(FlagTable(twice).parse(2, line, 2, "", second, error)) << error;
  EXPECT_EQ(second.positionals().size(), 1u);
  ParsedFlags third;
  EXPECT_FALSE(FlagTable(twice).parse(2, line, 4, "other", third, error));
  EXPECT_EQ(error, "-p does not apply to 'other'");
}

} // namespace
