//===- SourceFile.h - Read-only access to a file that holds weights -===//

#ifndef PI_CODEGEN_LINK_SOURCEFILE_H
#define PI_CODEGEN_LINK_SOURCEFILE_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>

namespace pi {

/// An open file. Its size is read once: a range must be checked against it before it
/// is mapped.
class SourceFile {
public:
  SourceFile() = default;
  SourceFile(SourceFile &&other) noexcept { *this = std::move(other); }
  SourceFile &operator=(SourceFile &&other) noexcept;
  ~SourceFile();

  /// Opens a regular file. Error: kInvalidArgument.
  static absl::StatusOr<SourceFile> open(const std::string &path);
  /// An unnamed file in `folder`, removed when it is closed; `fd` takes writes.
  static absl::StatusOr<SourceFile> createSpool(const std::string &folder);

  bool isOpen() const { return fd >= 0; }
  int getFd() const { return fd; }
  const std::string &getPath() const { return path; }
  uint64_t getBytes() const { return bytes; }
  /// Whether [offset, offset + count) lies inside the file.
  bool contains(uint64_t offset, uint64_t count) const {
    return offset <= bytes && count <= bytes - offset;
  }
  /// Reads exactly `buffer.size()` bytes. Error: kInvalidArgument, also where the file
  /// has become shorter.
  absl::Status read(uint64_t offset, llvm::MutableArrayRef<uint8_t> buffer) const;
  /// Appends to a spool file.
  absl::Status append(llvm::ArrayRef<uint8_t> data);

private:
  int fd = -1;
  std::string path;
  uint64_t bytes = 0;
};

/// Part of a file mapped for reading; unmapped at the end of its life.
class MappedRange {
public:
  MappedRange() = default;
  MappedRange(const MappedRange &) = delete;
  MappedRange &operator=(const MappedRange &) = delete;
  ~MappedRange();

  /// Maps [offset, offset + count), which must lie inside the file and not be empty.
  absl::Status map(const SourceFile &file, uint64_t offset, uint64_t count);
  const uint8_t *data() const { return first; }
  /// Takes the pages out of this process's memory; reading brings them back.
  void releasePages();

private:
  void *base = nullptr;
  uint64_t mappedBytes = 0;
  const uint8_t *first = nullptr;
};

} // namespace pi

#endif // PI_CODEGEN_LINK_SOURCEFILE_H
