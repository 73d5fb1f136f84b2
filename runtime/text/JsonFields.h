//===- JsonFields.h - Typed reading of JSON objects -------------*- C++ -*-===//
// A JSON value that knows its path, so that every error can name the place.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_JSONFIELDS_H
#define PI_RUNTIME_TEXT_JSONFIELDS_H

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// A value of a JSON document and where it lies. Refers to the document and to
/// the error string, which the first failure fills.
class JsonField {
public:
  JsonField(const nlohmann::json *value, std::string path, std::string &error)
      : value(value), path(std::move(path)), error(&error) {}

  /// True if the value is there and not null.
  bool isSet() const { return value && !value->is_null(); }

  /// Sets the error to `path: message`; returns false.
  bool fail(std::string_view message) const;

  /// Sets the error to `line`, which names its own path; returns false.
  bool failWith(std::string_view line) const;

  /// Fails with `unsupported '<what>'`.
  bool failUnsupported(std::string_view what) const;

  /// The member `key` of an object; not set if this is none or lacks it.
  JsonField member(const std::string &key) const;

  /// The elements of an array; false and an error if it is none.
  bool elements(std::vector<JsonField> &out) const;

  /// False and an error unless this is an object.
  bool requireObject() const;

  /// The string or null pointer if the value is none. No error.
  const std::string *stringOrNull() const;

  /// Reads a string; false and an error if it is none.
  bool read(std::string &out) const;

  /// Reads true or false; what is not set leaves `out` as it is.
  bool readOptional(bool &out) const;

  /// Reads an integer in [0, limit]; false and an error if it is none.
  bool read(uint64_t &out, uint64_t limit) const;

  /// Reads a string of exactly one character.
  bool readCharacter(std::string &out) const;

private:
  const nlohmann::json *value;
  std::string path;
  std::string *error;
};

/// Appends `field` to `out`, with `"type": "Sequence"` replaced by what stands
/// in its array `listKey`, however nested. At most 32 entries in all.
bool flattenSequence(const JsonField &field, const char *listKey, std::vector<JsonField> &out);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_JSONFIELDS_H
