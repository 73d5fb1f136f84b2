#!/usr/bin/env python3
"""Compiles damaged copies of a model: cut off, with flipped bits, with absurd numbers.

    damage.py MODEL TOKENIZER FOLDER [--seed N] [--cases N] [--keep] [--full]

Each copy must compile, or end with exit code 1 after one error at the model's file
(several only at several nodes) and a last line that says nothing was written. Then
nothing but the copy may lie in the folder. The same seed damages the same bytes."""
import argparse
import os
import random
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from make_onnx import varint

# Fields with messages inside, by message: the way from ModelProto to all that is read.
SCHEMA = {
    "model": {7: "graph", 8: "opset"},
    "graph": {1: "node", 5: "tensor", 11: "value", 12: "value"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor"},
    "tensor": {13: "entry"},
    "value": {2: "type"},
    "type": {1: "tensor_type"},
    "tensor_type": {2: "shape"},
    "shape": {1: "dim"},
}
SIZES = [0, -1, 1 << 31, 1 << 63]
MEMORY_BYTES = 2 << 30  # of address space; a whole compilation of the fixtures takes a third
SECONDS = 60


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def walk(data, at, end, message, numbers, structure):
    """Collects (begin, end) of every varint that is a size or a value, and the offsets of
    all bytes that are not numbers of weights."""
    while at < end:
        begin = at
        key, at = read_varint(data, at)
        number_at = at
        if key & 7 == 0:
            _, at = read_varint(data, at)
            numbers.append((number_at, at))
        elif key & 7 == 2:
            length, at = read_varint(data, at)
            numbers.append((number_at, at))
            inner = SCHEMA.get(message, {}).get(key >> 3)
            if inner:
                structure.extend(range(begin, at))
                walk(data, at, at + length, inner, numbers, structure)
                at += length
                continue
            if length <= 64:
                structure.extend(range(begin, at + length))
            else:
                structure.extend(range(begin, at))
            at += length
            continue
        else:
            at += 4 if key & 7 == 5 else 8
        structure.extend(range(begin, at))


def damage(data, count, seed):
    """`count` pairs (what was done, bytes)."""
    rng = random.Random(seed)
    numbers, structure = [], []
    walk(data, 0, len(data), "model", numbers, structure)
    cuts = [0, 1, 2, len(data) - 1] + [rng.randrange(len(data)) for _ in range(count // 8)]
    cuts += [rng.choice(structure) for _ in range(count // 8)]
    cases = [(f"cut at {at}", data[:at]) for at in cuts]
    while len(cases) < count:
        if rng.random() < 0.5:
            begin, end = rng.choice(numbers)
            size = rng.choice(SIZES)
            cases.append((f"number at {begin} is {size}", data[:begin] + varint(size) + data[end:]))
        else:
            at, bit = rng.choice(structure), rng.randrange(8)
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            cases.append((f"bit {bit} of byte {at}", bytes(flipped)))
    return cases[:count]


def complain(result, model):
    """What is wrong with an answer; empty if nothing."""
    errors = [line for line in result.stderr.splitlines() if re.search(r"(^|: )error: ", line)]
    if result.returncode == 0:
        return f"errors, but exit code 0: {errors}" if errors else ""
    if result.returncode != 1:
        return f"exit code {result.returncode}"
    if not errors:
        return "exit code 1 without an error"
    places = [line.split(": error: ")[0] for line in errors]
    if len(set(places)) < len(places):
        return f"several errors at one place: {errors}"
    if len(places) > 1 and model in places:
        return f"several errors, one at no node: {errors}"
    if not all(place == model or place.startswith(model + ": ") for place in places):
        return f"not located: {errors}"
    if not result.stderr.rstrip().endswith("; nothing was written"):
        return f"does not end with what was written: {result.stderr}"
    return ""


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(case, options):
    number, (what, data) = case
    folder = os.path.join(options.folder, str(number))
    os.makedirs(folder)
    model, out = os.path.join(folder, "model.onnx"), os.path.join(folder, "out")
    with open(model, "wb") as file:
        file.write(data)
    command = ["pi-compile", model, "--tokenizer=" + options.tokenizer, "-o", out]
    command += [] if options.full else ["--compile-to=plan"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                timeout=SECONDS, preexec_fn=limit_memory)
        problem = complain(result, model)
        stderr = result.stderr
        left = sorted(os.listdir(folder))
        if not problem and left != (["model.onnx", "out"] if result.returncode == 0 else ["model.onnx"]):
            problem = f"left {left}"
        code = result.returncode
    except subprocess.TimeoutExpired:
        problem, stderr, code = f"took more than {SECONDS} s", "", None
    if problem:
        return code, f"{what}: {problem}\n{stderr}"
    if not options.keep:
        for name in left:
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    return code, ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("tokenizer")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--full", action="store_true", help="to the executable, not to the plan")
    options = parser.parse_args()
    with open(options.model, "rb") as file:
        data = file.read()
    cases = list(enumerate(damage(data, options.cases, options.seed)))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: run(case, options), cases))
    problems = [problem for _, problem in results if problem]
    print("\n".join(problems))
    codes = [code for code, _ in results]
    print(f"{len(cases)} cases, {codes.count(0)} compiled, {codes.count(1)} refused, "
          f"{len(problems)} wrong")
    # A test that refuses nothing, or everything, tests nothing.
    return 1 if problems or codes.count(0) == 0 or codes.count(1) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
