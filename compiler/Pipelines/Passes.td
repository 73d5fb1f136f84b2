//===- Passes.td - Passes that belong to no pair of dialects -*- tablegen -*-===//

#ifndef PI_COMPILER_PIPELINES_PASSES_TD
#define PI_COMPILER_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckLevel : Pass<"pi-check-level", "::mlir::ModuleOp"> {
  let summary = "Refuses a module that is not of a level";
  let description = [{
    Ends every phase, and begins a compilation from a later phase. The levels:

    | level | operations | must hold |
    | --- | --- | --- |
    | `onnx` | func, onnx, pi; or all of `llm` | a function |
    | `llm` | func, llm, pi | function @decode |
    | `neuron` | func, llm without `llm.ffn`, neuron, pi | function @decode |
    | `plan` | plan, arith, pi, `neuron.group` | one `plan.program`; sizes, offsets; see below |

    In a plan, buffers that live at the same time must not overlap.

    The first operation that does not belong is an error at its location; so is a
    size that no machine can hold, a KV cache of another capacity than `pi.model`
    says, and, where `phase` is given, a module without `pi.model`. The module is
    not changed.
  }];
  let options = [
    Option<"level", "level", "std::string", /*default=*/"", "onnx, llm, neuron or plan">,
    Option<"phase", "phase", "std::string", /*default=*/"",
           "name of the phase that should have made the module; for the message only">
  ];
}

def ConvertWeights : Pass<"pi-convert-weights", "::mlir::ModuleOp"> {
  let summary = "Sets the type in which matrices are stored";
  let description = [{
    With `type=f32` every `pi.weight` of rank 2 gets the element type f32; its
    source stays as it is, the packager converts while it streams. With
    `type=as-stored` nothing changes. Idempotent.

    Before: `pi.weight @w : tensor<4x2xf16> from <... type = tensor<4x2xf16> ...>`
    After: `pi.weight @w : tensor<4x2xf32> from <... type = tensor<4x2xf16> ...>`
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"as-stored\"", "as-stored or f32">
  ];
}

def DebugFail : Pass<"pi-debug-fail", "::mlir::ModuleOp"> {
  let summary = "Fails, to test what happens then";
  let description = [{
    `how=crash` ends in an abort, `how=silent` fails without a diagnostic, as a bug
    would, `how=error` with one. No phase contains this pass.
  }];
  let options = [
    Option<"how", "how", "std::string", /*default=*/"\"crash\"", "crash, silent or error">
  ];
}

def RecordShape : Pass<"pi-record-shape", "::mlir::ModuleOp"> {
  let summary = "Records the sizes of the model for the facts an executable prints";
  let description = [{
    Sets the module attribute `pi.shape` from the blocks of `@decode`: later levels
    have no blocks left to read them from. Runs before `pi-split-ffn`; a module
    without `llm.ffn`, or with a block of the decoder missing, keeps what it has.
    What config.json says of these sizes (`pi.config`) is compared, a difference is
    a warning, and the attribute is removed.

    Before: `module { ... llm.attention %q, %c at %p heads 8 ... }`
    After: `module attributes {pi.shape = #pi.shape<layers = 4, hidden = 256,
    intermediate = 1024, heads = 8, kv_heads = 4, vocab = 4096, kv = f32>} { ... }`
  }];
  let dependentDialects = ["::pi::PiDialect"];
}

#endif // PI_COMPILER_PIPELINES_PASSES_TD
