#!/usr/bin/env python3
"""Imports every model of a folder of fixtures twice and parses the result.

    import_all.py FIXTURES SCRATCH"""
import os
import subprocess
import sys


def main():
    fixtures, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    models = [name for name in sorted(os.listdir(fixtures))
              if os.path.exists(os.path.join(fixtures, name, "model.onnx"))]
    if not models:
        sys.exit("no fixtures")
    for name in models:
        command = ["pi-import", os.path.join(fixtures, name, "model.onnx"), "--locs",
                   "--tokenizer=" + os.path.join(fixtures, "tokenizer.json")]
        texts = [subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
                 for _ in range(2)]
        if texts[0] != texts[1]:
            sys.exit(f"{name}: two imports differ")
        path = os.path.join(scratch, name + ".mlir")
        with open(path, "wb") as file:
            file.write(texts[0])
        subprocess.run(["pi-opt", "--verify-roundtrip", path, "-o", os.devnull], check=True)


if __name__ == "__main__":
    main()
