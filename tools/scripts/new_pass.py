#!/usr/bin/env python3
"""Adds an empty pass to a folder of passes: its entry in Passes.td, its source, its line in
CMakeLists.txt and a test that runs it.

Usage: new_pass.py [--root ROOT] compiler/Transforms pi-my-pass "Summary of the pass" """
import argparse
import os
import re
import sys

SOURCE = '''//===- {cls}.cpp - {summary} -===//

#include "{folder}/Passes.h"

#define DEBUG_TYPE "{argument}"

namespace pi {{
#define GEN_PASS_DEF_{upper}
#include "{folder}/Passes.h.inc"
}} // namespace pi

using namespace mlir;

namespace {{
struct {cls} : pi::impl::{cls}Base<{cls}> {{
  using {cls}Base::{cls}Base;
  void runOnOperation() override {{}}
}};
}} // namespace
'''

ENTRY = '''def {cls} : Pass<"{argument}", "mlir::ModuleOp"> {{
  let summary = "{summary}";
  let description = [{{
    What it does, why, and an example before and after.
  }}];
}}

#endif'''

TEST = '''// RUN: pi-opt --{argument} %s | FileCheck %s

// One comment per case, the smallest IR that shows it.
// CHECK: module
module {{}}
'''


def replace(path, pattern, text):
    with open(path, encoding="utf-8") as file:
        content = file.read()
    changed, count = re.subn(pattern, lambda _: text, content, count=1)
    if count != 1:
        sys.exit(f"new_pass: {path}: found no place for the pass")
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), "../.."))
    parser.add_argument("folder")
    parser.add_argument("argument")
    parser.add_argument("summary")
    args = parser.parse_args()
    if not re.fullmatch(r"pi(-[a-z0-9]+)+", args.argument):
        sys.exit("new_pass: the argument must read pi-some-words")
    folder = args.folder.strip("/")
    cls = "".join(word.capitalize() for word in args.argument.split("-")[1:])
    fields = {"cls": cls, "upper": cls.upper(), "argument": args.argument, "summary": args.summary,
              "folder": folder}
    base = os.path.join(args.root, folder)
    source = os.path.join(base, cls + ".cpp")
    if os.path.exists(source):
        sys.exit(f"new_pass: {source} exists")
    replace(os.path.join(base, "Passes.td"), r"#endif", ENTRY.format(**fields))
    library = re.compile(r"pi_mlir_library\((\w+)\b")
    with open(os.path.join(base, "CMakeLists.txt"), encoding="utf-8") as file:
        name = library.search(file.read())
    if not name:
        sys.exit(f"new_pass: {base}/CMakeLists.txt names no pi_mlir_library")
    replace(os.path.join(base, "CMakeLists.txt"), rf"pi_mlir_library\({name.group(1)}\b",
            f"pi_mlir_library({name.group(1)} {cls}.cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE.format(**fields))
    test = os.path.join(args.root, "test", folder.lower(), args.argument.removeprefix("pi-") + ".mlir")
    os.makedirs(os.path.dirname(test), exist_ok=True)
    with open(test, "w", encoding="utf-8") as file:
        file.write(TEST.format(**fields))
    for path in (source, test):
        print(os.path.relpath(path, args.root))
    print("next: put it into its phase in compiler/Pipelines/Phases.cpp")


if __name__ == "__main__":
    main()
