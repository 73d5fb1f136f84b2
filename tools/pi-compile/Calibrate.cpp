//===- Calibrate.cpp - A profile from running the model -===//

#include "tools/pi-compile/Calibrate.h"

#include "absl/status/status.h"
#include "codegen/Link/WeightNorms.h"
#include "compiler/Analysis/ModelFingerprint.h"
#include "tools/pi-compile/ChildProcess.h"
#include "tools/pi-compile/ReadCounts.h"
#include "tools/pi-compile/ScratchFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <csignal>
#include <cstring>

using namespace mlir;
using namespace pi;

namespace {
/// What of a profile the module knows.
struct ModelFacts {
  uint64_t fingerprint = 0;
  llvm::SmallVector<std::vector<float>> downNorms; // by block
};
} // namespace

static int fail(const llvm::Twine &message, int code = kExitBadInput) {
  llvm::errs() << "pi-compile: error: " << message << "\n";
  return code;
}

static int readFacts(ModuleOp module, ModelFacts &facts) {
  FailureOr<uint64_t> fingerprint = computeFingerprint(module);
  if (failed(fingerprint))
    return kExitBadInput;
  facts.fingerprint = *fingerprint;
  for (BlockWeights block : findBlocks(module)) {
    absl::StatusOr<std::vector<float>> norms = computeRowNorms(block.down);
    if (!norms.ok())
      return fail(
          llvm::StringRef(norms.status().message().data(), norms.status().message().size()));
    facts.downNorms.push_back(*std::move(norms));
  }
  return kExitOk;
}

static std::vector<std::string> countCommand(const CalibrationOptions &options,
                                             const std::string &program,
                                             const std::string &counts) {
  std::vector<std::string> args{
      program,    "count",
      "-o",       counts,
      "--tokens", std::to_string(options.tokens),
      "--seed",   std::to_string(options.seed),
      "--window", std::to_string(options.window),
      "--shard",  std::to_string(options.shard) + "/" + std::to_string(options.shards)};
  if (options.maxChars >= 0)
    args.insert(args.end(), {"--max-chars", std::to_string(options.maxChars)});
  if (options.threads > 0)
    args.insert(args.end(), {"-t", std::to_string(options.threads)});
  for (const std::string &corpus : options.corpora)
    args.insert(args.end(), {"-f", corpus});
  return args;
}

/// Says where the text comes from: names without folders, and a hash of the bytes.
static int nameSource(const CalibrationOptions &options, Profile &profile) {
  profile.source = options.corpora.empty() ? "self-sampled" : "";
  profile.sourceHash = 0;
  for (const std::string &corpus : options.corpora) {
    auto buffer = llvm::MemoryBuffer::getFile(corpus);
    if (!buffer)
      return fail("'" + corpus + "': " + buffer.getError().message());
    if (!profile.source.empty())
      profile.source += ", ";
    profile.source += llvm::sys::path::filename(corpus).str();
    profile.sourceHash = profile.sourceHash * 31 + llvm::xxh3_64bits((*buffer)->getBuffer());
  }
  if (options.maxChars >= 0 && !options.corpora.empty())
    profile.source += " (first " + std::to_string(options.maxChars) + " characters)";
  return kExitOk;
}

extern "C" void passInterruptOn(int) { pi::signalChild(SIGINT); }

/// Runs the executable; with `keeps` a Ctrl-C goes to it alone.
static int runCounting(const CalibrationOptions &options, const std::string &program,
                       const std::string &counts) {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  bool changes = options.keepsWhatWasCounted && before.sa_handler != SIG_IGN;
  if (changes) {
    struct sigaction passing = {};
    passing.sa_handler = passInterruptOn;
    sigaction(SIGINT, &passing, nullptr);
  }
  int code = runChild(countCommand(options, program, counts));
  int error = errno;
  if (changes)
    sigaction(SIGINT, &before, nullptr);
  errno = error;
  return code;
}

int pi::calibrate(const DriverOptions &compile, const CalibrationOptions &options,
                  const std::string &folder, Profile &profile) {
  profile = Profile();
  if (int code = nameSource(options, profile))
    return code;
  ScratchFile program(folder, ".bin"), counts(folder, ".counts");
  if (program.path.empty() || counts.path.empty())
    return fail("cannot make a file in '" + folder +
                "', where the executable that counts is to lie while it is needed");
  ModelFacts facts;
  DriverOptions counting = compile;
  counting.output = program.path;
  counting.instrument = true;
  counting.errorsOnly = true; // others come with the compilation itself
  counting.dryRun = false;
  counting.explain = ExplainForm::None;
  counting.to.reset();
  counting.saveTemps.clear();
  counting.debugFail.clear();
  counting.weights = "as-stored";
  counting.gpu = "none";
  counting.machine.clear();
  counting.noProfile = true;
  counting.placement = "none";
  if (!compile.from) {
    counting.exact = true;
    counting.kv = "f32";
    counting.context = 0;
    counting.defaultContext = options.window + 1;
  }
  counting.inspect = [&](ModuleOp module) { return readFacts(module, facts); };
  if (int code = runDriver(counting))
    return code;
  int code = runCounting(options, program.path, counts.path);
  if (code < 0)
    return fail("cannot run '" + program.path + "': " + std::strerror(errno) +
                    "; is its folder mounted noexec?",
                kExitToolMissing);
  if (code != kExitOk && code != kExitInterrupted)
    return code; // it has said why
  uint64_t countsBytes = 0;
  if (code == kExitInterrupted &&
      (llvm::sys::fs::file_size(counts.path, countsBytes) || countsBytes == 0))
    return code; // interrupted twice, or before there was anything
  if (llvm::Error error = readCounts(counts.path, profile))
    return fail(llvm::toString(std::move(error)), kExitInternal);
  profile.fingerprint = facts.fingerprint;
  profile.tokenGoal = options.corpora.empty() ? options.tokens : 0;
  for (auto [layer, norms] : llvm::zip(profile.layers, facts.downNorms))
    layer.downNorms = norms;
  if (llvm::Error error = checkProfile(profile))
    return fail(llvm::toString(std::move(error)), kExitInternal);
  return code;
}
