//===- MainTest.cpp - Parts of the command line program -------------------===//

#include "runtime/core/Executable.h"
#include "runtime/core/Status.h"
#include "runtime/main/Json.h"
#include "runtime/main/LineReader.h"
#include "runtime/main/ModelFacts.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Prompt.h"
#include "runtime/text/Probabilities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using namespace pi;

namespace {

TEST(Probabilities, LogProbability) {
  // log_softmax([1, 2, 3]) = [-2.4076059644443806, -1.4076..., -0.4076...]
  const float logits[] = {1, 2, 3};
  EXPECT_NEAR(text::logProbability(logits, 3, 0), -2.4076059644443806, 1e-15);
  EXPECT_NEAR(text::logProbability(logits, 3, 2), -0.4076059644443806, 1e-15);
  const float large[] = {3e38f, 3e38f}; // no overflow
  EXPECT_NEAR(text::logProbability(large, 2, 1), -std::log(2.0), 1e-15);
  const float masked[] = {0, -std::numeric_limits<float>::infinity()};
  EXPECT_EQ(text::logProbability(masked, 2, 0), 0);
  const float broken[] = {0, NAN};
  EXPECT_TRUE(std::isnan(text::logProbability(broken, 2, 0)));
}

TEST(Probabilities, LargestAndTop) {
  const float logits[] = {1, 5, 2, 5, -3};
  EXPECT_EQ(text::argmax(logits, 5), 1); // the lowest id of equal ones
  std::vector<int32_t> top;
  text::topIds(logits, 5, 3, top);
  EXPECT_EQ(top, std::vector<int32_t>({1, 3, 2}));
  text::topIds(logits, 5, 99, top);
  EXPECT_EQ(top, std::vector<int32_t>({1, 3, 2, 0, 4}));
  const float broken[] = {NAN, 1, NAN, 2};
  EXPECT_EQ(text::argmax(broken, 4), -1);
  EXPECT_EQ(text::argmax(broken, 0), -1);
  text::topIds(broken, 4, 4, top);
  EXPECT_EQ(top, std::vector<int32_t>({3, 1, 0, 2}));
}

TEST(Json, WritesValues) {
  JsonWriter json;
  json.beginObject().key("a").beginArray().integer(1).null().boolean(true).beginObject();
  json.endObject().beginArray().endArray().endArray().key("b").string("x\"\\\n\t\x01\x7f é");
  json.key("c").number(0.1, 9).key("d").number(NAN).key("e").integers({1, -2}).endObject();
  EXPECT_EQ(json.text(), "{\"a\":[1,null,true,{},[]],\"b\":\"x\\\"\\\\\\n\\u0009\\u0001\\u007f é\","
                         "\"c\":0.1,\"d\":null,\"e\":[1,-2]}");
  JsonWriter repaired;
  repaired.string("a\xff"
                  "b\xe2\x82");
  EXPECT_EQ(repaired.text(), "\"a\xEF\xBF\xBD"
                             "b\xEF\xBF\xBD\"");
}

std::string factsError(const std::string &info) {
  ModelFacts facts;
  std::string detail;
  int32_t status = readModelFacts(info, facts, detail);
  return describe(status, detail);
}

TEST(ModelFacts, Reads) {
  ModelFacts facts;
  std::string detail;
  ASSERT_EQ(readModelFacts("{\"bos\":1,\"eos\":[2,7],\"compiler\":\"c\",\"cpu\":\"v3\",\"x\":{}}",
                           facts, detail),
            PI_OK);
  EXPECT_EQ(facts.bos, 1);
  EXPECT_EQ(facts.eos, std::vector<int32_t>({2, 7}));
  EXPECT_EQ(facts.compiler, "c");
  EXPECT_EQ(facts.cpu, "v3");
  EXPECT_EQ(facts.gpuArch, "");
  for (const char *none : {"{}", "{\"bos\":null,\"eos\":[]}", "{\"bos\":-1,\"eos\":null}"}) {
    ASSERT_EQ(readModelFacts(none, facts, detail), PI_OK) << none;
    EXPECT_EQ(facts.bos, -1);
    EXPECT_TRUE(facts.eos.empty());
  }
  ASSERT_EQ(readModelFacts("{\"eos\":5}", facts, detail), PI_OK);
  EXPECT_EQ(facts.eos, std::vector<int32_t>({5}));
}

TEST(ModelFacts, RefusesOtherThings) {
  const std::string start = "the model's description is unusable: ";
  for (const char *bad : {"", "x", "[]", "{", "{\"bos\":1", "\"\xff\"", "{} {}"})
    EXPECT_EQ(factsError(bad), start + "it is no JSON object") << bad;
  EXPECT_EQ(factsError(std::string(100000, '[')), start + "it is no JSON object");
  std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_EQ(factsError(deep), "ok");
  for (const char *bad : {"-2", "1.5", "\"1\"", "4294967296", "true"})
    EXPECT_EQ(factsError(std::string("{\"bos\":") + bad + "}"), start + "bos is no token id");
  for (const char *bad : {"[-1]", "[[1]]", "{\"a\":\"b\"}", "\"2\"", "[null]"})
    EXPECT_EQ(factsError(std::string("{\"eos\":") + bad + "}"),
              start + "eos is no list of token ids");
}

TEST(ModelFacts, DescribesForPeople) {
  EXPECT_EQ(
      describeModel("{\"family\":\"f\",\"vocab\":7,\"exact\":true,\"gpu_arch\":null,"
                    "\"groups\":[{\"layer\":0}],\"eos\":[1,2],\"bytes\":{\"kv\":5},\"z\":[]}"),
      "family:       f\n"
      "vocab:        7\n"
      "exact:        true\n"
      "gpu_arch:     none\n"
      "groups:       1 entries (--json shows them)\n"
      "eos:          1, 2\n"
      "bytes:        kv 5\n"
      "z:            none\n");
}

/// The usage error of a command line, or "".
std::string usage(std::vector<const char *> arguments) {
  Options options;
  std::string error;
  bool ok = parseOptions(int(arguments.size()), arguments.data(), options, error);
  EXPECT_EQ(ok, error.empty());
  return error;
}

TEST(Options, Accepts) {
  Options o;
  std::string error;
  const char *line[] = {"-p",     "Hi", "-n", "5",  "--temp", "0",        "--ignore-eos",
                        "--json", "-t", "3",  "-c", "9",      "--no-gpu", "--load=map"};
  ASSERT_TRUE(parseOptions(14, line, o, error)) << error;
  EXPECT_EQ(o.command, Command::Generate);
  EXPECT_EQ(o.prompt, "Hi");
  EXPECT_EQ(o.maxTokens, 5);
  EXPECT_EQ(o.threads, 3u);
  EXPECT_EQ(o.contextLimit, 9);
  EXPECT_TRUE(o.ignoreEos && o.json);
  Options l;
  const char *logits[] = {"logits", "--ids", "1,2,30", "--top=4"};
  ASSERT_TRUE(parseOptions(4, logits, l, error)) << error;
  EXPECT_EQ(l.ids, std::vector<int32_t>({1, 2, 30}));
  EXPECT_EQ(l.top, 4);
  for (auto good : std::vector<std::vector<const char *>>{
           {"-p", ""},
           {"-p", "-x", "-n", "-1"},
           {"--temp", "0.0", "-p", "a"},
           {"-p", "a", "--top-k", "0", "--top-p=1", "--min-p=0", "--seed=-1", "--stop", "x"},
           {},
           {"-i"},
           {"-i", "-p", "a"},
           {"-f", "-"},
           {"bench"},
           {"bench", "-p", "0", "-r", "1", "-o", "json", "--json"},
           {"perplexity", "-f", "x", "--window", "7", "--max-chars=0"},
           {"info"},
           {"verify"},
           {"info", "--json"},
           {"--help"},
           {"logits", "-h"},
           {"--version"},
           {"-p", "a", "--gpu-required"}})
    EXPECT_EQ(usage(good), "");
}

TEST(Options, Refuses) {
  EXPECT_EQ(usage({"-p", "a", "-t", "0"}), "-t: expected a whole number from 1 to 1024, got '0'");
  EXPECT_EQ(usage({"-p", "a", "-t", "-2"}), "-t: expected a whole number from 1 to 1024, got '-2'");
  EXPECT_EQ(usage({"-p", "a", "-t", "two"}),
            "-t: expected a whole number from 1 to 1024, got 'two'");
  EXPECT_EQ(usage({"-p", "a", "-n", "-2"}),
            "-n: expected a whole number from -1 to 2147483647, got '-2'");
  EXPECT_EQ(usage({"-p", "a", "--temp", "hot"}),
            "--temp: expected a number from 0 to 100, got 'hot'");
  EXPECT_EQ(usage({"-p", "a", "--load=all"}), "--load: expected one of map|pin, got 'all'");
  EXPECT_EQ(usage({"-p", "a", "--min-recall", "0.9"}), "--min-recall is not built yet");
  EXPECT_EQ(usage({"-p", "a", "--trace=x"}), "--trace is not built yet");
  EXPECT_EQ(usage({"bench", "--layers"}), "--layers is not built yet");
  EXPECT_EQ(usage({"bench", "--trace=x"}), "--trace is not built yet");
  EXPECT_EQ(usage({"chat"}), "chat is not built yet");
  EXPECT_EQ(usage({"logitz"}), "unknown command 'logitz'; did you mean 'logits'?");
  EXPECT_EQ(usage({"Once upon a time"}),
            "unknown command 'Once upon a time'; a prompt is given with -p TEXT");
  EXPECT_EQ(usage({""}), "unknown command ''; a prompt is given with -p TEXT");
  EXPECT_EQ(usage({"-p", "a", "b"}), "unexpected argument 'b'");
  EXPECT_EQ(usage({"-p", "a", "--top", "3"}), "--top does not apply to 'generation'");
  EXPECT_EQ(usage({"logits"}), "either --ids 1,2,3 or -p TEXT is needed");
  EXPECT_EQ(usage({"logits", "-p", "a", "--ids", "1"}), "either --ids 1,2,3 or -p TEXT is needed");
  for (const char *bad : {"", "1,", ",1", "1 ,2", "a", "-1", "1,,2", "4294967296"})
    EXPECT_EQ(usage({"logits", "--ids", bad}).find("--ids: expected token ids"), 0u) << bad;
  EXPECT_EQ(usage({"perplexity"}), "a text is needed: -f FILE");
  EXPECT_EQ(usage({"-p", "a", "--no-gpu", "--gpu-required"}),
            "--gpu-required and --no-gpu contradict each other");
}

TEST(Options, Sampling) {
  Options o;
  std::string error;
  EXPECT_EQ(o.seed, -1);
  const char *line[] = {"-p",      "a",   "--temp",           "0.7", "--top-k",         "5",
                        "--top-p", "0.5", "--min-p",          "0.1", "--repeat-last-n", "-1",
                        "--seed",  "7",   "--repeat-penalty", "1.5", "--stop",          "END",
                        "-r",      "\n",  "--stop=é"};
  ASSERT_TRUE(parseOptions(21, line, o, error)) << error;
  EXPECT_EQ(o.sampling.temperature, 0.7);
  EXPECT_EQ(o.sampling.topK, 5);
  EXPECT_EQ(o.sampling.topP, 0.5);
  EXPECT_EQ(o.sampling.minP, 0.1);
  EXPECT_EQ(o.sampling.repeatPenalty, 1.5);
  EXPECT_EQ(o.sampling.repeatLastN, -1);
  EXPECT_EQ(o.seed, 7);
  EXPECT_EQ(o.stops, std::vector<std::string>({"END", "\n", "é"}));

  EXPECT_EQ(usage({"--top-p", "1.1"}), "--top-p: expected a number from 0 to 1, got '1.1'");
  EXPECT_EQ(usage({"--min-p", "-0.1"}), "--min-p: expected a number from 0 to 1, got '-0.1'");
  EXPECT_EQ(usage({"--top-k", "-1"}),
            "--top-k: expected a whole number from 0 to 2147483647, got '-1'");
  EXPECT_EQ(usage({"--repeat-penalty", "0"}),
            "--repeat-penalty: expected a number from 0.01 to 100, got '0'");
  EXPECT_EQ(usage({"--seed", "4294967296"}),
            "--seed: expected a whole number from -1 to 4294967295, got '4294967296'");
  EXPECT_EQ(usage({"--stop", ""}), "--stop: the text is empty");
  EXPECT_EQ(usage({"--stop", "\xff"}), "--stop: the text is not UTF-8");
  EXPECT_EQ(usage({"logits", "--ids", "1", "--seed", "1"}), "--seed does not apply to 'logits'");
}

TEST(Options, SourcesOfThePrompt) {
  EXPECT_EQ(usage({"-p", "a", "-f", "b"}), "-p and -f both give the prompt; give one of them");
  EXPECT_EQ(usage({"-i", "-f", "-"}), "-f - and -i both read standard input; give one of them");
  EXPECT_EQ(usage({"-i", "--json"}), "-i has no JSON form; give a prompt, without -i");
  EXPECT_EQ(usage({"-i", "-n", "0"}), "-n 0 only tokenises, -i has answers; give -n 1 or more");
}

TEST(Options, Bench) {
  Options o;
  std::string error;
  const char *line[] = {"bench", "-p", "16", "-n", "8", "-r", "2", "-o", "json", "-t", "1"};
  ASSERT_TRUE(parseOptions(11, line, o, error)) << error;
  EXPECT_EQ(o.bench.promptTokens, 16);
  EXPECT_EQ(o.bench.newTokens, 8);
  EXPECT_EQ(o.bench.repetitions, 2);
  EXPECT_TRUE(o.json);
  EXPECT_EQ(Options().bench.promptTokens, 512);
  EXPECT_EQ(Options().bench.newTokens, 128);
  EXPECT_EQ(Options().bench.repetitions, 5);
  EXPECT_EQ(usage({"bench", "-p", "0", "-n", "0"}), "nothing to measure: -p and -n are both 0");
  EXPECT_EQ(usage({"bench", "-p", "many"}),
            "-p: expected a whole number from 0 to 2147483647, got 'many'");
  EXPECT_EQ(usage({"bench", "-r", "0"}), "-r: expected a whole number from 1 to 10000, got '0'");
  EXPECT_EQ(usage({"bench", "-o", "csv"}), "-o: expected one of md|json, got 'csv'");
  EXPECT_EQ(usage({"bench", "-o", "md", "--json"}), "--json and -o md contradict each other");
  EXPECT_EQ(usage({"bench", "--temp", "0"}), "--temp does not apply to 'bench'");
}

TEST(Prompt, OneLineEndIsLeftOut) {
  EXPECT_EQ(withoutLineEnd("a\n"), "a");
  EXPECT_EQ(withoutLineEnd("a\n\n"), "a\n");
  EXPECT_EQ(withoutLineEnd("a\r\n"), "a\r");
  EXPECT_EQ(withoutLineEnd("\n"), "");
  EXPECT_EQ(withoutLineEnd(""), "");
  EXPECT_EQ(withoutLineEnd("a"), "a");
}

TEST(LineReader, Lines) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "one\n\n" + std::string(10000, 'x') + "\nlast";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), ssize_t(text.size()));
  close(ends[1]);
  LineReader reader(ends[0]);
  std::string line, detail;
  bool ended = false;
  for (const std::string &expected :
       {std::string("one"), std::string(), std::string(10000, 'x'), std::string("last")}) {
    EXPECT_EQ(reader.next(line, ended, detail), PI_OK);
    EXPECT_FALSE(ended);
    EXPECT_EQ(line, expected);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reader.next(line, ended, detail), PI_OK);
    EXPECT_TRUE(ended);
  }
  close(ends[0]);
  LineReader closed(ends[0]);
  EXPECT_EQ(closed.next(line, ended, detail), PI_ERROR_OPEN);
}

TEST(Output, Errors) {
  Output closed(-1);
  EXPECT_EQ(closed.write("a"), PI_ERROR_WRITE);
  EXPECT_EQ(closed.error(), EBADF);
  EXPECT_FALSE(closed.readerGone());
  EXPECT_EQ(closed.write(""), PI_ERROR_WRITE); // for good
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  Output disk(full);
  EXPECT_EQ(disk.write("a"), PI_ERROR_WRITE);
  EXPECT_EQ(disk.error(), ENOSPC);
  close(full);
}

TEST(Output, WaitsForANonBlockingPipe) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  std::string text(1 << 18, 'x'); // more than a pipe holds
  std::string got;
  pid_t child = fork();
  if (child == 0) { // a slow reader
    size_t sum = 0;
    char piece[4096];
    while (sum < text.size()) {
      ssize_t bytes = read(ends[0], piece, sizeof piece);
      sum += bytes > 0 ? size_t(bytes) : 0;
    }
    _exit(0);
  }
  Output output(ends[1]);
  EXPECT_EQ(output.write(text), PI_OK);
  close(ends[0]);
  close(ends[1]);
}

TEST(Executable, OpenErrors) {
  Executable file;
  std::string detail;
  EXPECT_EQ(Executable::open("/nowhere/x", file, detail), PI_ERROR_OPEN);
  EXPECT_EQ(detail, "/nowhere/x: No such file or directory");
  EXPECT_EQ(Executable::open("/", file, detail), PI_ERROR_OPEN);
  EXPECT_EQ(detail, "/: not a regular file");
  EXPECT_EQ(Executable::open("/dev/zero", file, detail), PI_ERROR_OPEN);
  // This test itself has no payload; nor has an empty file.
  EXPECT_EQ(Executable::openSelf("x", file, detail), PI_ERROR_NO_FOOTER);
  std::string text;
  EXPECT_EQ(readFile("/nowhere/x", 1 << 20, text, detail), PI_ERROR_OPEN);
  EXPECT_EQ(detail, "/nowhere/x: No such file or directory");
  EXPECT_EQ(readFile("/", 1 << 20, text, detail), PI_ERROR_OPEN);
  EXPECT_EQ(detail, "/: Is a directory");
  EXPECT_EQ(readFile("/dev/zero", 3 << 20, text, detail), PI_ERROR_INPUT);
  EXPECT_EQ(detail, "/dev/zero: more than 3 MiB of text");
}

} // namespace
