//===- Diagnostics.h - How pi-compile prints diagnostics -===//

#ifndef PI_TOOLS_PI_COMPILE_DIAGNOSTICS_H
#define PI_TOOLS_PI_COMPILE_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

namespace pi {

/// Prints each diagnostic of a context as `location: severity: text` with its notes,
/// and counts errors. `location` is `file: node` for imported operations and
/// `file:line:col` for parsed IR.
class DiagnosticPrinter {
public:
  /// With `errorsOnly` warnings and remarks are not printed.
  DiagnosticPrinter(mlir::MLIRContext *context, bool errorsOnly);
  unsigned getNumErrors() const { return numErrors; }
  /// How many errors are marked as the user's (see ErrorKinds.h).
  unsigned getNumUserErrors() const { return numUserErrors; }
  /// Whether an error says that something does not fit.
  bool saysDoesNotFit() const { return doesNotFit; }
  /// How many nodes of an imported model have errors.
  unsigned getNumNodes() const { return nodes.size(); }

private:
  unsigned numErrors = 0;
  unsigned numUserErrors = 0;
  bool doesNotFit = false;
  llvm::StringSet<> nodes; // by name
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_DIAGNOSTICS_H
