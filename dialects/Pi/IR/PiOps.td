//===- PiOps.td - Attributes and operations of pi ------------*- tablegen -*-===//

#ifndef PI_DIALECTS_PI_IR_PIOPS_TD
#define PI_DIALECTS_PI_IR_PIOPS_TD

include "dialects/Pi/IR/PiBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"

def Pi_SourceAttr : Pi_Attr<"Source", "source"> {
  let summary = "A byte range of a file that holds a weight";
  let description = [{
    `type` is the tensor as the file stores it (before `#pi.layout` is applied).
    `raw` is little-endian and exactly `type`-sized; `float_data` and
    `int32_data` are the packed fields of an ONNX TensorProto (f16 and bf16 sit
    in the low 16 bits of varints), whose `bytes` is the field's length.

    ```mlir
    #pi.source<file = "/m/model.onnx", offset = 4096, bytes = 131072,
               type = tensor<256x256xf16>, encoding = raw>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$file,
    "uint64_t":$offset,
    "uint64_t":$bytes,
    "::mlir::RankedTensorType":$type,
    EnumParameter<Pi_Encoding>:$encoding);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Pi_LayoutAttr : Pi_Attr<"Layout", "layout"> {
  let summary = "How the packager turns the source into the weight";
  let description = [{
    With `transpose = true` the source's two dimensions are swapped first. Then
    rows are taken in the order of `rows`, a flat list of (first, count) pairs;
    an empty list takes all rows in order. With `order` they are then put in the order
    of that `pi.order`, and with `part` of those rows first to last - 1 are kept. The
    packager applies all of it once, while it streams from the source file to the
    output file.

    ```mlir
    #pi.layout<transpose = true, rows = [0, 128, 192, 128]>
    #pi.layout<transpose = false, rows = [] order = @layers.0.order part = [300, 1024]>
    ```
  }];
  let parameters = (ins
    "bool":$transpose,
    OptionalArrayRefParameter<"int64_t">:$rows,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$order,
    OptionalArrayRefParameter<"int64_t">:$part);
  let assemblyFormat = [{
    `<` `transpose` `=` $transpose `,` `rows` `=` `[` (`]`) : ($rows^ `]`)?
    (`order` `=` $order^)? (`part` `=` `[` $part^ `]`)? `>`
  }];
  let builders = [
    AttrBuilder<(ins "bool":$transpose, "::llvm::ArrayRef<int64_t>":$rows), [{
      return $_get($_ctxt, transpose, rows, ::mlir::FlatSymbolRefAttr(),
                   ::llvm::ArrayRef<int64_t>());
    }]>
  ];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows that `rows` takes, or -1 when those are all of the source.
    int64_t getNumRows() const;
  }];
}

def Pi_ModelAttr : Pi_Attr<"Model", "model"> {
  let summary = "Facts of the model that no operation carries";
  let description = [{
    Module attribute `pi.model`. `positions` is the largest position the model
    was made for (0: unknown), `capacity` that of the KV cache in tokens, `bos` -1 where there is none, `eos` the ids that end generation.
    `tokenizer` is the path of tokenizer.json.

    - model_c1: `positions` is at least 0, `capacity` at least 1, `bos` at least -1 and
      every id of `eos` at least 0; all are below 2^31.

    ```mlir
    #pi.model<family = "llama", positions = 1024, capacity = 1024, bos = 1,
              eos = [2], tokenizer = "/m/tokenizer.json", exact = false>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$family,
    "int64_t":$positions,
    "int64_t":$capacity,
    "int64_t":$bos,
    "::mlir::DenseI64ArrayAttr":$eos,
    "::mlir::StringAttr":$tokenizer,
    "bool":$exact);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Pi_ShapeAttr : Pi_Attr<"Shape", "shape"> {
  let summary = "Sizes of the model, for the facts an executable prints";
  let description = [{
    Module attribute `pi.shape`, recorded by `pi-record-shape` while blocks are still
    there; no code depends on it. `intermediate` is the largest number of neurons of
    a layer, `kv` the type the KV cache is kept in.

    - shape_c1: all sizes are at least 1.

    ```mlir
    #pi.shape<layers = 4, hidden = 256, intermediate = 1024, heads = 8,
              kv_heads = 4, vocab = 4096, kv = f32>
    ```
  }];
  let parameters = (ins
    "int64_t":$layers,
    "int64_t":$hidden,
    "int64_t":$intermediate,
    "int64_t":$heads,
    "int64_t":$kv_heads,
    "int64_t":$vocab,
    "::mlir::Type":$kv);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Pi_PlacementAttr : Pi_Attr<"Placement", "placement"> {
  let summary = "What goes to the GPU, and what that is predicted to cost";
  let description = [{
    Module attribute `pi.placement`, recorded by `pi-partition-neurons`. Lists have an entry
    per layer: `attention` the place of attention and its KV cache (1: gpu0), `coverage`
    the share of activations that neurons on the GPU have, `cpu_us` and `gpu_us` what each
    side computes for a token, `bytes` the device memory of the layer. `head` is the place
    of the output head, `total_us` the time of a token, `bound_us` one that no placement
    can beat, `more_us` the time with a GiB more; `crossing_us` is part of `total_us`.
    `budget` is what may be used of the device, after the reserve. `profiled` is false
    where every neuron counts as active.

    - placement_c1: all lists have the same length; bytes and times are not negative.

    ```mlir
    #pi.placement<gpu = "rtx4090", budget = 4096, scratch = 64, weights = 2048, caches = 128,
      head = gpu0, attention = [1], hot_rows = [300], coverage = [0.9], cpu_us = [1.0],
      gpu_us = [0.9], bytes = [2176], head_us = 0.5 : f64, crossing_us = 3.0 : f64,
      total_us = 7.0 : f64, bound_us = 6.9 : f64, more_us = 6.0 : f64, profiled = true>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$gpu,
    "int64_t":$budget,
    "int64_t":$scratch,
    "int64_t":$weights,
    "int64_t":$caches,
    EnumParameter<Pi_Place>:$head,
    "::mlir::DenseI64ArrayAttr":$attention,
    "::mlir::DenseI64ArrayAttr":$hot_rows,
    "::mlir::DenseF64ArrayAttr":$coverage,
    "::mlir::DenseF64ArrayAttr":$cpu_us,
    "::mlir::DenseF64ArrayAttr":$gpu_us,
    "::mlir::DenseI64ArrayAttr":$bytes,
    "::mlir::FloatAttr":$head_us,
    "::mlir::FloatAttr":$crossing_us,
    "::mlir::FloatAttr":$total_us,
    "::mlir::FloatAttr":$bound_us,
    "::mlir::FloatAttr":$more_us,
    "bool":$profiled);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Pi_OrderOp : Op<Pi_Dialect, "order", [Symbol]> {
  let summary = "An order of rows that several weights share";
  let description = [{
    Row k in this order is row `rows[k]` of the weight. Thousands of numbers: a resource
    (`dense_resource`) but in tests.

    - order_c1: `rows` is a vector of i32 that has each of 0 to n - 1 once.

    ```mlir
    pi.order @layers.0.order = dense<[2, 0, 1]> : tensor<3xi32>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$rows,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "$sym_name `=` $rows attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The rows in order, [n].
    ::llvm::SmallVector<int32_t> getOrder();
  }];
}

def Pi_WeightOp : Op<Pi_Dialect, "weight", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A weight of the model: type, source and layout, never the bytes";
  let description = [{
    The result type of the weight is what the executable stores: the source's
    numbers, rearranged by `layout` and converted to `type`'s element type.

    - weight_c1: the type is a ranked tensor of static shape, rank 1 or 2, with
      element type f32, f16 or bf16.
    - weight_c2: `transpose` needs a source of rank 2.
    - weight_c3: the row ranges lie inside the source.
    - weight_c4: source shape after layout equals the shape of the type.
    - weight_c5: `order` has as many rows as the weight before `part`, and `part` lies
      inside it.

    Example:

    ```mlir
    pi.weight @l0.gate : tensor<1024x256xf16>
        from <file = "/m/model.onnx", offset = 4096, bytes = 524288,
              type = tensor<256x1024xf16>, encoding = raw>
        layout <transpose = true, rows = []>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<AnyRankedTensor>:$type,
    Pi_SourceAttr:$source,
    OptionalAttr<Pi_LayoutAttr>:$layout,
    OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = [{
    $sym_name `:` $type `from` $source (`layout` $layout^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

def Pi_BundleOp : Op<Pi_Dialect, "bundle", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Weights stored row by row beside one another";
  let description = [{
    Row r of the bundle is row r of the first part, then row r of the second, and so on:
    what a neuron needs lies in one piece. The parts are symbols as before; what the
    executable stores is the bundle in their place (dialects/Pi/IR/StoredWeights.h).

    - bundle_c1: there are at least two parts, and the type is a static matrix.
    - bundle_c2: parts are matrices of as many rows and of the same element type as the
      bundle, whose columns are theirs together.

    ```mlir
    pi.bundle @l0.cold.rows : tensor<724x512xf16> of [@l0.cold.up, @l0.cold.down]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyRankedTensor>:$type,
                       FlatSymbolRefArrayAttr:$parts, OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "$sym_name `:` $type `of` $parts attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

#endif // PI_DIALECTS_PI_IR_PIOPS_TD
