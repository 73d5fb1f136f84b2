//===- ModelsTest.cpp - Known answers on the tokenizers of real models ----===//
// Reads <folder>/<model>/{tokenizer.json,expected.json} and heldout.txt;
// skipped where the folder is absent. The ids of heldout.txt are those of
// Hugging Face `tokenizers` 0.23.3.
//===----------------------------------------------------------------------===//

#include "runtime/text/StreamDecoder.h"
#include "runtime/text/Tokenizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace pi::text {
namespace {

using nlohmann::json;
using Ids = std::vector<int32_t>;

struct Case {
  const char *folder;
  const char *model;
  size_t heldoutCount;     // ids of heldout.txt with special tokens
  uint64_t heldoutFnv1a64; // hash of these ids as little-endian 32-bit words
};

void PrintTo(const Case &parameter, std::ostream *out) { *out << parameter.model; }

std::optional<std::string> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

class Models : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    folder = GetParam().folder;
    std::string model = folder + "/" + GetParam().model;
    auto tokenizerJson = readFile(model + "/tokenizer.json");
    auto expectedJson = readFile(model + "/expected.json");
    if (!tokenizerJson || !expectedJson)
      GTEST_SKIP() << model << " is absent";
    std::string error;
    tokenizer = Tokenizer::parse(*tokenizerJson, error);
    ASSERT_TRUE(tokenizer) << error;
    expected = json::parse(*expectedJson, nullptr, false);
    ASSERT_TRUE(expected.is_object());
  }

  std::string folder;
  std::unique_ptr<Tokenizer> tokenizer;
  json expected;
};

// Where a tokenizer gives no ids (the empty prompt of one without a template),
// the model's bos stands alone; it comes from config.json.
TEST_P(Models, Prompts) {
  ASSERT_EQ(expected["cases"].size(), 12u);
  for (const json &item : expected["cases"]) {
    std::string prompt = item["prompt"];
    Ids ids = tokenizer->encode(prompt, true);
    if (ids.empty())
      ids = {expected["perplexity"]["bos_id"].get<int32_t>()};
    EXPECT_EQ(ids, item["prompt_ids"].get<Ids>()) << prompt;
  }
}

TEST_P(Models, FullTexts) {
  for (const json &item : expected["cases"]) {
    Ids prompt = item["prompt_ids"];
    Ids greedy = item["greedy_ids"];
    std::string full = item["full_text"];
    Ids all = prompt;
    all.insert(all.end(), greedy.begin(), greedy.end());
    EXPECT_EQ(tokenizer->decode(all.data(), all.size(), true), full);

    std::string text = tokenizer->decode(prompt.data(), prompt.size(), true);
    StreamDecoder stream(*tokenizer, prompt.data(), prompt.size());
    for (int32_t id : greedy)
      text += stream.push(id);
    text += stream.finish();
    EXPECT_EQ(text, full);
  }
}

TEST_P(Models, HeldoutText) {
  auto text = readFile(folder + "/heldout.txt");
  if (!text)
    GTEST_SKIP() << "heldout.txt is absent";
  Ids ids = tokenizer->encode(*text, true);
  EXPECT_EQ(ids.size(), GetParam().heldoutCount);
  uint64_t hash = 0xCBF29CE484222325ull;
  for (int32_t id : ids)
    for (int shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (static_cast<uint32_t>(id) >> shift & 0xFF)) * 0x100000001B3ull;
  EXPECT_EQ(hash, GetParam().heldoutFnv1a64);
  EXPECT_EQ(tokenizer->decode(ids.data(), ids.size(), true), *text);

  // The text that perplexity is measured on is a prefix, in characters.
  size_t offset = 0;
  for (size_t chars = expected["perplexity"]["chars"]; chars > 0 && offset < text->size(); --chars)
    do
      ++offset;
    while (offset < text->size() && ((*text)[offset] & 0xC0) == 0x80);
  EXPECT_EQ(tokenizer->encode(text->substr(0, offset), false).size(),
            expected["perplexity"]["tokens"].get<size_t>());
}

INSTANTIATE_TEST_SUITE_P(
    Shared, Models,
    testing::Values(Case{PI_SHARED_MODELS, "tiny-llama-relu", 83683, 0x8FAE531C33699E3C},
                    Case{PI_SHARED_MODELS, "tiny-opt-relu", 85553, 0xA5E6A2112EBA8C02},
                    Case{PI_SHARED_MODELS, "tiny-falcon-relu", 85578, 0x0CECC904E17B9038},
                    Case{PI_SHARED_MODELS, "small-llama-relu", 83683, 0x8FAE531C33699E3C}));

// The model that comes with the project, so that a bare clone tests something.
INSTANTIATE_TEST_SUITE_P(Shipped, Models,
                         testing::Values(Case{PI_SHIPPED_MODELS, "tiny-llama-relu", 83683,
                                              0x8FAE531C33699E3C}));

} // namespace
} // namespace pi::text
