//===- Diagnostics.cpp - How pi-compile prints diagnostics -===//

#include "tools/pi-compile/Diagnostics.h"

#include "compiler/Import/Locations.h"
#include "dialects/Pi/IR/ErrorKinds.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static void printOne(Diagnostic &diagnostic) {
  llvm::raw_ostream &os = llvm::errs();
  std::string where = pi::describeLocation(diagnostic.getLocation());
  if (!where.empty())
    os << where << ": ";
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Note:
    os << "note: ";
    break;
  case DiagnosticSeverity::Warning:
    os << "warning: ";
    break;
  case DiagnosticSeverity::Error:
    os << "error: ";
    break;
  case DiagnosticSeverity::Remark:
    os << "remark: ";
    break;
  }
  os << diagnostic.str() << "\n";
}

pi::DiagnosticPrinter::DiagnosticPrinter(MLIRContext *context, bool errorsOnly)
    : handler(context, [this, errorsOnly](Diagnostic &diagnostic) {
        bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
        if (errorsOnly && !isError)
          return success();
        if (isError) {
          ++numErrors;
          numUserErrors += errorKindOf(diagnostic) != ErrorKind::Ours;
          doesNotFit |= errorKindOf(diagnostic) == ErrorKind::DoesNotFit;
          if (auto node = diagnostic.getLocation()->findInstanceOf<NameLoc>())
            nodes.insert(node.getName().getValue());
        }
        printOne(diagnostic);
        for (Diagnostic &note : diagnostic.getNotes())
          printOne(note);
        return success();
      }) {}
