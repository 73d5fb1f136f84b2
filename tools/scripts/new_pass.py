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

namespace {namespace} {{
#define GEN_PASS_DEF_{upper}
#include "{folder}/Passes.h.inc"
}} // namespace {namespace}

using namespace mlir;

namespace {{
struct {cls} : {namespace}::impl::{cls}Base<{cls}> {{
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
  let dependentDialects = []; // those of the operations it makes
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


def known_arguments(root):
    """Arguments of all passes below `root` -> the file that declares them."""
    found = {}
    for folder, _, files in os.walk(root):
        if "Passes.td" in files and not folder.startswith(os.path.join(root, "build")):
            path = os.path.join(folder, "Passes.td")
            with open(path, encoding="utf-8") as file:
                found.update({name: path for name in re.findall(r'Pass<"([^"]+)"', file.read())})
    return found


def test_folder(folder):
    """Conversions share one folder of tests."""
    return "compiler/conversion" if folder.startswith("compiler/Conversion/") else folder.lower()


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
              "folder": folder, "namespace": "pi::cpu" if folder == "codegen/Cpu" else "pi"}
    base = os.path.join(args.root, folder)
    source = os.path.join(base, cls + ".cpp")
    test = os.path.join(args.root, "test", test_folder(folder), args.argument.removeprefix("pi-") + ".mlir")
    if not os.path.exists(os.path.join(base, "Passes.td")):
        sys.exit(f"new_pass: {folder} has no Passes.td; folders of passes are compiler/Transforms, "
                 "compiler/Conversion/*, compiler/Pipelines, compiler/Target and codegen/Cpu")
    known = known_arguments(args.root)
    if args.argument in known:
        sys.exit(f"new_pass: {args.argument} is declared in {known[args.argument]}")
    for path in (source, test):
        if os.path.exists(path):
            sys.exit(f"new_pass: {path} exists")
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
    os.makedirs(os.path.dirname(test), exist_ok=True)
    with open(test, "w", encoding="utf-8") as file:
        file.write(TEST.format(**fields))
    for path in (source, test):
        print(os.path.relpath(path, args.root))
    where = "buildCpuCodegenPipeline in codegen/Cpu/CpuCodegen.cpp" if folder == "codegen/Cpu" else \
        "its phase in compiler/Pipelines/Phases.cpp"
    print(f"next: tools/scripts/build; then put it into {where}")


if __name__ == "__main__":
    main()
