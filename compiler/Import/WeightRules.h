//===- WeightRules.h - Which constants become weights -===//

#ifndef PI_COMPILER_IMPORT_WEIGHTRULES_H
#define PI_COMPILER_IMPORT_WEIGHTRULES_H

#include "compiler/Import/OnnxModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace pi {

/// Decides by type, size and use. A weight is a vector or matrix of f32, f16 or bf16
/// that is the matrix, table, scale or bias of an operator (of any size), or has more
/// than 16 elements (an initialiser; vectors more than one) or 64 (a Constant node), unless it is a
/// vector of at most 4096 elements that is only reshaped: rotary frequencies are such.
class WeightRules {
public:
  /// Linear in the number of nodes.
  explicit WeightRules(const onnxfile::Graph &graph);

  /// `name` is the initialiser's name, or that of a Constant node's output.
  bool isWeight(const onnxfile::Tensor &tensor, std::string_view name, bool isInitializer) const;

private:
  struct Uses {
    bool asWeight = false;
    bool notReshaped = false; // read by something else than a reshaping operator
  };
  llvm::DenseMap<llvm::StringRef, Uses> uses;
};

} // namespace pi

#endif // PI_COMPILER_IMPORT_WEIGHTRULES_H
