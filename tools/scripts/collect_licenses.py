#!/usr/bin/env python3
"""Copies the licences of everything inside the release archive, from the Debian packages
that the build took it from, and says where their sources are.

Usage: collect_licenses.py SYSROOT OUT"""
import os
import re
import shutil
import subprocess
import sys

# Part, where it is, a file that names the package it comes from.
LLVM = "/usr/lib/llvm-22/lib/"
ARCH = "/usr/lib/x86_64-linux-gnu/"
PARTS = [
    ("LLVM", "bin", LLVM + "libLLVMCore.a"),
    ("MLIR", "bin", LLVM + "libMLIRIR.a"),
    ("lld", "bin", LLVM + "liblldELF.a"),
    ("Abseil", "bin", ARCH + "libabsl_status.a"),
    ("Zstandard", "bin", ARCH + "libzstd.a"),
    ("zlib", "bin", ARCH + "libz.a"),
    ("JSON for Modern C++", "bin, lib", "/usr/include/nlohmann/json.hpp"),
]
# Files of the sysroot: who made them. The .so files are lists of names, without code.
SYSROOT = {
    "GNU C Library": ["Scrt1.o", "crti.o", "crtn.o", "libc_nonshared.a", "libc.so.6", "libm.so.6",
                      "ld-linux-x86-64.so.2"],
    "libgcc": ["crtbeginS.o", "crtendS.o", "libgcc.a", "libgcc_eh.a"],
    "libstdc++": ["libstdc++.a"],
}
COMMON = re.compile(r"/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9+])")
INTRO = """# Licences of the parts

pi-compile itself: ../LICENSE. Each folder `packages/NAME` holds the copyright file of the Debian
package that the part was taken from, unchanged; where it names a file of
`/usr/share/common-licenses`, that file is in `common/`. The sources of a package are at
`https://snapshot.debian.org/package/SOURCE/VERSION/` with SOURCE and VERSION of the table.

libstdc++ and libgcc are under the GPL version 3 with the GCC Runtime Library Exception: programs
linked with them, as pi-compile's executables are, may have any licence.

The character classes in the tokenizer are made from the data files of Unicode 16.0, copyright
Unicode, Inc., under the Unicode License V3 (https://www.unicode.org/license.txt).

| part | in | package | SOURCE | VERSION |
| --- | --- | --- | --- | --- |
"""


def package_of(path):
    """Name, source and source version of the Debian package that owns `path`."""
    real = os.path.realpath(path)
    for candidate in (path, real, real.removeprefix("/usr")):
        result = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True,
                                check=False)
        if result.returncode == 0:
            name = result.stdout.split(": ")[0].split(",")[0]
            fields = subprocess.run(
                ["dpkg-query", "-W", "-f=${Package}\t${source:Package}\t${source:Version}", name],
                capture_output=True, text=True, check=True).stdout
            return fields.split("\t")
    sys.exit(f"collect_licenses: no Debian package owns {path}")


def compiler_file(name):
    """Where the compiler finds a file of the sysroot, as tools/cmake/PiSysroot.cmake asks."""
    found = subprocess.run(["clang++-22", f"-print-file-name={name}"], capture_output=True,
                           text=True, check=True).stdout.strip()
    return os.path.normpath(found)


def main():
    sysroot, out = sys.argv[1:]
    unknown = set(os.listdir(sysroot)) - {f for files in SYSROOT.values() for f in files}
    if unknown:
        sys.exit(f"collect_licenses: whose is {sysroot}/{min(unknown)}? Add it to SYSROOT")
    rows = [(part, where, package_of(path)) for part, where, path in PARTS]
    for part, files in SYSROOT.items():
        packages = sorted({tuple(package_of(compiler_file(name))) for name in files})
        rows += [(part, "bin, sysroot", package) for package in packages]
    common = set()
    for _, _, (package, _, _) in rows:
        folder = os.path.join(out, "packages", package)
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, "copyright")
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", target)
        with open(target, encoding="utf-8") as file:
            common.update(COMMON.findall(file.read()))
    os.makedirs(os.path.join(out, "common"), exist_ok=True)
    for name in sorted(common):
        shutil.copyfile(f"/usr/share/common-licenses/{name}", os.path.join(out, "common", name))
    with open(os.path.join(out, "README.md"), "w", encoding="utf-8") as file:
        file.write(INTRO)
        for part, where, package in rows:
            file.write(f"| {part} | {where} | {' | '.join(package)} |\n")


if __name__ == "__main__":
    main()
