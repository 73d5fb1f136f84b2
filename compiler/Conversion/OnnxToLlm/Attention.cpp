//===- Attention.cpp - Softmax(q k^T) v over a cache -===//
// Layouts (fused QKV, repeated heads before or after the cache) are read off traces.

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

#include <cmath>

using namespace mlir;
using namespace pi;
using namespace pi::raise;

/// A constant that the file rounded to f16, or f32, stands for the exact power of
/// head_dim it was made from: storage is no rounding step.
double Raiser::snapScale(double scale, int64_t dim) const {
  for (double exponent : {-0.5, 0.5, -0.25, 0.25}) {
    double exact = std::pow(static_cast<double>(dim), exponent);
    APFloat half(exact);
    bool loses;
    half.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &loses);
    half.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    if (scale == half.convertToDouble() || static_cast<float>(scale) == static_cast<float>(exact))
      return exact;
  }
  return scale;
}

std::optional<double> Raiser::matchScale(Value v, int64_t dim) const {
  std::optional<double> value = matchScalar(v);
  return value ? std::optional(snapScale(*value, dim)) : std::nullopt;
}

/// Strips products and quotients with a scalar; multiplies them into `scale`.
static Value stripScale(Value v, const Tracer &tracer, double &scale,
                        llvm::function_ref<std::optional<double>(Value)> scalar) {
  for (;;) {
    v = tracer.strip(v);
    if (auto mul = v.getDefiningOp<onnx::MulOp>()) {
      if (std::optional<double> s = scalar(mul.getB())) {
        scale *= *s;
        v = mul.getA();
        continue;
      }
      if (std::optional<double> s = scalar(mul.getA())) {
        scale *= *s;
        v = mul.getB();
        continue;
      }
    } else if (auto div = v.getDefiningOp<onnx::DivOp>()) {
      if (std::optional<double> s = scalar(div.getB())) {
        scale /= *s;
        v = div.getA();
        continue;
      }
    }
    return v;
  }
}

bool Raiser::readHeads(Value v, Heads &heads, Operation *at) {
  SmallVector<int64_t> shape = tracer.shapeOf(v); // [1, heads, 1, dim]
  if (shape.size() != 4 || shape[0] != 1 || shape[2] != 1) {
    block(at, "expected heads as [1, heads, 1, head_dim]");
    return false;
  }
  heads.heads = shape[1];
  heads.dim = shape[3];
  auto scalar = [&](Value s) { return matchScale(s, heads.dim); };
  SmallVector<int64_t> index = llvm::to_vector(llvm::seq<int64_t>(0, heads.heads * heads.dim));
  Value current = v;
  for (;;) {
    current = stripScale(current, tracer, heads.scale, scalar);
    if (std::optional<Linear> linear = matchLinear(current)) {
      heads.linear = linear;
      break;
    }
    if (auto add = current.getDefiningOp<onnx::AddOp>(); add && heads.frequencies.empty()) {
      Value raw;
      if (!readRope(add, raw, heads.frequencies))
        return false;
      sawRope = true;
      // Rope does not move elements: `raw` has this value's elements before rotation.
      current = raw;
      continue;
    }
    // A movement: all elements from one root, positive.
    SmallVector<Element> elements = tracer.trace(current);
    if (elements.empty()) {
      block(at, "heads of more than " + Twine(Tracer::kMaxElements) + " elements");
      return false;
    }
    Value root = elements.front().root;
    if (root == current) {
      block(at, "heads do not come from a linear layer",
            "norms of queries and keys are not supported");
      return false;
    }
    for (const Element &e : elements)
      if (e.root != root || e.sign < 0) {
        block(at, "heads do not come from one linear layer",
              "rotary embeddings of a part of each head are not supported");
        return false;
      }
    for (int64_t &i : index)
      i = elements[i].index;
    current = root;
  }
  heads.rows = index;
  return true;
}

/// `v` [1, heads, T, dim] (or transposed for keys) as what the cache holds: which cache
/// head each head is. `concat` is past ++ new.
bool Raiser::readCache(Value v, bool keys, onnx::ConcatOp &concat, SmallVector<int64_t> &heads) {
  // The nearest Concat below that joins a past input.
  Value current = v;
  while (Operation *op = current.getDefiningOp()) {
    if (auto join = dyn_cast<onnx::ConcatOp>(op); join && join.getInputs().size() == 2) {
      Value past = tracer.strip(join.getInputs()[0]);
      if (isa<BlockArgument>(past) && values.lookup(past)->shape.size() == 4) {
        concat = join;
        break;
      }
    }
    if (op->getNumOperands() == 0 ||
        !isa<onnx::ReshapeOp, onnx::TransposeOp, onnx::ExpandOp, onnx::UnsqueezeOp, onnx::SqueezeOp,
             onnx::SliceOp, onnx::IdentityOp>(op))
      return false;
    current = op->getOperand(0);
  }
  if (!concat)
    return false;
  SmallVector<int64_t> shape = tracer.shapeOf(v), cache = tracer.shapeOf(concat.getConcatResult());
  if (shape.size() != 4 || cache.size() != 4)
    return false;
  if (keys)
    std::swap(shape[2], shape[3]);
  int64_t length = cache[2], dim = cache[3];
  if (shape[2] != length || shape[3] != dim)
    return false;
  SmallVector<Element> elements = tracer.trace(v, concat.getConcatResult());
  if (elements.empty())
    return false;
  for (int64_t h = 0; h < shape[1]; ++h)
    for (int64_t t = 0; t < length; ++t)
      for (int64_t d = 0; d < dim; ++d) {
        int64_t at = keys ? (h * dim + d) * length + t : (h * length + t) * dim + d;
        const Element &e = elements[at];
        if (t == 0 && d == 0)
          heads.push_back(e.index / (length * dim));
        if (e.root != concat.getConcatResult() || e.sign < 0 ||
            e.index != (heads.back() * length + t) * dim + d)
          return false;
      }
  return true;
}

/// Numbers the distinct heads of `heads` in order; `real[h]` is the number of head h,
/// `rows` keeps the rows of each distinct head once.
static SmallVector<int64_t> uniqueHeads(const Heads &heads, SmallVector<int64_t> &rows) {
  SmallVector<int64_t> real;
  SmallVector<ArrayRef<int64_t>> seen;
  for (int64_t h = 0; h < heads.heads; ++h) {
    ArrayRef<int64_t> own = ArrayRef<int64_t>(heads.rows).slice(h * heads.dim, heads.dim);
    auto *it = llvm::find(seen, own);
    real.push_back(it - seen.begin());
    if (it == seen.end()) {
      seen.push_back(own);
      rows.append(own.begin(), own.end());
    }
  }
  return real;
}

/// Whether query head h reads key/value head h / (heads / kv heads), the real heads being
/// numbered as `realKeys` and `realValues`, and the cache's as `keyHeads` and `valueHeads`.
static bool isGrouped(int64_t heads, int64_t kvHeads, ArrayRef<int64_t> keyHeads,
                      ArrayRef<int64_t> valueHeads, ArrayRef<int64_t> realKeys,
                      ArrayRef<int64_t> realValues) {
  if (kvHeads < 1 || heads % kvHeads != 0 || keyHeads.empty() ||
      keyHeads.size() != valueHeads.size() || heads % keyHeads.size() != 0)
    return false;
  for (int64_t h = 0; h < heads; ++h) {
    size_t operand = keyHeads.size() == 1 ? 0 : h;
    if (operand >= keyHeads.size() || realKeys[keyHeads[operand]] != h / (heads / kvHeads) ||
        realValues[valueHeads[operand]] != h / (heads / kvHeads))
      return false;
  }
  return true;
}

onnx::MatMulOp Raiser::matchScores(onnx::MatMulOp op, onnx::SoftmaxOp &softmax, double &scale) {
  softmax = tracer.strip(op.getA()).getDefiningOp<onnx::SoftmaxOp>();
  if (!softmax) {
    block(op, "a product of two activations that is no attention: expected Softmax");
    return {};
  }
  int64_t rank = values.lookup(softmax.getInput())->shape.size();
  if (int64_t axis = softmax.getAxis(); axis != -1 && axis != rank - 1) {
    block(softmax, "expected softmax over the last dimension");
    return {};
  }
  int64_t dim = tracer.shapeOf(op.getB()).back();
  Value scores =
      stripScale(softmax.getInput(), tracer, scale, [&](Value s) { return matchScale(s, dim); });
  auto product = scores.getDefiningOp<onnx::MatMulOp>();
  if (!product) {
    Operation *found = scores.getDefiningOp();
    block(found ? found : softmax, "expected query x key before Softmax",
          "masks other than the causal one (ALiBi, sliding windows) are not supported");
  }
  return product;
}

Value Raiser::raiseHeads(const Heads &heads, ArrayRef<int64_t> rows, StringRef name) {
  const Linear &linear = *heads.linear;
  Value x = raiseRow(linear.input, "attn_norm");
  if (!x)
    return {};
  FlatSymbolRefAttr bias;
  // Only now: raising the input may have raised earlier layers.
  std::string full = "layers." + std::to_string(attentions) + "." + name.str();
  if (linear.bias)
    bias = declare(full + "_bias", linear.bias, false, rows);
  int64_t features = rows.size();
  return llm::LinearOp::create(builder, linear.node->getLoc(), rowType(features), x,
                               declare(full, linear.weight, linear.transposed, rows), bias);
}

Value Raiser::raiseAttention(onnx::MatMulOp op) {
  onnx::SoftmaxOp softmax;
  double scale = 1;
  onnx::MatMulOp product = matchScores(op, softmax, scale);
  if (!product)
    return {};
  int64_t dim = tracer.shapeOf(op.getB()).back();
  onnx::ConcatOp keyCache, valueCache;
  SmallVector<int64_t> keyHeads, valueHeads;
  // SDPA multiplies both q and k by a root of the scale.
  Value keyOperand =
      stripScale(product.getB(), tracer, scale, [&](Value s) { return matchScale(s, dim); });
  if (!readCache(keyOperand, true, keyCache, keyHeads) ||
      !readCache(op.getB(), false, valueCache, valueHeads))
    return block(op, "expected keys and values from past ++ new along the sequence");
  Heads query, key, value;
  if (!readHeads(product.getA(), query, op) || !readHeads(keyCache.getInputs()[1], key, op) ||
      !readHeads(valueCache.getInputs()[1], value, op))
    return {};

  // Which distinct key/value head does each query head read?
  SmallVector<int64_t> keyRows, valueRows;
  SmallVector<int64_t> realKeys = uniqueHeads(key, keyRows);
  SmallVector<int64_t> realValues = uniqueHeads(value, valueRows);
  int64_t kvHeads = keyRows.size() / key.dim;
  if (key.dim != value.dim || key.dim != query.dim || valueRows.size() != keyRows.size() ||
      !isGrouped(query.heads, kvHeads, keyHeads, valueHeads, realKeys, realValues))
    return block(op, "query heads do not read key/value heads in equal consecutive groups");
  if (key.frequencies != query.frequencies || !value.frequencies.empty())
    return block(op, "query and key are not rotated alike");
  if (value.scale != 1)
    return block(op, "scaled values are not supported");

  Value q = raiseHeads(query, query.rows, "q");
  Value k = q ? raiseHeads(key, keyRows, "k") : Value();
  Value v = k ? raiseHeads(value, valueRows, "v") : Value();
  if (!v)
    return {};
  return buildAttention(q, k, v, query, kvHeads, scale * query.scale * key.scale, softmax.getLoc());
}

Value Raiser::buildAttention(Value q, Value k, Value v, const Heads &query, int64_t kvHeads,
                             double scale, Location loc) {
  if (!query.frequencies.empty()) {
    q = llm::RopeOp::create(builder, loc, q.getType(), q, position, query.heads, query.frequencies);
    k = llm::RopeOp::create(builder, loc, k.getType(), k, position, kvHeads, query.frequencies);
  }
  auto cacheType =
      llm::KvCacheType::get(builder.getContext(), kvHeads, query.dim, kvType, capacity);
  unsigned argument = decode.getNumArguments();
  if (failed(decode.insertArgument(argument, cacheType, {}, loc)))
    llvm_unreachable("a function takes any number of arguments");
  Value cache = decode.getArgument(argument);
  cache = llm::KvAppendOp::create(builder, loc, cacheType, cache, k, v, position);
  caches.push_back(cache);
  ++attentions;
  return llm::AttentionOp::create(builder, loc, q.getType(), q, cache, position,
                                  builder.getI64IntegerAttr(query.heads),
                                  builder.getF32FloatAttr(static_cast<float>(scale)));
}
