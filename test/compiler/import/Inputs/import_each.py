#!/usr/bin/env python3
"""Imports one small model per `name: {...}` line of a test file.

    import_each.py MAKE_ONNX TEST FOLDER

Models have the input x and the output y unless they say otherwise. Prints each name and
what pi-import prints, without the folder; every import must end with exit status 1."""
import os
import re
import subprocess
import sys


def main():
    make, test, folder = sys.argv[1:]
    with open(test, encoding="utf-8") as file:
        lines = [re.match(r"([a-z-]+): (\{.*)", line) for line in file]
    with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as file:
        file.write("{}")
    spec = os.path.join(folder, "spec")
    for name, text in (line.groups() for line in lines if line):
        model = {"inputs": [("x", "f32", ["n", 4])], "outputs": [("y", "f32", [])]}
        model.update(eval(text))
        with open(spec, "w", encoding="utf-8") as file:
            file.write(repr(model))
        subprocess.run([sys.executable, make, spec, os.path.join(folder, "model.onnx")], check=True)
        result = subprocess.run(["pi-import", "model.onnx", "--context=8"], cwd=folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        print(name, result.stdout, sep="\n", end="", flush=True)
        if result.returncode != 1:
            sys.exit(f"{name}: exit status {result.returncode}")


if __name__ == "__main__":
    main()
