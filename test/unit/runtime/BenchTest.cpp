//===- BenchTest.cpp - bench of a whole executable ------------------------===//

#include "FakeCommands.h"
#include "Process.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

using namespace pi::test;

namespace {

TEST(Bench, Rows) {
  ProcessResult result =
      run(model, {"bench", "-p", "16", "-n", "4", "-r", "3", "-o", "json", "-t", "2"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.err, "");
  json rows = json::parse(result.out, nullptr, false);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["test"], "pp16");
  EXPECT_EQ(rows[1]["test"], "tg4");
  for (const json &row : rows) {
    for (const char *key :
         {"tok_s", "ms_min", "ms_median", "cpu_bytes", "cpu_gbs", "read_gbs", "bound_tok_s"})
      EXPECT_GT(row[key].get<double>(), 0) << key;
    EXPECT_LE(row["ms_min"].get<double>(), row["ms_median"].get<double>());
    EXPECT_EQ(row["batch"], 1);
    EXPECT_EQ(row["gpu_bytes"], 0);
    EXPECT_TRUE(row["gpu_gbs"].is_null() && row["copy_gbs"].is_null());
    EXPECT_EQ(row["threads"], 2);
    double bytes = row["cpu_bytes"].get<double>();
    EXPECT_NEAR(row["cpu_gbs"].get<double>(), bytes * row["tok_s"].get<double>() / 1e9,
                1e-4 * row["cpu_gbs"].get<double>());
    EXPECT_NEAR(row["bound_tok_s"].get<double>(), row["read_gbs"].get<double>() * 1e9 / bytes,
                1e-4 * row["bound_tok_s"].get<double>());
  }
  // Script and bigram, 4 bytes of cache per token in it: (n + 1) / 2 on average. All tokens
  // of the prompt share the weights.
  EXPECT_EQ(rows[0]["cpu_bytes"], (48 * 274 * 4 + 274 * 274 * 4) / 16 + 34);
  EXPECT_EQ(rows[0]["batch_tokens"], 16);
  EXPECT_EQ(rows[1]["batch_tokens"], 1);
  EXPECT_EQ(rows[1]["cpu_bytes"], 48 * 274 * 4 + 274 * 274 * 4 + 10);
}

TEST(Bench, TableAndErrors) {
  ProcessResult table = run(model, {"bench", "-p", "0", "-n", "4", "-r", "2", "-t", "1"});
  EXPECT_EQ(table.exitCode, 0);
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 5);
  EXPECT_NE(table.out.find("\n| tg4 | 1 | "), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("\ncpu, 1 threads, -b 16, 2 runs per row, --load=map\n"),
            std::string::npos);
  ProcessResult longer = run(model, {"bench", "-n", "4097"});
  EXPECT_EQ(longer.exitCode, 1);
  EXPECT_EQ(longer.out, "");
  EXPECT_EQ(longer.err,
            "fake-model.bin: error: bad input: bench -n 4097 is longer than the context "
            "of 4096 tokens; give -n 4096 or less, or compile the model with a larger "
            "--context\n");
  EXPECT_NE(run(model, {"bench", "-c", "100"})
                .err.find("bench -p 512 is longer than the context of "
                          "100 tokens"),
            std::string::npos);
  EXPECT_EQ(run(model, {"bench", "--gpu-required"}).exitCode, 4);
}

} // namespace
