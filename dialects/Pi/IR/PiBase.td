//===- PiBase.td - Shared words of all levels ----------------*- tablegen -*-===//
// The `pi` dialect: attributes and the weight symbol that every other level uses.
//===----------------------------------------------------------------------===//

#ifndef PI_DIALECTS_PI_IR_PIBASE_TD
#define PI_DIALECTS_PI_IR_PIBASE_TD

include "dialects/Pi/IR/PiEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Pi_Dialect : Dialect {
  let name = "pi";
  let cppNamespace = "::pi";
  let summary = "Words shared by all levels: weights, places, activations";
  let description = [{
    Holds what more than one level needs to say: where the bytes of a weight
    come from (`#pi.source`), how the packager rearranges them (`#pi.layout`),
    where a piece of work runs (`#pi.place`), which activation a neuron has
    (`#pi.act`), and facts of the model that no operation carries (`#pi.model`).
    Bytes of weights never enter the IR.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Pi_Attr<string name, string attrMnemonic> : AttrDef<Pi_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Pi_PlaceAttr : EnumAttr<Pi_Dialect, Pi_Place, "place"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pi_ActAttr : EnumAttr<Pi_Dialect, Pi_Act, "act"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pi_EncodingAttr : EnumAttr<Pi_Dialect, Pi_Encoding, "encoding"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // PI_DIALECTS_PI_IR_PIBASE_TD
