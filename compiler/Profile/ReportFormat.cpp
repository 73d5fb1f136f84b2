//===- ReportFormat.cpp - How the report prints numbers and text -===//

#include "compiler/Profile/ReportFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

std::string pi::formatCount(uint64_t value) { return llvm::formatv("{0:n}", value).str(); }

std::string pi::formatShare(double share) {
  if (std::isnan(share))
    return "\u2013";
  double percent = share * 100;
  const char *format = percent == 0 || percent >= 0.95 ? "{0:f1}\u00a0%" : "{0:f3}\u00a0%";
  return llvm::formatv(format, percent).str();
}

std::string pi::escapeHtml(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}
