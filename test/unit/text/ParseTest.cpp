//===- ParseTest.cpp - Tokenizer files that are wrong or unsupported ------===//

#include "SmallTokenizers.h"

#include "runtime/text/Tokenizer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace pi::text::test {
namespace {

// The message for llamaSpec() after `change`, without the file's name.
std::string errorAfter(const std::function<void(Spec &)> &change) {
  Spec spec = llamaSpec();
  change(spec);
  std::string error = parseError(spec.json());
  constexpr std::string_view kPrefix = "tokenizer.json: ";
  EXPECT_EQ(error.substr(0, kPrefix.size()), kPrefix);
  return error.substr(std::min(error.size(), kPrefix.size()));
}

std::string modelError(const char *key, const char *value) {
  return errorAfter([&](Spec &spec) { spec.model[key] = value; });
}

std::string bare(std::string_view model) {
  return parseError("{\"model\": " + std::string(model) + "}");
}

TEST(ParseError, NotJson) {
  EXPECT_EQ(parseError(""), "tokenizer.json: not well-formed JSON at byte 1");
  EXPECT_EQ(parseError("{\"model\": tru}"), "tokenizer.json: not well-formed JSON at byte 14");
  EXPECT_EQ(parseError("{} x"), "tokenizer.json: not well-formed JSON at byte 4");
  EXPECT_EQ(parseError("[]"), "tokenizer.json: expected an object");
  EXPECT_EQ(parseError("7"), "tokenizer.json: expected an object");
  EXPECT_EQ(parseError("{}"), "tokenizer.json: model: expected an object");
  EXPECT_NE(parseError("{\"model\": \"\xFF\"}"), "");
  EXPECT_NE(parseError("{\"model\": \"\\ud800\"}"), "");
  EXPECT_NE(parseError("{\"model\": 1e999}"), "");
}

TEST(ParseError, DeepNesting) {
  for (std::string_view open :
       {"[", "{\"a\":", "{\"model\":{\"merges\":[[", "{\"model\":{\"vocab\":{\"a\":["}) {
    std::string text;
    while (text.size() < 1000000)
      text += open;
    EXPECT_EQ(parseError(text), "tokenizer.json: JSON nested too deeply");
  }
}

TEST(ParseError, Model) {
  EXPECT_EQ(bare("[]"), "tokenizer.json: model: expected an object");
  EXPECT_EQ(bare(R"({"type": "Unigram", "vocab": [["a", -1.5]]})"),
            "tokenizer.json: model.type: unsupported 'Unigram'");
  EXPECT_EQ(bare(R"({"type": "WordPiece", "vocab": {"a": 0}})"),
            "tokenizer.json: model.type: unsupported 'WordPiece'");
  EXPECT_EQ(bare(R"({"vocab": {"a": 0}})"), "tokenizer.json: model.type: expected a string");
  EXPECT_EQ(bare(R"({"type": "BPE", "vocab": ["a"], "merges": []})"),
            "tokenizer.json: model.vocab: expected an object");
  EXPECT_EQ(bare(R"({"type": "BPE", "vocab": 3, "merges": []})"),
            "tokenizer.json: model.vocab: expected an object");
  EXPECT_EQ(bare(R"({"type": "BPE", "vocab": {"a": 0}})"),
            "tokenizer.json: model.merges: expected an array");
  EXPECT_EQ(bare(R"({"type": "BPE", "vocab": {"a": 0}, "merges": {}})"),
            "tokenizer.json: model.merges: expected an array");
  EXPECT_EQ(modelError("dropout", "0.1"), "model.dropout: unsupported: only null is");
  EXPECT_EQ(modelError("continuing_subword_prefix", "\"##\""),
            "model.continuing_subword_prefix: unsupported '##'");
  EXPECT_EQ(modelError("end_of_word_suffix", "\"</w>\""),
            "model.end_of_word_suffix: unsupported '</w>'");
  EXPECT_EQ(modelError("byte_fallback", "1"), "model.byte_fallback: expected true or false");
  EXPECT_EQ(modelError("unk_token", "0"), "model.unk_token: expected a string");
}

TEST(ParseError, Vocabulary) {
  auto vocab = [](const char *entries) {
    return bare(R"({"type": "BPE", "merges": [], "vocab": {)" + std::string(entries) + "}}");
  };
  const std::string kPath = "tokenizer.json: model.vocab: ";
  EXPECT_EQ(vocab(R"("a": -1)"), kPath + "'a': expected an id, a number >= 0");
  EXPECT_EQ(vocab(R"("a": 1.5)"), kPath + "'a': expected an id, a number >= 0");
  EXPECT_EQ(vocab(R"("a": {"b": [1]})"), kPath + "'a': expected an id, a number >= 0");
  EXPECT_EQ(vocab(R"("a": 0, "b": 0)"), kPath + "'b': id 0 is taken");
  EXPECT_EQ(vocab(R"("a": 0, "a": 1)"), kPath + "'a' is there twice");
  EXPECT_EQ(vocab(R"("a": 2000000000)"), kPath + "'a': id 2000000000 is too large for 1 tokens");
  EXPECT_EQ(vocab(R"("a": 18446744073709551615)"),
            kPath + "'a': id 18446744073709551615 is too large for 1 tokens");
}

TEST(ParseError, Merges) {
  auto merges = [](const char *entries) {
    return bare(R"({"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [)" +
                std::string(entries) + "]}");
  };
  const std::string kPath = "tokenizer.json: model.merges";
  EXPECT_EQ(merges(R"("a b", "ab")"), kPath + "[1]: expected two tokens and one space, found 'ab'");
  EXPECT_EQ(merges(R"("a  b")"), kPath + "[0]: expected two tokens and one space, found 'a  b'");
  EXPECT_EQ(merges(R"(["a"])"), kPath + "[0]: expected ['a', 'b']");
  EXPECT_EQ(merges(R"(["a", "b", "a"])"), kPath + "[0]: expected ['a', 'b']");
  EXPECT_EQ(merges(R"(["a", 1])"), kPath + "[0]: expected 'a b' or ['a', 'b']");
  EXPECT_EQ(merges(R"(["a", ["b"]])"), kPath + "[0]: expected 'a b' or ['a', 'b']");
  EXPECT_EQ(merges("7"), kPath + "[0]: expected 'a b' or ['a', 'b']");
  EXPECT_EQ(merges(R"(["a", "b"], ["b", "a"])"), kPath + "[1]: 'ba' is not in the vocabulary");
  EXPECT_EQ(merges(R"("a c")"), kPath + "[0]: 'c' is not in the vocabulary");
}

TEST(ParseError, Normalizer) {
  auto error = [](const char *json) {
    return errorAfter([&](Spec &spec) { spec.normalizer = json; });
  };
  EXPECT_EQ(error(R"({"type": "NFC"})"), "normalizer.type: unsupported 'NFC'");
  EXPECT_EQ(error(R"({"type": "Sequence", "normalizers": [
                      {"type": "Prepend", "prepend": "x"},
                      {"type": "Lowercase"}]})"),
            "normalizer.normalizers[1].type: unsupported 'Lowercase'");
  EXPECT_EQ(error(R"({"type": "Replace", "pattern": {"Regex": " +"},
                      "content": "x"})"),
            "normalizer.pattern.Regex: unsupported ' +'");
  EXPECT_EQ(error(R"({"type": "Replace", "pattern": {"String": ""},
                      "content": "x"})"),
            "normalizer.pattern.String: an empty pattern is not supported");
  EXPECT_EQ(error(R"({"type": "Prepend"})"), "normalizer.prepend: expected a string");
  EXPECT_EQ(error(R"({"type": "Sequence"})"), "normalizer.normalizers: expected an array");
  EXPECT_EQ(error(R"({"type": "Sequence", "normalizers": [
      {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaa"},
      {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaa"},
      {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaa"}
      ]})"),
            "normalizer.normalizers[2]: text may become more than 256 times "
            "longer");
  EXPECT_EQ(error("[]"), "normalizer: expected an object");
  EXPECT_EQ(error("{}"), "normalizer.type: expected a string");
}

TEST(ParseError, PreTokenizer) {
  auto error = [](const char *json) {
    return errorAfter([&](Spec &spec) { spec.preTokenizer = json; });
  };
  EXPECT_EQ(error(R"({"type": "BertPreTokenizer"})"),
            "pre_tokenizer.type: unsupported 'BertPreTokenizer'");
  EXPECT_EQ(error(R"({"type": "Split", "behavior": "Isolated",
                      "pattern": {"Regex": "\\p{L}"}})"),
            R"(pre_tokenizer.pattern.Regex: unsupported '\p{L}')");
  EXPECT_EQ(error(R"({"type": "Split", "behavior": "Apart",
                      "pattern": {"String": "a"}})"),
            "pre_tokenizer.behavior: unsupported 'Apart'");
  EXPECT_EQ(error(R"({"type": "Metaspace", "replacement": "ab"})"),
            "pre_tokenizer.replacement: expected a string of one character");
  EXPECT_EQ(error(R"({"type": "Metaspace"})"), "pre_tokenizer.replacement: expected a string");
  EXPECT_EQ(error(R"({"type": "Metaspace", "replacement": "▁",
                      "prepend_scheme": "last"})"),
            "pre_tokenizer.prepend_scheme: unsupported 'last'");
  EXPECT_EQ(error(R"({"type": "Metaspace", "replacement": "▁",
                      "prepend_scheme": "first", "add_prefix_space": false})"),
            "pre_tokenizer.prepend_scheme: contradicts add_prefix_space");
  EXPECT_EQ(error(R"({"type": "ByteLevel", "use_regex": "no"})"),
            "pre_tokenizer.use_regex: expected true or false");
  EXPECT_EQ(error(R"({"type": "Sequence", "pretokenizers": [
                      {"type": "ByteLevel"}, {"type": "ByteLevel"},
                      {"type": "ByteLevel"}, {"type": "ByteLevel"}]})"),
            "pre_tokenizer.pretokenizers[3]: more than 3 Metaspace and "
            "ByteLevel stages");
  std::string many = R"({"type": "Sequence", "pretokenizers": [)";
  for (int i = 0; i < 40; ++i)
    many += std::string(i ? "," : "") + R"({"type": "Digits"})";
  EXPECT_EQ(error((many + "]}").c_str()), "pre_tokenizer.pretokenizers[32]: more than 32 stages");
}

TEST(ParseError, Decoder) {
  auto error = [](const char *json) {
    return errorAfter([&](Spec &spec) { spec.decoder = json; });
  };
  EXPECT_EQ(error(R"({"type": "BPEDecoder", "suffix": "</w>"})"),
            "decoder.type: unsupported 'BPEDecoder'");
  EXPECT_EQ(error(R"({"type": "Sequence", "decoders": [{"type": "Fuse"},
                      {"type": "ByteFallback"}]})"),
            "decoder.decoders[1].type: unsupported 'ByteFallback' after a "
            "decoder that joins all tokens into one");
  EXPECT_EQ(error((R"({"type": "Replace", "pattern": {"String": "a"},
                       "content": ")" +
                   std::string(300, 'a') + "\"}")
                      .c_str()),
            "decoder: text may become more than 256 times longer");
  EXPECT_EQ(error(R"({"type": "Strip", "content": " ", "start": -1,
                      "stop": 0})"),
            "decoder.start: expected an integer from 0 to 4294967295");
  EXPECT_EQ(error(R"({"type": "Strip", "content": "", "start": 1,
                      "stop": 0})"),
            "decoder.content: expected a string of one character");
}

TEST(ParseError, PostProcessor) {
  auto error = [](const std::string &json) {
    return errorAfter([&](Spec &spec) { spec.postProcessor = json; });
  };
  auto single = [&](const std::string &pieces) {
    return error(R"({"type": "TemplateProcessing", "special_tokens":
                     {"<s>": {"ids": [1]}, "far": {"ids": [9999]}},
                     "single": [)" +
                 pieces + "]}");
  };
  const std::string kText = R"({"Sequence": {"id": "A", "type_id": 0}})";
  EXPECT_EQ(error(R"({"type": "BertProcessing"})"),
            "post_processor.type: unsupported 'BertProcessing'");
  EXPECT_EQ(single(""), "post_processor.single: has no text 'A'");
  EXPECT_EQ(single(kText + "," + kText),
            "post_processor.single[1].Sequence.id: expected the text 'A', "
            "once");
  EXPECT_EQ(single(R"({"Sequence": {"id": "B", "type_id": 0}})"),
            "post_processor.single[0].Sequence.id: expected the text 'A', "
            "once");
  EXPECT_EQ(single(R"({"SpecialToken": {"id": "x"}},)" + kText),
            "post_processor.special_tokens.x.ids: expected an array");
  EXPECT_EQ(single(R"({"SpecialToken": {"id": "a\nb"}},)" + kText),
            "post_processor.special_tokens.'a?b'.ids: expected an array");
  std::string many;
  for (int i = 0; i < 65; ++i)
    many += R"({"SpecialToken": {"id": "<s>"}},)";
  EXPECT_EQ(single(many + kText),
            "post_processor.special_tokens.<s>.ids[0]: more than 64 tokens on "
            "one side of the text");
  EXPECT_EQ(single(R"({"SpecialToken": {"id": "far"}},)" + kText),
            "post_processor.special_tokens.far.ids[0]: no token has the id "
            "9999");
}

TEST(ParseError, AddedTokens) {
  auto error = [](const std::string &json) {
    return errorAfter([&](Spec &spec) { spec.addedTokens = json; });
  };
  EXPECT_EQ(error("{}"), "added_tokens: expected an array");
  EXPECT_EQ(error("[7]"), "added_tokens[0]: expected an object");
  EXPECT_EQ(error(R"([{"id": -1, "content": "x"}])"),
            "added_tokens[0].id: expected an integer from 0 to 2147483647");
  EXPECT_EQ(error(R"([{"id": 1}])"), "added_tokens[0].content: expected a string");
  EXPECT_EQ(error("[" + addedToken(1, std::string(2000, 'x')) + "]"),
            "added_tokens[0].content: longer than 1024 bytes");
  EXPECT_EQ(error("[" + addedToken(1, "x", "\"lstrip\": 1") + "]"),
            "added_tokens[0].lstrip: expected true or false");
}

TEST(ParseError, MessagesStayOnOneShortLine) {
  std::string error = errorAfter([](Spec &spec) {
    spec.normalizer = R"({"type": "a\nb\u0007\u2028)" + std::string(500, 'x') + "\"}";
  });
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_EQ(error.substr(0, 36), "normalizer.type: unsupported 'a?b??x");
  EXPECT_LT(error.size(), 120u);
}

// Whatever the bytes, parsing ends with a tokenizer or a message of one line.
void expectOrderly(std::string_view bytes) {
  std::string error;
  auto tokenizer = Tokenizer::parse(bytes, error);
  ASSERT_EQ(tokenizer == nullptr, !error.empty());
  ASSERT_EQ(error.find('\n'), std::string::npos);
  if (tokenizer) {
    Ids ids = tokenizer->encode("hello </s> é\xFF 12", true);
    decode(*tokenizer, ids);
  }
}

TEST(ParseRobust, TruncationAtEveryByte) {
  for (Spec spec : {llamaSpec(), byteLevelSpec()}) {
    std::string json = spec.json();
    for (size_t length = 0; length < json.size(); ++length)
      ASSERT_NE(parseError(std::string_view(json).substr(0, length)), "");
  }
}

TEST(ParseRobust, ChangedBytes) {
  std::string json = llamaSpec().json();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string changed = json;
    for (uint32_t i = 0, count = 1 + random() % 3; i < count; ++i) {
      size_t place = random() % changed.size();
      switch (random() % 4) {
      case 0:
        changed[place] = static_cast<char>(random());
        break;
      case 1:
        changed[place] = "{}[]\",:0-e\\"[random() % 11];
        break;
      case 2:
        changed.erase(place, 1 + random() % 20);
        break;
      default:
        changed.insert(place, json, random() % json.size(), random() % 30);
        break;
      }
      if (changed.empty())
        changed = " ";
    }
    expectOrderly(changed);
    if (HasFatalFailure())
      return;
  }
}

TEST(ParseRobust, EveryValueReplaced) {
  // Each place after a colon or comma gets values of every type in turn.
  Spec small;
  small.vocab = {"<unk>", "a", "b", "ab"};
  small.merges = {{"a", "b"}};
  Spec spec = llamaSpec();
  spec.vocab = small.vocab;
  spec.merges = small.merges;
  std::string json = spec.json();
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] != ':' && json[i] != ',' && json[i] != '[')
      continue;
    size_t end = json.find_first_of(",}]", i + 1);
    for (const char *value : {"null", "true", "-1", "1e3", "\"\"", "[]", "{}",
                              "18446744073709551616", "[[]]", "\"x y\""}) {
      std::string changed = json;
      changed.replace(i + 1, end - i - 1, value);
      expectOrderly(changed);
      if (HasFatalFailure())
        return;
    }
  }
}

} // namespace
} // namespace pi::text::test
