#!/usr/bin/env python3
"""Checks who includes whom (design: dialects -> nothing of ours; compiler -> dialects;
codegen -> dialects, runtime/abi; runtime -> itself), that files stay under 800 lines,
that no source includes a path of ours that does not exist, and that no two headers of the
product define a class of the same name: one released binary holds them all.

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
PRODUCT = ("dialects", "compiler", "codegen", "runtime", "tools")
NAMESPACE = re.compile(r"^(inline )?namespace (?P<open>[\w:]+) {|^} // namespace (?P<close>[\w:]+)")
CLASS = re.compile(r"^(?:class|struct|union|enum(?: class)?) (\w+)[^;]*$")
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


def defined_classes(text):
    """Names of the classes that a header defines at namespace level, as pi::Name."""
    scopes, names = [], []
    for line in text.splitlines():
        match = NAMESPACE.match(line)
        if match and match["open"]:
            scopes.append(match["open"])
        elif match and scopes:
            scopes.pop()
        elif CLASS.match(line):
            names.append("::".join(scopes + [CLASS.match(line)[1]]))
    return names


def check_classes(root, headers, violations):
    """Two classes of one name in one program: whichever the linker takes serves both."""
    where = {}
    for path in headers:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for name in defined_classes(file.read()):
                if where.setdefault(name, path) != path:
                    violations.append(f"{path}: {where[name]} defines a {name} too")


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
    headers = []
    count = 0
    for folder in FOLDERS:
        for directory, _, files in os.walk(os.path.join(root, folder)):
            for name in sorted(files):
                if name.endswith(SOURCES):
                    count += 1
                    path = os.path.relpath(os.path.join(directory, name), root)
                    check_file(root, path, violations)
                    if folder in PRODUCT and name.endswith(".h"):
                        headers.append(path)
    check_classes(root, sorted(headers), violations)
    check_links(root, violations)
    for violation in violations:
        print(violation)
    print(f"{count} files, {len(violations)} violations")
    return 1 if violations or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
