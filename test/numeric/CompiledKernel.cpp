//===- CompiledKernel.cpp - plan IR text compiled and called in-process -===//

#include "test/numeric/CompiledKernel.h"

#include "codegen/Cpu/CpuCodegen.h"
#include "dialects/Pi/IR/Pi.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include <algorithm>
#include <cstring>

using namespace pi::test;

std::unique_ptr<mlir::MLIRContext> pi::test::makeContext() {
  mlir::DialectRegistry registry;
  registry
      .insert<pi::PiDialect, pi::plan::PlanDialect, mlir::arith::ArithDialect, mlir::DLTIDialect,
              mlir::func::FuncDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  auto context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

std::string pi::test::makeModuleText(const std::vector<std::string> &types, const std::string &body,
                                     int64_t vectorBits) {
  std::string cpu = vectorBits == 512 ? "x86-64-v4" : "x86-64-v3";
  std::string params, buffers, names, list;
  for (size_t i = 0; i < types.size(); ++i) {
    params += ", %arg" + std::to_string(i) + ": " + types[i];
    buffers += "%arg" + std::to_string(i) + " = plan.buffer @all offset 0 : " + types[i] + "\n";
    names += (i ? ", %arg" : "%arg") + std::to_string(i);
    list += (i ? ", " : "") + types[i];
  }
  return "module attributes {dlti.target_system_spec = #dlti.target_system_spec<\"cpu0\" = "
         "#dlti.target_device_spec<\"pi.cpu\" = \"" +
         cpu + "\", \"pi.vector_bits\" = " + std::to_string(vectorBits) +
         " : i64>>} {\n"
         "plan.arena @all <activations> bytes 4611686018427387904\n"
         "plan.kernel @k on <cpu> {\n^bb0(%token: index, %position: index, %begin: index, "
         "%end: index" +
         params + "):\n" + body + "\n}\nplan.program @decode {\n" + buffers +
         "plan.dispatch @k tiles 1 (" + names + ") : " + list +
         "\n%logits = plan.buffer @all offset 0 : memref<1x7xf32>\n"
         "plan.logits %logits : memref<1x7xf32>\n}\n}\n";
}

CompiledProgram::CompiledProgram() = default;
CompiledProgram::~CompiledProgram() = default;

/// Prints the error, if there is one, and says whether there was.
static bool failedWith(llvm::Error error) {
  if (!error)
    return false;
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  return true;
}

std::unique_ptr<CompiledProgram> CompiledProgram::create(mlir::ModuleOp module) {
  if (failed(pi::cpu::runCpuCodegen(module, {})))
    return nullptr;
  auto object = pi::cpu::getObject(module);
  if (failed(object))
    return nullptr;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (failedWith(jit.takeError()))
    return nullptr;
  llvm::StringRef bytes(object->data(), object->size());
  if (failedWith((*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, "cold.o"))))
    return nullptr;
  auto symbol = (*jit)->lookup("pi_program_v1");
  if (failedWith(symbol.takeError()))
    return nullptr;
  std::unique_ptr<CompiledProgram> result(new CompiledProgram);
  result->jit = std::move(*jit);
  result->table = symbol->toPtr<const pi_program *>();
  return result;
}

std::unique_ptr<CompiledProgram> CompiledProgram::create(const std::string &text) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  return module ? create(*module) : nullptr;
}

void CompiledProgram::call(const std::vector<GuardedBuffer *> &args, int64_t begin, int64_t end,
                           int64_t position, int64_t token) const {
  pi_call call{};
  call.struct_bytes = sizeof call;
  call.token = token;
  call.position = position;
  std::vector<void *> pointers;
  for (GuardedBuffer *arg : args)
    pointers.push_back(arg->data());
  table->kernels[0].fn(&call, pointers.data(), begin, end);
}

bool CompiledProgram::sameForAllSplits(const std::vector<GuardedBuffer *> &args,
                                       const std::vector<size_t> &outputs, int64_t tiles,
                                       int64_t position) const {
  std::vector<std::vector<uint8_t>> before, expected;
  for (GuardedBuffer *arg : args)
    before.push_back(arg->toBytes());
  call(args, 0, tiles, position);
  for (GuardedBuffer *arg : args)
    expected.push_back(arg->toBytes());
  bool same = true;
  // Ranges of 1, 2, 3, 5 tiles, and an empty one at either end.
  for (int64_t step : {1, 2, 3, 5}) {
    for (size_t i = 0; i < args.size(); ++i)
      memcpy(args[i]->data(), before[i].data(), before[i].size());
    call(args, 0, 0, position);
    for (int64_t begin = 0; begin < tiles; begin += step)
      call(args, begin, std::min(begin + step, tiles), position);
    call(args, tiles, tiles, position);
    for (size_t out : outputs)
      same &= args[out]->toBytes() == expected[out];
  }
  return same;
}

bool pi::test::hostHasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

double pi::test::dotBound(int64_t length, int64_t lanes) {
  // Rounds of four vectors, up to three single vectors, two pairwise sums, log2(lanes)
  // halvings, up to lanes - 1 scalars.
  double roundings =
      static_cast<double>(length / (4 * lanes) + 3 + 2 + (lanes == 16 ? 4 : 3) + lanes - 1);
  return roundings * kRound * 1.01;
}
