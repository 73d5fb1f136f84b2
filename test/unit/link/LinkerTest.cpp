//===- LinkerTest.cpp - Links with the mini sysroot and runs the result -===//

#include "codegen/Link/Linker.h"

#include "test/unit/link/TempFolder.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace pi;
using namespace pi::test;

namespace {

class LinkerTest : public testing::Test {
protected:
  absl::Status link(const std::string &output, llvm::raw_ostream *verbose = nullptr) {
    return linkExecutable(object, runtime, sysroot, output, verbose);
  }

  TempFolder folder;
  std::string object = PI_TEST_OBJECT, runtime = PI_TEST_RUNTIME, sysroot = PI_TEST_SYSROOT;
  std::string out = folder / "out";
};

/// Strings of the dynamic section's entries with `tag`.
std::vector<std::string> getDynamicStrings(const std::string &file, uint64_t tag) {
  auto elf = llvm::cantFail(llvm::object::ELFFile<llvm::object::ELF64LE>::create(file));
  auto entries = llvm::cantFail(elf.dynamicEntries());
  std::vector<std::string> strings;
  const uint8_t *table = nullptr;
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      table = llvm::cantFail(elf.toMappedAddr(entry.getPtr()));
  for (const auto &entry : entries)
    if (uint64_t(entry.getTag()) == tag)
      strings.push_back(reinterpret_cast<const char *>(table) + entry.getVal());
  return strings;
}

} // namespace

TEST_F(LinkerTest, RunsWithoutAnything) {
  absl::Status status = link(out);
  ASSERT_TRUE(status.ok()) << status;
  int exitStatus = -1;
  EXPECT_EQ(runProgram({out}, exitStatus), "caught 43 2.718 1\n");
  EXPECT_EQ(exitStatus, 0);
}

TEST_F(LinkerTest, NeedsGlibcOnlyAndIsStripped) {
  ASSERT_TRUE(link(out).ok());
  std::string file = readFile(out);
  EXPECT_EQ(getDynamicStrings(file, llvm::ELF::DT_NEEDED),
            (std::vector<std::string>{"libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}));
  EXPECT_TRUE(getDynamicStrings(file, llvm::ELF::DT_RUNPATH).empty());
  auto elf = llvm::cantFail(llvm::object::ELFFile<llvm::object::ELF64LE>::create(file));
  EXPECT_EQ(elf.getHeader().e_type, llvm::ELF::ET_DYN);
  for (const auto &section : llvm::cantFail(elf.sections())) {
    EXPECT_NE(section.sh_type, llvm::ELF::SHT_SYMTAB);
    EXPECT_NE(llvm::cantFail(elf.getSectionName(section)), ".note.gnu.build-id");
  }
  EXPECT_EQ(file.find(folder.getPath()), std::string::npos) << "no path of this machine";
  EXPECT_EQ(file.find(sysroot), std::string::npos);
}

TEST_F(LinkerTest, SameBytesTwice) {
  std::string copy = folder / "other name.o";
  writeFile(copy, readFile(object));
  ASSERT_TRUE(link(out).ok());
  object = copy;
  ASSERT_TRUE(link(folder / "again").ok());
  EXPECT_TRUE(readFile(out) == readFile(folder / "again"));
}

TEST_F(LinkerTest, PrintsTheCommand) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ASSERT_TRUE(link(out, &stream).ok());
  EXPECT_EQ(text.rfind("ld.lld ", 0), 0u);
  EXPECT_NE(text.find(runtime), std::string::npos);
}

TEST_F(LinkerTest, NamesWhatIsMissing) {
  sysroot = folder / "none";
  EXPECT_EQ(link(out), absl::NotFoundError("cannot link: '" + sysroot +
                                           "/Scrt1.o' is missing; it belongs beside pi-compile "
                                           "(../lib, ../sysroot)"));
  sysroot = PI_TEST_SYSROOT;
  runtime = folder / "none.a";
  EXPECT_EQ(link(out).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(folder.list().empty());
}

TEST_F(LinkerTest, ReportsUndefinedSymbolsAndCanRunAgain) {
  std::string good = object;
  object = PI_TEST_EMPTY_OBJECT; // defines no pi_program_v1
  absl::Status status = link(out);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(status.message()).find("linker failed: "), std::string::npos);
  EXPECT_NE(std::string(status.message()).find("pi_program_v1"), std::string::npos) << status;
  EXPECT_TRUE(folder.list().empty());

  object = folder / "garbage.o";
  writeFile(object, "no object at all");
  EXPECT_EQ(link(out).code(), absl::StatusCode::kUnavailable);
  object = good;
  EXPECT_TRUE(link(out).ok());
}
