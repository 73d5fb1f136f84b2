//===- GenerateTest.cpp - Generation by whole executables -----------------===//

#include "FakeCommands.h"
#include "FakeModel.h"
#include "Process.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace pi::test;

namespace {

TEST(Generate, SaysTheText) {
  ProcessResult result = run(model, {"-p", "", "-n", "100", "--temp", "0"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out, fake::scriptText); // the completion alone, no line end
  EXPECT_NE(result.err.find("prompt: 1 tokens"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("generated: 48 tokens"), std::string::npos) << result.err;
}

// Where both go to one place; the text itself gets no line end.
TEST(Generate, StatisticsHaveTheirOwnLine) {
  ProcessResult both = runShell(model, "exec \"$0\" -p '' -n 100 --temp 0 2>&1");
  EXPECT_EQ(both.out.find(std::string(fake::scriptText) + "\nprompt: 1 tokens"), 0u) << both.out;
  ProcessResult apart = run(model, {"-p", "", "-n", "5", "--temp", "0"});
  EXPECT_EQ(apart.out, std::string(fake::scriptText).substr(0, 5));
  EXPECT_EQ(apart.err.find("prompt: "), 0u) << apart.err;
  // No text, no line to end; nor with JSON, whose line comes last.
  EXPECT_EQ(run(model, {"-p", "", "-n", "0"}).err.find("prompt: "), 0u);
  EXPECT_EQ(run(model, {"-p", "", "-n", "5", "--json"}).err, "");
  // A note about the context comes before the statistics, and after the line's end.
  ProcessResult full = runShell(model, "exec \"$0\" -p '' -c 8 --ignore-eos --temp 0 2>&1");
  size_t note = full.out.find("note: stopped: the context of 8 tokens is full");
  ASSERT_NE(note, std::string::npos) << full.out;
  EXPECT_EQ(full.out[note - 1], '\n') << full.out;
  EXPECT_NE(full.out[note - 2], '\n') << full.out;
  EXPECT_NE(full.out.find("\nprompt: ", note), std::string::npos) << full.out;
}

TEST(Generate, Json) {
  json value = runJson({"-p", "Es", "-n", "10"});
  EXPECT_EQ(value["prompt_tokens"], idsOf("Es"));
  EXPECT_EQ(value["prompt_tokens"].size(), 3u);
  EXPECT_EQ(value["tokens"].size(), 10u);
  EXPECT_EQ(value["text"], " war einma");
  EXPECT_EQ(value["finish"], "length");
  EXPECT_EQ(value["device"], "cpu");
  EXPECT_EQ(value["predictor"], "none");
  EXPECT_TRUE(value["recall"].is_null());
  EXPECT_TRUE(value.contains("seed") && value["seed"].is_null()); // nothing was drawn
  for (const char *key :
       {"prompt_ms", "first_token_ms", "decode_ms", "prompt_tok_s", "decode_tok_s"})
    EXPECT_TRUE(value["timings"][key].is_number()) << key;
}

TEST(Generate, StopsAtEosUnlessTold) {
  json value = runJson({"-p", ""});
  EXPECT_EQ(value["finish"], "eos");
  EXPECT_EQ(value["tokens"].back(), fake::eos);
  EXPECT_EQ(value["text"], fake::scriptText);
  json longer = runJson({"-p", "", "-n", "60", "--ignore-eos"});
  EXPECT_EQ(longer["finish"], "length");
  EXPECT_EQ(longer["tokens"].size(), 60u);
  EXPECT_EQ(longer["text"], std::string(fake::scriptText) + "Es war einma");
}

TEST(Generate, TokenisesOnly) {
  json value = runJson({"-p", "äb", "-n", "0"});
  EXPECT_EQ(value["prompt_tokens"].size(), 4u);
  EXPECT_EQ(value["prompt_tokens"][0], fake::bos);
  EXPECT_TRUE(value["tokens"].empty());
  EXPECT_EQ(value["text"], "");
  EXPECT_EQ(runJson({"-p", "", "-n", "0"})["prompt_tokens"], std::vector<int>({fake::bos}));
  EXPECT_EQ(run(model, {"-p", "x", "-n", "0"}).out, "");
}

TEST(Generate, SameOnAnyNumberOfThreads) {
  json reference = runJson({"-p", "Bär", "-n", "90", "--ignore-eos", "-t", "1"});
  for (const char *threads : {"2", "3", "5", "16"}) {
    json value = runJson({"-p", "Bär", "-n", "90", "--ignore-eos", "-t", threads});
    EXPECT_EQ(value["tokens"], reference["tokens"]) << threads;
    EXPECT_EQ(value["text"], reference["text"]);
  }
}

TEST(Generate, EndOfContext) {
  json value = runJson({"-p", "ab", "--ignore-eos", "-c", "20"});
  EXPECT_EQ(value["finish"], "context");
  EXPECT_EQ(value["tokens"].size(), 18u); // 3 + 17 fed, the last one is not
  ProcessResult result = run(model, {"-p", "ab", "--ignore-eos", "-c", "20", "--temp", "0"});
  EXPECT_NE(result.err.find("note: stopped: the context of 20 tokens is full"), std::string::npos);
  EXPECT_EQ(runJson({"-p", "ab", "--ignore-eos", "-c", "3"})["tokens"].size(), 1u);
  ProcessResult tooLong = run(model, {"-p", "ab", "-c", "2"});
  EXPECT_EQ(tooLong.exitCode, 1);
  EXPECT_NE(tooLong.err.find("error: bad input: the input has 3 tokens, the context holds 2; "
                             "shorten it, or raise -c"),
            std::string::npos)
      << tooLong.err;
  tooLong = run(model, {"-p", std::string(5000, '#')});
  EXPECT_EQ(tooLong.exitCode, 1);
  EXPECT_NE(tooLong.err.find("the input has 5001 tokens, the context holds 4096; shorten it, or "
                             "compile the model with a larger --context"),
            std::string::npos)
      << tooLong.err;
  ProcessResult larger = run(model, {"-p", "ab", "-c", "5000"});
  EXPECT_EQ(larger.exitCode, 1);
  EXPECT_NE(larger.err.find("-c asks for 5000 tokens, the model was compiled for 4096"),
            std::string::npos);
}

TEST(Generate, AnyBytesAsPrompt) {
  json value = runJson({"-p", "a\xff\xe2\x82", "-n", "3"});
  EXPECT_EQ(value["tokens"].size(), 3u);
}

TEST(Generate, SamplesBySeed) {
  auto draw = [](const char *seed) {
    return runJson({"-p", "", "-n", "60", "--ignore-eos", "--seed", seed, "--temp", "3", "--top-k",
                    "0", "--top-p", "1", "--min-p", "0"});
  };
  json first = draw("5"), other = draw("6");
  EXPECT_EQ(first["tokens"], draw("5")["tokens"]);
  EXPECT_NE(first["tokens"], other["tokens"]);
  EXPECT_EQ(first["seed"], 5);
  // Without a seed a new one each time, which gives the same text again.
  json random = draw("-1"), again = draw("-1");
  EXPECT_NE(random["seed"], again["seed"]);
  EXPECT_EQ(draw(std::to_string(random["seed"].get<int64_t>()).c_str())["tokens"],
            random["tokens"]);
  // The temperature's default is not 0; one token to choose from is greedy.
  EXPECT_NE(run(model, {"-p", "", "-n", "5", "--seed", "5"}).err.find("; seed 5\n"),
            std::string::npos);
  json greedy = runJson({"-p", "", "-n", "60", "--ignore-eos"});
  EXPECT_EQ(
      runJson({"-p", "", "-n", "60", "--ignore-eos", "--top-k", "1", "--temp", "3"})["tokens"],
      greedy["tokens"]);
}

TEST(Generate, RepeatPenalty) {
  // The script says the same letter again and again; its lead of 8 is divided by 100.
  json free = runJson({"-p", "", "-n", "30"});
  json penalised = runJson({"-p", "", "-n", "30", "--repeat-penalty", "100"});
  EXPECT_EQ(free["text"],
            std::string(fake::scriptText).substr(0, free["text"].get<std::string>().size()));
  EXPECT_NE(free["tokens"], penalised["tokens"]);
  auto tokens = penalised["tokens"].get<std::vector<int>>();
  std::sort(tokens.begin(), tokens.end());
  EXPECT_EQ(std::unique(tokens.begin(), tokens.end()), tokens.end()); // none comes twice
  EXPECT_EQ(
      runJson({"-p", "", "-n", "30", "--repeat-penalty", "100", "--repeat-last-n", "0"})["tokens"],
      free["tokens"]);
}

TEST(Generate, StopStrings) {
  json value = runJson({"-p", "", "--stop", "ein B"});
  EXPECT_EQ(value["text"], "Es war einmal "); // one token a byte: held back, then found
  EXPECT_EQ(value["finish"], "stop");
  EXPECT_EQ(value["tokens"].size(), 19u); // the stop string was generated
  ProcessResult printed = run(model, {"-p", "", "--temp", "0", "--stop", "ein B", "-r", "zzz"});
  EXPECT_EQ(printed.out, "Es war einmal ");
  EXPECT_EQ(runJson({"-p", "", "--stop", "zzz", "-r", "mal"})["text"], "Es war ein");
  EXPECT_EQ(runJson({"-p", "", "--stop", "熊"})["text"], "Es war einmal ein Bär – ");
  EXPECT_EQ(runJson({"-p", "", "--stop", "E"})["text"], "");
  // What only began like one is printed, also at the end.
  EXPECT_EQ(runJson({"-p", "", "--stop", "einX", "--stop", "o.!"})["text"], fake::scriptText);
  EXPECT_EQ(run(model, {"-p", "", "-n", "9", "--temp", "0", "--stop", "ein B"}).out, "Es war ei");
  EXPECT_EQ(runJson({"-p", "", "-n", "9", "--stop", "ein B"})["finish"], "length");
}

std::vector<int> promptOf(const std::string &command) {
  ProcessResult result = runShell(model, command + " --json -n 0");
  EXPECT_EQ(result.exitCode, 0) << result.err;
  return json::parse(result.out, nullptr, false)["prompt_tokens"].get<std::vector<int>>();
}

TEST(Prompt, FromFilesAndStandardInput) {
  TempFolder folder;
  std::string path = folder.file("prompt");
  auto file = [&](const std::string &bytes) {
    writeAll(path, bytes);
    std::vector<int> ids = promptOf("$0 -f '" + path + "'");
    EXPECT_EQ(promptOf("$0 < '" + path + "'"), ids);
    EXPECT_EQ(promptOf("cat '" + path + "' | $0 -f -"), ids);
    return ids;
  };
  EXPECT_EQ(file("Es"), idsOf("Es"));
  EXPECT_EQ(file("Es\n"), idsOf("Es"));
  EXPECT_EQ(file("Es\n\n"), idsOf("Es\n"));
  EXPECT_EQ(file("Es\r\n"), idsOf("Es\r"));
  EXPECT_EQ(file("\n"), idsOf(""));
  EXPECT_EQ(file("a\xff!\xe2\x82"), idsOf("a\xEF\xBF\xBD!\xEF\xBF\xBD"));
  // NUL is a character: the alphabet of byte-level BPE has a letter for it.
  EXPECT_EQ(file(std::string("a\0b", 3)), std::vector<int>({fake::bos, 100, 3, 101}));
  EXPECT_EQ(promptOf("echo no | $0 -p Es"), idsOf("Es")); // -p wins over standard input
}

TEST(Prompt, Errors) {
  ProcessResult none = run(model, {}); // standard input is empty
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_EQ(none.err, "fake-model.bin: error: a prompt is needed: -p TEXT, -f FILE, or a text on "
                      "standard input (it is empty)\nnote: see --help\n");
  EXPECT_EQ(runShell(model, "$0 <&-").exitCode, 2);
  EXPECT_EQ(run(model, {"-f", "/dev/null", "-n", "2", "--temp", "0"}).out,
            "Es"); // it was asked for
  ProcessResult missing = run(model, {"-f", "/nowhere"});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_EQ(missing.err,
            "fake-model.bin: error: cannot read the file: /nowhere: No such file or directory\n");
  ProcessResult endless = run(model, {"-f", "/dev/zero"});
  EXPECT_EQ(endless.exitCode, 1);
  EXPECT_NE(endless.err.find("/dev/zero: more than 256 MiB of text"), std::string::npos);
}

} // namespace
