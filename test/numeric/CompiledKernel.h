//===- CompiledKernel.h - plan IR text compiled and called in-process -*- C++ -*-===//

#ifndef PI_TEST_NUMERIC_COMPILEDKERNEL_H
#define PI_TEST_NUMERIC_COMPILEDKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/abi/pi_abi.h"
#include "test/numeric/GuardedBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace pi::test {

/// A context with the dialects of plan text.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// A module at plan level with one kernel @k of that body, a program that runs it
/// once, for x86-64-v4 if `vectorBits` is 512, else for x86-64-v3. The body's arguments are %token,
/// %position, %begin, %end and %arg0, %arg1, ... of the given memref types.
std::string makeModuleText(const std::vector<std::string> &types, const std::string &body,
                           int64_t vectorBits = 256);

/// The program of a module, loaded into this process.
class CompiledProgram {
public:
  /// Runs phase codegen on `module` and loads the object. Null after an error on stderr.
  static std::unique_ptr<CompiledProgram> create(mlir::ModuleOp module);
  /// The same from text.
  static std::unique_ptr<CompiledProgram> create(const std::string &text);
  ~CompiledProgram();

  const pi_program &program() const { return *table; }

  /// Calls kernel 0 for tiles [begin, end).
  void call(const std::vector<GuardedBuffer *> &args, int64_t begin, int64_t end,
            int64_t position = 0, int64_t token = 0) const;

  /// Calls kernel 0 for all `tiles` at once, then in several ways of sharing them out,
  /// restoring all arguments in between; true where args[out] has the same bytes each
  /// time. The buffers are left as the first call made them.
  bool sameForAllSplits(const std::vector<GuardedBuffer *> &args,
                        const std::vector<size_t> &outputs, int64_t tiles,
                        int64_t position = 0) const;

private:
  CompiledProgram();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  const pi_program *table = nullptr;
};

/// Whether this machine has AVX-512 (F, BW, VL, DQ), which x86-64-v4 code needs.
bool hostHasAvx512();

/// Unit roundoff of f32.
constexpr double kRound = 0x1p-24;

/// Bound on the relative error of an f32 sum of `length` products in vectors of
/// `lanes`: the roundings that one product passes through (Higham, Accuracy and
/// Stability of Numerical Algorithms, section 4.2) times the unit roundoff. Multiply
/// it by the sum of absolute values.
double dotBound(int64_t length, int64_t lanes);

} // namespace pi::test

#endif // PI_TEST_NUMERIC_COMPILEDKERNEL_H
