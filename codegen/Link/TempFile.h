//===- TempFile.h - Output that appears whole or not at all -===//

#ifndef PI_CODEGEN_LINK_TEMPFILE_H
#define PI_CODEGEN_LINK_TEMPFILE_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include <csignal>
#include <string>
#include <sys/types.h>

namespace pi {

/// A new file beside its final name. Unless `commit` succeeds, the destructor removes
/// it; so does SIGINT, SIGTERM or a crash (through llvm::sys::RemoveFileOnSignal; a tool
/// with its own handler calls llvm::sys::RunInterruptHandlers).
class TempFile {
public:
  /// Creates `<path>.<random><suffix>` with `mode` less the umask, open for reading and
  /// writing. `path` must not be a folder, nor anything else but a regular file;
  /// a symbolic link is followed. `flag` (e.g. "-o") is named in errors.
  static absl::StatusOr<TempFile> create(const std::string &path, const std::string &flag,
                                         const std::string &suffix = "", mode_t mode = 0777);
  TempFile(TempFile &&other);
  TempFile &operator=(TempFile &&) = delete;
  ~TempFile();

  int getFd() const { return fd; }
  const std::string &getTempPath() const { return tempPath; }
  /// Appends `bytes`.
  absl::Status write(llvm::StringRef bytes);
  /// Closes the file and renames it to the final name.
  absl::Status commit();
  /// The status for a failed system call on this file: names the output, the flag and
  /// `error` (an errno value).
  absl::Status makeError(int error) const;

private:
  TempFile() = default;

  int fd = -1;
  std::string finalPath;
  std::string tempPath; // empty once committed
  std::string shownPath;
  std::string flag;
};

/// While it lives, a write beyond RLIMIT_FSIZE fails with EFBIG instead of ending the
/// process with SIGXFSZ.
class FileSizeSignalGuard {
public:
  FileSizeSignalGuard();
  FileSizeSignalGuard(const FileSizeSignalGuard &) = delete;
  FileSizeSignalGuard &operator=(const FileSizeSignalGuard &) = delete;
  ~FileSizeSignalGuard();

private:
  struct sigaction before = {};
};

/// While it lives, SIGHUP, SIGINT and SIGTERM wait: for the moments between the making
/// of a file and the note that it is to be removed. Threads begun meanwhile never take
/// them.
class TerminationGuard {
public:
  TerminationGuard();
  TerminationGuard(const TerminationGuard &) = delete;
  TerminationGuard &operator=(const TerminationGuard &) = delete;
  ~TerminationGuard();

private:
  sigset_t before;
};

/// The file that `path` stands for: symbolic links followed, where it exists.
std::string resolveOutputPath(const std::string &path);

} // namespace pi

#endif // PI_CODEGEN_LINK_TEMPFILE_H
