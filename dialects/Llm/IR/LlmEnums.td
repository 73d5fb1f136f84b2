//===- LlmEnums.td - Enumerations of llm -*- tablegen -*-===//

#ifndef PI_DIALECTS_LLMENUMS_TD
#define PI_DIALECTS_LLMENUMS_TD

include "mlir/IR/EnumAttr.td"

def Llm_NormKind : I32Enum<"NormKind", "Kind of normalisation", [
  I32EnumCase<"Rms", 0, "rms">,
  I32EnumCase<"Layer", 1, "layer">
]> {
  let cppNamespace = "::pi::llm";
}

#endif // PI_DIALECTS_LLMENUMS_TD
