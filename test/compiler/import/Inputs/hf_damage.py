#!/usr/bin/env python3
"""Damaged safetensors: cuts, flipped bits, and sizes no file has.

    hf_damage.py FIXTURES SCRATCH

Every case ends with exit code 0, or 1 and one located error, in little memory and time, with nothing written. What still
compiles must only differ in the bytes of weights."""
import os
import random
import resource
import struct
import subprocess
import sys

import hf_directory as hf

FIXTURES, SCRATCH = sys.argv[1:]
FOLDER = hf.copy(os.path.join(FIXTURES, "hf-llama"), os.path.join(SCRATCH, "m"), os.path.join(FIXTURES, "tokenizer.json"))
PATH = os.path.join(FOLDER, "model.safetensors")
OUT = os.path.join(SCRATCH, "out.mlir")
MEMORY = 4 << 30  # address space: shared libraries of the compiler take most of it

with open(PATH, "rb") as file:
    GOOD = file.read()
(LENGTH,) = struct.unpack("<Q", GOOD[:8])
HEADER, BODY = GOOD[8:8 + LENGTH], GOOD[8 + LENGTH:]
counts = {0: 0, 1: 0}


def attempt(label, data):
    with open(PATH, "wb") as file:
        file.write(data)
    if os.path.exists(OUT):
        os.remove(OUT)
    run = subprocess.run(["pi-compile", FOLDER, "--compile-to=plan", "-o", OUT], capture_output=True, text=True, timeout=60,
                         errors="replace", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    errors = [line for line in run.stderr.splitlines() if ": error: " in line]
    assert run.returncode in counts, (label, run.returncode, run.stderr)
    assert bool(errors) == (run.returncode == 1), (label, run.stderr)
    assert run.returncode == 0 or not os.path.exists(OUT), label
    assert all(FOLDER in line for line in errors), (label, errors)
    counts[run.returncode] += 1
    return run.returncode


def with_header(header, body=BODY, length=None):
    return struct.pack("<Q", len(header) if length is None else length) + header + body


rng = random.Random(7)
assert attempt("whole", GOOD) == 0
for cut in [0, 1, 7, 8, 9, 8 + LENGTH // 2, 8 + LENGTH - 1, 8 + LENGTH, len(GOOD) - 1] + [rng.randrange(len(GOOD)) for _ in range(12)]:
    assert attempt(f"cut at {cut}", GOOD[:cut]) == 1
assert attempt("a byte too many", GOOD + b"\0") == 1
for length in (0, 1, 2, LENGTH - 1, LENGTH + 1, len(GOOD), 2**31, 2**32, 100_000_001, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 8):
    assert attempt(f"header of {length}", with_header(HEADER, length=length)) == 1
for _ in range(40):
    at = rng.randrange(8 + LENGTH)
    attempt(f"bit of byte {at}", GOOD[:at] + bytes([GOOD[at] ^ 1 << rng.randrange(8)]) + GOOD[at + 1:])
for number in ("-1", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615", "1e3", "null",
               "[]", "1" + "0" * 400):
    for old in (b'"shape":[288,32]', b'"data_offsets":[0,'):
        assert old in HEADER, old
        new = old[:old.index(b"[") + 1] + number.encode() + old[old.index(b"["):].split(b",")[0].lstrip(b"[0123456789") + b","
        new += b"32]" if b"shape" in old else b""
        assert attempt(f"{old} as {new}", with_header(HEADER.replace(old, new, 1))) == 1
name = b'"lm_head.weight"'
assert name in HEADER
for label, header in (
        ("a name twice", HEADER.replace(name, b'"model.norm.weight"')),
        ("no object", b"[" + HEADER[1:].rstrip(b" }") + b"]"),
        ("deep", b"{\"a\":" + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        ("no UTF-8", HEADER.replace(b"lm_head", b"\xff\xfe_head")),
        ("an unknown type", HEADER.replace(b"BF16", b"BF17", 1)),
        ("an unknown field", HEADER.replace(b'"dtype"', b'"kind":1,"dtype"', 1)),
        ("nothing", b"{}")):
    assert header != HEADER, label
    assert attempt(label, with_header(header)) == 1
print(f"ok: {counts[0]} compiled, {counts[1]} refused")
