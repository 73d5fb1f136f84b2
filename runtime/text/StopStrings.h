//===- StopStrings.h - Ends a text before a given string --------*- C++ -*-===//

#ifndef PI_RUNTIME_TEXT_STOPSTRINGS_H
#define PI_RUNTIME_TEXT_STOPSTRINGS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// Looks for stop strings in a text that comes in pieces; the result does not depend on
/// how it is cut. The first string to be complete ends the text; of those complete at
/// the same place, the one that begins first. Text is held back only while it may be
/// the beginning of one.
class StopStrings {
public:
  /// `strings`: none empty. Well-formed UTF-8, if what is returned is to be so.
  explicit StopStrings(std::vector<std::string> strings) : strings(std::move(strings)) {}

  /// Takes a piece of text; returns what is certain to come before any stop string,
  /// valid until the next call. Once found() nothing more is returned.
  /// O(piece x total length of the strings).
  std::string_view push(std::string_view piece);

  /// Returns what was held back: no more text will come. Empty once found().
  std::string_view finish();

  /// True once a stop string has come.
  bool found() const { return isFound; }

  /// As new, for another text.
  void reset();

private:
  size_t longestBeginning() const;

  std::vector<std::string> strings;
  std::string text;    // what was returned last, then what is held back
  size_t returned = 0; // bytes of `text` already returned
  bool isFound = false;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_STOPSTRINGS_H
