//===- Sizes.cpp - Sizes as people write them -===//

#include "tools/pi-compile/Sizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace pi;

std::optional<int64_t> pi::parseSize(llvm::StringRef text) {
  llvm::StringRef digits = text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  double number = 0;
  // At least one digit, one point at most, none at the end.
  if (digits.empty() || digits.count('.') > 1 || digits.front() == '.' || digits.back() == '.' ||
      digits.getAsDouble(number))
    return std::nullopt;
  double unit = llvm::StringSwitch<double>(text.drop_front(digits.size()).lower())
                    .Cases({"", "b"}, 1)
                    .Cases({"k", "kib"}, 0x1p10)
                    .Cases({"m", "mib"}, 0x1p20)
                    .Cases({"g", "gib"}, 0x1p30)
                    .Cases({"t", "tib"}, 0x1p40)
                    .Case("kb", 1e3)
                    .Case("mb", 1e6)
                    .Case("gb", 1e9)
                    .Case("tb", 1e12)
                    .Default(0);
  double bytes = std::floor(number * unit);
  if (unit == 0 || !(bytes < 0x1p62))
    return std::nullopt;
  return static_cast<int64_t>(bytes);
}
