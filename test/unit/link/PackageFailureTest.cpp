//===- PackageFailureTest.cpp - What a failed packaging leaves behind: nothing -===//

#include "codegen/Link/Packager.h"

#include "test/unit/link/TempFolder.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

#include <csignal>
#include <filesystem>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pi;
using namespace pi::test;

namespace {

class PackageFailureTest : public testing::Test {
protected:
  PackageFailureTest() {
    writeFile(inputs / "model.onnx", std::string(8000000, 'w'));
    writeFile(inputs / "elf", "ELF");
    writeFile(inputs / "tokenizer.json", "{}");
    package.elfPath = inputs / "elf";
    package.tokenizerPath = inputs / "tokenizer.json";
    package.outputPath = outputs / "out.bin";
    WeightSpec spec;
    spec.name = "w";
    spec.file = inputs / "model.onnx";
    spec.rows = spec.sourceRows = 1000;
    spec.cols = spec.sourceCols = 2000;
    spec.sourceBytes = 8000000;
    package.weights = {spec};
  }

  /// Packages over an older output, which must survive, and returns the message.
  std::string getError(absl::StatusCode code) {
    writeFile(package.outputPath, "old");
    absl::Status status = writePackage(package);
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(readFile(package.outputPath), "old");
    EXPECT_EQ(outputs.list(), std::vector<std::string>{"out.bin"});
    return std::string(status.message());
  }

  TempFolder inputs, outputs;
  Package package;
};

/// Runs `body` in a child and returns its wait status.
int inChild(const std::function<int()> &body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int state = 0;
  waitpid(child, &state, 0);
  return state;
}

} // namespace

TEST_F(PackageFailureTest, MissingModel) {
  std::filesystem::remove(inputs / "model.onnx");
  EXPECT_EQ(getError(absl::StatusCode::kInvalidArgument),
            inputs / "model.onnx" + ": No such file or directory (weight 'w')");
}

TEST_F(PackageFailureTest, ShortModel) {
  std::filesystem::resize_file(inputs / "model.onnx", 7999999);
  EXPECT_EQ(getError(absl::StatusCode::kInvalidArgument),
            inputs / "model.onnx" +
                ": weight 'w' takes 8000000 bytes from byte 0, but the file ends at byte 7999999; "
                "has it changed since it was read?");
}

TEST_F(PackageFailureTest, MissingTokenizer) {
  std::filesystem::remove(inputs / "tokenizer.json");
  EXPECT_EQ(getError(absl::StatusCode::kInvalidArgument),
            inputs / "tokenizer.json" + ": No such file or directory (--tokenizer)");
}

TEST_F(PackageFailureTest, OutputIsAnInput) {
  std::filesystem::create_hard_link(inputs / "model.onnx", outputs / "link");
  package.outputPath = outputs / "link";
  absl::Status status = writePackage(package);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(status.message()).find("(-o) is the input"), std::string::npos);
  EXPECT_EQ(readFile(inputs / "model.onnx").size(), 8000000u);
}

TEST_F(PackageFailureTest, OutputIsNoRegularFile) {
  package.outputPath = outputs.getPath();
  absl::Status status = writePackage(package);
  EXPECT_EQ(status, absl::PermissionDeniedError("cannot write '" + outputs.getPath() +
                                                "' (-o): Is a directory"));
  std::string fifo = outputs / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  package.outputPath = fifo;
  status = writePackage(package);
  EXPECT_EQ(status, absl::PermissionDeniedError("cannot write '" + fifo +
                                                "' (-o): it exists and is not a regular file"));
  EXPECT_EQ(outputs.list(), std::vector<std::string>{"fifo"});
}

TEST_F(PackageFailureTest, NoSuchFolder) {
  package.outputPath = outputs / "none/out.bin";
  EXPECT_EQ(writePackage(package),
            absl::PermissionDeniedError("cannot write '" + package.outputPath +
                                        "' (-o): No such file or directory"));
}

TEST_F(PackageFailureTest, ReadOnlyFolder) {
  if (geteuid() == 0) { // root may write anywhere but to a read-only file system
    package.outputPath = "/proc/pi-out.bin";
    EXPECT_EQ(writePackage(package).code(), absl::StatusCode::kPermissionDenied);
    return;
  }
  ASSERT_EQ(chmod(outputs.getPath().c_str(), 0500), 0);
  EXPECT_EQ(writePackage(package).code(), absl::StatusCode::kPermissionDenied);
  chmod(outputs.getPath().c_str(), 0700);
}

TEST_F(PackageFailureTest, FileSizeLimit) {
  int state = inChild([&] {
    struct rlimit limit = {3000000, 3000000};
    setrlimit(RLIMIT_FSIZE, &limit);
    return getError(absl::StatusCode::kResourceExhausted) ==
                       "cannot write '" + package.outputPath + "' (-o): File too large" &&
                   !HasFailure()
               ? 0
               : 1;
  });
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
  EXPECT_EQ(outputs.list(), std::vector<std::string>{"out.bin"});
}

TEST_F(PackageFailureTest, FullDisk) {
  int state = inChild([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", outputs.getPath().c_str(), "tmpfs", 0, "size=4m") != 0)
      return 77;
    return getError(absl::StatusCode::kResourceExhausted) ==
                       "cannot write '" + package.outputPath + "' (-o): No space left on device" &&
                   !HasFailure()
               ? 0
               : 1;
  });
  ASSERT_TRUE(WIFEXITED(state));
  if (WEXITSTATUS(state) == 77)
    GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(WEXITSTATUS(state), 0);
}

TEST_F(PackageFailureTest, Interrupt) {
  for (int signal : {SIGINT, SIGTERM}) {
    int state = inChild([&] {
      llvm::sys::SetInterruptFunction([] { _exit(130); });
      package.progress = [&](uint64_t, uint64_t) { raise(signal); };
      writePackage(package).IgnoreError();
      return 1;
    });
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 130) << state;
    EXPECT_TRUE(outputs.list().empty());
  }
}
