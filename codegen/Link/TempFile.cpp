//===- TempFile.cpp - Output that appears whole or not at all -===//

#include "codegen/Link/TempFile.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace pi;

static constexpr int kMaxAttempts = 100;

std::string pi::resolveOutputPath(const std::string &path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode))
    return path;
  char *resolved = realpath(path.c_str(), nullptr);
  if (!resolved) // dangling: the link itself is replaced
    return path;
  std::string result(resolved);
  free(resolved);
  return result;
}

FileSizeSignalGuard::FileSizeSignalGuard() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &before);
}

FileSizeSignalGuard::~FileSizeSignalGuard() { sigaction(SIGXFSZ, &before, nullptr); }

TerminationGuard::TerminationGuard() {
  sigset_t wait;
  sigemptyset(&wait);
  for (int signal : {SIGHUP, SIGINT, SIGTERM})
    sigaddset(&wait, signal);
  pthread_sigmask(SIG_BLOCK, &wait, &before);
}

TerminationGuard::~TerminationGuard() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

/// A name nobody else uses at the same time; it never reaches the file's content.
static std::string makeRandomName() {
  static constexpr char kLetters[] = "0123456789abcdefghijklmnopqrstuv";
  std::random_device device;
  std::string name;
  for (int i = 0; i < 8; ++i)
    name.push_back(kLetters[device() % 32]);
  return name;
}

absl::Status TempFile::makeError(int error) const {
  std::string message =
      absl::StrCat("cannot write '", shownPath, "' (", flag, "): ", std::strerror(error));
  if (error == ENOSPC || error == EFBIG || error == EDQUOT)
    return absl::ResourceExhaustedError(message);
  return absl::PermissionDeniedError(message);
}

absl::StatusOr<TempFile> TempFile::create(const std::string &path, const std::string &flag,
                                          const std::string &suffix, mode_t mode) {
  TempFile file;
  file.shownPath = path;
  file.flag = flag;
  file.finalPath = resolveOutputPath(path);
  if (path.empty())
    return file.makeError(ENOENT);
  struct stat info;
  if (stat(file.finalPath.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode))
      return file.makeError(EISDIR);
    return absl::PermissionDeniedError(absl::StrCat("cannot write '", path, "' (", flag,
                                                    "): it exists and is not a regular file"));
  }
  TerminationGuard guard;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string name = file.finalPath + "." + makeRandomName() + suffix;
    int fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 && errno == EEXIST)
      continue;
    if (fd < 0)
      return file.makeError(errno);
    file.fd = fd;
    file.tempPath = std::move(name);
    llvm::sys::RemoveFileOnSignal(file.tempPath);
    return file;
  }
  return file.makeError(EEXIST);
}

TempFile::TempFile(TempFile &&other)
    : fd(std::exchange(other.fd, -1)), finalPath(std::move(other.finalPath)),
      tempPath(std::exchange(other.tempPath, std::string())), shownPath(std::move(other.shownPath)),
      flag(std::move(other.flag)) {}

TempFile::~TempFile() {
  if (fd >= 0)
    close(fd);
  if (tempPath.empty())
    return;
  unlink(tempPath.c_str());
  llvm::sys::DontRemoveFileOnSignal(tempPath);
}

absl::Status TempFile::write(llvm::StringRef bytes) {
  FileSizeSignalGuard guard;
  while (!bytes.empty()) {
    ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeError(errno);
    bytes = bytes.drop_front(count);
  }
  return absl::OkStatus();
}

absl::Status TempFile::commit() {
  // Some file systems report a full disk only here.
  if (close(std::exchange(fd, -1)) != 0)
    return makeError(errno);
  if (rename(tempPath.c_str(), finalPath.c_str()) != 0)
    return makeError(errno);
  llvm::sys::DontRemoveFileOnSignal(tempPath);
  tempPath.clear();
  return absl::OkStatus();
}
