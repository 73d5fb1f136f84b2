//===- PlanBase.td - The exit dialect ------------------------*- tablegen -*-===//

#ifndef PI_DIALECTS_PLAN_IR_PLANBASE_TD
#define PI_DIALECTS_PLAN_IR_PLANBASE_TD

include "dialects/Pi/IR/PiBase.td"
include "dialects/Plan/IR/PlanEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::pi::plan";
  let summary = "Exit dialect: arenas, buffers, kernels, dispatches";
  let description = [{
    One to one with the runtime ABI (`runtime/abi/pi_abi.h`): a `plan.program` is
    the table of steps of one token, a `plan.kernel` becomes one function of the
    generated object, so emitters only print. A kernel's work is cut into tiles;
    the runtime gives every thread a contiguous range of tiles, and no result
    depends on how they were shared out.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::pi::PiDialect"];
}

def Plan_ArenaKindAttr : EnumAttr<Plan_Dialect, Plan_ArenaKind, "arena_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Plan_NormKindAttr : EnumAttr<Plan_Dialect, Plan_NormKind, "norm_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

// f32 numbers of one token or scratch.
def Plan_F32Mem : MemRefOf<[F32]>;
// Numbers of rows.
def Plan_I32Mem : MemRefOf<[I32]>;
// A weight as stored.
def Plan_WeightMem : MemRefOf<[F32, F16, BF16]>;

class Plan_Op<string mnemonic, list<Trait> traits = []> :
    Op<Plan_Dialect, mnemonic, traits>;

#endif // PI_DIALECTS_PLAN_IR_PLANBASE_TD
