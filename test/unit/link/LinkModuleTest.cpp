//===- LinkModuleTest.cpp - The link phase from a module to a running file -===//

#include "codegen/Link/Link.h"

#include "codegen/Link/Info.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/unit/link/PackageReader.h"
#include "test/unit/link/TempFolder.h"
#include "gtest/gtest.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace pi;
using namespace pi::test;

namespace {

class LinkModuleTest : public testing::Test {
protected:
  LinkModuleTest() {
    context.loadDialect<PiDialect, neuron::NeuronDialect>();
    std::string numbers;
    for (int i = 0; i < 256; ++i)
      numbers.push_back(char(i));
    writeFile(folder / "m.onnx", numbers);
    writeFile(folder / "tokenizer.json", "{}");
    options.output = folder / "out";
    options.runtimeArchive = PI_TEST_RUNTIME;
    options.sysroot = PI_TEST_SYSROOT;
    options.compilerVersion = "pi-compile 0";
    object = readFile(PI_TEST_OBJECT);
  }

  /// A module of one layer; `body` is added to it.
  OwningOpRef<ModuleOp> parse(const std::string &bos = "1", const std::string &body = "") {
    std::string file = folder / "m.onnx";
    std::string text =
        "module attributes {pi.model = #pi.model<family = \"llama\", positions = 64, capacity = "
        "32, bos = " +
        bos + ", eos = [2, 3], tokenizer = \"" + folder / "tokenizer.json" +
        "\", exact = true>, pi.shape = #pi.shape<layers = 1, hidden = 4, intermediate = 6, heads = "
        "2, kv_heads = 1, vocab = 9, kv = f32>} {\n"
        "pi.weight @gate : tensor<6x4xf16> from <file = \"" +
        file +
        "\", offset = 16, bytes = 48, type = tensor<4x6xf16>, encoding = raw> layout <transpose = "
        "true, rows = []>\n"
        "pi.weight @up : tensor<6x4xf16> from <file = \"" +
        file +
        "\", offset = 64, bytes = 48, type = tensor<6x4xf16>, encoding = raw> layout <transpose = "
        "false, rows = [3, 3, 0, 3]>\n"
        "pi.weight @norm : tensor<4xf32> from <file = \"" +
        file +
        "\", offset = 8, bytes = 8, type = tensor<4xf16>, encoding = raw>\n"
        "neuron.group @g0 layer 0 rows(0 to 2) on <cpu> weights [@gate, @up]\n"
        "neuron.group @g1 layer 0 rows(2 to 6) on <cpu> weights [@gate, @up]\n" +
        body + "}";
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }

  absl::Status link(ModuleOp module) {
    return linkAndPackage(module, ArrayRef<char>(object.data(), object.size()), options);
  }

  TempFolder folder;
  MLIRContext context;
  LinkOptions options;
  std::string object;
};

} // namespace

TEST_F(LinkModuleTest, InfoHasEveryField) {
  absl::StatusOr<std::string> info = buildInfo(*parse(), "pi-compile 0", "x86-64-v3");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(*info,
            R"({"family":"llama","layers":1,"hidden":4,"intermediate":6,"heads":2,"kv_heads":1,)"
            R"("vocab":9,"context":32,"weights":"f16","kv":"f32","exact":true,"cpu":"x86-64-v3",)"
            R"("gpu_arch":null,"min_driver":null,"compiler":"pi-compile 0","groups":[)"
            R"({"layer":0,"place":"cpu","rows":2,"bytes":32,"weights":"f16"},)"
            R"({"layer":0,"place":"cpu","rows":4,"bytes":64,"weights":"f16"}],)"
            R"("device_bytes":{"weights":0,"kv":0,"predictors":0,"scratch":0},)"
            R"("bos":1,"eos":[2,3]})");
  info = buildInfo(*parse("-1"), "pi-compile 0", "x86-64-v3");
  EXPECT_NE(info->find("\"bos\":null"), std::string::npos);
}

TEST_F(LinkModuleTest, InfoNeedsModelAndShape) {
  OwningOpRef<ModuleOp> module = parse();
  (*module)->removeAttr("pi.shape");
  EXPECT_EQ(buildInfo(*module, "", "").status().code(), absl::StatusCode::kInternal);
}

TEST_F(LinkModuleTest, LinksPackagesAndRuns) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  absl::Status status = link(*module);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"m.onnx", "out", "tokenizer.json"}));
  int exitStatus = -1;
  EXPECT_EQ(runProgram({options.output}, exitStatus), "caught 43 2.718 1\n");
  EXPECT_EQ(exitStatus, 0);

  std::string first = readFile(options.output);
  ReadPackage read = readPackage(first);
  ASSERT_EQ(read.weights.size(), 3u);
  EXPECT_EQ(read.weights[0].name, "gate");
  EXPECT_EQ(read.weights[0].entry.layer, 0u);
  EXPECT_EQ(read.weights[0].bytes.substr(0, 8), "\x10\x11\x1c\x1d\x28\x29\x34\x35");
  EXPECT_EQ(read.weights[1].bytes.substr(0, 2), "\x58\x59"); // row 3 comes first
  EXPECT_EQ(read.weights[2].entry.layer, UINT32_MAX);
  EXPECT_EQ(read.weights[2].entry.dtype, uint32_t(PI_F32));

  options.output = folder / "again";
  ASSERT_TRUE(link(*module).ok());
  EXPECT_TRUE(readFile(options.output) == first) << "same bytes twice";
}

TEST_F(LinkModuleTest, StoresBundlesInPlaceOfTheirParts) {
  OwningOpRef<ModuleOp> module = parse("1", "pi.bundle @rows : tensor<6x8xf16> of [@gate, @up]\n");
  ASSERT_TRUE(module);
  absl::Status status = link(*module);
  ASSERT_TRUE(status.ok()) << status;
  ReadPackage read = readPackage(readFile(options.output));
  ASSERT_EQ(read.weights.size(), 2u);
  EXPECT_EQ(read.weights[0].name, "norm");
  EXPECT_EQ(read.weights[1].name, "rows");
  EXPECT_EQ(read.weights[1].entry.rows, 6u);
  EXPECT_EQ(read.weights[1].entry.cols, 8u);
  EXPECT_EQ(read.weights[1].entry.layer, 0u);
  // Row 0 of gate, which is column 0 of its source; row 3 of up's source; row 1 of gate.
  EXPECT_EQ(read.weights[1].bytes.substr(0, 18),
            "\x10\x11\x1c\x1d\x28\x29\x34\x35\x58\x59\x5a\x5b\x5c\x5d\x5e\x5f\x12\x13");
}

TEST_F(LinkModuleTest, RefusesOtherElementTypes) {
  OwningOpRef<ModuleOp> module =
      parse("1", "pi.weight @i : tensor<4xf32> from <file = \"ints.onnx\", offset = 0, bytes = "
                 "16, type = tensor<4xi32>, encoding = raw>\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(link(*module),
            absl::InvalidArgumentError("ints.onnx: weight 'i' is a tensor<4xi32>; only f32, f16 "
                                       "and bf16 are supported"));
  EXPECT_EQ(folder.list().size(), 2u);
}

TEST_F(LinkModuleTest, FailuresLeaveNothing) {
  OwningOpRef<ModuleOp> module = parse();
  options.sysroot = folder / "none";
  EXPECT_EQ(link(*module).code(), absl::StatusCode::kNotFound);
  options.sysroot = PI_TEST_SYSROOT;
  object = "garbage";
  EXPECT_EQ(link(*module).code(), absl::StatusCode::kUnavailable);
  object = readFile(PI_TEST_OBJECT);
  options.output = folder.getPath();
  EXPECT_EQ(link(*module).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"m.onnx", "tokenizer.json"}));
}

TEST_F(LinkModuleTest, FileSizeLimitAtAnyPointLeavesNothing) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(link(*module).ok());
  rlim_t whole = readFile(options.output).size();
  ASSERT_EQ(unlink(options.output.c_str()), 0);
  // While the object, the linked file, the payload and the footer are written.
  for (rlim_t bytes : {rlim_t(100), rlim_t(20000), whole - 600, whole - 1}) {
    pid_t child = fork();
    if (child == 0) {
      struct rlimit limit = {bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      absl::Status status = link(*module);
      _exit(status == absl::ResourceExhaustedError("cannot write '" + options.output +
                                                   "' (-o): File too large")
                ? 0
                : 1);
    }
    int state = 0;
    waitpid(child, &state, 0);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << bytes << ": " << state;
    EXPECT_EQ(folder.list(), (std::vector<std::string>{"m.onnx", "tokenizer.json"})) << bytes;
  }
}
