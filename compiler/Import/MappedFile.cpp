//===- MappedFile.cpp - A regular file mapped read-only -===//

#include "compiler/Import/MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pi::onnxfile;

MappedFile::~MappedFile() {
  if (bytes)
    munmap(const_cast<uint8_t *>(base), bytes);
}

std::string MappedFile::open(const std::string &path) {
  // O_NONBLOCK: opening a FIFO must not hang before we can refuse it.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return std::string("cannot open: ") + strerror(errno);
  struct stat info;
  std::string error;
  if (fstat(fd, &info) != 0)
    error = std::string("cannot stat: ") + strerror(errno);
  else if (S_ISDIR(info.st_mode))
    error = "is a directory, expected an ONNX file";
  else if (!S_ISREG(info.st_mode))
    error = "is not a regular file";
  else if (info.st_size > 0) {
    void *mapped = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped == MAP_FAILED) {
      error = std::string("cannot map: ") + strerror(errno);
    } else {
      base = static_cast<const uint8_t *>(mapped);
      bytes = info.st_size;
    }
  }
  close(fd);
  return error;
}
