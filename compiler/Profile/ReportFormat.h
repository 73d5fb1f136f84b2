//===- ReportFormat.h - How the report prints numbers and text -===//

#ifndef PI_COMPILER_PROFILE_REPORTFORMAT_H
#define PI_COMPILER_PROFILE_REPORTFORMAT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pi {

/// "11,008".
std::string formatCount(uint64_t value);

/// A share in [0, 1] as "12.3 %", small ones with more digits; a dash for NaN. The space
/// does not break.
std::string formatShare(double share);

/// Text for HTML, also inside of quotes.
std::string escapeHtml(llvm::StringRef text);

} // namespace pi

#endif // PI_COMPILER_PROFILE_REPORTFORMAT_H
