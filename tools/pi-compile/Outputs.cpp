//===- Outputs.cpp - What a compilation writes, and what it must not -===//

#include "tools/pi-compile/Outputs.h"

#include "absl/status/status.h"
#include "codegen/Link/Link.h"
#include "codegen/Link/Progress.h"
#include "codegen/Link/TempFile.h"
#include "dialects/Pi/IR/Pi.h"
#include "tools/pi-compile/Version.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <unistd.h>

using namespace mlir;
using namespace pi;

/// Prints a status; returns the exit code its kind stands for.
static int reportStatus(const absl::Status &status) {
  if (status.ok())
    return kExitOk;
  llvm::errs() << "pi-compile: error: "
               << llvm::StringRef(status.message().data(), status.message().size()) << "\n";
  switch (status.code()) {
  case absl::StatusCode::kNotFound:
  case absl::StatusCode::kUnavailable:
    return kExitToolMissing;
  case absl::StatusCode::kInternal:
    return kExitInternal;
  default:
    return kExitBadInput;
  }
}

int pi::tryOutput(const DriverOptions &options) {
  if (options.output == "-" || options.dryRun)
    return kExitOk;
  return reportStatus(TempFile::create(options.output, "-o").status());
}

std::vector<std::string> pi::listInputs(ModuleOp module, ArrayRef<std::string> inputs) {
  std::vector<std::string> distinct;
  llvm::StringSet<> seen;
  auto add = [&](StringRef file) {
    // A file may go by several names; of a directory its files count.
    if (seen.insert(file).second && !llvm::sys::fs::is_directory(file) &&
        llvm::none_of(distinct, [&](const std::string &other) {
          return llvm::sys::fs::equivalent(file, other);
        }))
      distinct.push_back(file.str());
  };
  llvm::for_each(inputs, add);
  if (auto model = module->getAttrOfType<ModelAttr>("pi.model"))
    add(model.getTokenizer().getValue());
  for (WeightOp weight : module.getOps<WeightOp>())
    add(weight.getSource().getFile().getValue());
  return distinct;
}

int pi::refuseInputs(const DriverOptions &options, ArrayRef<std::string> inputs) {
  std::vector<std::pair<std::string, const char *>> outputs{{options.output, "-o"}};
  if (!options.saveTemps.empty())
    for (const char *name : {"cold.ll", "cold.o"})
      outputs.push_back({options.saveTemps + "/" + name, "--save-temps"});
  for (const auto &[output, flag] : outputs)
    for (const std::string &input : inputs)
      if (llvm::sys::fs::equivalent(output, input)) {
        llvm::errs() << "pi-compile: error: '" << output << "' (" << flag << ") is the input '"
                     << input << "'; name another output\n";
        return kExitBadInput;
      }
  return kExitOk;
}

int pi::writeStdout(llvm::function_ref<void(llvm::raw_ostream &)> print, llvm::StringRef what) {
  print(llvm::outs());
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return kExitOk;
  llvm::errs() << "pi-compile: error: cannot write " << what
               << " to standard output: " << llvm::outs().error().message() << "\n";
  llvm::outs().clear_error();
  return kExitBadInput;
}

int pi::writeText(llvm::function_ref<void(llvm::raw_ostream &)> print, const std::string &output,
                  llvm::StringRef what) {
  if (output == "-")
    return writeStdout(print, what);
  absl::StatusOr<TempFile> file = TempFile::create(output, "-o", "", 0666);
  if (!file.ok())
    return reportStatus(file.status());
  llvm::raw_fd_ostream os(file->getFd(), /*shouldClose=*/false);
  print(os);
  os.flush();
  if (std::error_code error = os.error()) {
    os.clear_error();
    return reportStatus(file->makeError(error.value()));
  }
  return reportStatus(file->commit());
}

int pi::writeIr(ModuleOp module, const DriverOptions &options) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  auto print = [&](llvm::raw_ostream &os) {
    module.print(os, flags);
    os << "\n";
  };
  return writeText(print, options.output, "the IR");
}

/// Seconds of a steady clock.
static double readClock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int pi::writeExecutable(ModuleOp module, ArrayRef<char> object, llvm::StringRef cpu,
                        const DriverOptions &options) {
  std::string program = llvm::sys::fs::getMainExecutable(options.programPath.c_str(),
                                                         reinterpret_cast<void *>(&runDriver));
  llvm::SmallString<256> root(program);
  llvm::sys::path::remove_filename(root); // bin
  llvm::sys::path::remove_filename(root);
  Progress progress(
      "pi-compile: writing " + options.output, isatty(STDERR_FILENO), readClock,
      [](std::string_view text) { llvm::errs() << llvm::StringRef(text.data(), text.size()); });
  LinkOptions link;
  link.output = options.output;
  link.runtimeArchive = (root + "/lib/libpi_runtime.a").str();
  link.sysroot = (root + "/sysroot").str();
  link.compilerVersion = versionString();
  link.verbose = options.verbose;
  link.cpu = cpu.str();
  link.progress = [&](uint64_t done, uint64_t total) { progress.update(done, total); };
  absl::Status status = linkAndPackage(module, object, link);
  progress.finish();
  uint64_t bytes = 0;
  if (status.ok() && options.verbose && !llvm::sys::fs::file_size(options.output, bytes))
    llvm::errs() << llvm::formatv("pi-compile: wrote {0}: {1}, {2} of it weights, in {3:f2} s\n",
                                  options.output, formatBytes(bytes),
                                  formatBytes(progress.getTotalBytes()), progress.getSeconds());
  return reportStatus(status);
}
