//===- PlanBuilder.cpp - Writes a plan.program and its kernels -===//

#include "compiler/Conversion/NeuronToPlan/PlanBuilder.h"

#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pi;

void pi::fillScalarRegion(OpBuilder &builder, Location loc, Region &region, size_t numArgs,
                          ScalarBody body) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);
  for (size_t i = 0; i < numArgs; ++i)
    block->addArgument(builder.getF32Type(), loc);
  Value result = body(builder, block->getArguments());
  plan::YieldOp::create(builder, loc, result);
}

Value pi::sumOf(OpBuilder &builder, ValueRange args) {
  Value sum = args.front();
  for (Value arg : args.drop_front())
    sum = arith::AddFOp::create(builder, arg.getLoc(), sum, arg);
  return sum;
}

//===----------------------------------------------------------------------===//
// ProgramBuilder
//===----------------------------------------------------------------------===//

ProgramBuilder::ProgramBuilder(ModuleOp module, StringRef name, Location loc)
    : module(module), body(module.getContext()), stored(module) {
  body.setInsertionPointToEnd(module.getBody());
  activations = plan::ArenaOp::create(body, loc, freeName("activations"),
                                      plan::ArenaKind::Activations, IntegerAttr(), StringAttr());
  caches = plan::ArenaOp::create(body, loc, freeName("kv"), plan::ArenaKind::KvCache, IntegerAttr(),
                                 StringAttr());
  programOp = plan::ProgramOp::create(body, loc, name, StringAttr());
  body.createBlock(&programOp.getBody());
}

std::string ProgramBuilder::freeName(StringRef base) {
  std::string name = base.str();
  for (int64_t n = 1; SymbolTable::lookupSymbolIn(module, name); ++n)
    name = (base + "_" + Twine(n)).str();
  return name;
}

Value ProgramBuilder::makeBuffer(Location loc, plan::ArenaOp arena, MemRefType type) {
  return plan::BufferOp::create(body, loc, type, arena.getSymName(), IntegerAttr());
}

Value ProgramBuilder::makeScratch(Location loc, int64_t rows, int64_t columns) {
  return makeBuffer(loc, activations, MemRefType::get({rows, columns}, body.getF32Type()));
}

Value ProgramBuilder::makeRow(Location loc, int64_t features) {
  return makeScratch(loc, 1, features);
}

Value ProgramBuilder::makeCache(Location loc, ArrayRef<int64_t> shape, Type type) {
  return makeBuffer(loc, caches, MemRefType::get(shape, type));
}

Value ProgramBuilder::weight(Location loc, FlatSymbolRefAttr name) {
  assert(!isBundled(name) && "parts of bundles are read by neurons only");
  return part(loc, name).weight;
}

WeightPart ProgramBuilder::part(Location loc, FlatSymbolRefAttr name) {
  StoredWeights::Columns columns = stored.find(name.getValue());
  assert(columns.op && "verifiers have looked the weight up");
  Value &value = weights[columns.op];
  if (!value) {
    RankedTensorType type = getStoredType(columns.op);
    value =
        plan::WeightOp::create(body, loc, MemRefType::get(type.getShape(), type.getElementType()),
                               SymbolTable::getSymbolName(columns.op));
  }
  return {value, columns.first};
}

Value ProgramBuilder::makeVector(Location loc, int64_t count, Type type) {
  return makeBuffer(loc, activations, MemRefType::get({count}, type));
}

void ProgramBuilder::setActivity(Location loc, Value counts, int64_t layer, int64_t neurons) {
  plan::ActivityOp::create(body, loc, counts, layer, neurons);
}

void ProgramBuilder::setTrace(Location loc, Value activations, Value input, int64_t layer) {
  plan::TraceOp::create(body, loc, activations, input, layer);
}

void ProgramBuilder::setLogits(Location loc, Value row) { plan::LogitsOp::create(body, loc, row); }

//===----------------------------------------------------------------------===//
// KernelBuilder
//===----------------------------------------------------------------------===//

KernelBuilder::KernelBuilder(ProgramBuilder &program, StringRef name, Location loc)
    : program(program), body(program.program()) {
  kernel = plan::KernelOp::create(body, loc, program.freeName(name), Place::Cpu, StringAttr());
  Block *block = body.createBlock(&kernel.getBody());
  for (unsigned i = 0; i < plan::KernelOp::kNumIndexArgs; ++i)
    block->addArgument(body.getIndexType(), loc);
}

Value KernelBuilder::arg(Value programValue) {
  Value &value = args[programValue];
  if (!value) {
    value = kernel.getBlock()->addArgument(programValue.getType(), kernel.getLoc());
    operands.push_back(programValue);
  }
  return value;
}

Value KernelBuilder::weight(FlatSymbolRefAttr name) {
  return name ? arg(program.weight(kernel.getLoc(), name)) : Value();
}

WeightPart KernelBuilder::part(FlatSymbolRefAttr name) {
  if (!name)
    return {};
  WeightPart part = program.part(kernel.getLoc(), name);
  return {arg(part.weight), part.column};
}

void KernelBuilder::dispatch(int64_t tiles) {
  plan::DispatchOp::create(program.builder(), kernel.getLoc(), kernel.getSymName(), tiles,
                           operands);
}
