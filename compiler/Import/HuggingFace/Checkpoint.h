//===- Checkpoint.h - The tensors of a Hugging Face directory -===//

#ifndef PI_COMPILER_IMPORT_HUGGINGFACE_CHECKPOINT_H
#define PI_COMPILER_IMPORT_HUGGINGFACE_CHECKPOINT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

/// A tensor of a checkpoint and the file that holds it.
struct CheckpointTensor {
  std::string file; // canonical, absolute
  mlir::Type type;  // of an element: f16, bf16 or f32
  llvm::SmallVector<int64_t, 2> shape;
  uint64_t offset = 0, bytes = 0; // in `file`
};

/// All tensors of `directory`: of model.safetensors, or of the shards that
/// model.safetensors.index.json names. Reads headers only.
class Checkpoint {
public:
  /// Errors at the file or tensor: no such file (with advice where the directory holds
  /// pickled weights only), a bad header, a tensor missing where the index has it.
  static mlir::FailureOr<Checkpoint> open(mlir::MLIRContext *context, llvm::StringRef directory);

  bool has(llvm::StringRef name) const { return tensors.contains(name); }

  /// The tensor `name`, which must be of `shape` and of f16, bf16 or f32; it then counts as
  /// used. Null after an error at the tensor.
  const CheckpointTensor *take(llvm::StringRef name, llvm::ArrayRef<int64_t> shape);

  /// Accepts a tensor that no computation needs.
  void ignore(llvm::StringRef name) { used.insert(name); }

  /// Failure after any error of `take`, or errors at tensors that were neither taken nor
  /// ignored: what they do is not known. Buffers that old versions of transformers saved
  /// are left out.
  mlir::LogicalResult finish();

  mlir::Location locate(llvm::StringRef name) const;

private:
  struct Entry {
    CheckpointTensor tensor;
    std::string dtype; // as the file spells it
  };
  /// An error at a tensor; after many of them, one that is counted only.
  mlir::InFlightDiagnostic fail(llvm::StringRef name);
  mlir::LogicalResult readFile(llvm::StringRef name, const llvm::StringSet<> *wanted);
  mlir::LogicalResult readShards(const std::string &indexPath);

  mlir::MLIRContext *context = nullptr;
  std::string directory; // as given
  llvm::StringMap<Entry> tensors;
  llvm::StringSet<> used;
  unsigned errors = 0;
};

} // namespace pi

#endif // PI_COMPILER_IMPORT_HUGGINGFACE_CHECKPOINT_H
