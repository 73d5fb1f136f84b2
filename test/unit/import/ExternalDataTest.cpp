//===- ExternalDataTest.cpp -===//

#include "compiler/Import/ExternalData.h"

#include "compiler/Import/OnnxReader.h"
#include "compiler/Import/TensorValues.h"
#include "test/unit/import/TestModels.h"
#include "gtest/gtest.h"

#include <sys/stat.h>

using namespace pi::onnxfile;
using namespace pi::test;
namespace fs = std::filesystem;

namespace {

/// A model folder with data.bin (16 bytes) inside and secret.bin outside.
class ExternalDataTest : public testing::Test {
protected:
  ExternalDataTest() {
    folder.write("m/data.bin", "0123456789abcdef");
    folder.write("secret.bin", "0123456789abcdef");
    folder.write("m/model.onnx", "x");
  }
  std::unique_ptr<Model> read(const std::vector<std::string> &entries) {
    Proto graph;
    graph.message(5, externalTensor("w", {2, 2}, entries));
    return readModel(folder.write("m/model.onnx", model(graph).bytes), error);
  }
  std::string refuse(const std::vector<std::string> &entries) {
    EXPECT_EQ(read(entries), nullptr);
    EXPECT_EQ(error.element, "w");
    return error.message;
  }

  TempFolder folder;
  ReadError error;
};

} // namespace

TEST_F(ExternalDataTest, InTheModelsFolder) {
  auto m = read({"location", "data.bin"});
  ASSERT_NE(m, nullptr) << error.message;
  const Tensor &w = m->graph.initializers.at(0);
  EXPECT_EQ(w.externalPath, (folder.path / "m/data.bin").string());
  EXPECT_EQ(w.encoding, DataEncoding::Raw);
  EXPECT_EQ(w.data.offset, 0u);
  EXPECT_EQ(w.data.bytes, 16u);
  std::string why;
  auto values = readValues(*m, w, why);
  ASSERT_TRUE(values) << why;
  EXPECT_EQ(std::string(values->begin(), values->end()), "0123456789abcdef");

  folder.write("m/sub/big.bin", std::string(100, 'x'));
  m = read({"location", "./sub/big.bin", "offset", "84", "length", "16", "checksum", "ab"});
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_EQ(m->graph.initializers.at(0).data.offset, 84u);
}

TEST_F(ExternalDataTest, RangesAreChecked) {
  EXPECT_EQ(refuse({"location", "data.bin", "offset", "1"}),
            "ends at byte 17 of external data file 'data.bin', which has 16 bytes");
  EXPECT_EQ(
      refuse({"location", "data.bin", "offset", "9223372036854775807"}),
      "ends at byte 9223372036854775823 of external data file 'data.bin', which has 16 bytes");
  EXPECT_EQ(refuse({"location", "data.bin", "length", "15"}),
            "takes 16 bytes, but its external data has 15");
  for (std::string bad : {"-1", "x", "", "1 ", "99999999999999999999", "0x10"})
    EXPECT_EQ(refuse({"location", "data.bin", "offset", bad}),
              "has an external data offset that is no number: '" + bad + "'");
}

TEST_F(ExternalDataTest, PathsAreConfined) {
  fs::create_symlink("../secret.bin", folder.path / "m/link.bin");
  fs::create_symlink("..", folder.path / "m/up");
  ASSERT_EQ(mkfifo((folder.path / "m/fifo").c_str(), 0600), 0);
  const std::string file = "external data file ";
  EXPECT_EQ(refuse({"location", "missing.bin"}),
            file + "'missing.bin' cannot be opened: No such file or directory");
  EXPECT_EQ(refuse({}), file + "'' has no usable name");
  EXPECT_EQ(refuse({"location", std::string("a\0b", 3)}),
            file + "'" + std::string("a\0b", 3) + "' has no usable name");
  EXPECT_EQ(refuse({"location", "/etc/passwd"}),
            file + "'/etc/passwd' has an absolute path; only files in the model's folder are read");
  EXPECT_EQ(refuse({"location", "../secret.bin"}),
            file + "'../secret.bin' lies outside the model's folder");
  EXPECT_EQ(refuse({"location", "sub/../../secret.bin"}),
            file + "'sub/../../secret.bin' lies outside the model's folder");
  EXPECT_EQ(refuse({"location", "link.bin"}),
            file + "'link.bin' is a link that leads outside the model's folder");
  EXPECT_EQ(refuse({"location", "up/secret.bin"}),
            file + "'up/secret.bin' is a link that leads outside the model's folder");
  EXPECT_EQ(refuse({"location", "fifo"}), file + "'fifo' is not a regular file");
  EXPECT_EQ(refuse({"location", "."}),
            file + "'.' is a link that leads outside the model's folder");
  EXPECT_EQ(refuse({"location", "data.bin", "basepath", "/etc"}),
            "names a base path for its external data, which is not supported");
}

TEST_F(ExternalDataTest, LinksInsideTheFolderWork) {
  fs::create_symlink("data.bin", folder.path / "m/alias.bin");
  ASSERT_NE(read({"location", "alias.bin"}), nullptr) << error.message;
}

TEST_F(ExternalDataTest, CacheOfHuggingFaceWorks) {
  Proto graph;
  graph.message(5, externalTensor("w", {2, 2}, {"location", "model.onnx_data"}));
  folder.write("repo/blobs/aaa", model(graph).bytes);
  folder.write("repo/blobs/bbb", "0123456789abcdef");
  fs::create_directories(folder.path / "repo/snapshots/rev");
  fs::path link = folder.path / "repo/snapshots/rev/model.onnx";
  fs::create_symlink("../../blobs/aaa", link);
  fs::create_symlink("../../blobs/bbb", folder.path / "repo/snapshots/rev/model.onnx_data");
  auto m = readModel(link.string(), error);
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_EQ(m->graph.initializers.at(0).externalPath, (folder.path / "repo/blobs/bbb").string());

  // The data may be linked to where the model's bytes lie, nowhere else.
  fs::remove(folder.path / "repo/snapshots/rev/model.onnx_data");
  fs::create_symlink("../../../secret.bin", folder.path / "repo/snapshots/rev/model.onnx_data");
  EXPECT_EQ(readModel(link.string(), error), nullptr);
}

TEST_F(ExternalDataTest, FixtureWithExternalData) {
  auto m = readModel(PI_FIXTURES "/llama-external/model.onnx", error);
  ASSERT_NE(m, nullptr) << error.message;
  size_t external = 0;
  for (const Tensor &tensor : m->graph.initializers)
    external += !tensor.externalPath.empty();
  EXPECT_GT(external, 0u);
}
