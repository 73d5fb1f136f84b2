//===- PlanTileOps.td - Operations in a kernel's body --------*- tablegen -*-===//
// Each is a loop over the tiles [begin, end) the calling thread was given.
// What differs between models (activation, bias, residual) is in their regions.
//===----------------------------------------------------------------------===//

#ifndef PI_DIALECTS_PLAN_IR_PLANTILEOPS_TD
#define PI_DIALECTS_PLAN_IR_PLANTILEOPS_TD

include "dialects/Plan/IR/PlanBase.td"

// An operation whose result elements are cut into tiles: tile t covers elements
// [(t - first) * per_tile, (t - first + 1) * per_tile), clipped to the total, so
// that several operations of one kernel can follow one another in tile space.
class Plan_TileOp<string mnemonic, list<Trait> traits = []> : Plan_Op<mnemonic, traits>;

def Plan_YieldOp : Plan_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Ends a scalar region";
  let description = [{
    ```mlir
    plan.yield %v : f32
    ```
  }];
  let arguments = (ins F32:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Plan_LocalOp : Plan_Op<"local", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Scratch of the calling thread";
  let description = [{
    Lives for one call of the kernel, 64-byte aligned, not initialised.

    ```mlir
    %n = plan.local : memref<1x256xf32>
    ```
  }];
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Plan_EmbedOp : Plan_TileOp<"embed", [AttrSizedOperandSegments]> {
  let summary = "Row of a table, plus a row of positions where there is one";
  let description = [{
    output[0, j] = table[token, j] (+ positions[position + offset, j]). Runs as one
    tile.

    ```mlir
    plan.embed %table[%token] -> %x : memref<4096x256xf16> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_WeightMem:$table, Index:$token,
                       Optional<Plan_WeightMem>:$positions, Optional<Index>:$position,
                       DefaultValuedAttr<I64Attr, "0">:$offset, Plan_F32Mem:$output);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $table `[` $token `]` (`plus` $positions^ `[` $position `+` $offset `]`)? `->` $output
    attr-dict `:` type($table) (`,` type($positions)^)? `->` type($output)
  }];
}

def Plan_NormOp : Plan_TileOp<"norm"> {
  let summary = "Normalises a whole row";
  let description = [{
    Every calling thread computes the whole row, into its own `plan.local`: cheaper
    than a barrier. Formulas as in `llm.norm`.

    - norm_c1: rms has no bias; input, weight, bias and output agree in length.

    ```mlir
    plan.norm <rms> %x weight %w eps 1.0e-5 -> %n
        : memref<1x256xf32>, memref<256xf32> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_NormKindAttr:$kind, Plan_F32Mem:$input, Plan_F32Mem:$weight,
                       Optional<Plan_F32Mem>:$bias, F32Attr:$eps, Plan_F32Mem:$output);
  let assemblyFormat = [{
    $kind $input `weight` $weight (`bias` $bias^)? `eps` $eps `->` $output attr-dict
    `:` type($input) `,` type($weight) (`,` type($bias)^)? `->` type($output)
  }];
  let hasVerifier = 1;
}

def Plan_MatvecOp : Plan_TileOp<"matvec"> {
  let summary = "GEMV with a scalar epilogue";
  let description = [{
    output[0, r] = epilogue(sum_i weight[r, i] * input[0, i], extras[.., r] ...);
    accumulation in f32. Extras are [rows] or [1, rows]. Region arguments: the sum,
    then one f32 per extra.

    - matvec_c1: weight is [rows, in], input [1, in], output [1, rows].
    - matvec_c2: the region has 1 + number of extras f32 arguments.
    - matvec_c3: per_tile >= 1, first >= 0.

    ```mlir
    plan.matvec %w, %n -> %q extras(%b : memref<256xf32>) tiles(%begin to %end) first 0 per_tile 8 {
    ^bb0(%sum: f32, %bias: f32):
      %s = arith.addf %sum, %bias : f32
      plan.yield %s : f32
    } : memref<256x256xf16>, memref<1x256xf32> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_WeightMem:$weight, Plan_F32Mem:$input, Plan_F32Mem:$output,
                       Variadic<Plan_F32Mem>:$extras, Index:$begin, Index:$end,
                       I64Attr:$first, I64Attr:$per_tile);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $weight `,` $input `->` $output (`extras` `(` $extras^ `:` type($extras) `)`)?
    `tiles` `(` $begin `to` $end `)` `first` $first `per_tile` $per_tile
    attr-dict-with-keyword $epilogue
    `:` type($weight) `,` type($input) `->` type($output)
  }];
  let hasVerifier = 1;
}

def Plan_MapOp : Plan_TileOp<"map"> {
  let summary = "Elementwise function of rows";
  let description = [{
    output[0, j] = region(inputs[.., j] ...). Inputs are [n] or [1, n].

    - map_c1: all have n elements; the region has one f32 argument per input.

    ```mlir
    plan.map ins(%a, %b) -> %y tiles(%begin to %end) per_tile 64 {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      plan.yield %s : f32
    } : memref<1x256xf32>, memref<1x256xf32> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Variadic<Plan_F32Mem>:$inputs, Plan_F32Mem:$output,
                       Index:$begin, Index:$end, I64Attr:$per_tile);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` $inputs `)` `->` $output `tiles` `(` $begin `to` $end `)`
    `per_tile` $per_tile attr-dict-with-keyword $body
    `:` type($inputs) `->` type($output)
  }];
  let hasVerifier = 1;
}

def Plan_RopeOp : Plan_TileOp<"rope"> {
  let summary = "Rotates heads in place";
  let description = [{
    Tile t covers heads [(t - first) * per_tile, ...) of `row` [1, heads * dim];
    angles as in `llm.rope`.

    ```mlir
    plan.rope %q at %position dim 32 frequencies [1.0, 0.5] tiles(%begin to %end) first 0 per_tile 2
        : memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$row, Index:$position, I64Attr:$dim,
                       DenseF32ArrayAttr:$frequencies, Index:$begin, Index:$end,
                       I64Attr:$first, I64Attr:$per_tile);
  let assemblyFormat = [{
    $row `at` $position `dim` $dim `frequencies` custom<F32List>($frequencies)
    `tiles` `(` $begin `to` $end `)` `first` $first `per_tile` $per_tile attr-dict
    `:` type($row)
  }];
  let hasVerifier = 1;
}

def Plan_AppendOp : Plan_TileOp<"append"> {
  let summary = "Writes a token's row of keys or values into the cache";
  let description = [{
    cache[h, position, d] = row[0, h * dim + d], one head per tile, converted to the
    cache's element type (round to nearest even).

    - append_c1: cache is [heads, capacity, dim], row is [1, heads * dim].

    ```mlir
    plan.append %k at %position -> %kc tiles(%begin to %end)
        : memref<1x128xf32> -> memref<4x1024x32xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$row, Index:$position, Plan_WeightMem:$cache,
                       Index:$begin, Index:$end);
  let assemblyFormat = [{
    $row `at` $position `->` $cache `tiles` `(` $begin `to` $end `)` attr-dict
    `:` type($row) `->` type($cache)
  }];
  let hasVerifier = 1;
}

def Plan_AttendOp : Plan_TileOp<"attend"> {
  let summary = "Attention of the token over the cache";
  let description = [{
    One key/value head per tile: for each of its query heads, softmax of
    scale * q . keys[0 .. position], then the weighted sum of values. `scores` is
    scratch, a row per query head.

    - attend_c1: keys, values are [kv heads, capacity, dim]; query, output are
      [1, heads * dim]; scores is [heads, capacity]; heads is a multiple of kv heads.

    ```mlir
    plan.attend %q, %kc, %vc -> %o scores %s at %position scale 0.176776692 tiles(%begin to %end)
        : memref<1x256xf32>, memref<4x64x32xf32>, memref<4x64x32xf32>, memref<8x64xf32> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$query, Plan_WeightMem:$keys, Plan_WeightMem:$values,
                       Plan_F32Mem:$output, Plan_F32Mem:$scores, Index:$position,
                       F32Attr:$scale, Index:$begin, Index:$end);
  let assemblyFormat = [{
    $query `,` $keys `,` $values `->` $output `scores` $scores `at` $position
    `scale` $scale `tiles` `(` $begin `to` $end `)` attr-dict
    `:` type($query) `,` type($keys) `,` type($values) `,` type($scores) `->` type($output)
  }];
  let hasVerifier = 1;
}

def Plan_SelectOp : Plan_TileOp<"select", [AttrSizedOperandSegments]> {
  let summary = "Which neurons are active, exactly";
  let description = [{
    Tile t covers rows [first_row + t * per_tile, ...) of `weight`, clipped to last_row,
    of which columns [column, column + in) are a part. Per row i: a_i =
    activation(row_i . input (+ bias[i])). Rows with a_i > 0, or NaN, go in ascending
    order to the tile's segment of the list, which begins at t * per_tile: `ids` takes i,
    `acts` a_i; counts[t] is their number. Other elements of the segment are undefined.
    trace[trace_first + i] = -1 for every row of the tile. Every tile writes a segment of
    its own, so the list does not depend on who runs which tile.

    - select_c1: weight is [>= last_row, >= column + in], input [1, in]; bias has an
      element for each row of weight.
    - select_c2: ids and acts are [last_row - first_row], counts is [tiles];
      tiles * per_tile covers the rows.
    - select_c3: the region has one f32 argument.
    - select_c4: trace has an element for each row, behind trace_first.

    ```mlir
    plan.select %x, %g -> %ids, %acts, %counts rows(0 to 1024)
        tiles(%begin to %end) per_tile 64 {
    ^bb0(%pre: f32):
      %zero = arith.constant 0.0 : f32
      %a = arith.maximumf %pre, %zero : f32
      plan.yield %a : f32
    } : memref<1x256xf32>, memref<1024x256xf16>
        -> memref<1024xi32>, memref<1024xf32>, memref<16xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$input, Plan_WeightMem:$weight,
                       DefaultValuedAttr<I64Attr, "0">:$column, Optional<Plan_F32Mem>:$bias,
                       Plan_I32Mem:$ids, Plan_F32Mem:$acts, Plan_F32Mem:$counts,
                       Optional<Plan_F32Mem>:$trace,
                       DefaultValuedAttr<I64Attr, "0">:$trace_first,
                       I64Attr:$first_row, I64Attr:$last_row,
                       Index:$begin, Index:$end, I64Attr:$per_tile);
  let regions = (region SizedRegion<1>:$activation);
  let assemblyFormat = [{
    $input `,` $weight (`from` $column^)? (`bias` $bias^)? `->` $ids `,` $acts `,` $counts
    (`trace` $trace^ (`from` $trace_first^)?)? `rows` `(` $first_row `to` $last_row `)`
    `tiles` `(` $begin `to` $end `)` `per_tile` $per_tile
    attr-dict-with-keyword $activation
    `:` type($input) `,` type($weight) (`bias` type($bias)^)?
    `->` type($ids) `,` type($acts) `,` type($counts) (`trace` type($trace)^)?
  }];
  let hasVerifier = 1;
}

def Plan_ApplyOp : Plan_TileOp<"apply", [AttrSizedOperandSegments]> {
  let summary = "What the listed neurons add to the output";
  let description = [{
    The list is that of `plan.select`: counts[s] entries from s * per_segment on, for each
    segment s in order; L entries in all. Tile t of T covers entries [L * t / T,
    L * (t + 1) / T), whatever segments they are of, so that tiles are of equal size
    wherever the active neurons lie. Per entry with row i:

    - with `acts`: a = the entry's activation;
    - with `gate`, for lists that were predicted: a = activation(gate_i . input
      (+ bias[i])), and the neuron is left out where a is 0: its rows of up and down are
      not read then;
    - with `up`: a *= up_i . input; trace[trace_first + i] = |a|;
    - partial[t, :] += a * down_i.

    partial[t, :] is set, not added to. gate, up and down are columns [from, from + in) of
    their weights: one weight may hold all three, a bundle.

    - apply_c1: ids is [n], acts too; counts * per_segment covers n.
    - apply_c2: either acts, or gate with a region of one f32 argument; bias only with
      gate; input where there is gate or up.
    - apply_c3: gate, up, down are [rows, >= from + in], of as many rows; input is
      [1, in], partial [tiles, in]; bias has an element for each row.
    - apply_c4: trace has an element for each of n rows, behind trace_first.

    ```mlir
    plan.apply list(%ids, %counts, %acts) per_segment 64 input %x up %b down %b from 256
        -> %p tiles(%begin to %end)
        : memref<1024xi32>, memref<16xf32>, memref<1024xf32> input memref<1x256xf32>
          up memref<1024x512xf16> down memref<1024x512xf16> -> memref<16x256xf32>
    ```
  }];
  let arguments = (ins Plan_I32Mem:$ids, Plan_F32Mem:$counts, Optional<Plan_F32Mem>:$acts,
                       I64Attr:$per_segment, Optional<Plan_F32Mem>:$input,
                       Optional<Plan_WeightMem>:$gate,
                       DefaultValuedAttr<I64Attr, "0">:$gate_column,
                       Optional<Plan_F32Mem>:$bias, Optional<Plan_WeightMem>:$up,
                       DefaultValuedAttr<I64Attr, "0">:$up_column, Plan_WeightMem:$down,
                       DefaultValuedAttr<I64Attr, "0">:$down_column, Plan_F32Mem:$partial,
                       Optional<Plan_F32Mem>:$trace,
                       DefaultValuedAttr<I64Attr, "0">:$trace_first,
                       Index:$begin, Index:$end);
  let regions = (region AnyRegion:$activation);
  let assemblyFormat = [{
    `list` `(` $ids `,` $counts (`,` $acts^)? `)` `per_segment` $per_segment
    (`input` $input^)? (`gate` $gate^ (`from` $gate_column^)?)? (`bias` $bias^)?
    (`up` $up^ (`from` $up_column^)?)? `down` $down (`from` $down_column^)? `->` $partial
    (`trace` $trace^ (`from` $trace_first^)?)? `tiles` `(` $begin `to` $end `)`
    attr-dict-with-keyword ($activation^)?
    `:` type($ids) `,` type($counts) (`,` type($acts)^)? (`input` type($input)^)?
    (`gate` type($gate)^)? (`bias` type($bias)^)? (`up` type($up)^)? `down` type($down)
    `->` type($partial) (`trace` type($trace)^)?
  }];
  let hasVerifier = 1;
}

def Plan_ReduceOp : Plan_TileOp<"reduce", [AttrSizedOperandSegments]> {
  let summary = "Sum of partial rows with a scalar epilogue";
  let description = [{
    output[0, j] = epilogue(sum_p sum_t partials[p][t, j], extras[.., j] ...): one
    partial after the other, each in ascending t. Tiles cut the columns.

    - reduce_c1: there is a partial; each is [tiles, n], output [1, n], extras [n] or
      [1, n].

    ```mlir
    plan.reduce %p -> %y extras(%x : memref<1x256xf32>) tiles(%begin to %end) per_tile 64 {
    ^bb0(%sum: f32, %residual: f32):
      %s = arith.addf %sum, %residual : f32
      plan.yield %s : f32
    } : memref<16x256xf32> -> memref<1x256xf32>
    ```
  }];
  let arguments = (ins Variadic<Plan_F32Mem>:$partials, Plan_F32Mem:$output,
                       Variadic<Plan_F32Mem>:$extras, Index:$begin, Index:$end,
                       I64Attr:$per_tile);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $partials `->` $output (`extras` `(` $extras^ `:` type($extras) `)`)?
    `tiles` `(` $begin `to` $end `)` `per_tile` $per_tile
    attr-dict-with-keyword $epilogue `:` type($partials) `->` type($output)
  }];
  let hasVerifier = 1;
}

#endif // PI_DIALECTS_PLAN_IR_PLANTILEOPS_TD
