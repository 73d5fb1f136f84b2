//===- SmallTokenizers.cpp - Tokenizer files made by the tests ------------===//

#include "SmallTokenizers.h"

#include "runtime/text/ByteLevel.h"
#include "runtime/text/Tokenizer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text::test {

static std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Spec::json() const {
  std::string out = R"({"version": "1.0", "added_tokens": )" + addedTokens + R"(, "normalizer": )" +
                    normalizer + R"(, "pre_tokenizer": )" + preTokenizer +
                    R"(, "post_processor": )" + postProcessor + R"(, "decoder": )" + decoder +
                    R"(, "model": {"type": "BPE")";
  for (const auto &[key, value] : model)
    out += ", " + jsonString(key) + ": " + value;
  out += R"(, "vocab": {)";
  for (size_t id = 0; id < vocab.size(); ++id)
    out += (id ? "," : "") + jsonString(vocab[id]) + ":" + std::to_string(id);
  out += R"(}, "merges": [)";
  for (size_t i = 0; i < merges.size(); ++i)
    out +=
        (i ? ",[" : "[") + jsonString(merges[i].first) + "," + jsonString(merges[i].second) + "]";
  return out + "]}}";
}

std::string addedToken(int id, std::string_view content, std::string_view flags) {
  std::string out = "{";
  for (const char *key : {"special", "normalized"}) {
    std::string quotedKey = "\"" + std::string(key) + "\"";
    if (flags.find(quotedKey) == std::string_view::npos)
      out += quotedKey + ": " + (key[0] == 's' ? "true, " : "false, ");
  }
  if (!flags.empty())
    out.append(flags) += ", ";
  return out + "\"id\": " + std::to_string(id) + ", \"content\": " + jsonString(content) + "}";
}

std::vector<std::string> byteTokens() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    char token[8];
    std::snprintf(token, sizeof(token), "<0x%02X>", byte);
    tokens.push_back(token);
  }
  return tokens;
}

Spec llamaSpec() {
  Spec spec;
  spec.vocab = {"<unk>", "<s>", "</s>"};
  for (std::string &token : byteTokens())
    spec.vocab.push_back(std::move(token));
  spec.vocab.push_back("▁");
  for (char c = 'a'; c <= 'z'; ++c)
    spec.vocab.push_back(std::string(1, c));
  spec.merges = {{"h", "e"}, {"▁", "he"}, {"l", "l"}, {"▁he", "ll"}, {"▁hell", "o"}};
  for (const auto &[left, right] : spec.merges)
    spec.vocab.push_back(left + right);
  spec.model = {{"unk_token", "\"<unk>\""},
                {"byte_fallback", "true"},
                {"fuse_unk", "true"},
                {"dropout", "null"}};
  spec.addedTokens =
      "[" + addedToken(0, "<unk>") + "," + addedToken(1, "<s>") + "," + addedToken(2, "</s>") + "]";
  spec.preTokenizer = R"({"type": "Metaspace", "replacement": "▁",
      "prepend_scheme": "first", "split": false})";
  spec.postProcessor = R"({"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                 {"Sequence": {"id": "A", "type_id": 0}}], "pair": [],
      "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}})";
  spec.decoder = R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
      {"type": "ByteFallback"}, {"type": "Fuse"},
      {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";
  return spec;
}

Spec byteLevelSpec() {
  Spec spec;
  for (int byte = 0; byte < 256; ++byte) {
    char raw = static_cast<char>(byte);
    std::string token;
    appendBytesAsChars({&raw, 1}, token);
    spec.vocab.push_back(token);
  }
  spec.preTokenizer = R"({"type": "ByteLevel", "add_prefix_space": false,
      "trim_offsets": true, "use_regex": true})";
  spec.decoder = R"({"type": "ByteLevel"})";
  return spec;
}

std::unique_ptr<Tokenizer> parse(const Spec &spec) {
  std::string error;
  std::unique_ptr<Tokenizer> tokenizer = Tokenizer::parse(spec.json(), error);
  EXPECT_TRUE(tokenizer) << error;
  EXPECT_EQ(error, "");
  return tokenizer;
}

std::string parseError(std::string_view json) {
  std::string error;
  EXPECT_FALSE(Tokenizer::parse(json, error)) << json;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}

std::string decode(const Tokenizer &tokenizer, const Ids &ids, bool skipSpecial) {
  return tokenizer.decode(ids.data(), ids.size(), skipSpecial);
}

} // namespace pi::text::test
