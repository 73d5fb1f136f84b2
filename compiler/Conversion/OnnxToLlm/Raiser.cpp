//===- Raiser.cpp - Rows: residual sums, embeddings, logits -===//

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

/// Past length at which `?` dimensions are looked at when elements are traced.
static constexpr int64_t kTracePast = 3;
/// Context that the importer chooses where nothing tells the number of positions.
static constexpr int64_t kDefaultContext = 2048;

Raiser::Raiser(ModuleOp module, func::FuncOp main, const ShapeValues &values, Type kvType)
    : module(module), main(main), values(values), tracer(values, kTracePast), kvType(kvType),
      capacity(module->getAttrOfType<ModelAttr>("pi.model").getCapacity()),
      knownPositions(module->getAttrOfType<ModelAttr>("pi.model").getPositions()),
      builder(module.getContext()) {}

Value Raiser::block(Operation *op, const Twine &why, const Twine &note) {
  if (!blocked.insert(op).second)
    return {};
  ++errors;
  InFlightDiagnostic diagnostic = emitError(op->getLoc()) << why;
  std::string text = note.str();
  if (!text.empty())
    diagnostic.attachNote() << text;
  return {};
}

/// Whether `v` is a row: all dimensions but the last are 1.
static bool isRow(const ShapeValues &values, Value v) {
  const ValueFacts *facts = values.lookup(v);
  if (!facts || facts->shape.empty() || !facts->isStatic())
    return false;
  return facts->numElements() == facts->shape.back().base;
}

Value Raiser::raiseRow(Value v, StringRef role) {
  v = tracer.strip(v);
  if (auto *it = rows.find(v); it != rows.end())
    return it->second;
  // Rows are raised recursively: hundreds of layers are far from this.
  constexpr unsigned kMaxDepth = 5000;
  if (depth == kMaxDepth)
    return block(v.getDefiningOp(), "more than " + Twine(kMaxDepth) + " blocks follow this one");
  ++depth;
  Value raised = raiseNew(v, role);
  --depth;
  rows[v] = raised;
  return raised;
}

Value Raiser::raiseNew(Value v, StringRef role) {
  Operation *op = v.getDefiningOp();
  if (!op) {
    ++errors;
    emitError(v.getLoc()) << "an input is used as activations of a block";
    return {};
  }
  if (std::optional<Norm> norm = matchNorm(v))
    return raiseNorm(*norm, role, op->getLoc());
  if (std::optional<Linear> linear = matchLinear(v))
    return raiseProduct(*linear);
  if (auto add = dyn_cast<onnx::AddOp>(op))
    return raiseAdd(add);
  if (auto gather = dyn_cast<onnx::GatherOp>(op))
    return raiseEmbedding(gather, {}, op->getLoc());
  if (auto product = dyn_cast<onnx::MatMulOp>(op))
    return raiseAttention(product);
  return block(op, "not part of a block that is known here: " + op->getName().stripDialect(),
               "known are embeddings, norms, linear layers, attention with a cache, feed-forward "
               "blocks with ReLU, and residual sums");
}

Value Raiser::raiseAdd(onnx::AddOp op) {
  auto gatherOf = [&](Value v) { return tracer.strip(v).getDefiningOp<onnx::GatherOp>(); };
  onnx::GatherOp a = gatherOf(op.getA()), b = gatherOf(op.getB());
  if (a && b) {
    bool aIsPosition = values.lookup(a.getIndices())->hasContent();
    return raiseEmbedding(aIsPosition ? b : a, aIsPosition ? a : b, op.getLoc());
  }
  if (!isRow(values, op.getA()) || !isRow(values, op.getB()))
    return block(op, "a sum that is no residual: its operands are not rows of one length");
  Value l = raiseRow(op.getA(), "norm"), r = raiseRow(op.getB(), "norm");
  if (!l || !r)
    return {};
  return llm::AddOp::create(builder, op.getLoc(), l, r);
}

LogicalResult Raiser::limitContext(int64_t positions, Operation *at) {
  if (positions >= capacity)
    return success();
  if (positions >= 1 && knownPositions == 0 && capacity == kDefaultContext) {
    capacity = knownPositions = positions;
    emitRemark(at->getLoc()) << "the table of learned positions limits the context to " << positions
                             << " tokens";
    return success();
  }
  block(at,
        "a context of " + Twine(capacity) +
            " tokens needs as many learned positions, the table has " + Twine(positions),
        "give --context=" + Twine(positions) + " or less");
  return failure();
}

Value Raiser::raiseEmbedding(onnx::GatherOp tokens, onnx::GatherOp positions, Location loc) {
  bool transposed = false;
  WeightOp table = matchWeight(tokens.getData(), transposed);
  bool isIds = isa<BlockArgument>(tracer.strip(tokens.getIndices()));
  if (!table || tokens.getAxis() != 0 || !isIds)
    return block(tokens, "a gather that is no embedding of the token ids");
  int64_t features = values.lookup(tokens.getData())->shape.back().base;
  FlatSymbolRefAttr positionTable;
  int64_t offset = 0;
  if (positions) {
    bool positionsTransposed = false;
    WeightOp weight = matchWeight(positions.getData(), positionsTransposed);
    std::optional<Affine> at = values.lookup(positions.getIndices())->getSplat();
    // Below 0 an index counts from the table's end.
    bool isAffine = at && at->slope == 1 && at->base >= 0;
    if (!weight || positionsTransposed || positions.getAxis() != 0 || !isAffine)
      return block(positions,
                   "learned positions must be read at the position plus a constant of at least 0");
    offset = at->base;
    if (failed(limitContext(weight.getTensorType().getDimSize(0) - offset, positions)))
      return {};
    positionTable = declare("positions", weight, false);
    sawPositions = true;
  }
  FlatSymbolRefAttr name = declare("embed", table, transposed);
  return llm::EmbedOp::create(builder, loc, rowType(features), token, position, name, positionTable,
                              builder.getI64IntegerAttr(offset));
}

Value Raiser::raiseProduct(const Linear &linear) {
  Value input = tracer.strip(linear.input);
  Operation *op = input.getDefiningOp();
  bool isAttention = isa_and_present<onnx::MatMulOp>(op) && !matchLinear(input);
  bool isBlockInput = matchNorm(input).has_value();
  if (!isAttention && !isBlockInput) {
    // Neither attention nor a norm feeds it: the second half of a feed-forward block.
    return raiseFfn(linear);
  }
  Value x = raiseRow(input, "norm");
  if (!x)
    return {};
  if (!isAttention)
    return block(linear.node, "a linear layer of a norm that is neither head, attention nor "
                              "feed-forward block");
  std::string name = "layers." + std::to_string(attentions - 1) + ".o"; // attention came first
  FlatSymbolRefAttr bias;
  if (linear.bias)
    bias = declare(name + "_bias", linear.bias, false);
  return llm::LinearOp::create(builder, linear.node->getLoc(), rowType(linear.out), x,
                               declare(name, linear.weight, linear.transposed), bias);
}

LogicalResult Raiser::raiseLogits(Value v) {
  v = tracer.strip(v);
  std::optional<Linear> head = matchLinear(v);
  if (!head) {
    if (Operation *op = v.getDefiningOp())
      block(op, "expected a linear layer as output head");
    return failure();
  }
  Value x = raiseRow(head->input, "final_norm");
  if (!x)
    return failure();
  FlatSymbolRefAttr bias;
  if (head->bias)
    bias = declare("head_bias", head->bias, false);
  Value logits = llm::LogitsOp::create(builder, head->node->getLoc(), rowType(head->out), x,
                                       declare("head", head->weight, head->transposed), bias);
  SmallVector<Value> results{logits};
  results.append(caches);
  func::ReturnOp::create(builder, head->node->getLoc(), results);
  decode.setFunctionType(FunctionType::get(module.getContext(), decode.getArgumentTypes(),
                                           ValueRange(results).getTypes()));
  return success();
}

/// The result that holds the logits: by name, else the first.
static Value findLogits(func::FuncOp main) {
  Operation *terminator = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto name = main.getResultAttrOfType<StringAttr>(i, "onnx.name");
        name && name.getValue() == "logits")
      return terminator->getOperand(i);
  return terminator->getNumOperands() ? terminator->getOperand(0) : Value();
}

LogicalResult Raiser::run() {
  builder.setInsertionPointToEnd(module.getBody());
  Type index = builder.getIndexType();
  decode = func::FuncOp::create(builder, main.getLoc(), "decode",
                                builder.getFunctionType({index, index}, {}));
  Block *entry = decode.addEntryBlock();
  token = entry->getArgument(0);
  position = entry->getArgument(1);
  builder.setInsertionPointToEnd(entry);
  Value logits = findLogits(main);
  if (!logits)
    return emitError(main.getLoc()) << "the graph has no output";
  LogicalResult result = raiseLogits(logits);
  if (failed(result) || errors) {
    if (!errors)
      emitError(main.getLoc()) << "the graph was not recognised as a decoder";
    return failure();
  }
  main.erase();
  for (WeightOp weight : llvm::make_early_inc_range(module.getOps<WeightOp>()))
    if (!llvm::is_contained(declared, weight))
      weight.erase();
  return success();
}

StringRef Raiser::getFamily() const {
  if (sawPositions && !sawGate && !sawRms)
    return "opt";
  if (sawRope && sawGate && sawRms)
    return "llama";
  if (sawRope && !sawGate && !sawRms)
    return "falcon";
  return "decoder";
}
