//===- Normalizer.h - Rewriting a text before it is split -------*- C++ -*-===//
// The steps `Prepend` and `Replace` (of a string), in the order of the file.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_NORMALIZER_H
#define PI_RUNTIME_TEXT_NORMALIZER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// Appends `text` to `out` with every `pattern` (not empty) replaced, from the
/// left, without overlap.
void appendReplaced(std::string_view text, std::string_view pattern, std::string_view replacement,
                    std::string &out);

/// A list of rewriting steps; none means identity.
class Normalizer {
public:
  struct Step {
    enum Kind : uint8_t {
      Prepend, ///< puts `content` before a text that is not empty
      Replace, ///< replaces every `pattern` by `content`
    };
    Kind kind;
    std::string pattern; ///< not empty for Replace
    std::string content;
  };

  bool empty() const { return steps.empty(); }
  void add(Step step) { steps.push_back(std::move(step)); }

  /// The rewritten text.
  std::string normalize(std::string_view text) const;

private:
  std::vector<Step> steps;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_NORMALIZER_H
