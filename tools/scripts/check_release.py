#!/usr/bin/env python3
"""Checks what a release archive may contain and what its programs may need.

Usage: check_release.py ARCHIVE | check_release.py --elf FILE |
       check_release.py --made-after BUILD ARCHIVE    the archive is no older than the build
Exit status 1 with one line per violation."""
import os
import re
import subprocess
import sys
import tarfile
import tempfile

MAX_BYTES = 25_000_000
# Of Debian 12. GLIBC_ABI_DT_RELR is a mark of 2.36 too: packed relocations.
MAX_GLIBC = (2, 36)
GLIBC_MARKS = {"GLIBC_ABI_DT_RELR"}
LIBRARIES = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
READELF = "/usr/lib/llvm-22/bin/llvm-readelf"
FILES = {
    "LICENSE", "README.md", "bin/pi-compile", "bin/pi-inspect", "bin/pi-opt",
    "bin/pi-profile",
    "lib/libpi_runtime.a", "licenses/README.md",
    *(f"sysroot/{name}" for name in (
        "Scrt1.o", "crtbeginS.o", "crtendS.o", "crti.o", "crtn.o", "ld-linux-x86-64.so.2",
        "libc.so.6", "libc_nonshared.a", "libgcc.a", "libgcc_eh.a", "libm.so.6", "libstdc++.a")),
}
LINKS = {f"bin/{name}": "pi-compile" for name in ("pi-inspect", "pi-opt", "pi-profile")}
LICENSES = ("abseil", "gcc-12", "glibc", "libzstd", "llvm-toolchain", "nlohmann-json3", "zlib")
COMMON = re.compile(r"/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9+])")


def check_elf(path):
    """What the program needs of the system it runs on."""
    text = subprocess.run([READELF, "-d", "-V", path], capture_output=True, text=True,
                          check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
    problems = [f"needs {name}" for name in sorted(needed - LIBRARIES)]
    if "libc.so.6" not in needed:
        problems.append("does not need libc.so.6; is it a program?")
    for version in sorted(set(re.findall(r"Name: (\S+) +Flags", text)) - GLIBC_MARKS):
        number = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", version)
        if not number or tuple(map(int, number.groups())) > MAX_GLIBC:
            problems.append(f"needs version {version}")
    return problems


def check_members(top, members):
    """Names, owners and order of what is in the archive."""
    problems = []
    names = [member.name.split("/") for member in members]
    if names != sorted(names):
        problems.append("names are not sorted")
    if len({member.mtime for member in members}) != 1:
        problems.append("times differ")
    if any(member.uid or member.gid or member.uname or member.gname for member in members):
        problems.append("an owner is not 0")
    inside = {os.path.relpath(m.name, top): m for m in members if not m.isdir()}
    for name in sorted(FILES - set(inside)):
        problems.append(f"lacks {name}")
    for name, member in sorted(inside.items()):
        if name not in FILES and not name.startswith(("licenses/packages/", "licenses/common/")):
            problems.append(f"holds {name}, which nobody asked for")
        if member.issym() != (name in LINKS) or member.issym() and member.linkname != LINKS[name]:
            problems.append(f"{name} is a link that it should not be, or the reverse")
    return problems


def check_licenses(folder):
    """Every part has its text, and every text that one names is there."""
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        table = file.read()
    problems = [f"licenses/README.md does not name {part}" for part in LICENSES if part not in table]
    packages = os.path.join(folder, "packages")
    for package in sorted(os.listdir(packages)):
        with open(os.path.join(packages, package, "copyright"), encoding="utf-8") as file:
            for name in sorted(set(COMMON.findall(file.read()))):
                if not os.path.exists(os.path.join(folder, "common", name)):
                    problems.append(f"licenses/common/{name}, named by {package}, is missing")
    return problems


def check_archive(path):
    problems = []
    if os.path.getsize(path) > MAX_BYTES:
        problems.append(f"has {os.path.getsize(path)} bytes, the limit is {MAX_BYTES}")
    with tarfile.open(path) as archive, tempfile.TemporaryDirectory() as folder:
        members = archive.getmembers()
        top = os.path.basename(path).removesuffix(".tar.xz")
        if any(member.name.split("/")[0] != top for member in members):
            return problems + [f"not everything is in one folder {top}"]
        problems += check_members(top, members)
        if any(problem.startswith("lacks ") for problem in problems):
            return problems
        archive.extractall(folder)
        root = os.path.join(folder, top)
        problems += [f"bin/pi-compile {p}" for p in check_elf(os.path.join(root, "bin/pi-compile"))]
        problems += check_licenses(os.path.join(root, "licenses"))
    return problems


def check_age(path, build):
    """The archive must hold what `build` holds now; the programs' times tell."""
    programs = [f"bin/pi-{name}" for name in ("compile", "inspect", "opt", "profile")]
    files = [os.path.join(build, name) for name in (*programs, "lib/libpi_runtime.a")]
    newer = [name for name in files if os.path.getmtime(name) > os.path.getmtime(path)]
    return [f"is older than {', '.join(newer)}: run tools/scripts/release, then test again"] if newer else []


def main():
    path = sys.argv[-1]
    if sys.argv[1] == "--made-after":
        problems = check_age(path, sys.argv[2])
    else:
        problems = check_elf(path) if sys.argv[1] == "--elf" else check_archive(path)
    for problem in problems:
        print(f"{path}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
