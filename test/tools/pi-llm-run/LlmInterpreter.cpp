//===- LlmInterpreter.cpp - Reference interpreter of the llm dialect -===//

#include "test/tools/pi-llm-run/LlmInterpreter.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace pi;

LlmInterpreter::LlmInterpreter(ModuleOp module)
    : decode(module.lookupSymbol<func::FuncOp>("decode")), weights(module) {
  reset();
}

void LlmInterpreter::reset() {
  position = 0;
  caches.clear();
  if (!decode)
    return;
  for (BlockArgument arg : decode.getArguments())
    if (auto type = dyn_cast<llm::KvCacheType>(arg.getType())) {
      Row zeros(type.getHeads() * type.getCapacity() * type.getDim(), 0.0f);
      caches[arg] = std::make_shared<Cache>(Cache{zeros, zeros});
    }
}

FailureOr<LlmInterpreter::Row> LlmInterpreter::step(int64_t token, Observer observer) {
  if (!decode || !llvm::hasSingleElement(decode.getBody()) || decode.getNumArguments() < 2)
    return decode ? decode.emitError("expected @decode(token, position, caches...) of one block")
                  : failure();
  rows.clear();
  Block &block = decode.getBody().front();
  for (Operation &op : block.without_terminator()) {
    if (failed(run(&op, token)))
      return failure();
    if (op.getNumResults() == 1 && rows.contains(op.getResult(0)))
      observer(&op, rows[op.getResult(0)]);
  }
  Operation *end = block.getTerminator();
  if (end->getNumOperands() == 0 || !rows.contains(end->getOperand(0)))
    return end->emitError("expected the logits as first result");
  // The caches returned are the arguments of the next step.
  llvm::DenseMap<Value, std::shared_ptr<Cache>> next;
  for (unsigned i = 1; i < end->getNumOperands(); ++i)
    next[decode.getArgument(1 + i)] = caches.lookup(end->getOperand(i));
  caches = std::move(next);
  ++position;
  return rows[end->getOperand(0)];
}

LogicalResult LlmInterpreter::run(Operation *op, int64_t token) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](llm::EmbedOp embed) { return runEmbed(embed, token); })
      .Case([&](llm::NormOp norm) { return runNorm(norm); })
      .Case([&](llm::LinearOp linear) {
        return runProduct(linear, linear.getWeightAttr(), linear.getBiasAttr());
      })
      .Case([&](llm::LogitsOp logits) {
        return runProduct(logits, logits.getHeadAttr(), logits.getBiasAttr());
      })
      .Case([&](llm::RopeOp rope) { return runRope(rope); })
      .Case([&](llm::KvAppendOp append) { return runAppend(append); })
      .Case([&](llm::AttentionOp attention) { return runAttention(attention); })
      .Case([&](llm::FfnOp ffn) { return runFfn(ffn); })
      .Case([&](llm::AddOp add) { return runAdd(add); })
      .Default([](Operation *other) { return other->emitError("is not of the llm level"); });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// First to last element, in f32.
static float dot(const float *a, const float *b, int64_t n) {
  float sum = 0.0f;
  for (int64_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

LogicalResult LlmInterpreter::runEmbed(llm::EmbedOp op, int64_t token) {
  const LlmWeight *table = weights.get(op.getTableAttr());
  const LlmWeight *positions = op.getPositionsAttr() ? weights.get(op.getPositionsAttr()) : nullptr;
  if (!table || (op.getPositionsAttr() && !positions))
    return failure();
  if (token < 0 || token >= table->rows)
    return op.emitError() << "token " << token << " is outside the " << table->rows << " rows";
  const float *row = table->values.data() + token * table->cols;
  Row result(row, row + table->cols);
  if (positions) {
    int64_t at = position + static_cast<int64_t>(op.getOffset());
    if (at < 0 || at >= positions->rows)
      return op.emitError() << "position " << at << " is outside the " << positions->rows
                            << " rows";
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += positions->values[at * positions->cols + i];
  }
  rows[op.getResult()] = std::move(result);
  return success();
}

LogicalResult LlmInterpreter::runNorm(llm::NormOp op) {
  const LlmWeight *weight = weights.get(op.getWeightAttr());
  const LlmWeight *bias = op.getBiasAttr() ? weights.get(op.getBiasAttr()) : nullptr;
  if (!weight || (op.getBiasAttr() && !bias))
    return failure();
  Row x = rows.lookup(op.getInput());
  float n = static_cast<float>(x.size());
  if (op.getKind() == llm::NormKind::Layer) {
    float sum = 0.0f;
    for (float value : x)
      sum += value;
    for (float &value : x)
      value -= sum / n;
  }
  float scale =
      1.0f / std::sqrt(dot(x.data(), x.data(), x.size()) / n + op.getEps().convertToFloat());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = x[i] * scale * weight->values[i] + (bias ? bias->values[i] : 0.0f);
  rows[op.getResult()] = std::move(x);
  return success();
}

LogicalResult LlmInterpreter::runProduct(Operation *op, FlatSymbolRefAttr weightName,
                                         FlatSymbolRefAttr biasName) {
  const LlmWeight *weight = weights.get(weightName);
  const LlmWeight *bias = biasName ? weights.get(biasName) : nullptr;
  if (!weight || (biasName && !bias))
    return failure();
  const Row &x = rows[op->getOperand(0)];
  Row result(weight->rows);
  for (int64_t r = 0; r < weight->rows; ++r)
    result[r] = dot(weight->values.data() + r * weight->cols, x.data(), weight->cols) +
                (bias ? bias->values[r] : 0.0f);
  rows[op->getResult(0)] = std::move(result);
  return success();
}

LogicalResult LlmInterpreter::runAdd(llm::AddOp op) {
  Row sum = rows.lookup(op.getLhs());
  const Row &rhs = rows[op.getRhs()];
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] += rhs[i];
  rows[op.getResult()] = std::move(sum);
  return success();
}

LogicalResult LlmInterpreter::runFfn(llm::FfnOp op) {
  const LlmWeight *names[5];
  FlatSymbolRefAttr attrs[] = {op.getGateAttr(), op.getUpAttr(), op.getUpBiasAttr(),
                               op.getDownAttr(), op.getDownBiasAttr()};
  for (auto [weight, name] : llvm::zip_equal(names, attrs)) {
    weight = name ? weights.get(name) : nullptr;
    if (name && !weight)
      return failure();
  }
  auto [gate, up, upBias, down, downBias] = names;
  const Row &x = rows[op.getInput()];
  int64_t features = x.size();
  Row result(features, 0.0f);
  for (int64_t i = 0; i < up->rows; ++i) {
    float value = dot(up->values.data() + i * features, x.data(), features) +
                  (upBias ? upBias->values[i] : 0.0f);
    float act = gate ? dot(gate->values.data() + i * features, x.data(), features) : value;
    assert(op.getAct() == Act::Relu && "all activations are listed");
    act = std::max(act, 0.0f);
    act = gate ? act * value : act;
    for (int64_t f = 0; f < features; ++f)
      result[f] += act * down->values[i * features + f];
  }
  for (int64_t f = 0; downBias && f < features; ++f)
    result[f] += downBias->values[f];
  rows[op.getResult()] = std::move(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult LlmInterpreter::runRope(llm::RopeOp op) {
  Row x = rows.lookup(op.getInput());
  int64_t heads = op.getHeads(), dim = x.size() / heads, n = op.getFrequencies().size();
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < n; ++i) {
      float angle = static_cast<float>(position) * op.getFrequencies()[i];
      float c = std::cos(angle), s = std::sin(angle);
      float &a = x[h * dim + i], &b = x[h * dim + i + n];
      float rotated = a * c - b * s;
      b = b * c + a * s;
      a = rotated;
    }
  rows[op.getResult()] = std::move(x);
  return success();
}

/// `value` as the cache keeps it.
static float asKept(float value, Type type) {
  if (type.isF32())
    return value;
  APFloat rounded(value);
  bool lost;
  rounded.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  return rounded.convertToFloat();
}

LogicalResult LlmInterpreter::runAppend(llm::KvAppendOp op) {
  llm::KvCacheType type = op.getCache().getType();
  int64_t dim = type.getDim();
  if (position >= type.getCapacity())
    return op.emitError() << "the cache is full: position " << position << " of "
                          << type.getCapacity();
  auto cache =
      std::make_shared<Cache>(*caches.lookup(op.getCache())); // the old one stays as it was
  const Row &key = rows[op.getKey()], &value = rows[op.getValue()];
  for (int64_t h = 0; h < type.getHeads(); ++h)
    for (int64_t d = 0; d < dim; ++d) {
      int64_t at = (h * type.getCapacity() + position) * dim + d;
      cache->keys[at] = asKept(key[h * dim + d], type.getType());
      cache->values[at] = asKept(value[h * dim + d], type.getType());
    }
  caches[op.getResult()] = std::move(cache);
  return success();
}

LogicalResult LlmInterpreter::runAttention(llm::AttentionOp op) {
  llm::KvCacheType type = op.getCache().getType();
  const Row &query = rows[op.getQuery()];
  const Cache &cache = *caches.lookup(op.getCache());
  int64_t heads = op.getHeads(), dim = type.getDim(), shared = heads / type.getHeads();
  float scale = op.getScale().convertToFloat();
  Row result(query.size(), 0.0f);
  for (int64_t h = 0; h < heads; ++h) {
    int64_t base = (h / shared) * type.getCapacity() * dim;
    Row scores(position + 1);
    for (int64_t p = 0; p <= position; ++p)
      scores[p] = scale * dot(&query[h * dim], &cache.keys[base + p * dim], dim);
    float largest = *std::max_element(scores.begin(), scores.end()), sum = 0.0f;
    for (float &score : scores)
      sum += score = std::exp(score - largest);
    for (int64_t p = 0; p <= position; ++p)
      for (int64_t d = 0; d < dim; ++d)
        result[h * dim + d] += scores[p] / sum * cache.values[base + p * dim + d];
  }
  rows[op.getResult()] = std::move(result);
  return success();
}
