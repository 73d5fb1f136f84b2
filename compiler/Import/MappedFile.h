//===- MappedFile.h - A regular file mapped read-only -===//

#ifndef PI_COMPILER_IMPORT_MAPPEDFILE_H
#define PI_COMPILER_IMPORT_MAPPEDFILE_H

#include <cstdint>
#include <string>

namespace pi::onnxfile {

/// A regular file mapped for reading; pages are only touched where they are read.
class MappedFile {
public:
  MappedFile() = default;
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();

  /// Maps all of `path`. Returns an empty string, or why it cannot be read.
  std::string open(const std::string &path);

  const uint8_t *data() const { return base; }
  uint64_t getBytes() const { return bytes; }

private:
  const uint8_t *base = nullptr; // [bytes]
  uint64_t bytes = 0;
};

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_MAPPEDFILE_H
