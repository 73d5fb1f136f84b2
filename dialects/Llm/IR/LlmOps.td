//===- LlmOps.td - Blocks of a decoder -----------------------*- tablegen -*-===//
// One decode step of a transformer: value semantics, one token, f32 activations.
//===----------------------------------------------------------------------===//

#ifndef PI_DIALECTS_LLM_IR_LLMOPS_TD
#define PI_DIALECTS_LLM_IR_LLMOPS_TD

include "dialects/Pi/IR/PiBase.td"
include "dialects/Llm/IR/LlmEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Llm_Dialect : Dialect {
  let name = "llm";
  let cppNamespace = "::pi::llm";
  let summary = "Transformer blocks with value semantics";
  let description = [{
    The function `@decode` is one step for one token: its first two arguments
    are the token id and the position (the number of tokens already cached),
    then one KV cache per layer; it returns the logits and the caches. Activations
    are `tensor<1 x features x f32>`; weights are symbols of `pi.weight`, of shape
    [out, in] unless said otherwise.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::pi::PiDialect"];
}

def Llm_NormKindAttr : EnumAttr<Llm_Dialect, Llm_NormKind, "norm_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Llm_KvCacheType : TypeDef<Llm_Dialect, "KvCache"> {
  let mnemonic = "kv_cache";
  let summary = "Keys and values of one layer, for `capacity` tokens";
  let description = [{
    ```mlir
    !llm.kv_cache<heads = 4, dim = 32, type = f32, capacity = 1024>
    ```
  }];
  let parameters = (ins "int64_t":$heads, "int64_t":$dim, "::mlir::Type":$type,
                        "int64_t":$capacity);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

// [1, features] of f32: the activations of one token.
def Llm_Row : Type<And<[RankedTensorOf<[F32]>.predicate, CPred<[{
    ::mlir::cast<::mlir::RankedTensorType>($_self).hasStaticShape() &&
    ::mlir::cast<::mlir::RankedTensorType>($_self).getRank() == 2 &&
    ::mlir::cast<::mlir::RankedTensorType>($_self).getDimSize(0) == 1}]>]>,
  "row of one token, tensor<1 x features x f32>", "::mlir::RankedTensorType">;

class Llm_Op<string mnemonic, list<Trait> traits = []> :
    Op<Llm_Dialect, mnemonic, !listconcat(traits, [Pure])>;
class Llm_WeightUser<string mnemonic, list<Trait> traits = []> :
    Llm_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<SymbolUserOpInterface>])>;

def Llm_EmbedOp : Llm_WeightUser<"embed"> {
  let summary = "Row of the embedding table, plus a learned position where there is one";
  let description = [{
    - embed_c1: `table` is [vocab, features]; `positions`, if given, is
      [position rows, features] and is read at row `position + offset`.
    - embed_c2: `offset` is at least 0, and `positions` has rows for all tokens of the
      function's caches.
    - embed_c3: `table` has a row for every logit of the function.

    ```mlir
    %x = llm.embed %token at %position table @embed positions @pos offset 2
        : tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Index:$token, Index:$position, FlatSymbolRefAttr:$table,
                       OptionalAttr<FlatSymbolRefAttr>:$positions,
                       DefaultValuedAttr<I64Attr, "0">:$offset);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $token `at` $position `table` $table (`positions` $positions^ `offset` $offset)?
    attr-dict `:` type($result)
  }];
}

def Llm_NormOp : Llm_WeightUser<"norm", [AllTypesMatch<["input", "result"]>]> {
  let summary = "RMS or layer normalisation of a row";
  let description = [{
    rms: x / sqrt(mean(x^2) + eps) * weight (Zhang and Sennrich 2019, eq. 4).
    layer: (x - mean) / sqrt(var + eps) * weight + bias (Ba et al. 2016, eq. 4).

    - norm_c1: `weight` and `bias` are [features].
    - norm_c2: `rms` has no bias.

    ```mlir
    %n = llm.norm <rms> %x weight @w eps 1.0e-5 : tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Llm_NormKindAttr:$kind, Llm_Row:$input, FlatSymbolRefAttr:$weight,
                       OptionalAttr<FlatSymbolRefAttr>:$bias, F32Attr:$eps);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $kind $input `weight` $weight (`bias` $bias^)? `eps` $eps attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Llm_LinearOp : Llm_WeightUser<"linear"> {
  let summary = "Matrix-vector product with a weight, plus bias";
  let description = [{
    result[0, o] = sum_i weight[o, i] * input[0, i] + bias[o]

    - linear_c1: `weight` is [out, in], `bias` is [out].

    ```mlir
    %q = llm.linear %n weight @l0.q bias @l0.qb : tensor<1x256xf32> -> tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Llm_Row:$input, FlatSymbolRefAttr:$weight,
                       OptionalAttr<FlatSymbolRefAttr>:$bias);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $input `weight` $weight (`bias` $bias^)? attr-dict
    `:` type($input) `->` type($result)
  }];
}

def Llm_LogitsOp : Llm_WeightUser<"logits"> {
  let summary = "Product with the output head";
  let description = [{
    Like `llm.linear`; kept apart because its rows are the vocabulary and its
    result leaves the step.

    ```mlir
    %l = llm.logits %n head @lm_head : tensor<1x256xf32> -> tensor<1x4096xf32>
    ```
  }];
  let arguments = (ins Llm_Row:$input, FlatSymbolRefAttr:$head,
                       OptionalAttr<FlatSymbolRefAttr>:$bias);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $input `head` $head (`bias` $bias^)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Llm_RopeOp : Llm_Op<"rope", [AllTypesMatch<["input", "result"]>]> {
  let summary = "Rotary position embedding, half-split pairs";
  let description = [{
    Per head of `heads`, with f = `frequencies` (n of them) and p = position:
    element i < n pairs with element i + n, rotated by the angle p * f[i]
    (Su et al. 2021, eq. 34, in the half-split order of GPT-NeoX). Elements from
    2n on are passed through.

    - rope_c1: features = heads * head_dim and 2n <= head_dim.

    ```mlir
    %r = llm.rope %q at %position heads 8 frequencies [1.0, 0.5] : tensor<1x32xf32>
    ```
  }];
  let arguments = (ins Llm_Row:$input, Index:$position, I64Attr:$heads,
                       DenseF32ArrayAttr:$frequencies);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $input `at` $position `heads` $heads `frequencies` custom<F32List>($frequencies) attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

def Llm_KvAppendOp : Llm_Op<"kv_append",
    [AllTypesMatch<["cache", "result"]>, AllTypesMatch<["key", "value"]>]> {
  let summary = "Writes the token's keys and values at its position";
  let description = [{
    - kv_append_c1: `key` and `value` are [1, heads * dim] of the cache.

    ```mlir
    %c1 = llm.kv_append %c0, %k, %v at %position
        : !llm.kv_cache<heads = 4, dim = 32, type = f32, capacity = 64>, tensor<1x128xf32>
    ```
  }];
  let arguments = (ins Llm_KvCacheType:$cache, Llm_Row:$key, Llm_Row:$value, Index:$position);
  let results = (outs Llm_KvCacheType:$result);
  let assemblyFormat = [{
    $cache `,` $key `,` $value `at` $position attr-dict
    `:` qualified(type($cache)) `,` type($key)
  }];
  let hasVerifier = 1;
}

def Llm_AttentionOp : Llm_Op<"attention", [AllTypesMatch<["query", "result"]>]> {
  let summary = "Attention of one query row over positions 0 .. position of the cache";
  let description = [{
    Query head h reads key/value head h / (heads / kv heads): MHA, GQA and MQA.
    softmax(scale * q k^T) v (Vaswani et al. 2017, eq. 1).

    - attention_c1: features = heads * dim of the cache.
    - attention_c2: heads is a multiple of the cache's heads.

    ```mlir
    %a = llm.attention %q, %c at %position heads 8 scale 0.176776692
        : tensor<1x256xf32>, !llm.kv_cache<heads = 4, dim = 32, type = f32, capacity = 64>
    ```
  }];
  let arguments = (ins Llm_Row:$query, Llm_KvCacheType:$cache, Index:$position,
                       I64Attr:$heads, F32Attr:$scale);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $query `,` $cache `at` $position `heads` $heads `scale` $scale attr-dict
    `:` type($query) `,` qualified(type($cache))
  }];
  let hasVerifier = 1;
}

def Llm_FfnOp : Llm_WeightUser<"ffn", [AllTypesMatch<["input", "result"]>]> {
  let summary = "Feed-forward block with a sparse activation";
  let description = [{
    Without `gate`: down' * act(up * x + up_bias) + down_bias. With `gate`:
    down' * (act(gate * x) . (up * x)). All three weights are neuron-major: row i
    of `gate`, `up` and `down` belongs to neuron i.

    - ffn_c1: `up`, `gate`, `down` are [neurons, features]; `up_bias` is
      [neurons], `down_bias` is [features].
    - ffn_c2: `up_bias` only without `gate`.

    ```mlir
    %f = llm.ffn <relu> %n gate @l0.gate up @l0.up down @l0.down : tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Pi_ActAttr:$act, Llm_Row:$input,
                       OptionalAttr<FlatSymbolRefAttr>:$gate, FlatSymbolRefAttr:$up,
                       OptionalAttr<FlatSymbolRefAttr>:$up_bias, FlatSymbolRefAttr:$down,
                       OptionalAttr<FlatSymbolRefAttr>:$down_bias);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = [{
    $act $input (`gate` $gate^)? `up` $up (`up_bias` $up_bias^)? `down` $down
    (`down_bias` $down_bias^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Llm_AddOp : Llm_Op<"add", [SameOperandsAndResultType, Commutative]> {
  let summary = "Residual sum";
  let description = [{
    ```mlir
    %h = llm.add %x, %o : tensor<1x256xf32>
    ```
  }];
  let arguments = (ins Llm_Row:$lhs, Llm_Row:$rhs);
  let results = (outs Llm_Row:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

#endif // PI_DIALECTS_LLM_IR_LLMOPS_TD
