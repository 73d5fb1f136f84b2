//===- SourceFile.cpp - Read-only access to a file that holds weights -===//

#include "codegen/Link/SourceFile.h"

#include "absl/strings/str_cat.h"
#include "codegen/Link/TempFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace pi;

static absl::Status makeError(const std::string &path, int error) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", std::strerror(error)));
}

SourceFile &SourceFile::operator=(SourceFile &&other) noexcept {
  std::swap(fd, other.fd);
  std::swap(path, other.path);
  std::swap(bytes, other.bytes);
  return *this;
}

SourceFile::~SourceFile() {
  if (fd >= 0)
    close(fd);
}

absl::StatusOr<SourceFile> SourceFile::open(const std::string &path) {
  SourceFile file;
  file.path = path;
  // O_NONBLOCK: a FIFO must not hang the open.
  file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  if (file.fd < 0 || fstat(file.fd, &info) != 0)
    return makeError(path, errno);
  if (!S_ISREG(info.st_mode))
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  file.bytes = info.st_size;
  return file;
}

absl::StatusOr<SourceFile> SourceFile::createSpool(const std::string &folder) {
  SourceFile file;
  file.path = folder + "/.pi-spool-XXXXXX";
  TerminationGuard guard; // until it has no name
  file.fd = mkostemp(file.path.data(), O_CLOEXEC);
  if (file.fd < 0)
    return makeError(folder, errno);
  unlink(file.path.c_str());
  return file;
}

absl::Status SourceFile::read(uint64_t offset, llvm::MutableArrayRef<uint8_t> buffer) const {
  while (!buffer.empty()) {
    ssize_t count = pread(fd, buffer.data(), buffer.size(), offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeError(path, errno);
    if (count == 0)
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": ends at byte ", offset, ", before the numbers of a weight"));
    offset += count;
    buffer = buffer.drop_front(count);
  }
  return absl::OkStatus();
}

absl::Status SourceFile::append(llvm::ArrayRef<uint8_t> data) {
  while (!data.empty()) {
    ssize_t count = write(fd, data.data(), data.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return absl::ResourceExhaustedError(
          absl::StrCat(path, " (decoded weight): ", std::strerror(errno)));
    bytes += count;
    data = data.drop_front(count);
  }
  return absl::OkStatus();
}

MappedRange::~MappedRange() {
  if (base)
    munmap(base, mappedBytes);
}

absl::Status MappedRange::map(const SourceFile &file, uint64_t offset, uint64_t count) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t start = offset / page * page;
  mappedBytes = offset + count - start;
  void *address = mmap(nullptr, mappedBytes, PROT_READ, MAP_SHARED, file.getFd(), start);
  if (address == MAP_FAILED)
    return makeError(file.getPath(), errno);
  base = address;
  first = static_cast<const uint8_t *>(address) + (offset - start);
  return absl::OkStatus();
}

void MappedRange::releasePages() { madvise(base, mappedBytes, MADV_DONTNEED); }
