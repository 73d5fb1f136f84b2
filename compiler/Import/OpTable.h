//===- OpTable.h - Which ONNX operators are imported, and how -===//
// Pure data: an operator's inputs, attributes and element type. No operator of the
// onnx dialect needs code of its own here, except those in OnnxImporter.

#ifndef PI_COMPILER_IMPORT_OPTABLE_H
#define PI_COMPILER_IMPORT_OPTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace pi {

/// Where the element type of an operator's results comes from.
enum class ResultElement : uint8_t {
  Operand0,
  Operand1,
  Bool,    // i1
  Int64,   // i64
  FromTo,  // attribute `to`, an ONNX data type
  Special, // Constant, ConstantOfShape
};

/// How an ONNX attribute is taken over.
enum class AttrKind : uint8_t {
  Int,
  Float,
  String,
  Ints,
  Operand, // older spelling of the optional input number `value`: becomes a constant
  MustBe,  // not modelled; any other value than `value` is an error
  Used,    // read elsewhere
};

struct AttrRule {
  llvm::StringLiteral name;
  AttrKind kind;
  int64_t value = 0;
};

struct OpRule {
  llvm::StringLiteral onnx;
  uint8_t minInputs, maxInputs; // of the present specification
  ResultElement result = ResultElement::Operand0;
  llvm::ArrayRef<AttrRule> attributes = {};
  /// Operation of the onnx dialect; empty: the same name.
  llvm::StringLiteral mlir = "";
};

inline constexpr uint8_t kAnyCount = 255;

/// The rule of an operator of the default domain, or nullptr.
const OpRule *findOpRule(llvm::StringRef onnx);

/// Whether input `index` of the operator is a weight where it is a constant: a matrix
/// of a contraction, a table, a scale or a bias.
bool isWeightOperand(llvm::StringRef onnx, unsigned index);

} // namespace pi

#endif // PI_COMPILER_IMPORT_OPTABLE_H
