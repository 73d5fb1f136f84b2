//===- Main.cpp - One binary that answers to every tool's name -===//

#include "tools/Mains.h"

#include <cstdio>
#include <string_view>

int main(int argc, char **argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  if (name == "pi-compile")
    return pi::compileMain(argc, argv);
  if (name == "pi-opt")
    return pi::optMain(argc, argv);
  if (name == "pi-inspect")
    return pi::inspectMain(argc, argv);
  if (name == "pi-profile")
    return pi::profileMain(argc, argv);
  std::fprintf(
      stderr,
      "error: called as '%.*s'\n"
      "note: this program is pi-compile, pi-opt, pi-inspect and pi-profile; call it by one "
      "of these names\n",
      static_cast<int>(name.size()), name.data());
  return 2;
}
