//===- Dialects.h - Dialects and translations that pi-compile loads -===//

#ifndef PI_TOOLS_PI_COMPILE_DIALECTS_H
#define PI_TOOLS_PI_COMPILE_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace pi {

/// Every dialect that IR of any phase may hold.
mlir::DialectRegistry makeRegistry();

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_DIALECTS_H
