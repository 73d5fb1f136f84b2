#!/usr/bin/env python3
"""Makes a link stub of a shared library: the same symbols, versions and name, no code.

Usage: make_link_stub.py LIBRARY OUT    Headers and tables a linker reads stay; every
other section becomes empty (NOBITS), so that section numbers and alignments, which
symbols refer to, stay true. ELF64 little-endian only."""
import os
import struct
import sys

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
SECTION = struct.Struct("<IIQQQQIIQQ")
DYNAMIC = struct.Struct("<qQ")
SHT_STRTAB, SHT_DYNAMIC, SHT_NOBITS, SHT_DYNSYM = 3, 6, 8, 11
SHT_GNU_VERDEF, SHT_GNU_VERNEED, SHT_GNU_VERSYM = 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
PT_DYNAMIC = 2
DT_NULL, DT_NEEDED, DT_SONAME = 0, 1, 14
KEPT = (SHT_DYNAMIC, SHT_DYNSYM, SHT_GNU_VERDEF, SHT_GNU_VERNEED, SHT_GNU_VERSYM)


def strip_dynamic(entries):
    """Keeps the names of the library and its needs; the rest points into code that is gone."""
    kept = [entry for entry in DYNAMIC.iter_unpack(entries) if entry[0] in (DT_NEEDED, DT_SONAME)]
    return b"".join(DYNAMIC.pack(*entry) for entry in kept + [(DT_NULL, 0)])


def make_stub(data):
    header = list(HEADER.unpack_from(data))
    if header[0][:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    (phoff, shoff), (phentsize, phnum, shentsize, shnum, shstrndx) = header[5:7], header[9:14]
    if not shnum or shentsize != SECTION.size or phentsize != SEGMENT.size:
        raise ValueError("no section headers")
    sections = [list(SECTION.unpack_from(data, shoff + i * shentsize)) for i in range(shnum)]
    linked = {s[6] for s in sections if s[1] in KEPT}  # their string tables
    out = bytearray(HEADER.size)
    header[5], segments = len(out), 0
    for i in range(phnum):
        segment = list(SEGMENT.unpack_from(data, phoff + i * phentsize))
        if segment[0] != PT_DYNAMIC:  # tools then use its section
            segment[2] = segment[5] = 0  # of addresses only, without bytes of the file
            out += SEGMENT.pack(*segment)
            segments += 1
    header[10] = segments
    for index, section in enumerate(sections):
        kept = section[1] in KEPT or index == shstrndx or (section[1] == SHT_STRTAB and index in linked)
        if not kept:
            if index:
                section[1] = SHT_NOBITS
            section[4] = 0
            continue
        out += bytes(-len(out) % 8)
        content = data[section[4]:section[4] + section[5]]
        if section[1] == SHT_DYNAMIC:
            content = strip_dynamic(content)
        section[4], section[5] = len(out), len(content)
        out += content
    out += bytes(-len(out) % 8)
    header[6] = len(out)
    for section in sections:
        out += SECTION.pack(*section)
    HEADER.pack_into(out, 0, *header)
    return bytes(out)


def main():
    library, output = sys.argv[1:]
    with open(library, "rb") as file:
        stub = make_stub(file.read())
    temporary = output + ".tmp"
    with open(temporary, "wb") as file:
        file.write(stub)
    os.replace(temporary, output)


if __name__ == "__main__":
    main()
