//===- PiLlmRun.cpp - pi-llm-run: teacher forcing through the reference interpreter -===//
//
// pi-llm-run F.llm.mlir --ids 1,2,3 [--top N] [--greedy N] [--dump-blocks]
// Prints {"ids":[..],"logits":[[[id,value],..] per position],"tokens":[..]} on stdout,
// the form of `OUT logits --json`: the N largest (0: all) in falling order, ties by id.
// --greedy goes on for N tokens. --dump-blocks prints one line per operation and
// position on stderr: position, result name, operation, numbers.

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/tools/pi-llm-run/LlmInterpreter.h"

#include <numeric>

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("F.llm.mlir"));
static cl::list<int64_t> ids("ids", cl::CommaSeparated, cl::Required, cl::desc("token ids"));
static cl::opt<size_t> top("top", cl::init(0), cl::desc("print the N largest logits (0: all)"));
static cl::opt<int64_t> greedy("greedy", cl::init(0), cl::desc("generate N tokens after the ids"));
static cl::opt<bool> dumpBlocks("dump-blocks", cl::desc("print every row that is computed"));

using Row = pi::LlmInterpreter::Row;

static void printIds(StringRef key, ArrayRef<int64_t> values) {
  llvm::outs() << '"' << key << "\":[";
  llvm::interleave(values, llvm::outs(), ",");
  llvm::outs() << ']';
}

/// Token ids from the largest logit to the smallest.
static std::vector<int64_t> ranked(const Row &logits) {
  std::vector<int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  return order;
}

static void printTop(const Row &logits) {
  std::vector<int64_t> order = ranked(logits);
  if (top != 0 && top < order.size())
    order.resize(top);
  llvm::outs() << '[';
  llvm::interleave(
      order, llvm::outs(),
      [&](int64_t id) { llvm::outs() << '[' << id << ',' << llvm::format("%.9g", logits[id]) << ']'; },
      ",");
  llvm::outs() << ']';
}

static FailureOr<Row> runStep(pi::LlmInterpreter &interpreter, int64_t token, AsmState &names) {
  int64_t position = interpreter.getPosition();
  return interpreter.step(token, [&](Operation *op, ArrayRef<float> row) {
    if (!dumpBlocks)
      return;
    llvm::errs() << position << ' ';
    op->getResult(0).printAsOperand(llvm::errs(), names);
    llvm::errs() << ' ' << op->getName();
    for (float value : row)
      llvm::errs() << ' ' << llvm::format("%.9g", value);
    llvm::errs() << '\n';
  });
}

static int run(ModuleOp module) {
  pi::LlmInterpreter interpreter(module);
  AsmState names(module);
  std::vector<int64_t> tokens;
  llvm::outs() << '{';
  printIds("ids", ids);
  llvm::outs() << ",\"logits\":[";
  int64_t next = 0;
  for (auto [i, id] : llvm::enumerate(ids)) {
    FailureOr<Row> logits = runStep(interpreter, id, names);
    if (failed(logits))
      return 1;
    llvm::outs() << (i ? "," : "");
    printTop(*logits);
    next = ranked(*logits).front();
  }
  llvm::outs() << ']';
  while (static_cast<int64_t>(tokens.size()) < greedy) {
    tokens.push_back(next);
    FailureOr<Row> logits = runStep(interpreter, next, names);
    if (failed(logits))
      return 1;
    next = ranked(*logits).front();
  }
  if (greedy > 0) {
    llvm::outs() << ',';
    printIds("tokens", tokens);
  }
  llvm::outs() << "}\n";
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "reference interpreter of the llm dialect\n");
  DialectRegistry registry;
  registry.insert<DLTIDialect, func::FuncDialect, pi::PiDialect, pi::llm::LlmDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  if (!module)
    return 1;
  if (!module->lookupSymbol<func::FuncOp>("decode")) {
    module->emitError("holds no function @decode");
    return 1;
  }
  return run(*module);
}
