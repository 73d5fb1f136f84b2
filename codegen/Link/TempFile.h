//===- TempFile.h - Output that appears whole or not at all -===//

#ifndef PI_CODEGEN_LINK_TEMPFILE_H
#define PI_CODEGEN_LINK_TEMPFILE_H

#include "absl/status/statusor.h"

#include <csignal>
#include <string>

namespace pi {

/// A new file beside its final name. Unless `commit` succeeds, the destructor removes
/// it; so does SIGINT, SIGTERM or a crash (through llvm::sys::RemoveFileOnSignal: the
/// tool may choose its exit code with llvm::sys::SetInterruptFunction).
class TempFile {
public:
  /// Creates `<path>.<random><suffix>` with mode 0777 less the umask, open for reading
  /// and writing. `path` must not be a folder, nor anything else but a regular file;
  /// a symbolic link is followed. `flag` (e.g. "-o") is named in errors.
  static absl::StatusOr<TempFile> create(const std::string &path, const std::string &flag,
                                         const std::string &suffix = "");
  TempFile(TempFile &&other);
  TempFile &operator=(TempFile &&) = delete;
  ~TempFile();

  int getFd() const { return fd; }
  const std::string &getTempPath() const { return tempPath; }
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

/// The file that `path` stands for: symbolic links followed, where it exists.
std::string resolveOutputPath(const std::string &path);

} // namespace pi

#endif // PI_CODEGEN_LINK_TEMPFILE_H
