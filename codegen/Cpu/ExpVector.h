//===- ExpVector.h - e to the x, without a library -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_EXPVECTOR_H
#define PI_CODEGEN_CPU_EXPVECTOR_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

/// e^x of f32 (scalar or vector, the same bits either way), within 1 ulp where the
/// result is normal. Underflow is gradual; -inf gives 0, +inf gives +inf, NaN stays.
mlir::Value buildExp(VectorBuilder &b, mlir::Value x);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_EXPVECTOR_H
