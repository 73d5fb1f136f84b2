//===- Executable.h - A mapped executable and its payload -----------------===//

#ifndef PI_RUNTIME_CORE_EXECUTABLE_H
#define PI_RUNTIME_CORE_EXECUTABLE_H

#include "runtime/core/Format.h"

#include <cstdint>
#include <string>

namespace pi {

/// A file mapped read-only, with its payload checked. Movable, not copyable.
class Executable {
public:
  Executable() = default;
  Executable(Executable &&other) noexcept;
  Executable &operator=(Executable &&other) noexcept;
  ~Executable();

  /// Maps the file at `path`. Nothing of the weights is read. Errors: PI_ERROR_OPEN
  /// and those of Payload::read; `detail` names the path in the first case only.
  static int32_t open(const std::string &path, Executable &out, std::string &detail);

  /// Maps the file of the running program: the name it was executed by, else
  /// /proc/self/exe, else `argv0` if it is a path (the program may have been started
  /// through the dynamic loader). The first with a good payload wins; else the error
  /// that says most.
  static int32_t openSelf(const char *argv0, Executable &out, std::string &detail);

  const Payload &payload() const { return contents; }
  Payload &payload() { return contents; }
  /// The pages of the file are not needed for now; they are read again when they are.
  void releasePages();
  const std::string &path() const { return filePath; }

private:
  void *mapping = nullptr;
  uint64_t mappingBytes = 0;
  Payload contents;
  std::string filePath;
};

} // namespace pi

#endif // PI_RUNTIME_CORE_EXECUTABLE_H
