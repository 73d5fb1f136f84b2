//===- PiEnums.td - Enumerations of pi -*- tablegen -*-===//

#ifndef PI_DIALECTS_PIENUMS_TD
#define PI_DIALECTS_PIENUMS_TD

include "mlir/IR/EnumAttr.td"

// Where a group of neurons, or a kernel, is executed.
def Pi_Place : I32Enum<"Place", "Where work is executed", [
  I32EnumCase<"Cpu", 0, "cpu">,
  I32EnumCase<"Gpu0", 1, "gpu0">
]> {
  let cppNamespace = "::pi";
}

// Activation of a feed-forward neuron. Only functions with exact zeros are here.
def Pi_Act : I32Enum<"Act", "Activation with exact zeros", [
  I32EnumCase<"Relu", 0, "relu">
]> {
  let cppNamespace = "::pi";
}

// How numbers lie in the source file.
def Pi_Encoding : I32Enum<"Encoding", "How a source file holds the numbers", [
  I32EnumCase<"Raw", 0, "raw">,
  I32EnumCase<"FloatData", 1, "float_data">,
  I32EnumCase<"Int32Data", 2, "int32_data">
]> {
  let cppNamespace = "::pi";
}

#endif // PI_DIALECTS_PIENUMS_TD
