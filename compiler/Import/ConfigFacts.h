//===- ConfigFacts.h - What config files say and a graph cannot -===//

#ifndef PI_COMPILER_IMPORT_CONFIGFACTS_H
#define PI_COMPILER_IMPORT_CONFIGFACTS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

struct ConfigFacts {
  int64_t bos = -1;                  // token id, -1: none
  llvm::SmallVector<int64_t, 2> eos; // token ids that end generation, may be empty
  int64_t positions = 0;             // largest number of positions, 0: unknown
  llvm::StringMap<int64_t> sizes;    // hidden_size, num_hidden_layers, vocab_size, where given
  std::vector<std::string> files;    // config files that were read
};

/// Reads config.json, generation_config.json, tokenizer_config.json and
/// special_tokens_map.json beside `modelPath`, where absent beside `tokenizerPath`.
/// generation_config.json wins over config.json, both win over token texts, which are
/// looked up in the tokenizer. Sizes only confirm the graph. Missing files are fine; bad JSON is an
/// error at its place.
mlir::FailureOr<ConfigFacts> readConfigFacts(mlir::MLIRContext *context, llvm::StringRef modelPath,
                                             llvm::StringRef tokenizerPath);

} // namespace pi

#endif // PI_COMPILER_IMPORT_CONFIGFACTS_H
