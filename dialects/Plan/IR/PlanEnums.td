//===- PlanEnums.td - Enumerations of plan -*- tablegen -*-===//

#ifndef PI_DIALECTS_PLANENUMS_TD
#define PI_DIALECTS_PLANENUMS_TD

include "mlir/IR/EnumAttr.td"

def Plan_ArenaKind : I32Enum<"ArenaKind", "What an arena is for", [
  I32EnumCase<"Activations", 0, "activations">,
  I32EnumCase<"KvCache", 1, "kv_cache">
]> {
  let cppNamespace = "::pi::plan";
}

def Plan_NormKind : I32Enum<"NormKind", "Kind of normalisation", [
  I32EnumCase<"Rms", 0, "rms">,
  I32EnumCase<"Layer", 1, "layer">
]> {
  let cppNamespace = "::pi::plan";
}

#endif // PI_DIALECTS_PLANENUMS_TD
