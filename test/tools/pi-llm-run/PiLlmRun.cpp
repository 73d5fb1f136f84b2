//===- PiLlmRun.cpp - pi-llm-run: teacher forcing through the reference interpreter -===//
//
// pi-llm-run F.llm.mlir --ids 1,2,3 [--top N] [--greedy N] [--dump-blocks]
// Prints {"ids":[..],"logits":[[[id,value],..] per position],"tokens":[..]} on stdout,
// the form of `OUT logits --json`: the N largest (0: all) in falling order, ties by id.
// --greedy goes on for N tokens. --dump-blocks prints one line per operation and
// position on stderr: position, result name, operation, numbers.

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/tools/pi-llm-run/LlmInterpreter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

#include <numeric>

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("F.llm.mlir"));
static cl::list<int64_t> ids("ids", cl::CommaSeparated, cl::Required, cl::desc("token ids"));
static cl::opt<size_t> top("top", cl::init(0), cl::desc("print the N largest logits (0: all)"));
static cl::opt<int64_t> greedy("greedy", cl::init(0), cl::desc("generate N tokens after the ids"));
static cl::opt<bool> dumpBlocks("dump-blocks", cl::desc("print every row that is computed"));

using Row = pi::LlmInterpreter::Row;

static void printIds(raw_ostream &out, StringRef key, ArrayRef<int64_t> values) {
  out << '"' << key << "\":[";
  llvm::interleave(values, out, ",");
  out << ']';
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

static void printTop(raw_ostream &out, const Row &logits) {
  std::vector<int64_t> order = ranked(logits);
  if (top != 0 && top < order.size())
    order.resize(top);
  auto printOne = [&](int64_t id) {
    out << '[' << id << ',' << llvm::format("%.9g", logits[id]) << ']';
  };
  out << '[';
  llvm::interleave(order, out, printOne, ",");
  out << ']';
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

/// Runs all steps; the JSON goes to `out`, which is of no use after a failure.
static LogicalResult run(ModuleOp module, raw_ostream &out) {
  pi::LlmInterpreter interpreter(module);
  AsmState names(module);
  std::vector<int64_t> tokens;
  out << '{';
  printIds(out, "ids", ids);
  out << ",\"logits\":[";
  FailureOr<Row> logits = failure();
  for (auto [i, id] : llvm::enumerate(ids)) {
    if (failed(logits = runStep(interpreter, id, names)))
      return failure();
    out << (i ? "," : "");
    printTop(out, *logits);
  }
  out << ']';
  while (static_cast<int64_t>(tokens.size()) < greedy) {
    tokens.push_back(ranked(*logits).front());
    bool last = static_cast<int64_t>(tokens.size()) == greedy;
    if (!last && failed(logits = runStep(interpreter, tokens.back(), names)))
      return failure();
  }
  if (greedy > 0) {
    out << ',';
    printIds(out, "tokens", tokens);
  }
  out << "}\n";
  return success();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "reference interpreter of the llm dialect\n");
  DialectRegistry registry;
  registry.insert<DLTIDialect, func::FuncDialect, pi::PiDialect, pi::llm::LlmDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, sources, &context);
  if (!module)
    return 1;
  if (!module->lookupSymbol<func::FuncOp>("decode")) {
    module->emitError("holds no function @decode");
    return 1;
  }
  std::string json;
  llvm::raw_string_ostream out(json);
  if (failed(run(*module, out)))
    return 1;
  llvm::outs() << json;
  return 0;
}
