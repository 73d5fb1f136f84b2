//===- Packager.cpp - Appends weights, facts and tokenizer to a linked ELF -===//

#include "codegen/Link/Packager.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "codegen/Link/Manifest.h"
#include "codegen/Link/SourceFile.h"
#include "codegen/Link/TempFile.h"
#include "codegen/Link/WeightStream.h"
#include "runtime/abi/pi_checksum.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace pi;

/// tokenizer.json goes through memory; the largest in use are below 40 MB.
static constexpr uint64_t kMaxTokenizerBytes = 256u << 20;
static constexpr uint64_t kFooterAlign = 8;

namespace {
/// Sequential writes to the output, gathered into blocks.
class OutputWriter {
public:
  explicit OutputWriter(TempFile &file) : file(file), buffer(kBlockBytes) {}

  /// Bytes written so far: the offset of the next one.
  uint64_t getOffset() const { return flushed + used; }

  absl::Status write(llvm::ArrayRef<uint8_t> data) {
    while (!data.empty()) {
      size_t taken = std::min(data.size(), buffer.size() - used);
      std::memcpy(buffer.data() + used, data.data(), taken);
      used += taken;
      data = data.drop_front(taken);
      if (used == buffer.size())
        if (absl::Status status = flush(); !status.ok())
          return status;
    }
    return absl::OkStatus();
  }
  absl::Status write(llvm::StringRef data) { return write(llvm::arrayRefFromStringRef(data)); }

  absl::Status padTo(uint64_t alignment) {
    uint64_t missing = llvm::alignTo(getOffset(), alignment) - getOffset();
    return write(std::vector<uint8_t>(missing, 0));
  }

  absl::Status flush() {
    for (size_t done = 0; done < used;) {
      ssize_t count = pwrite(file.getFd(), buffer.data() + done, used - done, flushed);
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return file.makeError(errno);
      done += count;
      flushed += count;
    }
    used = 0;
    return absl::OkStatus();
  }

  /// Forgets everything from `offset` on.
  absl::Status truncate(uint64_t offset) {
    if (absl::Status status = flush(); !status.ok())
      return status;
    if (ftruncate(file.getFd(), offset) != 0)
      return file.makeError(errno);
    flushed = offset;
    return absl::OkStatus();
  }

  /// Whether the ranges of `bytes` bytes at `a` and `b`, both flushed, are equal.
  absl::StatusOr<bool> equal(uint64_t a, uint64_t b, uint64_t bytes) {
    std::vector<uint8_t> other(std::min(bytes, kBlockBytes));
    for (uint64_t done = 0; done < bytes; done += other.size()) {
      uint64_t count = std::min<uint64_t>(other.size(), bytes - done);
      if (!readBack(a + done, buffer.data(), count) || !readBack(b + done, other.data(), count))
        return file.makeError(errno);
      if (std::memcmp(buffer.data(), other.data(), count) != 0)
        return false;
    }
    return true;
  }

private:
  bool readBack(uint64_t offset, uint8_t *to, uint64_t bytes) {
    while (bytes > 0) {
      ssize_t count = pread(file.getFd(), to, bytes, offset);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0) {
        errno = count == 0 ? EIO : errno;
        return false;
      }
      to += count;
      offset += count;
      bytes -= count;
    }
    return true;
  }

  TempFile &file;
  std::vector<uint8_t> buffer;
  size_t used = 0;      // bytes in `buffer`
  uint64_t flushed = 0; // bytes in the file
};

/// Writes the payload and finds weights that are there already.
class PayloadWriter {
public:
  PayloadWriter(const Package &package, OutputWriter &writer)
      : package(package), writer(writer), start(writer.getOffset()),
        spoolFolder(llvm::sys::path::parent_path(resolveOutputPath(package.outputPath)).str()) {
    if (spoolFolder.empty())
      spoolFolder = ".";
    for (const WeightSpec &weight : package.weights)
      totalBytes += weight.getStoredBytes();
  }

  absl::Status write() {
    for (const WeightSpec &weight : package.weights)
      if (absl::Status status = writeWeight(weight); !status.ok())
        return status;
    return absl::OkStatus();
  }

  uint64_t getStart() const { return start; }
  uint64_t getBytes() const { return writer.getOffset() - start; }
  llvm::ArrayRef<PlacedWeight> getPlaced() const { return placed; }

private:
  absl::Status writeWeight(const WeightSpec &weight);
  void report(uint64_t bytes) {
    doneBytes += bytes;
    if (package.progress)
      package.progress(doneBytes, totalBytes);
  }

  const Package &package;
  OutputWriter &writer;
  uint64_t start;
  std::string spoolFolder;
  uint64_t totalBytes = 0;
  uint64_t doneBytes = 0;
  std::vector<PlacedWeight> placed;
  /// Offsets of distinct weights in the payload, by bytes and checksum.
  std::map<std::pair<uint64_t, uint64_t>, std::vector<uint64_t>> known;
};
} // namespace

absl::Status PayloadWriter::writeWeight(const WeightSpec &weight) {
  uint64_t end = writer.getOffset(); // of what came before, without padding
  if (absl::Status status = writer.padTo(PI_WEIGHT_ALIGN); !status.ok())
    return status;
  uint64_t offset = writer.getOffset();
  uint64_t bytes = weight.getStoredBytes();
  pi_checksum_state state = {};
  pi_checksum_begin(&state);
  auto sink = [&](llvm::ArrayRef<uint8_t> block) {
    report(block.size());
    pi_checksum_update(&state, block.data(), block.size());
    return writer.write(block);
  };
  if (absl::Status status = streamWeight(weight, spoolFolder, sink); !status.ok())
    return status;
  if (writer.getOffset() - offset != bytes)
    return absl::InternalError(absl::StrCat("weight '", weight.name, "' has ", bytes,
                                            " bytes, but ", writer.getOffset() - offset,
                                            " were written"));
  uint64_t checksum = pi_checksum_end(&state);

  std::vector<uint64_t> &candidates = known[{bytes, checksum}];
  if (!candidates.empty())
    if (absl::Status status = writer.flush(); !status.ok())
      return status;
  for (uint64_t candidate : candidates) {
    absl::StatusOr<bool> same = writer.equal(start + candidate, offset, bytes);
    if (!same.ok())
      return same.status();
    if (!*same)
      continue;
    placed.push_back({candidate, checksum});
    return writer.truncate(end);
  }
  candidates.push_back(offset - start);
  placed.push_back({offset - start, checksum});
  return absl::OkStatus();
}

/// Copies the linked program; returns the checksum of its bytes.
static absl::StatusOr<uint64_t> copyFile(const std::string &path, OutputWriter &writer) {
  absl::StatusOr<SourceFile> file = SourceFile::open(path);
  if (!file.ok())
    return file.status();
  pi_checksum_state state;
  pi_checksum_begin(&state);
  std::vector<uint8_t> block(std::min(kBlockBytes, file->getBytes()));
  for (uint64_t done = 0; done < file->getBytes();) {
    uint64_t count = std::min<uint64_t>(block.size(), file->getBytes() - done);
    llvm::MutableArrayRef<uint8_t> piece(block.data(), count);
    if (absl::Status status = file->read(done, piece); !status.ok())
      return status;
    if (absl::Status status = writer.write(piece); !status.ok())
      return status;
    pi_checksum_update(&state, piece.data(), piece.size());
    done += count;
  }
  return pi_checksum_end(&state);
}

/// `info` with what `verify` needs to check the program's own bytes.
static std::string addCode(llvm::StringRef info, uint64_t bytes, uint64_t checksum) {
  llvm::StringRef members = info.rtrim();
  bool isObject = members.consume_back("}");
  assert(isObject && "info is a JSON object");
  (void)isObject;
  return absl::StrCat(members.str(), members.rtrim().ends_with("{") ? "" : ",",
                      "\"code_bytes\":", bytes, ",\"code_checksum\":\"",
                      absl::Hex(checksum, absl::kZeroPad16), "\"}");
}

static absl::StatusOr<std::string> readTokenizer(const std::string &path) {
  absl::StatusOr<SourceFile> file = SourceFile::open(path);
  if (!file.ok())
    return absl::InvalidArgumentError(absl::StrCat(file.status().message(), " (--tokenizer)"));
  if (file->getBytes() > kMaxTokenizerBytes)
    return absl::InvalidArgumentError(absl::StrCat(path, ": too large for a tokenizer, ",
                                                   file->getBytes(), " bytes (--tokenizer)"));
  std::string bytes(file->getBytes(), '\0');
  llvm::MutableArrayRef<uint8_t> buffer(reinterpret_cast<uint8_t *>(bytes.data()), bytes.size());
  if (absl::Status status = file->read(0, buffer); !status.ok())
    return status;
  return bytes;
}

/// The output must not be one of the inputs: renaming would destroy it.
static absl::Status checkOutput(const Package &package) {
  struct stat output;
  if (stat(package.outputPath.c_str(), &output) != 0)
    return absl::OkStatus();
  auto isOutput = [&](const std::string &path) {
    struct stat input;
    return stat(path.c_str(), &input) == 0 && input.st_dev == output.st_dev &&
           input.st_ino == output.st_ino;
  };
  std::string hit;
  for (const WeightSpec &weight : package.weights) {
    if (weight.parts.empty() && isOutput(weight.file))
      hit = weight.file;
    for (const WeightSpec &part : weight.parts)
      if (isOutput(part.file))
        hit = part.file;
  }
  if (isOutput(package.tokenizerPath))
    hit = package.tokenizerPath;
  if (hit.empty())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", package.outputPath, "' (-o) is the input '",
                                                 hit, "'; name another output"));
}

absl::Status pi::writePackage(const Package &package) {
  FileSizeSignalGuard guard;
  if (absl::Status status = checkOutput(package); !status.ok())
    return status;
  absl::StatusOr<std::string> tokenizer = readTokenizer(package.tokenizerPath);
  if (!tokenizer.ok())
    return tokenizer.status();
  absl::StatusOr<TempFile> file = TempFile::create(package.outputPath, "-o");
  if (!file.ok())
    return file.status();

  OutputWriter writer(*file);
  absl::StatusOr<uint64_t> code = copyFile(package.elfPath, writer);
  if (!code.ok())
    return code.status();
  std::string info = addCode(package.info, writer.getOffset(), *code);
  if (absl::Status status = writer.padTo(PI_PAYLOAD_ALIGN); !status.ok())
    return status;
  PayloadWriter payload(package, writer);
  if (absl::Status status = payload.write(); !status.ok())
    return status;
  uint64_t payloadBytes = payload.getBytes();
  if (absl::Status status = writer.padTo(kFooterAlign); !status.ok())
    return status;
  std::string manifest = buildManifest(package.weights, payload.getPlaced(), info, *tokenizer);
  std::string footer = buildFooter(payload.getStart(), payloadBytes, writer.getOffset(), manifest);
  for (llvm::StringRef part : {llvm::StringRef(manifest), llvm::StringRef(footer)})
    if (absl::Status status = writer.write(part); !status.ok())
      return status;
  if (absl::Status status = writer.flush(); !status.ok())
    return status;
  return file->commit();
}
