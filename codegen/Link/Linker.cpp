//===- Linker.cpp - Links the generated object with the runtime -===//

#include "codegen/Link/Linker.h"

#include "absl/strings/str_cat.h"
#include "codegen/Link/TempFile.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace pi;

/// Flags that do not depend on the inputs. No build id: it would differ where only
/// the linker's version does, and the footer's checksum says more.
static constexpr const char *kFlags[] = {
    "-m",
    "elf_x86_64",
    "-pie",
    "-z",
    "relro",
    "-z",
    "now",
    "-z",
    "noexecstack",
    "--as-needed",
    "--eh-frame-hdr",
    "--hash-style=gnu",
    "--gc-sections",
    "--build-id=none",
    "--strip-all",
    "--threads=1",
    "-dynamic-linker",
    "/lib64/ld-linux-x86-64.so.2",
};
static constexpr const char *kStartFiles[] = {"Scrt1.o", "crti.o", "crtbeginS.o"};
static constexpr const char *kLibraries[] = {"libstdc++.a",         "libm.so.6", "libgcc.a",
                                             "libgcc_eh.a",         "libc.so.6", "libc_nonshared.a",
                                             "ld-linux-x86-64.so.2"};
static constexpr const char *kEndFiles[] = {"crtendS.o", "crtn.o"};

/// The linker's messages as one line: the first error and how many more there are.
static std::string summarise(llvm::StringRef messages) {
  std::string first;
  unsigned errors = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  messages.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [head, text] = line.split("error: ");
    if (text.empty())
      continue;
    if (errors++ == 0)
      first = text.str();
  }
  if (errors == 0)
    return messages.trim().str();
  if (errors > 1)
    absl::StrAppend(&first, " (and ", errors - 1, " more)");
  return first;
}

/// lld writes `<output>.tmp<random>` first, and leaves it where it crashes.
static void removeLeftovers(llvm::StringRef output) {
  llvm::StringRef folder = llvm::sys::path::parent_path(output);
  std::string prefix = (llvm::sys::path::filename(output) + ".tmp").str();
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder.empty() ? "." : folder, error), end;
       !error && it != end; it.increment(error))
    if (llvm::sys::path::filename(it->path()).starts_with(prefix))
      llvm::sys::fs::remove(it->path());
}

/// Runs lld; its messages go to `messages`. The error of a crash.
static absl::Status runLld(llvm::ArrayRef<const char *> args, llvm::StringRef output,
                           std::string &messages) {
  TerminationGuard guard; // for lld's temporary file
  llvm::CrashRecoveryContext::Enable();
  llvm::raw_string_ostream stream(messages);
  lld::Result result = lld::lldMain(args, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return absl::OkStatus();
  removeLeftovers(output);
  // lld maps its output without allocating it: a full disk is a SIGBUS.
  if (result.retCode == 128 + SIGBUS)
    return absl::ResourceExhaustedError(std::strerror(ENOSPC));
  if (llvm::CrashRecoveryContext::isCrash(result.retCode))
    return absl::InternalError(
        absl::StrCat("the linker crashed: ", strsignal(result.retCode - 128)));
  // lld has no codes for errors: a full disk shows in the text alone.
  for (int error : {ENOSPC, EFBIG, EDQUOT})
    if (llvm::StringRef(messages).contains(std::strerror(error)))
      return absl::ResourceExhaustedError(std::strerror(error));
  return absl::UnavailableError(absl::StrCat("linker failed: ", summarise(messages)));
}

absl::Status pi::linkExecutable(const std::string &objectPath, const std::string &runtimeArchive,
                                const std::string &sysroot, const std::string &outputPath,
                                llvm::raw_ostream *verboseStream) {
  std::vector<std::string> args = {"ld.lld"};
  args.insert(args.end(), std::begin(kFlags), std::end(kFlags));
  args.insert(args.end(), {"-o", outputPath});
  size_t firstInput = args.size();
  for (const char *name : kStartFiles)
    args.push_back(sysroot + "/" + name);
  args.push_back(objectPath);
  args.push_back(runtimeArchive);
  for (const char *name : kLibraries)
    args.push_back(sysroot + "/" + name);
  for (const char *name : kEndFiles)
    args.push_back(sysroot + "/" + name);
  for (size_t i = firstInput; i < args.size(); ++i)
    if (!llvm::sys::fs::exists(args[i]))
      return absl::NotFoundError(
          absl::StrCat("cannot link: '", args[i],
                       "' is missing; it belongs beside pi-compile (../lib, ../sysroot)"));

  std::vector<const char *> pointers;
  for (const std::string &arg : args)
    pointers.push_back(arg.c_str());
  if (verboseStream) {
    for (const std::string &arg : args)
      *verboseStream << arg << ' ';
    *verboseStream << '\n';
  }
  std::string messages;
  if (absl::Status status = runLld(pointers, outputPath, messages); !status.ok())
    return status;
  if (verboseStream)
    *verboseStream << messages;
  return absl::OkStatus();
}
