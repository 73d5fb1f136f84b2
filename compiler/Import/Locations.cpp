//===- Locations.cpp - Node names as locations -===//

#include "compiler/Import/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

Location pi::fileLocation(MLIRContext *context, StringRef file) {
  return FileLineColLoc::get(context, file, 0, 0);
}

Location pi::nodeLocation(MLIRContext *context, StringRef file, StringRef name) {
  if (name.empty())
    return fileLocation(context, file);
  return NameLoc::get(StringAttr::get(context, name), fileLocation(context, file));
}

StringRef pi::nodeName(Location loc) {
  return TypeSwitch<Location, StringRef>(loc)
      .Case([](NameLoc named) { return named.getName().strref(); })
      .Case([](CallSiteLoc call) { return nodeName(call.getCallee()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (StringRef name = nodeName(part); !name.empty())
            return name;
        return StringRef();
      })
      .Default([](Location) { return StringRef(); });
}

/// The file position inside `loc`, of fused locations the first; null if there is none.
static FileLineColLoc filePosition(Location loc) {
  return TypeSwitch<Location, FileLineColLoc>(loc)
      .Case([](FileLineColLoc file) { return file; })
      .Case([](NameLoc named) { return filePosition(named.getChildLoc()); })
      .Case([](CallSiteLoc call) { return filePosition(call.getCallee()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (FileLineColLoc file = filePosition(part))
            return file;
        return FileLineColLoc();
      })
      .Default([](Location) { return FileLineColLoc(); });
}

/// Names come from files: control characters must not reach a terminal.
static std::string printable(StringRef text) {
  std::string result;
  for (char c : text) {
    bool isControl = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    result += isControl ? "\\x" + llvm::toHex(StringRef(&c, 1)) : std::string(1, c);
  }
  return result;
}

std::string pi::describeLocation(Location loc) {
  std::string text;
  if (FileLineColLoc file = filePosition(loc)) {
    text = file.getFilename().str();
    if (file.getLine() != 0)
      text += ":" + std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
  }
  StringRef name = nodeName(loc);
  if (!name.empty())
    text += (text.empty() ? "" : ": ") + printable(name);
  return text;
}
