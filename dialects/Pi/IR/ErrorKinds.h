//===- ErrorKinds.h - Whose fault an error is -===//

#ifndef PI_DIALECTS_PI_IR_ERRORKINDS_H
#define PI_DIALECTS_PI_IR_ERRORKINDS_H

#include "mlir/IR/Diagnostics.h"

namespace pi {

/// After phase raise IR is ours, and an error over it is a bug of ours, but for those that
/// are marked.
enum class ErrorKind {
  Ours,
  User,      ///< the user can mend it: a file that cannot be read or written
  DoesNotFit ///< so can they: a budget is too small
};

/// Marks an error.
void markError(mlir::InFlightDiagnostic &diagnostic, ErrorKind kind);
/// What markError() marked it as, else Ours.
ErrorKind errorKindOf(mlir::Diagnostic &diagnostic);

} // namespace pi

#endif // PI_DIALECTS_PI_IR_ERRORKINDS_H
