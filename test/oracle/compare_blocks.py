#!/usr/bin/env python3
"""Compares generated code with the reference interpreter block by block.

For every row of the model's width in the llm IR of a model, makes a copy of the IR whose
output head reads that row, compiles it, and compares the logits with pi-llm-run on the
same IR: a difference shows at the first block that has it.

Usage: compare_blocks.py IR.mlir --work DIR --ids 1,2,3 [--tolerance X]"""
import argparse
import json
import os
import re
import subprocess
import sys


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def rows(text):
    data = json.loads(text)
    return [sorted((index, value) for index, value in row) for row in data["logits"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ir")
    parser.add_argument("--work", required=True)
    parser.add_argument("--ids", required=True)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    args = parser.parse_args()
    with open(args.ir, encoding="utf-8") as file:
        text = file.read()
    head = re.search(r"llm\.logits (%\w+) head .*?: tensor<1x(\d+)xf32> -> tensor<1x(\d+)xf32>", text)
    width, vocab = head.group(2), head.group(3)
    blocks = re.findall(rf"(%\w+) = (llm\.\w+) .*tensor<1x{width}xf32>(?: loc.*)?$", text, re.MULTILINE)
    blocks = [(value, op) for value, op in blocks if op not in ("llm.logits", "llm.kv_append")]
    os.makedirs(args.work, exist_ok=True)
    worst = 0.0
    failures = 0
    for value, op in blocks:
        path = os.path.join(args.work, "block.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:head.start(1)] + value + text[head.end(1):])
        program = os.path.join(args.work, "block.bin")
        run(["pi-compile", "--compile-from=raise", path, "-o", program])
        ours = rows(run([program, "logits", "--ids", args.ids, "--top", vocab, "--json"]))
        theirs = rows(run(["pi-llm-run", path, "--ids", args.ids, "--top", vocab]))
        if len(ours) != len(theirs) or not ours or any(len(r) != int(vocab) for r in ours + theirs):
            sys.exit(f"{value} ({op}): other shapes")
        difference = max(abs(a[1] - b[1]) for x, y in zip(ours, theirs) for a, b in zip(x, y))
        scale = max(1.0, max(abs(b[1]) for y in theirs for b in y))
        worst = max(worst, difference / scale)
        if not difference <= args.tolerance * scale:
            failures += 1
            print(f"{value} ({op}): logits differ by {difference:.3g}, scale {scale:.3g}")
    print(f"{len(blocks)} blocks, {failures} differ, largest relative difference {worst:.3g}")
    return 1 if failures or len(blocks) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
