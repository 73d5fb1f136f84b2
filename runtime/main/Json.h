//===- Json.h - Writes JSON -----------------------------------------------===//

#ifndef PI_RUNTIME_MAIN_JSON_H
#define PI_RUNTIME_MAIN_JSON_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

/// Appends JSON to a string; puts the commas. Calls must nest as the text does.
class JsonWriter {
public:
  JsonWriter &beginObject() { return open('{'); }
  JsonWriter &endObject() { return close('}'); }
  JsonWriter &beginArray() { return open('['); }
  JsonWriter &endArray() { return close(']'); }
  JsonWriter &key(std::string_view name);
  /// Escapes; ill-formed UTF-8 becomes U+FFFD.
  JsonWriter &string(std::string_view utf8);
  JsonWriter &integer(int64_t value);
  /// Shortest of `digits` significant digits; null where it is not finite.
  JsonWriter &number(double value, int digits = 17);
  JsonWriter &boolean(bool value) { return literal(value ? "true" : "false"); }
  JsonWriter &null() { return literal("null"); }
  JsonWriter &integers(const std::vector<int32_t> &values);

  const std::string &text() const { return out; }
  /// Forgets the text so far, not the place in it: for writing in pieces.
  void clearText() { out.clear(); }

private:
  JsonWriter &open(char bracket);
  JsonWriter &close(char bracket);
  JsonWriter &literal(std::string_view value);
  void separate();

  std::string out;
  bool needsComma = false;
};

} // namespace pi

#endif // PI_RUNTIME_MAIN_JSON_H
