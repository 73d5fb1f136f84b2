//===- Normalizer.cpp - Rewriting a text before it is split ---------------===//

#include "runtime/text/Normalizer.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pi::text {

void appendReplaced(std::string_view text, std::string_view pattern, std::string_view replacement,
                    std::string &out) {
  size_t done = 0;
  for (size_t found = text.find(pattern); found != std::string_view::npos;
       found = text.find(pattern, done)) {
    out.append(text.substr(done, found - done));
    out.append(replacement);
    done = found + pattern.size();
  }
  out.append(text.substr(done));
}

std::string Normalizer::normalize(std::string_view text) const {
  std::string current(text);
  for (const Step &step : steps) {
    if (step.kind == Step::Prepend) {
      if (!current.empty())
        current.insert(0, step.content);
      continue;
    }
    std::string next;
    next.reserve(current.size());
    appendReplaced(current, step.pattern, step.content, next);
    current = std::move(next);
  }
  return current;
}

} // namespace pi::text
