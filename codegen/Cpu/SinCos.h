//===- SinCos.h - Sine and cosine, without a library -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_SINCOS_H
#define PI_CODEGEN_CPU_SINCOS_H

#include "codegen/Cpu/VectorLoops.h"

namespace pi::cpu {

struct SinCos {
  mlir::Value sin;
  mlir::Value cos;
};

/// Sine and cosine of f32 angles (scalar or vector) with |angle| <= 2^23, evaluated in
/// f64 and rounded once: within 0.5001 ulp.
SinCos buildSinCos(VectorBuilder &b, mlir::Value angle);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_SINCOS_H
