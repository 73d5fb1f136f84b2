//===- ErrorKinds.cpp - Whose fault an error is -===//

#include "dialects/Pi/IR/ErrorKinds.h"

using namespace mlir;
using namespace pi;

static constexpr llvm::StringLiteral kUser = "pi.user_error", kDoesNotFit = "pi.does_not_fit";

void pi::markError(InFlightDiagnostic &diagnostic, ErrorKind kind) {
  if (kind != ErrorKind::Ours)
    diagnostic.getUnderlyingDiagnostic()->getMetadata().push_back(
        DiagnosticArgument(kind == ErrorKind::User ? StringRef(kUser) : StringRef(kDoesNotFit)));
}

ErrorKind pi::errorKindOf(Diagnostic &diagnostic) {
  for (const DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != DiagnosticArgument::DiagnosticArgumentKind::String)
      continue;
    if (argument.getAsString() == kUser)
      return ErrorKind::User;
    if (argument.getAsString() == kDoesNotFit)
      return ErrorKind::DoesNotFit;
  }
  return ErrorKind::Ours;
}
