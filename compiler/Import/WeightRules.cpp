//===- WeightRules.cpp - Which constants become weights -===//

#include "compiler/Import/WeightRules.h"

#include "compiler/Import/CheckOperators.h"
#include "compiler/Import/Constants.h"
#include "compiler/Import/OpTable.h"

using namespace pi;
using namespace pi::onnxfile;

static bool isReshaping(std::string_view op) {
  return op == "Unsqueeze" || op == "Expand" || op == "Reshape";
}

WeightRules::WeightRules(const Graph &graph) {
  for (const Node &node : graph.nodes)
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      Uses &use = uses[toRef(node.inputs[i])];
      use.asWeight |= isWeightOperand(toRef(node.opType), i);
      use.notReshaped |= !isReshaping(node.opType);
    }
}

bool WeightRules::isWeight(const Tensor &tensor, std::string_view name, bool isInitializer) const {
  size_t rank = tensor.dims.size();
  if (!isWeightType(tensor.dataType) || rank < 1 || rank > 2 || tensor.elements == 0)
    return false;
  if (tensor.elements > kMaxInlineElements)
    return true;
  Uses use = uses.lookup(toRef(name));
  if (use.asWeight)
    return true;
  if (rank == 1 && !use.notReshaped)
    return false;
  // Norm scales of the smallest models have few elements, scalars of exporters one.
  if (isInitializer)
    return tensor.elements > (rank == 1 ? 1 : 16);
  return tensor.elements > 64;
}
