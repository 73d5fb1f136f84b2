//===- Json.cpp - Writes JSON ---------------------------------------------===//

#include "runtime/main/Json.h"

#include "runtime/text/Unicode.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

void JsonWriter::separate() {
  if (needsComma)
    out += ',';
  needsComma = true;
}

JsonWriter &JsonWriter::open(char bracket) {
  separate();
  out += bracket;
  needsComma = false;
  return *this;
}

JsonWriter &JsonWriter::close(char bracket) {
  out += bracket;
  needsComma = true;
  return *this;
}

JsonWriter &JsonWriter::literal(std::string_view value) {
  separate();
  out += value;
  return *this;
}

JsonWriter &JsonWriter::key(std::string_view name) {
  string(name);
  out += ':';
  needsComma = false;
  return *this;
}

JsonWriter &JsonWriter::string(std::string_view utf8) {
  separate();
  std::string repaired;
  if (!text::isValidUtf8(utf8)) {
    text::appendRepaired(utf8, /*atEnd=*/true, repaired);
    utf8 = repaired;
  }
  out += '"';
  for (char c : utf8) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
  return *this;
}

JsonWriter &JsonWriter::integer(int64_t value) { return literal(std::to_string(value)); }

JsonWriter &JsonWriter::number(double value, int digits) {
  if (!std::isfinite(value))
    return null();
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return literal(buffer);
}

JsonWriter &JsonWriter::integers(const std::vector<int32_t> &values) {
  beginArray();
  for (int32_t value : values)
    integer(value);
  return endArray();
}

} // namespace pi
