//===- CheckOperators.cpp - Refuses what cannot be imported, all at once -===//

#include "compiler/Import/CheckOperators.h"

#include "compiler/Import/Locations.h"
#include "compiler/Import/OpTable.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pi;
using namespace pi::onnxfile;

Location pi::locationOf(MLIRContext *context, const Model &model, const Node &node) {
  std::string_view name = node.name;
  for (std::string_view output : node.outputs)
    if (name.empty())
      name = output;
  return nodeLocation(context, model.path, toRef(name));
}

static bool isDefaultDomain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx";
}

static bool isSupported(const Node &node) {
  return isDefaultDomain(node.domain) && findOpRule(toRef(node.opType));
}

static std::string displayName(const Node &node) {
  std::string name(node.opType);
  return isDefaultDomain(node.domain) ? name : std::string(node.domain) + "." + name;
}

static bool hasSubgraph(const Node &node) {
  return llvm::any_of(node.attributes,
                      [](const NodeAttribute &a) { return a.kind == AttributeKind::Graph; });
}

/// What a user can do about an operator that is not imported.
static StringRef remedyFor(const Model &model, const Node &node) {
  if (node.opType == "If" && !node.inputs.empty() && node.inputs[0] == "use_cache_branch")
    return "this file merges two decoders in one 'If'; export the decoder with past alone "
           "(optimum-cli: --no-post-process, then decoder_with_past_model.onnx)";
  if (hasSubgraph(node))
    return "control flow is not supported; export with fixed branches (torch.onnx.export of the "
           "model class, not of a scripted module)";
  if (llvm::is_contained(model.functions, node.opType))
    return "functions inside a model are not supported; inline them when exporting";
  if (node.opType.starts_with("QLinear") || node.opType == "DequantizeLinear" ||
      node.opType.starts_with("MatMulNBits"))
    return "quantised exports are not supported; export in f16 or f32";
  if (!isDefaultDomain(node.domain))
    return "operators of optimised exports are not supported; export without graph optimisation";
  return "it is not among the operators that decoder exports contain";
}

LogicalResult pi::checkOperators(MLIRContext *context, const Model &model) {
  llvm::MapVector<std::pair<StringRef, StringRef>, SmallVector<const Node *>> unsupported;
  for (const Node &node : model.graph.nodes)
    if (!isSupported(node))
      unsupported[{toRef(node.domain), toRef(node.opType)}].push_back(&node);
  for (auto &[key, nodes] : unsupported) {
    const Node &node = *nodes.front();
    InFlightDiagnostic error = emitError(locationOf(context, model, node));
    error << "unsupported operator '" << displayName(node) << "'";
    Diagnostic &note = error.attachNote();
    note << nodes.size() << (nodes.size() == 1 ? " node has" : " nodes have")
         << " this operator: " << remedyFor(model, node);
  }
  return success(unsupported.empty());
}
