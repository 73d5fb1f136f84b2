#!/usr/bin/env python3
"""Checks that a link stub exports what its library does, and holds no code.

Usage: check_stub.py STUB NAME    NAME is what the compiler finds, e.g. libc.so.6."""
import os
import subprocess
import sys


def read_symbols(path):
    """Rows of the dynamic symbol table: value, size, type, binding, name@version."""
    text = subprocess.run(["llvm-readelf", "--dyn-syms", path], check=True, text=True,
                          capture_output=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return [row for row in rows if row and row[0].rstrip(":").isdigit()]


def main():
    stub, name = sys.argv[1:]
    library = subprocess.run(["clang++-22", "-print-file-name=" + name], check=True, text=True,
                             capture_output=True).stdout.strip()
    symbols = read_symbols(library)
    versions = sum("@" in row[-1] for row in symbols)
    same = read_symbols(stub) == symbols
    smaller = os.path.getsize(stub) < os.path.getsize(library) / 8
    print(f"{name}: versions {'yes' if versions else 'none'}, "
          f"symbols {'equal' if same else 'differ'}, {'small' if smaller else 'large'}")


if __name__ == "__main__":
    main()
