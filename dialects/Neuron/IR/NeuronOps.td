//===- NeuronOps.td - Feed-forward blocks as neurons ---------*- tablegen -*-===//
// Groups of neurons with one place each, their activations, and the merge.
//===----------------------------------------------------------------------===//

#ifndef PI_DIALECTS_NEURON_IR_NEURONOPS_TD
#define PI_DIALECTS_NEURON_IR_NEURONOPS_TD

include "dialects/Pi/IR/PiBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Neuron_Dialect : Dialect {
  let name = "neuron";
  let cppNamespace = "::pi::neuron";
  let summary = "Neurons: groups, masks, activations";
  let description = [{
    A neuron is one row of up (and gate) with its matching row of down
    (neuron-major). A group is a contiguous range of neurons of one layer with one
    place. `predict` (which neurons may fire) comes with predictors; until then
    the gate (or up) row itself decides, which is exact.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::pi::PiDialect"];
}

def Neuron_ActsType : TypeDef<Neuron_Dialect, "Acts"> {
  let mnemonic = "acts";
  let summary = "Activations of a group's neurons, most of them zero";
  let description = [{
    ```mlir
    !neuron.acts<1024>
    ```
  }];
  let parameters = (ins "int64_t":$neurons);
  let assemblyFormat = "`<` $neurons `>`";
  let genVerifyDecl = 1;
}

def Neuron_ProfileAttr : AttrDef<Neuron_Dialect, "Profile"> {
  let mnemonic = "profile";
  let summary = "How often the neurons of a layer were active";
  let description = [{
    `counts` says of each neuron at how many of `tokens` tokens its activation was above
    zero. Thousands of numbers: a resource (`dense_resource`) but in tests.

    - profile_c1: `counts` is a vector of i64 from 0 to `tokens`, and `tokens` at least 1.

    ```mlir
    #neuron.profile<tokens = 100, counts = dense<[7, 90, 0, 12]> : tensor<4xi64>>
    ```
  }];
  let parameters = (ins "int64_t":$tokens, "::mlir::ElementsAttr":$counts);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The counts, [neurons].
    ::llvm::SmallVector<int64_t> getCountList() const;
  }];
}

// [1, features] of f32: the activations of one token.
def Neuron_Row : Type<And<[RankedTensorOf<[F32]>.predicate, CPred<[{
    ::mlir::cast<::mlir::RankedTensorType>($_self).hasStaticShape() &&
    ::mlir::cast<::mlir::RankedTensorType>($_self).getRank() == 2 &&
    ::mlir::cast<::mlir::RankedTensorType>($_self).getDimSize(0) == 1}]>]>,
  "row of one token, tensor<1 x features x f32>", "::mlir::RankedTensorType">;

def Neuron_GroupOp : Op<Neuron_Dialect, "group",
    [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A contiguous range of neurons of one layer with one place";
  let description = [{
    `weights` lists the layer's neuron-major weights (gate, up, down, up's bias): a
    group stays in the module up to the link phase, which reports its bytes.

    Weights have the neurons of the whole layer, of which `rows` are the group's, or, once
    `pi-pack-neurons` has run, those of the group alone, from row 0 on. Which of the two it
    is follows from the number of rows: see `getFirstRow`.

    With `order` the rows are rows of the weights in that order (`pi-permute-neurons` puts
    them so); `profile` says how often each neuron of the layer was active.

    - group_c1: 0 <= first < last.
    - group_c2: groups of one layer on the same module do not overlap.
    - group_c3: `weights` names weights of at least `last` rows, or of exactly those of the
      group.
    - group_c4: `order` and `profile` have as many rows as the weights.

    ```mlir
    neuron.group @l0.all layer 0 rows(0 to 1024) on <cpu> weights [@l0.gate, @l0.up, @l0.down]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$layer, I64Attr:$first,
                       I64Attr:$last, Pi_PlaceAttr:$place,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$weights,
                       OptionalAttr<FlatSymbolRefAttr>:$order,
                       OptionalAttr<Neuron_ProfileAttr>:$profile);
  let assemblyFormat = [{
    $sym_name `layer` $layer `rows` `(` $first `to` $last `)` `on` $place
    (`weights` $weights^)? (`order` $order^)? (`profile` $profile^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$sym_name, "int64_t":$layer, "int64_t":$first,
                   "int64_t":$last, "::pi::Place":$place, "::mlir::StringAttr":$sym_visibility), [{
      build($_builder, $_state, sym_name, layer, first, last, place, sym_visibility,
            /*weights=*/::mlir::ArrayAttr(), /*order=*/::mlir::FlatSymbolRefAttr(),
            /*profile=*/::pi::neuron::ProfileAttr());
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of neurons in the group.
    int64_t getRows() { return getLast() - getFirst(); }
    /// Whether a weight of `rows` rows can hold the group: the layer, or the group alone.
    bool fits(int64_t rows) {
      return rows == getRows() || rows >= static_cast<int64_t>(getLast());
    }
    /// Where the group begins in a weight of `rows` rows, which it fits.
    int64_t getFirstRow(int64_t rows) { return rows == getRows() ? 0 : getFirst(); }
  }];
}

class Neuron_GroupUser<string mnemonic, list<Trait> traits = []> :
    Op<Neuron_Dialect, mnemonic,
       !listconcat(traits, [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>])>;

def Neuron_GateUpOp : Neuron_GroupUser<"gate_up"> {
  let summary = "Activations of a group: gate (or up) first, then only active rows";
  let description = [{
    Without `gate`: a = act(up * x + up_bias). With `gate`: g = act(gate * x), and
    a = g * (up * x) where g > 0, else 0: up rows of inactive neurons are not read.

    - gate_up_c1: the symbols name weights of [rows of the layer, or of the group alone,
      features].
    - gate_up_c2: the result has as many neurons as the group has rows.
    - gate_up_c3: `up_bias` only without `gate`.

    ```mlir
    %a = neuron.gate_up <relu> %x of @l0.all gate @l0.gate up @l0.up
        : tensor<1x256xf32> -> !neuron.acts<1024>
    ```
  }];
  let arguments = (ins Pi_ActAttr:$act, Neuron_Row:$input, FlatSymbolRefAttr:$group,
                       OptionalAttr<FlatSymbolRefAttr>:$gate, FlatSymbolRefAttr:$up,
                       OptionalAttr<FlatSymbolRefAttr>:$up_bias);
  let results = (outs Neuron_ActsType:$result);
  let assemblyFormat = [{
    $act $input `of` $group (`gate` $gate^)? `up` $up (`up_bias` $up_bias^)? attr-dict
    `:` type($input) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Neuron_DownOp : Neuron_GroupUser<"down"> {
  let summary = "A group's share of the block's output: sum of active down rows";
  let description = [{
    result[0, f] = sum over active i of acts[i] * down[i, f]

    - down_c1: `down` is [rows of the layer, or of the group alone, features].
    - down_c2: the activations have as many neurons as the group has rows.

    ```mlir
    %p = neuron.down %a of @l0.all down @l0.down : !neuron.acts<1024> -> tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Neuron_ActsType:$acts, FlatSymbolRefAttr:$group, FlatSymbolRefAttr:$down);
  let results = (outs Neuron_Row:$result);
  let assemblyFormat = [{
    $acts `of` $group `down` $down attr-dict `:` qualified(type($acts)) `->` type($result)
  }];
}

def Neuron_MergeOp : Op<Neuron_Dialect, "merge",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Sum of the groups' shares, plus the block's bias";
  let description = [{
    - merge_c1: at least one share; all of one type.
    - merge_c2: `bias` is [features].

    ```mlir
    %f = neuron.merge %p bias @l0.down_bias : (tensor<1x256xf32>) -> tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Variadic<Neuron_Row>:$shares, OptionalAttr<FlatSymbolRefAttr>:$bias);
  let results = (outs Neuron_Row:$result);
  let assemblyFormat = [{
    $shares (`bias` $bias^)? attr-dict `:` functional-type($shares, $result)
  }];
  let hasVerifier = 1;
}

#endif // PI_DIALECTS_NEURON_IR_NEURONOPS_TD
