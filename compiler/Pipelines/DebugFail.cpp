//===- DebugFail.cpp - Fails, to test what happens then -===//

#include "compiler/Pipelines/Passes.h"

#include <cstdlib>

#define DEBUG_TYPE "pi-debug-fail"

namespace pi {
#define GEN_PASS_DEF_DEBUGFAIL
#include "compiler/Pipelines/Passes.h.inc"
} // namespace pi

namespace {
struct DebugFail : pi::impl::DebugFailBase<DebugFail> {
  using DebugFailBase::DebugFailBase;

  void runOnOperation() override {
    if (how == "crash")
      std::abort();
    if (how == "error")
      getOperation().emitError("made to fail");
    signalPassFailure();
  }
};
} // namespace
