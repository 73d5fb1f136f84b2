//===- EndsWith.h - How a text ends --------------------------------------===//

#ifndef PI_RUNTIME_TEXT_ENDSWITH_H
#define PI_RUNTIME_TEXT_ENDSWITH_H

#include <string_view>

namespace pi::text {

/// Whether the last bytes of `text` are `end`; every text ends with the empty one.
inline bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_ENDSWITH_H
