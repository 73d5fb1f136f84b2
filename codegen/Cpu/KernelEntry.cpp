//===- KernelEntry.cpp - Functions to kernels of the ABI -===//

#include "codegen/Cpu/KernelEntry.h"

#include "dialects/Plan/IR/Plan.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/abi/pi_abi.h"
#include <cstddef>

using namespace mlir;

/// The index at byte `offset` of the pi_call.
static Value loadField(ImplicitLocOpBuilder &b, Value call, size_t offset) {
  Value address = LLVM::GEPOp::create(b, call.getType(), b.getI8Type(), call,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  Value value = LLVM::LoadOp::create(b, b.getI64Type(), address, /*alignment=*/8);
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

/// The memref of `type` whose address is args[number].
static Value loadBuffer(ImplicitLocOpBuilder &b, const LLVMTypeConverter &converter, Value args,
                        int32_t number, MemRefType type) {
  Type ptr = args.getType();
  Value slot = LLVM::GEPOp::create(b, ptr, ptr, args, ArrayRef<LLVM::GEPArg>{number});
  Value address = LLVM::LoadOp::create(b, ptr, slot, /*alignment=*/8);
  Value descriptor = MemRefDescriptor::fromStaticShape(b, b.getLoc(), converter, type, address);
  return UnrealizedConversionCastOp::create(b, TypeRange{type}, descriptor).getResult(0);
}

/// No calls of memset or memcpy may be made of our loops; vectors keep their width.
static ArrayAttr functionAttributes(Builder &b, int64_t vectorBits) {
  std::string width = std::to_string(vectorBits);
  return b.getArrayAttr({b.getStringAttr("no-builtins"),
                         b.getStrArrayAttr({"min-legal-vector-width", width}),
                         b.getStrArrayAttr({"prefer-vector-width", width})});
}

void pi::cpu::makeKernelEntry(func::FuncOp function, int64_t vectorBits) {
  ImplicitLocOpBuilder b(function.getLoc(), function);
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {ptr, ptr, i64, i64});
  auto kernel = LLVM::LLVMFuncOp::create(b, function.getSymName(), type, LLVM::Linkage::Internal,
                                         /*dsoLocal=*/true);
  kernel.setPassthroughAttr(functionAttributes(b, vectorBits));
  kernel.setNoUnwindAttr(b.getUnitAttr());

  Block &body = function.getBody().front();
  Operation *end = body.getTerminator();
  b.setInsertionPoint(end);
  LLVM::ReturnOp::create(b, ValueRange());
  end->erase();

  Block *entry = kernel.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  LLVMTypeConverter converter(b.getContext());
  Value call = entry->getArgument(0), args = entry->getArgument(1);
  SmallVector<Value> values{loadField(b, call, offsetof(pi_call, token)),
                            loadField(b, call, offsetof(pi_call, position))};
  for (unsigned i : {2u, 3u})
    values.push_back(arith::IndexCastOp::create(b, b.getIndexType(), entry->getArgument(i)));
  for (BlockArgument arg : body.getArguments().drop_front(plan::KernelOp::kNumIndexArgs))
    values.push_back(loadBuffer(b, converter, args,
                                arg.getArgNumber() - plan::KernelOp::kNumIndexArgs,
                                cast<MemRefType>(arg.getType())));
  for (auto [arg, value] : llvm::zip(body.getArguments(), values))
    arg.replaceAllUsesWith(value);
  entry->getOperations().splice(entry->end(), body.getOperations());
  function.erase();
}
