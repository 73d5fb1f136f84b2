#!/usr/bin/env python3
"""Every pass declared in a Passes.td has a file named after it, a DEBUG_TYPE equal to
its argument, and a test with a RUN line that names it.

Usage: check_passes.py ROOT    Exit status 1 with one line per finding."""
import os
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_lines(root):
    """All RUN and DEFINE lines of the lit tests, as one text."""
    lines = []
    for directory, _, files in os.walk(os.path.join(root, "test")):
        for name in files:
            if name.endswith((".mlir", ".test")):
                lines += re.findall(r"\b(?:RUN|DEFINE):(.*)", read(os.path.join(directory, name)))
    return "\n".join(lines)


def main():
    root = sys.argv[1]
    runs = run_lines(root)
    findings, count = [], 0
    for folder in ("compiler", "codegen"):
        for directory, _, files in os.walk(os.path.join(root, folder)):
            for name in files:
                if not name.endswith(".td"):
                    continue
                sources = "".join(read(os.path.join(directory, f)) for f in files if f.endswith(".cpp"))
                for argument in re.findall(r'Pass<"([\w-]+)"', read(os.path.join(directory, name))):
                    count += 1
                    if f'DEBUG_TYPE "{argument}"' not in sources:
                        findings.append(f"{directory}: no source with DEBUG_TYPE \"{argument}\"")
                    if not re.search(rf"(?<![\w/.])(?<!\w-){argument}(?![\w-])", runs):
                        findings.append(f"{argument}: no test runs it")
    for finding in findings:
        print(finding)
    print(f"{count} passes, {len(findings)} findings")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
