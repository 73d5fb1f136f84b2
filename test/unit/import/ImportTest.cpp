//===- ImportTest.cpp - Import phase: config files, locations, hostile files -===//

#include "compiler/Import/Import.h"

#include "compiler/Import/ConfigFacts.h"
#include "compiler/Import/Locations.h"
#include "dialects/Pi/IR/Pi.h"
#include "test/unit/import/TestModels.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pi;
using namespace pi::test;

namespace {

class ImportTest : public testing::Test {
protected:
  ImportTest() {
    folder.write("tokenizer.json", R"({"added_tokens": [{"id": 7, "content": "<s>"}],
                                       "model": {"vocab": {"</s>": 9}}})");
  }
  std::string path(const std::string &name) { return (folder.path / name).string(); }
  FailureOr<ConfigFacts> facts() {
    diagnostics.clear();
    return readConfigFacts(&context, path("model.onnx"), path("tokenizer.json"));
  }
  /// The one diagnostic of config files that must be refused, without the folder's path.
  std::string refuse() {
    EXPECT_TRUE(failed(facts()));
    std::string prefix = folder.path.string() + "/";
    size_t at = diagnostics.find(prefix);
    return at == std::string::npos ? diagnostics : diagnostics.erase(at, prefix.size());
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  TempFolder folder;
  std::string diagnostics;
  ScopedDiagnosticHandler handler{&context, [&](Diagnostic &diagnostic) {
                                    diagnostics += describeLocation(diagnostic.getLocation()) +
                                                   ": " + diagnostic.str();
                                    return success();
                                  }};
};

} // namespace

TEST_F(ImportTest, NoConfigFiles) {
  auto f = facts();
  ASSERT_TRUE(succeeded(f));
  EXPECT_EQ(f->bos, -1);
  EXPECT_TRUE(f->eos.empty());
  EXPECT_EQ(f->positions, 0);
}

TEST_F(ImportTest, GenerationConfigWins) {
  folder.write("config.json",
               R"({"bos_token_id": 1, "eos_token_id": 2, "n_embd": 48, "num_hidden_layers": 3,
                                  "max_position_embeddings": 512})");
  folder.write("generation_config.json", R"({"bos_token_id": 3, "eos_token_id": [4, 5, 4]})");
  auto f = facts();
  ASSERT_TRUE(succeeded(f));
  EXPECT_EQ(f->bos, 3);
  EXPECT_EQ(f->eos, (SmallVector<int64_t, 2>{4, 5}));
  EXPECT_EQ(f->positions, 512);
  EXPECT_EQ(f->sizes.lookup("hidden_size"), 48);
  EXPECT_EQ(f->sizes.lookup("num_hidden_layers"), 3);
  EXPECT_FALSE(f->sizes.contains("vocab_size"));
}

TEST_F(ImportTest, NullMeansAbsent) {
  folder.write("generation_config.json", R"({"bos_token_id": null, "eos_token_id": null})");
  folder.write("config.json", R"({"bos_token_id": 1, "eos_token_id": 2, "n_positions": 64})");
  auto f = facts();
  ASSERT_TRUE(succeeded(f));
  EXPECT_EQ(f->bos, 1);
  EXPECT_EQ(f->eos, (SmallVector<int64_t, 2>{2}));
  EXPECT_EQ(f->positions, 64);
}

TEST_F(ImportTest, TokensByText) {
  folder.write("tokenizer_config.json", R"({"bos_token": {"content": "<s>"}, "eos_token": "?"})");
  folder.write("special_tokens_map.json", R"({"bos_token": "?", "eos_token": "</s>"})");
  auto f = facts();
  ASSERT_TRUE(succeeded(f));
  EXPECT_EQ(f->bos, 7);
  EXPECT_EQ(f->eos, (SmallVector<int64_t, 2>{9}));
}

TEST_F(ImportTest, ConfigBesideTheTokenizer) {
  folder.write("t/config.json", R"({"eos_token_id": 2, "max_position_embeddings": 9})");
  folder.write("config.json", R"({"eos_token_id": 3})");
  auto beside = readConfigFacts(&context, path("none/model.onnx"), path("t/tokenizer.json"));
  ASSERT_TRUE(succeeded(beside));
  EXPECT_EQ(beside->positions, 9);
  auto model = readConfigFacts(&context, path("model.onnx"), path("t/tokenizer.json"));
  ASSERT_TRUE(succeeded(model));
  EXPECT_EQ(model->eos, (SmallVector<int64_t, 2>{3}));
  EXPECT_EQ(model->positions, 0); // one file is read, not a mixture
}

TEST_F(ImportTest, BadConfigFiles) {
  folder.write("config.json", "{\"bos_token_id\":\n 1,,}");
  EXPECT_EQ(refuse(), "config.json:2:4: cannot parse JSON: Expected object key");
  folder.write("config.json", "[1]");
  EXPECT_EQ(refuse(), "config.json: expected a JSON object");
  folder.write("config.json", R"({"bos_token_id": "1"})");
  EXPECT_EQ(refuse(), "config.json: bos_token_id must be a token id");
  folder.write("config.json", R"({"eos_token_id": [1, -2]})");
  EXPECT_EQ(refuse(), "config.json: eos_token_id must be a token id or a list of them");
  folder.write("config.json", R"({"max_position_embeddings": 0})");
  EXPECT_EQ(refuse(), "config.json: max_position_embeddings must be a number of positions");
  folder.write("config.json", R"({"max_position_embeddings": 1e300})");
  EXPECT_EQ(refuse(), "config.json: max_position_embeddings must be a number of positions");
  folder.write("config.json", "{\"a\": " + std::string(1000000, '[')); // no recursion
  EXPECT_EQ(refuse(), "config.json: is nested deeper than 100 levels");
  folder.write("config.json", std::string((16 << 20) + 1, ' '));
  EXPECT_EQ(refuse(), "config.json: is longer than 16777216 bytes");
}

TEST_F(ImportTest, Locations) {
  Location named = nodeLocation(&context, "m.onnx", "/layers.3/act");
  EXPECT_EQ(nodeName(named), "/layers.3/act");
  EXPECT_EQ(describeLocation(named), "m.onnx: /layers.3/act");
  EXPECT_EQ(describeLocation(fileLocation(&context, "m.onnx")), "m.onnx");
  EXPECT_EQ(describeLocation(FileLineColLoc::get(&context, "a.mlir", 3, 4)), "a.mlir:3:4");
  EXPECT_EQ(describeLocation(UnknownLoc::get(&context)), "");
  Location fused = FusedLoc::get(&context, {UnknownLoc::get(&context), named});
  EXPECT_EQ(nodeName(fused), "/layers.3/act");
  EXPECT_EQ(describeLocation(fused), "m.onnx: /layers.3/act");
  EXPECT_EQ(describeLocation(nodeLocation(&context, "m.onnx", "a\x1b[2J\n")),
            "m.onnx: a\\x1B[2J\\x0A");
}

TEST_F(ImportTest, VariedModel) {
  ImportOptions options{folder.write("model.onnx", variedModel().bytes), "", 0, true};
  auto module = importOnnx(&context, options);
  ASSERT_TRUE(succeeded(module)) << diagnostics;
  auto facts = (**module)->getAttrOfType<ModelAttr>("pi.model");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts.getCapacity(), 2048);
  EXPECT_TRUE(facts.getExact());
  EXPECT_EQ(facts.getTokenizer().getValue(), path("tokenizer.json"));
  EXPECT_NE(diagnostics.find("the number of positions is unknown"), std::string::npos);
}

TEST_F(ImportTest, ContextAndPositions) {
  folder.write("config.json", R"({"eos_token_id": 2, "max_position_embeddings": 512})");
  ImportOptions options{folder.write("model.onnx", variedModel().bytes), "", 0, false};
  auto capacity = [&] {
    diagnostics.clear();
    auto module = importOnnx(&context, options);
    return failed(module) ? -1 : (**module)->getAttrOfType<ModelAttr>("pi.model").getCapacity();
  };
  EXPECT_EQ(capacity(), 512);
  EXPECT_EQ(diagnostics, "");
  options.context = 100;
  EXPECT_EQ(capacity(), 100);
  options.context = 1000;
  EXPECT_EQ(capacity(), 1000);
  EXPECT_NE(diagnostics.find("exceeds the 512 positions"), std::string::npos);
  folder.write("config.json", R"({"max_position_embeddings": 131072})");
  options.context = 0;
  EXPECT_EQ(capacity(), 4096);
}

TEST_F(ImportTest, SurvivesEveryMutationOfASmallModel) {
  for (const std::string &variant : mutate(variedModel().bytes, 1)) {
    diagnostics.clear();
    ImportOptions options{folder.write("model.onnx", variant), "", 0, false};
    if (failed(importOnnx(&context, options)))
      EXPECT_FALSE(diagnostics.empty());
  }
}
