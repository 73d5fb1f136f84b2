//===- OnnxImporterImpl.h - The importer's one class, private to this folder -===//

#ifndef PI_COMPILER_IMPORT_ONNXIMPORTERIMPL_H
#define PI_COMPILER_IMPORT_ONNXIMPORTERIMPL_H

#include "compiler/Import/CheckOperators.h"
#include "compiler/Import/OnnxModel.h"
#include "compiler/Import/OpTable.h"
#include "compiler/Import/WeightRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace pi {

/// A value with the element type that ONNX gives it; `onnx.Weight` may differ in that.
struct Known {
  mlir::Value value;
  mlir::Type element;
};

class Importer {
public:
  Importer(mlir::MLIRContext *context, const onnxfile::Model &model)
      : context(context), model(model), rules(model.graph), builder(context),
        weightBuilder(context) {}

  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> run();

private:
  mlir::LogicalResult indexInitializers();
  mlir::LogicalResult addArguments(mlir::func::FuncOp function);
  mlir::LogicalResult addNode(const onnxfile::Node &node);
  mlir::LogicalResult addConstant(const onnxfile::Node &node);
  mlir::LogicalResult addConstantOfShape(const onnxfile::Node &node);
  mlir::LogicalResult addOperation(const onnxfile::Node &node, const OpRule &rule);
  mlir::LogicalResult addReturn(mlir::func::FuncOp function);

  mlir::LogicalResult collectOperands(const onnxfile::Node &node, const OpRule &rule,
                                      llvm::SmallVectorImpl<Known> &operands);
  mlir::LogicalResult collectAttributes(const onnxfile::Node &node, const OpRule &rule,
                                        llvm::SmallVectorImpl<Known> &operands,
                                        mlir::NamedAttrList &attributes);
  mlir::LogicalResult takeAttribute(const onnxfile::Node &node, const OpRule &rule,
                                    const onnxfile::NodeAttribute &attribute,
                                    llvm::SmallVectorImpl<Known> &operands,
                                    mlir::NamedAttrList &attributes);
  mlir::LogicalResult addAttribute(const onnxfile::Node &node, const AttrRule &rule,
                                   const onnxfile::NodeAttribute &attribute,
                                   mlir::NamedAttrList &attributes);
  mlir::LogicalResult checkUsedAttributes(const onnxfile::Node &node,
                                          llvm::ArrayRef<Known> operands);
  mlir::FailureOr<mlir::Type> resultElement(const onnxfile::Node &node, const OpRule &rule,
                                            llvm::ArrayRef<Known> operands);

  mlir::FailureOr<Known> lookup(const onnxfile::Node &node, std::string_view name);
  mlir::FailureOr<Known> materialize(mlir::Location loc, const onnxfile::Tensor &tensor,
                                     bool isWeight, std::string_view name);
  Known addWeight(mlir::Location loc, const onnxfile::Tensor &tensor, std::string_view name);
  Known addInts(mlir::Location loc, llvm::ArrayRef<int64_t> values);
  mlir::LogicalResult define(const onnxfile::Node &node, std::string_view name, Known known);
  mlir::Location locate(const onnxfile::Node &node) { return locationOf(context, model, node); }
  mlir::DictionaryAttr describe(const onnxfile::ValueInfo &info);

  mlir::MLIRContext *context;
  const onnxfile::Model &model;
  WeightRules rules;
  mlir::OpBuilder builder;       // inside @main
  mlir::OpBuilder weightBuilder; // before @main
  std::string sourcePath;        // of the model file, absolute
  llvm::DenseMap<llvm::StringRef, Known> values;
  llvm::DenseMap<llvm::StringRef, const onnxfile::Tensor *> initializers;
  llvm::StringSet<> symbols;
};

} // namespace pi

#endif // PI_COMPILER_IMPORT_ONNXIMPORTERIMPL_H
