//===- OnnxReaderTest.cpp -===//

#include "compiler/Import/OnnxReader.h"

#include "compiler/Import/TensorValues.h"
#include "test/unit/import/TestModels.h"
#include "gtest/gtest.h"

#include <cstring>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace pi::onnxfile;
using namespace pi::test;

namespace {

class OnnxReaderTest : public testing::Test {
protected:
  std::unique_ptr<Model> read(const Proto &proto) {
    return readModel(folder.write("model.onnx", proto.bytes), error);
  }
  /// "element: message" of a model that must be refused.
  std::string refuse(const Proto &proto) {
    EXPECT_EQ(read(proto), nullptr);
    return error.element + ": " + error.message;
  }
  std::string refuseTensor(const Proto &tensor) {
    return refuse(model(Proto().message(5, tensor)));
  }

  TempFolder folder;
  ReadError error;
};

} // namespace

TEST_F(OnnxReaderTest, Fixture) {
  auto model = readModel(PI_FIXTURES "/llama-1layer/model.onnx", error);
  ASSERT_NE(model, nullptr) << error.message;
  EXPECT_EQ(model->opset(), 17);
  EXPECT_EQ(model->irVersion, 8);
  EXPECT_EQ(model->producerName, "pytorch");
  EXPECT_EQ(model->graph.outputs.size(), 3u);
  EXPECT_EQ(model->graph.inputs[0].name, "input_ids");
  ASSERT_EQ(model->graph.inputs[0].dims.size(), 2u);
  EXPECT_FALSE(model->graph.inputs[0].dims[0].isFixed);
  EXPECT_EQ(model->graph.inputs[0].dims[0].param, "batch");
  for (const Tensor &tensor : model->graph.initializers) {
    EXPECT_EQ(tensor.data.bytes, tensor.elements * elementBytes(tensor.dataType));
    EXPECT_LE(tensor.data.offset + tensor.data.bytes, model->file.getBytes());
  }
}

TEST_F(OnnxReaderTest, OffsetPointsAtRawData) {
  std::string raw = "0123456789abcdef";
  auto m = read(model(Proto().message(5, tensor("w", 1, {2, 2}).text(9, raw))));
  ASSERT_NE(m, nullptr) << error.message;
  const Tensor &w = m->graph.initializers.at(0);
  EXPECT_EQ(w.encoding, DataEncoding::Raw);
  EXPECT_EQ(textOf(m->file.data(), w.data), raw);
  EXPECT_EQ(w.dims, (std::vector<int64_t>{2, 2}));
}

TEST_F(OnnxReaderTest, TypedDataIsDecoded) {
  auto m = read(variedModel());
  ASSERT_NE(m, nullptr) << error.message;
  std::string why;
  auto values = readValues(*m, m->graph.initializers.at(0), why);
  EXPECT_EQ(values, (std::vector<uint8_t>{0, 0x3c, 0, 0x40, 1, 0, 0, 0})) << why;
  values = readValues(*m, m->graph.initializers.at(1), why);
  EXPECT_EQ(values, std::vector<uint8_t>(8, 0)) << why;
  const Tensor &constant = m->graph.nodes.at(0).attributes.at(0).tensor.at(0);
  values = readValues(*m, constant, why);
  ASSERT_TRUE(values) << why;
  int64_t numbers[2];
  memcpy(numbers, values->data(), sizeof numbers);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[1], -1);
}

TEST_F(OnnxReaderTest, TypedDataOfWrongLength) {
  auto m = read(model(Proto().message(5, tensor("w", 6, {2}).text(5, std::string(3, '\1')))));
  ASSERT_NE(m, nullptr) << error.message;
  std::string why;
  EXPECT_FALSE(readValues(*m, m->graph.initializers.at(0), why));
  EXPECT_EQ(why, "has more numbers than its shape asks for");
  m = read(model(Proto().message(5, tensor("w", 6, {2}).text(5, "\x80\1"))));
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_FALSE(readValues(*m, m->graph.initializers.at(0), why));
  EXPECT_EQ(why, "has fewer numbers than its shape asks for");
}

TEST_F(OnnxReaderTest, PackedAndUnpackedDims) {
  Proto packed = Proto().text(1, std::string("\2\3", 2)).varint(2, 9).text(9, std::string(6, '\0'));
  auto m = read(model(Proto().message(5, packed)));
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_EQ(m->graph.initializers.at(0).elements, 6u);
}

TEST_F(OnnxReaderTest, RefusesTensors) {
  EXPECT_EQ(refuseTensor(tensor("w", 1, {4}).text(9, "abc")),
            "w: has 4 elements, but holds 3 bytes");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {4})), "w: has 4 elements, but holds 0 bytes");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {-4})), "w: has a negative dimension (-4)");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {INT64_MAX, INT64_MAX})),
            "w: has more elements than any file can hold");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {INT64_MAX, INT64_MAX, 0})),
            "w: has more elements than any file can hold");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {INT64_MAX})),
            "w: has more elements than any file can hold");
  EXPECT_EQ(refuseTensor(tensor("w", 1, std::vector<int64_t>(17, 1))),
            "w: has 17 dimensions, more than 16");
  EXPECT_EQ(refuseTensor(tensor("w", 8, {1})), "w: has elements of STRING, which is not supported");
  EXPECT_EQ(refuseTensor(tensor("w", 99, {1})),
            "w: has elements of data type 99, which is not supported");
  EXPECT_EQ(refuseTensor(tensor("w", 7, {1}).text(4, "abcd")),
            "w: has float_data but elements of INT64");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {1}).text(5, "a")),
            "w: has int32_data but elements of FLOAT");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {1}).text(9, "abcd").text(9, "abcd")),
            ": holds its numbers in several pieces");
  EXPECT_EQ(refuseTensor(tensor("w", 1, {1}).fixed32(4, 1)),
            ": holds its numbers in several pieces");
}

TEST_F(OnnxReaderTest, SubgraphsAreNotedNotRead) {
  Proto nested;
  for (int i = 0; i < 100000; ++i) // valid nesting is never entered, however deep
    nested = i % 100 ? nested : Proto().message(1, nested);
  Proto branch = Proto().text(1, "then_branch").message(6, nested).varint(20, 5);
  auto m = read(model(Proto().message(1, node("If", "/if", {"c"}, {"y"}).message(5, branch))));
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_EQ(m->graph.nodes.at(0).attributes.at(0).kind, AttributeKind::Graph);
}

TEST_F(OnnxReaderTest, FunctionsAreNoted) {
  Proto proto = model(Proto());
  auto m = read(proto.message(25, Proto().text(1, "MyGelu")));
  ASSERT_NE(m, nullptr) << error.message;
  EXPECT_EQ(m->functions, std::vector<std::string_view>{"MyGelu"});
}

TEST_F(OnnxReaderTest, RefusesFiles) {
  EXPECT_EQ(refuse(Proto()), ": the file is empty");
  EXPECT_EQ(refuse(Proto().varint(1, 8)), ": holds no graph; the file is damaged or no ONNX model");
  EXPECT_EQ(refuse(model(Proto()).message(7, Proto())), ": holds more than one graph");
  EXPECT_EQ(refuse(model(Proto().message(1, Proto().text(2, "y")))),
            "y: a node has no operator type");
  EXPECT_EQ(refuse(model(Proto().varint(1, 3))), ": a field has the wrong wire type");
  Proto lfs;
  lfs.bytes = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
  EXPECT_EQ(refuse(lfs), ": is a Git LFS pointer, not the model");

  EXPECT_EQ(readModel((folder.path / "none.onnx").string(), error), nullptr);
  EXPECT_EQ(error.message, "cannot open: No such file or directory");
  EXPECT_EQ(readModel(folder.path.string(), error), nullptr);
  EXPECT_EQ(error.message, "is a directory, expected an ONNX file");
  std::string fifo = (folder.path / "fifo").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(readModel(fifo, error), nullptr);
  EXPECT_EQ(error.message, "is not a regular file");
}

TEST_F(OnnxReaderTest, MemoryIsBounded) {
  Proto graph;
  std::string one = Proto().message(1, Proto().text(4, "R")).bytes; // 5 bytes a node
  for (int i = 0; i < 2000000; ++i)
    graph.bytes += one;
  EXPECT_NE(refuse(model(graph)).find("more nodes and names than a decoder has"),
            std::string::npos);
}

/// Reads a variant and, where it is a model, its small tensors.
static void exercise(const std::string &path) {
  ReadError error;
  std::string why;
  std::unique_ptr<Model> model = readModel(path, error);
  if (!model) {
    EXPECT_FALSE(error.message.empty());
    return;
  }
  for (const Tensor &tensor : model->graph.initializers)
    if (tensor.elements <= 4096)
      readValues(*model, tensor, why);
  for (const Node &node : model->graph.nodes)
    for (const NodeAttribute &attribute : node.attributes)
      for (const Tensor &tensor : attribute.tensor)
        if (tensor.elements <= 4096)
          readValues(*model, tensor, why);
}

TEST_F(OnnxReaderTest, SurvivesEveryMutationOfASmallModel) {
  for (const std::string &variant : mutate(variedModel().bytes, 1))
    exercise(folder.write("mutant.onnx", variant));
}

TEST_F(OnnxReaderTest, SurvivesMutationsOfAFixture) {
  std::string bytes = readFile(PI_FIXTURES "/llama-1layer/model.onnx");
  ASSERT_FALSE(bytes.empty());
  for (const std::string &variant : mutate(bytes, 997)) // a prime: hits all kinds of fields
    exercise(folder.write("mutant.onnx", variant));
}
