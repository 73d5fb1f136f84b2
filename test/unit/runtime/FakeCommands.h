//===- FakeCommands.h - Runs commands of the fake model -------------------===//

#ifndef PI_TEST_UNIT_RUNTIME_FAKECOMMANDS_H
#define PI_TEST_UNIT_RUNTIME_FAKECOMMANDS_H

#include "Process.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace pi::test {

using nlohmann::json;

inline const std::string model = PI_FAKE_MODEL;

/// What a command prints with --json. Generation is greedy unless it says otherwise.
inline json runJson(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  if (arguments[0] == "-p" &&
      std::find(arguments.begin(), arguments.end(), "--temp") == arguments.end())
    arguments.insert(arguments.end(), {"--temp", "0"});
  ProcessResult result = run(model, arguments);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  json value = json::parse(result.out, nullptr, false);
  EXPECT_TRUE(value.is_object()) << result.out;
  return value;
}

/// Ids of bytes in the fixtures' tokenizer: where merges do not matter, one each.
inline std::vector<int> idsOf(const std::string &text) {
  return runJson({"-p", text, "-n", "0"})["prompt_tokens"].get<std::vector<int>>();
}

} // namespace pi::test

#endif // PI_TEST_UNIT_RUNTIME_FAKECOMMANDS_H
