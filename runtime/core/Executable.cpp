//===- Executable.cpp - A mapped executable and its payload ---------------===//

#include "runtime/core/Executable.h"

#include "runtime/core/Format.h"
#include "runtime/core/Status.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pi {

Executable::Executable(Executable &&other) noexcept { *this = std::move(other); }

Executable &Executable::operator=(Executable &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappingBytes, other.mappingBytes);
  std::swap(contents, other.contents);
  std::swap(filePath, other.filePath);
  return *this;
}

Executable::~Executable() {
  if (mapping)
    munmap(mapping, mappingBytes);
}

void Executable::releasePages() {
  if (mapping)
    madvise(mapping, mappingBytes, MADV_DONTNEED); // of a file: nothing is lost
}

int32_t Executable::open(const std::string &path, Executable &out, std::string &detail) {
  // O_NONBLOCK: a FIFO must not hang us; it makes no difference to a file.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail(PI_ERROR_OPEN, detail, path + ": " + std::strerror(errno));
  struct stat facts = {};
  if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(fd);
    return fail(PI_ERROR_OPEN, detail, path + ": not a regular file");
  }
  Executable file;
  file.filePath = path;
  file.mappingBytes = static_cast<uint64_t>(facts.st_size);
  if (file.mappingBytes == 0) {
    close(fd);
    return PI_ERROR_NO_FOOTER;
  }
  void *mapping = mmap(nullptr, file.mappingBytes, PROT_READ, MAP_PRIVATE, fd, 0);
  int error = errno;
  close(fd);
  if (mapping == MAP_FAILED)
    return fail(PI_ERROR_OPEN, detail, path + ": " + std::strerror(error));
  file.mapping = mapping;
  int32_t status = Payload::read(static_cast<const uint8_t *>(mapping), file.mappingBytes,
                                 file.contents, detail);
  if (status == PI_OK)
    out = std::move(file);
  return status;
}

int32_t Executable::openSelf(const char *argv0, Executable &out, std::string &detail) {
  std::vector<std::string> paths;
  if (const char *name = reinterpret_cast<const char *>(getauxval(AT_EXECFN)))
    paths.push_back(name);
  paths.push_back("/proc/self/exe"); // absent in an empty chroot
  if (argv0 && std::strchr(argv0, '/'))
    paths.push_back(argv0);
  auto rank = [](int32_t status) { // how much an error says about our own file
    return status == PI_ERROR_OPEN ? 1 : status == PI_ERROR_NO_FOOTER ? 2 : 3;
  };
  int32_t worst = PI_OK;
  for (const std::string &path : paths) {
    std::string problem;
    int32_t status = open(path, out, problem);
    if (status == PI_OK)
      return PI_OK;
    if (worst == PI_OK || rank(status) > rank(worst)) {
      worst = status;
      detail = problem;
    }
  }
  return worst;
}

} // namespace pi
