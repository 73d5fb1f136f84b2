//===- JsonFile.cpp - Reading small JSON files of unknown origin -===//

#include "compiler/Import/JsonFile.h"

#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

static constexpr unsigned kMaxDepth = 100; // llvm::json recurses once per level

/// Deepest nesting of brackets outside strings.
static unsigned nestingDepth(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

/// Turns "[line:column, byte=N]: text" of llvm::json into a located error.
static LogicalResult emitParseError(MLIRContext *context, StringRef path, StringRef message) {
  unsigned line = 0, column = 0;
  StringRef rest = message;
  unsigned long long byte = 0;
  if (rest.consume_front("[") && !rest.consumeInteger(10, line) && rest.consume_front(":") &&
      !rest.consumeInteger(10, column) && rest.consume_front(", byte=") &&
      !rest.consumeInteger(10, byte) && rest.consume_front("]: "))
    message = rest;
  return emitError(FileLineColLoc::get(context, path, line, column))
         << "cannot parse JSON: " << message;
}

FailureOr<std::optional<llvm::json::Object>> pi::readJsonFile(MLIRContext *context, StringRef path,
                                                              uint64_t maxBytes) {
  using llvm::json::Object;
  auto fail = [&] { return emitError(fileLocation(context, path)); };
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status) == std::errc::no_such_file_or_directory)
    return std::optional<Object>();
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return fail() << "cannot be read: it is not a regular file";
  if (status.getSize() > maxBytes)
    return fail() << "is longer than " << maxBytes << " bytes";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail() << "cannot be read: " << buffer.getError().message();
  StringRef text = (*buffer)->getBuffer();
  if (nestingDepth(text) > kMaxDepth)
    return fail() << "is nested deeper than " << kMaxDepth << " levels";
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(text);
  if (!root)
    return emitParseError(context, path, llvm::toString(root.takeError()));
  Object *object = root->getAsObject();
  if (!object)
    return fail() << "expected a JSON object";
  return std::optional<Object>(std::move(*object));
}
