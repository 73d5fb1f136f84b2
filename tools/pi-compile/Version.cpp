//===- Version.cpp - What --version prints -===//

#include "tools/pi-compile/Version.h"

#include "llvm/Config/llvm-config.h"

std::string pi::versionString() {
  return "pi-compile " PI_VERSION " (LLVM " LLVM_VERSION_STRING ")";
}
