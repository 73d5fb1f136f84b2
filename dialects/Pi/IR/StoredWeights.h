//===- StoredWeights.h - What the executable stores, and in which order -===//
// The one place that knows: emitters of indices and the packager both ask here.

#ifndef PI_DIALECTS_PI_IR_STOREDWEIGHTS_H
#define PI_DIALECTS_PI_IR_STOREDWEIGHTS_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace pi {

/// Type of a `pi.weight` or `pi.bundle`.
mlir::RankedTensorType getStoredType(mlir::Operation *op);

/// The weights and bundles of a module that are stored: every `pi.bundle`, and every
/// `pi.weight` that is a part of none, in the order of the module. That is the order of
/// their indices in the weight table. A snapshot: made anew after changes.
class StoredWeights {
public:
  explicit StoredWeights(mlir::ModuleOp module);

  /// Each a `pi.weight` or a `pi.bundle`; the position is the index.
  llvm::ArrayRef<mlir::Operation *> getOps() const & { return stored; }
  llvm::ArrayRef<mlir::Operation *> getOps() const && = delete; // it would dangle
  /// Index of a stored weight or bundle; -1 for parts and other names.
  int64_t indexOf(llvm::StringRef name) const;

  /// Columns of something stored.
  struct Columns {
    mlir::Operation *op = nullptr; ///< null: there is no such weight
    int64_t first = 0;
  };
  /// Where the numbers of `weight`, a `pi.weight`, are: in itself from column 0 on, or in
  /// the first bundle that it is a part of.
  Columns find(llvm::StringRef weight) const { return columns.lookup(weight); }

private:
  llvm::SmallVector<mlir::Operation *> stored;
  llvm::DenseMap<llvm::StringRef, int64_t> indices; // looked up only
  llvm::DenseMap<llvm::StringRef, Columns> columns; // looked up only
};

} // namespace pi

#endif // PI_DIALECTS_PI_IR_STOREDWEIGHTS_H
