//===- StopStrings.cpp - Ends a text before a given string ----------------===//

#include "runtime/text/StopStrings.h"

#include "runtime/text/EndsWith.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace pi::text {

/// Bytes at the end of `text` that a stop string may begin with.
size_t StopStrings::longestBeginning() const {
  size_t longest = 0;
  for (const std::string &stop : strings)
    for (size_t bytes = std::min(stop.size() - 1, text.size()); bytes > longest; --bytes)
      if (endsWith(text, std::string_view(stop).substr(0, bytes)))
        longest = bytes;
  return longest;
}

std::string_view StopStrings::push(std::string_view piece) {
  if (strings.empty())
    return piece;
  text.erase(0, returned);
  returned = 0;
  if (isFound)
    return {};
  size_t held = text.size();
  text += piece;
  for (size_t end = held + 1; end <= text.size(); ++end) {
    size_t matched = 0; // bytes of the longest stop string that ends here
    for (const std::string &stop : strings)
      if (stop.size() > matched && endsWith(std::string_view(text).substr(0, end), stop))
        matched = stop.size();
    if (matched == 0)
      continue;
    isFound = true;
    text.resize(end - matched);
    returned = text.size();
    return text;
  }
  returned = text.size() - longestBeginning();
  return std::string_view(text).substr(0, returned);
}

std::string_view StopStrings::finish() {
  std::string_view rest = isFound ? std::string_view() : std::string_view(text).substr(returned);
  returned = text.size();
  return rest;
}

void StopStrings::reset() {
  text.clear();
  returned = 0;
  isFound = false;
}

} // namespace pi::text
