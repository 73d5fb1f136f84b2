//===- Lowering.cpp - Rows: embedding, norms, products, sums -===//

#include "compiler/Conversion/NeuronToPlan/Lowering.h"

#include "compiler/Conversion/NeuronToPlan/Tiling.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pi;

Lowering::Lowering(ModuleOp module, func::FuncOp decode, bool instrument)
    : module(module), decode(decode), program(module, decode.getSymName(), decode.getLoc()),
      instrument(instrument) {}

LogicalResult Lowering::run() {
  makeCaches();
  for (Operation &op : decode.getBody().front())
    if (failed(checkOperands(&op)) || (!done.contains(&op) && failed(lower(&op))))
      return failure();
  // At the end, so that the counts stay until a token is done.
  for (auto [counts, group] : activity)
    program.setActivity(group.getLoc(), counts, group.getLayer(), group.getRows());
  nameTraces();
  return success();
}

/// Rows come from operations of the step; token and position are its arguments; bundles are
/// read by neurons only.
LogicalResult Lowering::checkOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto arg = dyn_cast<BlockArgument>(operand.get());
    if (arg && isa<RankedTensorType>(arg.getType()))
      return op->emitOpError("reads a row that the step does not compute");
    bool isToken = isa<llm::EmbedOp>(op) && operand.getOperandNumber() == 0;
    if (operand.get().getType().isIndex() && (!arg || arg.getArgNumber() != (isToken ? 0 : 1)))
      return op->emitOpError("token and position must be the first two arguments of the step");
  }
  if (!isa<neuron::GateUpOp, neuron::DownOp>(op))
    for (NamedAttribute attribute : op->getAttrs())
      if (auto name = dyn_cast<FlatSymbolRefAttr>(attribute.getValue());
          name && program.isBundled(name))
        return op->emitOpError("reads a part of a bundle: ") << name;
  return success();
}

LogicalResult Lowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](llm::EmbedOp embed) { return lowerEmbed(embed), success(); })
      .Case([&](llm::NormOp norm) { return lowerNorm(norm), success(); })
      .Case<llm::LinearOp, llm::LogitsOp>([&](auto) { return lowerProducts(op), success(); })
      .Case([&](llm::AddOp add) { return lowerAdd(add), success(); })
      .Case([&](llm::RopeOp rope) { return lowerRope(rope), success(); })
      .Case([&](llm::KvAppendOp append) { return lowerAppend(append); })
      .Case([&](llm::AttentionOp attention) { return lowerAttention(attention); })
      .Case([&](neuron::GateUpOp) { return success(); }) // taken in by neuron.down
      .Case([&](neuron::DownOp down) { return lowerDown(down); })
      .Case([&](neuron::MergeOp merge) { return lowerMerge(merge); })
      .Case([&](func::ReturnOp ret) { return lowerReturn(ret); })
      .Default([](Operation *other) {
        InFlightDiagnostic diagnostic = other->emitOpError("has no form in the plan dialect");
        diagnostic.attachNote() << "run the phases before `plan` first";
        return diagnostic;
      });
}

int64_t Lowering::featuresOf(Value row) {
  return cast<RankedTensorType>(row.getType()).getShape().back();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Can `user` compute a norm in front of its own work?
static bool takesNorm(Operation *user) {
  return isa<llm::LinearOp, llm::LogitsOp, neuron::GateUpOp>(user);
}

/// Must the row be in a buffer, for others to see?
static bool isTraced(llm::NormOp norm) {
  return llvm::any_of(norm->getUsers(), llvm::IsaPred<neuron::GateUpOp>);
}

bool Lowering::isLazyNorm(Value value) {
  return value.getDefiningOp<llm::NormOp>() && !rows.contains(value);
}

Value Lowering::readRow(KernelBuilder &kernel, Value value) {
  if (!isLazyNorm(value)) {
    assert(rows.contains(value) && "a row is read before it is computed");
    return kernel.arg(rows.lookup(value));
  }
  auto norm = value.getDefiningOp<llm::NormOp>();
  OpBuilder &b = kernel.builder();
  Value local = plan::LocalOp::create(b, norm.getLoc(),
                                      MemRefType::get({1, featuresOf(value)}, b.getF32Type()));
  auto kind = norm.getKind() == llm::NormKind::Rms ? plan::NormKind::Rms : plan::NormKind::Layer;
  plan::NormOp::create(b, norm.getLoc(), plan::NormKindAttr::get(b.getContext(), kind),
                       readRow(kernel, norm.getInput()), kernel.weight(norm.getWeightAttr()),
                       kernel.weight(norm.getBiasAttr()), norm.getEpsAttr(), local);
  return local;
}

Lowering::Chain Lowering::chainFrom(Value produced) {
  Chain chain{produced, {}};
  while (chain.result.hasOneUse()) {
    auto add = dyn_cast<llm::AddOp>(*chain.result.user_begin());
    if (!add)
      break;
    Value other = add.getLhs() == chain.result ? add.getRhs() : add.getLhs();
    Value buffer = rows.lookup(other);
    if (!buffer)
      break;
    chain.addends.push_back(buffer);
    done.insert(add);
    chain.result = add.getResult();
  }
  return chain;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Lowering::lowerEmbed(llm::EmbedOp op) {
  KernelBuilder kernel(program, "embed_token", op.getLoc());
  Value positions = kernel.weight(op.getPositionsAttr());
  Value output = program.makeRow(op.getLoc(), featuresOf(op.getResult()));
  plan::EmbedOp::create(kernel.builder(), op.getLoc(), kernel.weight(op.getTableAttr()),
                        kernel.token(), positions, positions ? kernel.position() : Value(),
                        op.getOffset(), kernel.arg(output));
  kernel.dispatch(/*tiles=*/1);
  rows[op.getResult()] = output;
}

void Lowering::lowerNorm(llm::NormOp op) {
  if (llvm::all_of(op->getUsers(), takesNorm) && !(instrument && isTraced(op)))
    return;
  KernelBuilder kernel(program, "norm", op.getLoc());
  Value local = readRow(kernel, op.getResult());
  int64_t features = featuresOf(op.getResult());
  Value output = program.makeRow(op.getLoc(), features);
  auto map = plan::MapOp::create(kernel.builder(), op.getLoc(), ValueRange{local},
                                 kernel.arg(output), kernel.begin(), kernel.end(), kColumnsPerTile);
  fillScalarRegion(kernel.builder(), op.getLoc(), map.getBody(), 1, sumOf);
  kernel.dispatch(llvm::divideCeil(features, kColumnsPerTile));
  rows[op.getResult()] = output;
}

/// Name of a kernel for products of one input: what the products are for.
static std::string nameProducts(ArrayRef<Operation *> ops, Value input, bool hasNorm) {
  auto feedsAttention = [](Operation *op) {
    return llvm::any_of(op->getUsers(), [](Operation *user) {
      return isa<llm::RopeOp, llm::KvAppendOp, llm::AttentionOp>(user);
    });
  };
  if (llvm::any_of(ops, llvm::IsaPred<llm::LogitsOp>))
    return "logits";
  StringRef role = "linear";
  if (llvm::any_of(ops, feedsAttention))
    role = "qkv";
  else if (input.getDefiningOp<llm::AttentionOp>())
    role = "out_proj";
  return ((hasNorm ? "norm_" : "") + role).str();
}

void Lowering::lowerProducts(Operation *op) {
  // All products of the same input, in order: independent of one another, so one barrier.
  Value input = op->getOperand(0);
  SmallVector<Product> products;
  SmallVector<Operation *> ops;
  int64_t totalRows = 0;
  for (Operation &other : decode.getBody().front()) {
    if (done.contains(&other) || other.getNumOperands() == 0 || other.getOperand(0) != input)
      continue;
    if (auto linear = dyn_cast<llm::LinearOp>(other))
      products.push_back({&other, linear.getWeightAttr(), linear.getBiasAttr()});
    else if (auto logits = dyn_cast<llm::LogitsOp>(other))
      products.push_back({&other, logits.getHeadAttr(), logits.getBiasAttr()});
    else
      continue;
    done.insert(&other);
    ops.push_back(&other);
    totalRows += featuresOf(other.getResult(0));
  }

  KernelBuilder kernel(program, nameProducts(ops, input, isLazyNorm(input)), op->getLoc());
  OpBuilder &b = kernel.builder();
  Value row = readRow(kernel, input);
  int64_t perTile = matvecRowsPerTile(totalRows), first = 0;
  SmallVector<std::pair<Value, Value>> results; // known after all: nothing waits in between
  for (const Product &product : products) {
    Location loc = product.op->getLoc();
    int64_t features = featuresOf(product.op->getResult(0));
    Chain chain = chainFrom(product.op->getResult(0));
    SmallVector<Value> extras;
    Value weight = kernel.weight(product.weight);
    if (Value bias = kernel.weight(product.bias))
      extras.push_back(bias);
    for (Value addend : chain.addends)
      extras.push_back(kernel.arg(addend));
    Value output = program.makeRow(loc, features);
    auto matvec = plan::MatvecOp::create(b, loc, weight, row, kernel.arg(output), extras,
                                         kernel.begin(), kernel.end(), first, perTile);
    fillScalarRegion(b, loc, matvec.getEpilogue(), 1 + extras.size(), sumOf);
    results.push_back({chain.result, output});
    first += llvm::divideCeil(features, perTile);
  }
  kernel.dispatch(first);
  for (auto [result, output] : results)
    rows[result] = output;
}

void Lowering::emitMap(KernelBuilder &kernel, ArrayRef<Value> inputs, Value output,
                       int64_t perTile) {
  SmallVector<Value> args;
  for (Value input : inputs)
    args.push_back(kernel.arg(input));
  auto map = plan::MapOp::create(kernel.builder(), kernel.loc(), args, kernel.arg(output),
                                 kernel.begin(), kernel.end(), perTile);
  fillScalarRegion(kernel.builder(), kernel.loc(), map.getBody(), args.size(), sumOf);
}

void Lowering::lowerAdd(llm::AddOp op) {
  int64_t features = featuresOf(op.getResult());
  SmallVector<Value> inputs{rows.lookup(op.getLhs()), rows.lookup(op.getRhs())};
  Chain chain = chainFrom(op.getResult());
  inputs.append(chain.addends);
  Value output = program.makeRow(op.getLoc(), features);
  KernelBuilder kernel(program, "add", op.getLoc());
  emitMap(kernel, inputs, output, kColumnsPerTile);
  kernel.dispatch(llvm::divideCeil(features, kColumnsPerTile));
  rows[chain.result] = output;
}

LogicalResult Lowering::lowerReturn(func::ReturnOp op) {
  Value logits = op.getNumOperands() ? rows.lookup(op.getOperand(0)) : Value();
  if (!logits)
    return op.emitOpError("first result must be a row computed by the step: the logits");
  for (unsigned i = 1; i < op.getNumOperands(); ++i) {
    Value cache = op.getOperand(i);
    if (auto append = cache.getDefiningOp<llm::KvAppendOp>())
      cache = append.getCache();
    if (1 + i >= decode.getNumArguments() || cache != decode.getArgument(1 + i) ||
        !isa<llm::KvCacheType>(cache.getType()))
      return op.emitOpError() << "result " << i << " must be the cache of argument " << 1 + i;
  }
  program.setLogits(op.getLoc(), logits);
  return success();
}
