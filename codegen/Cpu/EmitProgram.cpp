//===- EmitProgram.cpp - The program to the constant tables of the ABI -===//

#include "codegen/Cpu/CpuTarget.h"
#include "codegen/Cpu/KernelEntry.h"
#include "codegen/Cpu/Passes.h"
#include "dialects/Pi/IR/StoredWeights.h"
#include "dialects/Plan/IR/Plan.h"
#include "runtime/abi/pi_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Target/TargetMachine.h"

#define DEBUG_TYPE "pi-emit-program"

namespace pi::cpu {
#define GEN_PASS_DEF_EMITPROGRAM
#include "codegen/Cpu/Passes.h.inc"
} // namespace pi::cpu

using namespace mlir;
using namespace pi;

namespace {
/// A pi_arg.
struct Arg {
  uint32_t space;
  uint32_t index;
  uint64_t offset; // bytes
};

/// Collects the rows of the tables from a plan.program.
class ProgramTables {
public:
  ProgramTables(plan::ProgramOp program, ModuleOp module)
      : program(program), module(module), weights(module) {}

  LogicalResult collect();
  void emit(uint32_t cpuFeatures);

private:
  LogicalResult addArena(plan::ArenaOp arena);
  LogicalResult addValue(Operation &op);
  LogicalResult addStep(plan::DispatchOp dispatch);
  void addActivity(plan::ActivityOp op);
  void addTrace(plan::TraceOp op);

  ArrayAttr argAttr(const Arg &arg);
  void emitKernels();
  void emitArenas();
  void emitTables();
  LLVM::GlobalOp emitConstant(StringRef name, Type type, Attribute value, LLVM::Linkage linkage,
                              llvm::function_ref<Value(OpBuilder &)> init = nullptr);
  Value addressOf(OpBuilder &b, StringRef name);
  Value emitString(OpBuilder &b, StringRef name, StringRef text);

  plan::ProgramOp program;
  ModuleOp module;
  llvm::MapVector<StringRef, uint32_t> kernels, arenas; // name -> index
  StoredWeights weights;
  SmallVector<plan::ArenaOp> arenaOps;
  DenseMap<Value, Arg> places; // looked up only
  SmallVector<Attribute> args, steps, activity, traces;
  Arg logits{};
  uint32_t vocab = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Collect
//===----------------------------------------------------------------------===//

LogicalResult ProgramTables::addArena(plan::ArenaOp arena) {
  if (!arena.getBytes()) {
    InFlightDiagnostic diag = arena.emitOpError("has no size");
    diag.attachNote() << "pi-plan-memory sets sizes and offsets";
    return diag;
  }
  arenas.insert({arena.getSymName(), arenas.size()});
  arenaOps.push_back(arena);
  return success();
}

LogicalResult ProgramTables::addValue(Operation &op) {
  if (auto weight = dyn_cast<plan::WeightOp>(op)) {
    int64_t index = weights.indexOf(weight.getWeight());
    assert(index >= 0 && "plan.weight names something stored");
    places[weight.getResult()] = {PI_SPACE_WEIGHT, static_cast<uint32_t>(index), 0};
    return success();
  }
  auto buffer = cast<plan::BufferOp>(op);
  if (!buffer.getOffset()) {
    InFlightDiagnostic diag = buffer.emitOpError("has no offset");
    diag.attachNote() << "pi-plan-memory sets sizes and offsets";
    return diag;
  }
  places[buffer.getResult()] = {PI_SPACE_ARENA, arenas.lookup(buffer.getArena()),
                                static_cast<uint64_t>(*buffer.getOffset())};
  return success();
}

ArrayAttr ProgramTables::argAttr(const Arg &arg) {
  Builder b(module.getContext());
  return b.getArrayAttr({b.getI32IntegerAttr(arg.space), b.getI32IntegerAttr(arg.index),
                         b.getI64IntegerAttr(arg.offset)});
}

LogicalResult ProgramTables::addStep(plan::DispatchOp dispatch) {
  auto *kernel = kernels.find(dispatch.getKernel());
  if (kernel == kernels.end())
    return dispatch.emitOpError("names a kernel that has no CPU code: ")
           << dispatch.getKernelAttr();
  Builder b(module.getContext());
  steps.push_back(
      b.getArrayAttr({b.getI32IntegerAttr(kernel->second), b.getI32IntegerAttr(args.size()),
                      b.getI32IntegerAttr(dispatch.getArgs().size()), b.getI32IntegerAttr(0),
                      b.getI64IntegerAttr(dispatch.getTiles())}));
  for (Value arg : dispatch.getArgs())
    args.push_back(argAttr(places.lookup(arg)));
  return success();
}

void ProgramTables::addActivity(plan::ActivityOp op) {
  Builder b(module.getContext());
  int64_t tiles = cast<MemRefType>(op.getCounts().getType()).getNumElements();
  activity.push_back(
      b.getArrayAttr({argAttr(places.lookup(op.getCounts())), b.getI32IntegerAttr(tiles),
                      b.getI32IntegerAttr(op.getLayer()), b.getI64IntegerAttr(op.getNeurons())}));
}

void ProgramTables::addTrace(plan::TraceOp op) {
  Builder b(module.getContext());
  auto elements = [](Value buffer) { return cast<MemRefType>(buffer.getType()).getNumElements(); };
  traces.push_back(b.getArrayAttr(
      {argAttr(places.lookup(op.getActivations())), argAttr(places.lookup(op.getInput())),
       b.getI32IntegerAttr(op.getLayer()), b.getI32IntegerAttr(elements(op.getInput())),
       b.getI64IntegerAttr(elements(op.getActivations()))}));
}

LogicalResult ProgramTables::collect() {
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      kernels.insert({function.getSymName(), kernels.size()});
    else if (auto arena = dyn_cast<plan::ArenaOp>(op))
      if (failed(addArena(arena)))
        return failure();
  }
  for (Operation &op : program.getBody().front()) {
    if (isa<plan::WeightOp, plan::BufferOp>(op)) {
      if (failed(addValue(op)))
        return failure();
    } else if (auto dispatch = dyn_cast<plan::DispatchOp>(op)) {
      if (failed(addStep(dispatch)))
        return failure();
    } else if (auto counted = dyn_cast<plan::ActivityOp>(op)) {
      addActivity(counted);
    } else if (auto trace = dyn_cast<plan::TraceOp>(op)) {
      addTrace(trace);
    } else if (auto result = dyn_cast<plan::LogitsOp>(op)) {
      logits = places.lookup(result.getBuffer());
      vocab = cast<MemRefType>(result.getBuffer().getType()).getNumElements();
    } else {
      return op.emitOpError("has no place in the program's tables");
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Emit
//===----------------------------------------------------------------------===//

LLVM::GlobalOp ProgramTables::emitConstant(StringRef name, Type type, Attribute value,
                                           LLVM::Linkage linkage,
                                           llvm::function_ref<Value(OpBuilder &)> init) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto global =
      LLVM::GlobalOp::create(b, program.getLoc(), type, /*isConstant=*/true, linkage, name, value);
  if (init) {
    b.setInsertionPointToStart(&global.getInitializerRegion().emplaceBlock());
    Value built = init(b);
    LLVM::ReturnOp::create(b, program.getLoc(), built);
  }
  return global;
}

Value ProgramTables::addressOf(OpBuilder &b, StringRef name) {
  return LLVM::AddressOfOp::create(b, program.getLoc(), LLVM::LLVMPointerType::get(b.getContext()),
                                   name);
}

/// The address of a NUL-terminated constant.
Value ProgramTables::emitString(OpBuilder &b, StringRef name, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  emitConstant(name, type, b.getStringAttr(bytes), LLVM::Linkage::Internal);
  return addressOf(b, name);
}

/// A struct constant from its fields' values.
static Value makeStruct(OpBuilder &b, Location loc, Type type, ArrayRef<Value> fields) {
  Value value = LLVM::PoisonOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, loc, value, field, i);
  return value;
}

static Value makeInt(OpBuilder &b, Location loc, unsigned bits, uint64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(bits), value));
}

/// pi_kernel[]: name, function.
void ProgramTables::emitKernels() {
  MLIRContext *context = module.getContext();
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type row = LLVM::LLVMStructType::getLiteral(context, {ptr, ptr});
  Type table = LLVM::LLVMArrayType::get(row, kernels.size());
  emitConstant("pi_kernels", table, {}, LLVM::Linkage::Internal, [&](OpBuilder &b) {
    Value value = LLVM::PoisonOp::create(b, program.getLoc(), table);
    for (auto [name, i] : kernels) {
      Value text = emitString(b, ("pi_name." + name).str(), name);
      Value fields = makeStruct(b, program.getLoc(), row, {text, addressOf(b, name)});
      value = LLVM::InsertValueOp::create(b, program.getLoc(), value, fields, i);
    }
    return value;
  });
}

/// pi_arena[]: name, bytes, kind, reserved.
void ProgramTables::emitArenas() {
  MLIRContext *context = module.getContext();
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  Type row = LLVM::LLVMStructType::getLiteral(context, {ptr, i64, i32, i32});
  Type table = LLVM::LLVMArrayType::get(row, arenaOps.size());
  emitConstant("pi_arenas", table, {}, LLVM::Linkage::Internal, [&](OpBuilder &b) {
    Location loc = program.getLoc();
    Value value = LLVM::PoisonOp::create(b, loc, table);
    for (auto [i, arena] : llvm::enumerate(arenaOps)) {
      Value text = emitString(b, ("pi_name." + arena.getSymName()).str(), arena.getSymName());
      uint32_t kind =
          arena.getKind() == plan::ArenaKind::KvCache ? PI_ARENA_KV_CACHE : PI_ARENA_ACTIVATIONS;
      Value fields = makeStruct(b, loc, row,
                                {text, makeInt(b, loc, 64, *arena.getBytes()),
                                 makeInt(b, loc, 32, kind), makeInt(b, loc, 32, 0)});
      value = LLVM::InsertValueOp::create(b, loc, value, fields, i);
    }
    return value;
  });
}

/// pi_arg[], pi_step[], pi_activity[] and pi_trace[]: numbers only.
void ProgramTables::emitTables() {
  Builder b(module.getContext());
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Type arg = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i64});
  Type step = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32, i64});
  emitConstant("pi_args", LLVM::LLVMArrayType::get(arg, args.size()), b.getArrayAttr(args),
               LLVM::Linkage::Internal);
  Type counted = LLVM::LLVMStructType::getLiteral(b.getContext(), {arg, i32, i32, i64});
  emitConstant("pi_activity", LLVM::LLVMArrayType::get(counted, activity.size()),
               b.getArrayAttr(activity), LLVM::Linkage::Internal);
  Type trace = LLVM::LLVMStructType::getLiteral(b.getContext(), {arg, arg, i32, i32, i64});
  emitConstant("pi_traces", LLVM::LLVMArrayType::get(trace, traces.size()), b.getArrayAttr(traces),
               LLVM::Linkage::Internal);
  emitConstant("pi_steps", LLVM::LLVMArrayType::get(step, steps.size()), b.getArrayAttr(steps),
               LLVM::Linkage::Internal);
}

void ProgramTables::emit(uint32_t cpuFeatures) {
  emitKernels();
  emitArenas();
  emitTables();
  auto model = module->getAttrOfType<pi::ModelAttr>("pi.model");
  int64_t context = model ? model.getCapacity() : 0;
  MLIRContext *ctx = module.getContext();
  Type ptr = LLVM::LLVMPointerType::get(ctx);
  Type i32 = IntegerType::get(ctx, 32), i64 = IntegerType::get(ctx, 64);
  // pi_program; the three fields before the last four are the pi_arg of the logits.
  Type type =
      LLVM::LLVMStructType::getLiteral(ctx, {i32, i32, i32, i32, ptr, i32, i32, ptr, ptr, ptr, i32,
                                             i32, i32, i32, i32, i32, i64, ptr, i32, i32, ptr});
  emitConstant("pi_program_v1", type, {}, LLVM::Linkage::External, [&](OpBuilder &b) {
    Location loc = program.getLoc();
    auto u32 = [&](uint64_t value) { return makeInt(b, loc, 32, value); };
    return makeStruct(b, loc, type,
                      {u32(PI_ABI_VERSION),
                       u32(sizeof(pi_program)),
                       u32(cpuFeatures),
                       u32(kernels.size()),
                       addressOf(b, "pi_kernels"),
                       u32(arenaOps.size()),
                       u32(args.size()),
                       addressOf(b, "pi_arenas"),
                       addressOf(b, "pi_args"),
                       addressOf(b, "pi_steps"),
                       u32(steps.size()),
                       u32(weights.getOps().size()),
                       u32(vocab),
                       u32(context),
                       u32(logits.space),
                       u32(logits.index),
                       makeInt(b, loc, 64, logits.offset),
                       addressOf(b, "pi_activity"),
                       u32(activity.size()),
                       u32(traces.size()),
                       addressOf(b, "pi_traces")});
  });
}

namespace {
struct EmitProgram : public cpu::impl::EmitProgramBase<EmitProgram> {
  using EmitProgramBase::EmitProgramBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto programs = llvm::to_vector(module.getOps<plan::ProgramOp>());
    if (programs.size() != 1) {
      module.emitError("needs exactly one plan.program, got ") << programs.size();
      return signalPassFailure();
    }
    FailureOr<cpu::Target> target = cpu::getTarget(module);
    if (failed(target))
      return signalPassFailure();
    auto machine = cpu::createTargetMachine(target->cpu, module.getLoc());
    if (failed(machine))
      return signalPassFailure();
    // Dispatches name kernels with the arguments they had, so they go first.
    plan::ProgramOp program = programs.front();
    Operation *detached = program;
    detached->remove();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      cpu::makeKernelEntry(function, target->vectorBits);
    ProgramTables tables(program, module);
    LogicalResult collected = tables.collect();
    if (succeeded(collected))
      tables.emit(cpu::getCpuFeatures(**machine));
    detached->destroy();
    if (failed(collected))
      return signalPassFailure();
    for (auto arena : llvm::make_early_inc_range(module.getOps<plan::ArenaOp>()))
      arena.erase();
  }
};
} // namespace
