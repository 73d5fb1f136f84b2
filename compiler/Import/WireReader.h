//===- WireReader.h - Bounds-checked protobuf wire format -===//
// Iterates over the fields of one message inside a mapped file and keeps file offsets.
// Nested messages are read by further readers: nothing here recurses or allocates.

#ifndef PI_COMPILER_IMPORT_WIREREADER_H
#define PI_COMPILER_IMPORT_WIREREADER_H

#include <cstdint>
#include <string_view>

namespace pi::onnxfile {

/// A byte range of the mapped file, in bytes from its start.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Len = 2, Fixed32 = 5 };

/// One field: `value` holds varints and fixed numbers, `range` the payload of Len.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::Varint;
  uint64_t value = 0;
  ByteRange range;
};

/// Reads the fields of the message in `range` of the file that starts at `file`.
class WireReader {
public:
  /// `range` must lie inside the file.
  WireReader(const uint8_t *file, ByteRange range)
      : file(file), position(range.offset), end(range.offset + range.bytes) {}

  /// Reads the next field. False at the end of the message and on malformed bytes:
  /// see `getError`.
  bool next(WireField &field);
  /// Reads one bare varint (element of a packed field). False as for `next`.
  bool nextVarint(uint64_t &value);
  /// Reads a little-endian number of `bytes` (4 or 8). False as for `next`.
  bool nextFixed(unsigned bytes, uint64_t &value);

  bool atEnd() const { return position == end; }
  /// Why reading stopped early, or nullptr.
  const char *getError() const { return error; }
  /// Offset in the file of the next unread byte; where an error is, near it.
  uint64_t getOffset() const { return position; }

private:
  bool fail(const char *why) {
    error = why;
    return false;
  }
  /// A field's payload is missing: keeps an earlier, more precise reason.
  bool failUnlessSaid() { return fail(error ? error : "a field is cut off"); }

  const uint8_t *file;
  uint64_t position;
  uint64_t end;
  const char *error = nullptr;
};

/// The bytes of a range as text; they live as long as the mapping.
inline std::string_view textOf(const uint8_t *file, ByteRange range) {
  if (range.bytes == 0)
    return {};
  return {reinterpret_cast<const char *>(file + range.offset), range.bytes};
}

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_WIREREADER_H
