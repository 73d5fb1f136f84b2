#!/usr/bin/env python3
"""Checks who includes whom (design: dialects -> nothing of ours; compiler -> dialects;
codegen -> dialects, runtime/abi; runtime -> itself), that files stay under 800 lines,
and that no source includes a path of ours that does not exist.

Usage: check_layering.py ROOT    Exit status 1 with one line per violation."""
import os
import re
import sys

ALLOWED = {
    "dialects": ("dialects/",),
    "compiler": ("compiler/", "dialects/"),
    "codegen": ("codegen/", "dialects/", "runtime/abi/"),
    "runtime": ("runtime/",),
}
ABI_ONLY = "runtime/abi"  # standalone: includes nothing of ours but itself
FOLDERS = ("dialects", "compiler", "codegen", "runtime", "tools", "test")
SOURCES = (".h", ".cpp", ".td", ".c", ".inc", ".cuh", ".cu", ".py")
MAX_LINES = 800
# Generated data, not written by hand.
GENERATED = {"runtime/text/UnicodeTables.inc"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+"([^"]+)"')
OURS = re.compile(r"^(dialects|compiler|codegen|runtime|tools|test)/")


def check_file(root, path, violations):
    layer = path.split("/")[0]
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.readlines()
    if len(lines) > MAX_LINES and path not in GENERATED:
        violations.append(f"{path}: {len(lines)} lines, the limit is {MAX_LINES}")
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match or not OURS.match(match.group(1)):
            continue
        target = match.group(1)
        allowed = ALLOWED.get(layer)
        if path.startswith(ABI_ONLY):
            allowed = ("runtime/abi/",)
        if allowed and not target.startswith(allowed):
            violations.append(f"{path}:{number}: {layer}/ may not include {target}")
        if target.endswith((".h", ".td")) and not os.path.exists(os.path.join(root, target)):
            violations.append(f"{path}:{number}: no such file {target}")


def check_links(root, violations):
    """Link lists of CMake: compiler and codegen never name each other's libraries."""
    owner = {}
    for folder in FOLDERS:
        for directory, _, files in os.walk(os.path.join(root, folder)):
            if "CMakeLists.txt" in files:
                path = os.path.join(directory, "CMakeLists.txt")
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for name in re.findall(r"(?:pi_mlir_library|add_library)\((\w+)", text):
                    owner[name] = (folder, os.path.relpath(path, root), text)
    forbidden = {"compiler": ("codegen",), "codegen": ("compiler",), "dialects": ("compiler", "codegen"),
                 "runtime": ("compiler", "codegen", "dialects")}
    for folder in forbidden:
        for path, text in sorted({(p, t) for f, p, t in owner.values() if f == folder}):
            for name, (other, _, _) in sorted(owner.items()):
                if other in forbidden[folder] and re.search(rf"\b{name}\b", text):
                    violations.append(f"{path}: {folder}/ may not link {name} of {other}/")


def main():
    root = sys.argv[1]
    violations = []
    count = 0
    for folder in FOLDERS:
        for directory, _, files in os.walk(os.path.join(root, folder)):
            for name in sorted(files):
                if name.endswith(SOURCES):
                    count += 1
                    check_file(root, os.path.relpath(os.path.join(directory, name), root), violations)
    check_links(root, violations)
    for violation in violations:
        print(violation)
    print(f"{count} files, {len(violations)} violations")
    return 1 if violations or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
