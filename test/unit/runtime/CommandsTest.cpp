//===- CommandsTest.cpp - Whole executables, without the compiler ---------===//
// The fake model: FakeProgram.cpp and make_payload.py.

#include "FakeCommands.h"
#include "FakeModel.h"
#include "Process.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using namespace pi::test;

namespace {

constexpr size_t footerBytes = 64;

/// Logits of the fake model after `ids`, by its definition in FakeProgram.cpp.
std::vector<double> expectedLogits(const std::vector<int> &ids, const std::vector<int> &script) {
  std::vector<double> logits(fake::vocab);
  size_t position = ids.size() - 1;
  for (int64_t j = 0; j < fake::vocab; ++j) {
    auto count = std::count(ids.begin(), ids.end(), int(fake::vocab - 1 - j));
    logits[size_t(j)] = double((31 * ids.back() + 17 * j) % 97) / 97 + 0.0625 * double(count);
    if (j == script[position % fake::scriptRows])
      logits[size_t(j)] += 8;
  }
  return logits;
}

/// The token to come at each position.
std::vector<int> scriptIds() {
  return runJson({"-p", "", "--ignore-eos", "-n", "48"})["tokens"].get<std::vector<int>>();
}

TEST(Logits, EveryPosition) {
  std::vector<int> script = scriptIds(), ids = {1, 40, 273, 40, 7};
  json value = runJson({"logits", "--ids", "1,40,273,40,7", "--top", "1000"});
  EXPECT_EQ(value["ids"], ids);
  ASSERT_EQ(value["logits"].size(), ids.size());
  for (size_t position = 0; position < ids.size(); ++position) {
    std::vector<int> so_far(ids.begin(), ids.begin() + ptrdiff_t(position) + 1);
    std::vector<double> expected = expectedLogits(so_far, script);
    const json &row = value["logits"][position];
    ASSERT_EQ(row.size(), size_t(fake::vocab));
    double before = INFINITY;
    for (const json &pair : row) {
      EXPECT_NEAR(pair[1].get<double>(), expected[pair[0].get<size_t>()], 1e-6);
      EXPECT_LE(pair[1].get<double>(), before);
      before = pair[1];
    }
  }
}

TEST(Logits, OfAPromptAndAsText) {
  json value = runJson({"logits", "-p", "", "--top", "2"});
  EXPECT_EQ(value["ids"], std::vector<int>({fake::bos}));
  EXPECT_EQ(value["logits"][0].size(), 2u);
  EXPECT_EQ(runJson({"logits", "--ids", "5"})["logits"][0].size(), 10u);
  ProcessResult text = run(model, {"logits", "--ids", "1,2", "--top", "3"});
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 6);
}

TEST(Logits, IdsOutOfRange) {
  ProcessResult result = run(model, {"logits", "--ids", "1,274", "--json"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("token id 274 is outside the vocabulary of 274 tokens"),
            std::string::npos);
  EXPECT_EQ(run(model, {"logits", "--ids", "1,x"}).exitCode, 2);
}

TEST(Perplexity, AsTheMethodSays) {
  TempFolder folder;
  std::string text = "Es war ein \n Bär – ein 熊! 0123456789";
  writeAll(folder.file("text"), text);
  std::vector<int> ids = idsOf(text), script = scriptIds();
  ids.erase(ids.begin()); // bos
  double nll = 0;
  const size_t window = 7;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::vector<int> fed = {fake::bos};
    fed.insert(fed.end(), ids.begin() + ptrdiff_t(i / window * window), ids.begin() + ptrdiff_t(i));
    std::vector<double> logits = expectedLogits(fed, script);
    double sum = 0;
    for (double logit : logits)
      sum += std::exp(logit);
    nll += std::log(sum) - logits[size_t(ids[i])];
  }
  json value = runJson({"perplexity", "-f", folder.file("text"), "--window", "7"});
  EXPECT_EQ(value["tokens"], ids.size());
  EXPECT_NEAR(value["mean_nll"].get<double>(), nll / double(ids.size()), 1e-6);
  EXPECT_NEAR(value["perplexity"].get<double>(), std::exp(nll / double(ids.size())), 1e-5);
  EXPECT_TRUE(value["recall"].is_null() && value["precision"].is_null());
  EXPECT_TRUE(value["sparsity"].is_array());
  json again = runJson({"perplexity", "-f", folder.file("text"), "--window", "7", "-t", "3"});
  EXPECT_EQ(again, value);
}

TEST(Perplexity, CountsCharactersNotBytes) {
  TempFolder folder;
  writeAll(folder.file("text"), "äöü#€\xff\xffz");
  auto tokens = [&](const char *count) {
    return runJson({"perplexity", "-f", folder.file("text"), "--max-chars", count})["tokens"];
  };
  EXPECT_EQ(tokens("1"), 2);
  EXPECT_EQ(tokens("3"), 6);
  EXPECT_EQ(tokens("5"), 10);
  EXPECT_EQ(tokens("6"), 13); // U+FFFD stands for a bad byte
  EXPECT_EQ(tokens("999"), 17);
}

TEST(Perplexity, Errors) {
  TempFolder folder;
  writeAll(folder.file("empty"), "");
  writeAll(folder.file("text"), "abc");
  auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "perplexity");
    ProcessResult result = run(model, arguments);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(result.out, "");
    return result.err.substr(result.err.find("error: ") + 7);
  };
  EXPECT_EQ(error({"-f", folder.file("empty")}),
            "bad input: " + folder.file("empty") + ": no tokens to score\n");
  EXPECT_EQ(error({"-f", folder.file("text"), "--max-chars", "0"}),
            "bad input: " + folder.file("text") + ": no tokens to score\n");
  EXPECT_EQ(error({"-f", "/nowhere"}),
            "cannot read the file: /nowhere: No such file or directory\n");
  EXPECT_EQ(error({"-f", folder.file("text"), "-c", "100"}),
            "bad input: a window of 511 tokens is longer than the context of 100; give "
            "--window=100 or less\n");
}

TEST(Info, SameAsInspect) {
  ProcessResult info = run(model, {"info", "--json"});
  EXPECT_EQ(info.exitCode, 0);
  json value = json::parse(info.out, nullptr, false);
  for (const char *key : {"family", "layers", "hidden", "intermediate", "heads", "kv_heads",
                          "vocab", "context", "weights", "kv", "exact", "cpu", "gpu_arch",
                          "min_driver", "compiler", "groups", "device_bytes"})
    EXPECT_TRUE(value.contains(key)) << key;
  EXPECT_EQ(run(PI_INSPECT, {model}).out, info.out);
  EXPECT_EQ(run(PI_INSPECT, {model, "--json"}).out, info.out);
  EXPECT_EQ(run(PI_INSPECT, {model, "--text"}).out, run(model, {"info"}).out);
  EXPECT_NE(run(model, {"info"}).out.find("context:      4096\n"), std::string::npos);
}

TEST(Inspect, Weights) {
  ProcessResult result = run(PI_INSPECT, {model, "--weights"});
  json value = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(value.is_object()) << result.out;
  EXPECT_EQ(value["vocab"], fake::vocab);
  ASSERT_EQ(value["weight_table"].size(), 4u);
  const json &table = value["weight_table"];
  EXPECT_EQ(table[0]["name"], "script");
  EXPECT_EQ(table[0]["rows"], fake::scriptRows);
  EXPECT_TRUE(table[0]["layer"].is_null());
  EXPECT_EQ(table[0]["offset"].get<uint64_t>() % 65536, 0u);
  EXPECT_EQ(table[1]["offset"], table[2]["offset"]); // equal bytes are stored once
  EXPECT_EQ(table[3]["type"], "f16");
  EXPECT_NE(run(PI_INSPECT, {model, "--text", "--weights"}).out.find("3  halves  f16 [1, 5]"),
            std::string::npos);
}

TEST(Inspect, Errors) {
  EXPECT_EQ(run(PI_INSPECT, {}).exitCode, 2);
  EXPECT_EQ(run(PI_INSPECT, {model, model}).exitCode, 2);
  EXPECT_EQ(run(PI_INSPECT, {"--weight", model})
                .err.find("pi-inspect: error: unknown flag "
                          "'--weight'; did you mean '--weights'?"),
            0u);
  ProcessResult none = run(PI_INSPECT, {PI_INSPECT});
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_EQ(none.err,
            std::string(PI_INSPECT) + ": error: this is no executable made by pi-compile\n");
  ProcessResult missing = run(PI_INSPECT, {"/nowhere"});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_EQ(missing.err,
            "pi-inspect: error: cannot read the file: /nowhere: No such file or directory\n");
  EXPECT_EQ(run(PI_INSPECT, {"--help"}).exitCode, 0);
  EXPECT_EQ(run(PI_INSPECT, {"--version"}).out.find("pi-inspect "), 0u);
}

TEST(Inspect, TellsForeignFilesFromDamagedOnes) {
  TempFolder folder;
  std::string path = folder.file("f"), bytes = readAll(model);
  auto error = [&](const std::string &content) {
    writeAll(path, content);
    ProcessResult result = run(PI_INSPECT, {path});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(result.err.find(path + ": error: "), 0u) << result.err;
    return result.err.substr(path.size());
  };
  const std::string foreign = ": error: this is no executable made by pi-compile\n";
  const std::string cut = ": error: no weights found: was this file stripped or truncated?\n";
  EXPECT_EQ(error(""), foreign);
  EXPECT_EQ(error("#!/bin/sh\necho pi-compile\n"), foreign);
  EXPECT_EQ(error(readAll("/bin/sh")), foreign);
  EXPECT_EQ(error(bytes.substr(0, 40)), foreign);
  EXPECT_EQ(error(bytes.substr(0, bytes.size() - 1)), cut);
  EXPECT_EQ(error(bytes.substr(0, 8192)), cut);
  // Headers that point nowhere.
  std::string wild = bytes.substr(0, 8192);
  for (size_t i = 32; i < 40; ++i)
    wild[i] = '\xff';
  EXPECT_EQ(error(wild), foreign);
  for (size_t i = 64; i + 56 < 8192; i += 56)
    for (size_t k = i + 8; k < i + 16; ++k)
      wild[k] = '\x7f';
  wild.replace(32, 8, bytes.substr(32, 8));
  EXPECT_EQ(error(wild), foreign);
}

TEST(Verify, FindsDamagedWeights) {
  ProcessResult good = run(model, {"verify"});
  EXPECT_EQ(good.exitCode, 0);
  EXPECT_EQ(good.out, "ok: 4 weights, 352922 bytes; manifest and tables; tokenizer\n");
  json object = runJson({"verify"});
  EXPECT_EQ(object["ok"], true);
  EXPECT_EQ(object["weights"], 4);
  EXPECT_EQ(object["bytes"], 352922); // shared bytes count once
  EXPECT_EQ(object["code"], false);   // the fake model's payload has no checksum of it
  EXPECT_EQ(object["tokenizer"], true);
  json table = json::parse(run(PI_INSPECT, {model, "--weights"}).out)["weight_table"];
  std::string bytes = readAll(model);
  bytes[table[1]["offset"].get<size_t>() + 1000] ^= 1;
  TempFolder folder;
  writeAll(folder.file("bad"), bytes);
  ProcessResult bad = run(folder.file("bad"), {"verify"});
  EXPECT_EQ(bad.exitCode, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(bad.err, "bad: error: weights are damaged: bigram, bigram.tied\n");
  EXPECT_EQ(run(folder.file("bad"), {"-p", "", "-n", "1"}).exitCode, 0); // not looked at
}

TEST(Verify, ShowsProgressOnATerminal) {
  if (int terminal = posix_openpt(O_RDWR | O_NOCTTY); terminal < 0)
    GTEST_SKIP() << "no pseudo-terminals here";
  else
    close(terminal);
  // script gives it a terminal for all it prints.
  ProcessResult shown = runShell(model, "script -qec \"'$0' verify\" /dev/null < /dev/null");
  EXPECT_EQ(shown.exitCode, 0);
  EXPECT_NE(shown.out.find("\rverify: 0 of 0 MiB, 100 %"), std::string::npos) << shown.out;
  EXPECT_EQ(run(model, {"verify"}).err, "");
}

TEST(File, DamageIsNamed) {
  TempFolder folder;
  std::string bytes = readAll(model), path = folder.file("m");
  auto error = [&](const std::string &changed) {
    writeAll(path, changed);
    ProcessResult result = run(path, {"-p", "", "-n", "4"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(run(PI_INSPECT, {path}).exitCode, 1);
    return result.err;
  };
  const std::string stripped = "m: error: no weights found: was this file stripped or truncated?\n";
  EXPECT_EQ(error(bytes.substr(0, bytes.size() - 1)), stripped);
  EXPECT_EQ(error(bytes.substr(0, bytes.size() * 3 / 4)), stripped);
  EXPECT_EQ(error(bytes + "x"), stripped);
  std::string changed = bytes;
  changed[changed.size() - footerBytes + 8] ^= 4;
  EXPECT_EQ(error(changed), "m: error: the footer is damaged: its checksum is wrong\n");
  changed = bytes;
  changed[changed.size() - footerBytes - 20] ^= 4;
  EXPECT_EQ(error(changed), "m: error: the manifest is damaged: its checksum is wrong\n");
  changed = bytes;
  changed.erase(changed.size() - 4096, 8);
  EXPECT_EQ(
      error(changed).find("m: error: the file's length is wrong: was it truncated or changed?"),
      0u);
}

TEST(File, IsFoundHoweverItIsStarted) {
  TempFolder folder;
  writeAll(folder.file("a model"), readAll(model));
  std::string cd = "cd '" + folder.path + "' && ";
  EXPECT_EQ(runShell("", cd + "'./a model' --temp 0 -p '' -n 2").out, "Es");
  EXPECT_EQ(runShell("", cd + "PATH=$PATH:. && 'a model' --temp 0 -p '' -n 2").out, "Es");
  EXPECT_EQ(runShell("", cd + "ln -s 'a model' link && ./link --temp 0 -p '' -n 2").out, "Es");
  EXPECT_EQ(runShell("", cd + "(exec -a other './a model' --temp 0 -p '' -n 2)").out, "Es");
#ifndef PI_TEST_SANITIZED // sanitizers do not like to be loaded by hand
  EXPECT_EQ(runShell("", cd + "/lib64/ld-linux-x86-64.so.2 './a model' --temp 0 -p '' -n 2").out,
            "Es");
#endif
}

TEST(File, RunsWhereThereIsNothingButGlibc) {
#ifdef PI_TEST_SANITIZED
  GTEST_SKIP() << "sanitizers need /proc";
#endif
  if (geteuid() != 0 || runShell("", "chroot / true").exitCode != 0)
    GTEST_SKIP() << "needs the right to chroot";
  TempFolder folder;
  writeAll(folder.file("model"), readAll(model));
  ProcessResult result = runShell(
      folder.path, "set -e; cd \"$0\"; for f in $(ldd model | grep -o '/[^ ]*'); do "
                   "mkdir -p .$(dirname $f); cp -L $f .$f; done; find . -type f | wc -l >&2; "
                   "exec chroot . /model --temp 0 -p '' -n 100");
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, fake::scriptText);
  EXPECT_EQ(result.err.substr(0, 2), "4\n"); // model, libc, libm, loader
}

TEST(File, TruncatedWhileItRuns) {
#ifdef PI_TEST_SANITIZED
  GTEST_SKIP() << "sanitizers do not like to be loaded by hand";
#endif
  TempFolder folder;
  writeAll(folder.file("m"), readAll(model));
  json table = json::parse(run(PI_INSPECT, {model, "--weights"}).out)["weight_table"];
  std::string cut = std::to_string(table[0]["offset"].get<uint64_t>() + 4096);
  // The kernel protects a running executable; not what the loader has mapped.
  ProcessResult result = runShell(
      folder.path,
      "cd \"$0\"; /lib64/ld-linux-x86-64.so.2 ./m --temp 0 -p '' --ignore-eos > out & pid=$!; "
      "while [ ! -s out ]; do sleep 0.01; done; truncate -s " +
          cut + " m; wait $pid");
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_EQ(result.err, "error: the weights cannot be read any more: was the file changed while it "
                        "ran?\n");
}

/// A fake model of another kind: see make_payload.py.
class Variant {
public:
  explicit Variant(const std::string &name) {
    ProcessResult made = runShell(folder.file("m"), PI_MAKE_PAYLOAD " \"$0\" " + name);
    EXPECT_EQ(made.exitCode, 0) << made.err;
  }
  ProcessResult run(const std::vector<std::string> &arguments) const {
    return pi::test::run(folder.file("m"), arguments);
  }
  /// Runs, expects exit code `code` and no output; returns the message.
  std::string error(int code, const std::vector<std::string> &arguments) const {
    ProcessResult result = run(arguments);
    EXPECT_EQ(result.exitCode, code);
    EXPECT_EQ(result.out, "");
    return result.err;
  }

private:
  TempFolder folder;
};

TEST(Variant, TokenizerWithoutBos) {
  Variant falcon("no-template");
  EXPECT_EQ(falcon.run({"-p", "", "--temp", "0"}).out, fake::scriptText); // bos of the facts, alone
  json value = json::parse(falcon.run({"-p", "Es", "-n", "3", "--json", "--temp", "0"}).out);
  EXPECT_EQ(value["prompt_tokens"].size(), 2u); // nothing in front
  EXPECT_EQ(value["text"], "s w");
  Variant none("no-bos");
  EXPECT_EQ(
      none.error(1, {"-p", ""}),
      "m: error: bad input: the prompt is empty and the model has no bos token to begin with; "
      "give a prompt\n");
  EXPECT_EQ(none.error(1, {"perplexity", "-f", model}),
            "m: error: bad input: the model has no bos token to begin a window with\n");
  EXPECT_EQ(none.run({"-p", "E", "-n", "2"}).exitCode, 0);
}

TEST(Variant, UnusableParts) {
  Variant none("no-tokenizer");
  EXPECT_EQ(none.error(1, {"-p", "a"}),
            "m: error: the tokenizer is unusable: there is none in this file\n");
  EXPECT_EQ(none.run({"logits", "--ids", "1", "--json"}).exitCode, 0); // needs none
  Variant bad("bad-tokenizer");
  EXPECT_EQ(bad.error(1, {"-p", "a"}).find("m: error: the tokenizer is unusable: tokenizer.json: "),
            0u);
  EXPECT_EQ(bad.error(1, {"verify"}).find("m: error: the tokenizer is unusable: "), 0u);
  EXPECT_EQ(none.run({"verify"}).out,
            "ok: 4 weights, 352922 bytes; manifest and tables; no tokenizer\n");
  Variant info("bad-info");
  EXPECT_EQ(info.error(1, {"info"}),
            "m: error: the model's description is unusable: it is no JSON object\n");
}

TEST(Variant, NotANumber) {
  Variant nan("nan");
  EXPECT_EQ(nan.error(70, {"-p", ""}),
            "m: error: the program computed a value that is not a number\n");
  TempFolder folder;
  writeAll(folder.file("text"), "abc");
  EXPECT_EQ(nan.error(70, {"perplexity", "-f", folder.file("text")}),
            "m: error: the program computed a value that is not a number\n");
  json value = json::parse(nan.run({"logits", "--ids", "1", "--top", "300", "--json"}).out);
  EXPECT_EQ(value["logits"][0].back(), json::array({0, nullptr})); // null, and last
}

TEST(Process, UsageErrors) {
  for (auto arguments : std::vector<std::vector<std::string>>{{},
                                                              {"-p"},
                                                              {"--bogus"},
                                                              {"-p", "a", "-t", "0"},
                                                              {"-p", "a", "--temp", "-1"},
                                                              {"serve"},
                                                              {"-p", "a", "-f", "b"},
                                                              {"bench", "--layers"}}) {
    ProcessResult result = run(model, arguments);
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("fake-model.bin: error: "), 0u) << result.err;
    EXPECT_NE(result.err.find("\nnote: see --help\n"), std::string::npos);
  }
}

TEST(Process, HelpAndVersion) {
  ProcessResult help = run(model, {"--help"});
  EXPECT_EQ(help.exitCode, 0);
  EXPECT_EQ(help.out.find("Usage: fake-model.bin [-p TEXT | -f FILE]"), 0u);
  EXPECT_NE(help.out.find("--ignore-eos"), std::string::npos);
  EXPECT_EQ(help.out.find("--min-recall"), std::string::npos); // not built yet
  EXPECT_NE(help.out.find("\nChoosing tokens:\n"), std::string::npos);
  EXPECT_NE(help.out.find("\nExamples:\n"), std::string::npos);
  EXPECT_NE(run(model, {"bench", "--help"}).out.find("-r, --repetitions=N"), std::string::npos);
  EXPECT_NE(run(model, {"logits", "--help"}).out.find("--ids"), std::string::npos);
  EXPECT_EQ(run(model, {"--version"}).out,
            "fake-model.bin: made by make_payload.py 1, file format 1, ABI 1\n"
            "target: x86-64, Linux with glibc; GPU: none\n"
            "runtime: clang " +
                std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                std::to_string(__clang_patchlevel__) + ", libstdc++ " +
                std::to_string(_GLIBCXX_RELEASE) + ", nlohmann/json " +
                std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                std::to_string(NLOHMANN_JSON_VERSION_PATCH) + "\n");
}

TEST(Process, MissingCpuFeaturesAndDevices) {
  ProcessResult result = run(PI_FAKE_FUTURE, {"-p", "a"});
  EXPECT_EQ(result.exitCode, 4);
  EXPECT_NE(result.err.find("error: this CPU cannot run the program: it lacks "),
            std::string::npos);
  EXPECT_NE(result.err.find("pi-compile --cpu="), std::string::npos);
  EXPECT_EQ(run(PI_FAKE_FUTURE, {"info"}).exitCode, 0); // runs no kernel
  EXPECT_EQ(run(model, {"-p", "a", "--gpu-required"}).exitCode, 4);
  EXPECT_EQ(run(model, {"-p", "a", "--no-gpu", "-n", "1"}).exitCode, 0);
}

TEST(Process, StandardOutputThatFails) {
  ProcessResult full = runShell(model, "$0 --temp 0 -p '' -n 5 > /dev/full");
  EXPECT_EQ(full.exitCode, 1);
  EXPECT_NE(full.err.find("cannot write to standard output: No space left on device"),
            std::string::npos)
      << full.err;
  for (const char *command : {"info --json", "logits --ids 1 --json", "-p a -n 1 --json", "--help"})
    EXPECT_EQ(runShell(model, std::string("$0 ") + command + " > /dev/full").exitCode, 1)
        << command;
  EXPECT_EQ(runShell(model, "$0 --temp 0 -p '' -n 5 >&-").exitCode, 1);
  // A reader that goes away ends it quietly, and soon.
  ProcessResult gone =
      runShell(model, "$0 --temp 0 -p '' --ignore-eos | head -c 1; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(gone.exitCode, 1);
  EXPECT_EQ(gone.out, "E");
  EXPECT_EQ(gone.err, "");
}

TEST(Process, Interrupt) {
  // The text is long enough to be interrupted: the cache is counted for each token.
  ProcessResult result = runShell(
      model, "set -m; $0 --temp 0 -p '' --ignore-eos > out.$$ & pid=$!; while [ ! -s out.$$ ]; do "
             "sleep 0.01; done; kill -INT $pid; wait $pid; code=$?; cat out.$$; "
             "rm out.$$; exit $code");
  EXPECT_EQ(result.exitCode, 130);
  ASSERT_FALSE(result.out.empty());
  EXPECT_EQ(result.out.back(), '\n');
  EXPECT_NE(result.err.find("generated: "), std::string::npos) << result.err;
  ProcessResult inJson = runShell(
      model, "set -m; $0 --temp 0 -p '' --ignore-eos --json & pid=$!; sleep 0.1; kill -INT $pid; "
             "wait $pid");
  EXPECT_EQ(inJson.exitCode, 130);
  EXPECT_EQ(inJson.out, "");
}

} // namespace
