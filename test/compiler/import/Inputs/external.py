#!/usr/bin/env python3
"""Compiles a model whose external data is damaged or lies elsewhere.

    external.py MODEL_FOLDER TOKENIZER FOLDER

MODEL_FOLDER holds model.onnx and model.onnx.data. Every refused case must end with exit
code 1 after one error at the model that says the expected words, and write nothing."""
import os
import re
import shutil
import subprocess
import sys

LOCATION = b"model.onnx.data"
SECONDS = 60


def compile_model(model, tokenizer, out):
    # To the executable: the packager is what reads the data.
    return subprocess.run(["pi-compile", model, "--tokenizer=" + tokenizer, "-o", out],
                          capture_output=True, text=True, timeout=SECONDS)


def relocate(data, location):
    """The model with another location of the same length, so that no size changes."""
    assert len(location) == len(LOCATION), location
    assert LOCATION in data
    return data.replace(LOCATION, location)


class Cases:
    def __init__(self, source, tokenizer, folder):
        self.tokenizer, self.folder, self.failures, self.count = tokenizer, folder, 0, 0
        with open(os.path.join(source, "model.onnx"), "rb") as file:
            self.model = file.read()
        self.data = os.path.join(source, "model.onnx.data")
        self.data_bytes = os.path.getsize(self.data)

    def start(self, location=LOCATION):
        """A new folder with a model; returns the path its data is to have."""
        self.count += 1
        self.here = os.path.join(self.folder, str(self.count), "m")
        os.makedirs(self.here)
        with open(os.path.join(self.here, "model.onnx"), "wb") as file:
            file.write(relocate(self.model, location))
        return os.path.join(self.here, LOCATION.decode())

    def check(self, name, words, path=None):
        """Words of the error; None where the model must compile."""
        path = path or os.path.join(self.here, "model.onnx")
        out = os.path.join(self.folder, str(self.count), "out.bin")
        result = compile_model(path, self.tokenizer, out)
        errors = [line for line in result.stderr.splitlines() if ": error: " in line]
        if words is None:
            good = result.returncode == 0 and not errors and os.path.exists(out)
        else:
            good = (result.returncode == 1 and len(errors) == 1 and errors[0].startswith(path + ": ")
                    and re.search(words, errors[0]) is not None
                    and not any(n.startswith("out") for n in os.listdir(os.path.dirname(out))))
        if not good:
            self.failures += 1
            print(f"{name}: expected {words}, exit code {result.returncode}\n{result.stderr}")


def main():
    source, tokenizer, folder = sys.argv[1:]
    cases = Cases(source, tokenizer, folder)

    shutil.copy(cases.data, cases.start())
    cases.check("beside the model", None)

    cases.start()
    cases.check("missing", "cannot be opened: No such file")

    data = cases.start()
    shutil.copy(cases.data, data)
    os.truncate(data, cases.data_bytes - 1)
    cases.check("a byte short", f"which has {cases.data_bytes - 1} bytes")

    open(cases.start(), "w").close()
    cases.check("empty", "which has 0 bytes")

    data = cases.start(b"../x/m.onnx.dat")
    os.makedirs(os.path.join(cases.here, "../x"))
    shutil.copy(cases.data, os.path.join(cases.here, "../x/m.onnx.dat"))
    cases.check("in a folder above", "outside the model's folder")

    cases.start(b"/tmp/m.onnx.dat")
    cases.check("absolute", "absolute path")

    cases.start(b"/dev/////random")
    cases.check("a device", "absolute path")

    os.symlink(os.path.abspath(cases.data), cases.start())
    cases.check("a link that leads out", "link that leads outside")

    os.mkfifo(cases.start())
    cases.check("a FIFO", "not a regular file")

    os.mkdir(cases.start())
    cases.check("a directory", "not a regular file")

    data = cases.start()
    os.symlink(data, data)
    cases.check("a link to itself", "cannot be opened: Too many levels")

    # The cache of Hugging Face: snapshots/<commit>/NAME -> ../../blobs/<hash>.
    cases.start()
    repository = os.path.join(cases.here, "models--x--y")
    blobs, snapshot = os.path.join(repository, "blobs"), os.path.join(repository, "snapshots", "0123")
    os.makedirs(blobs)
    os.makedirs(snapshot)
    shutil.move(os.path.join(cases.here, "model.onnx"), os.path.join(blobs, "aaaa"))
    shutil.copy(cases.data, os.path.join(blobs, "bbbb"))
    os.symlink("../../blobs/aaaa", os.path.join(snapshot, "model.onnx"))
    os.symlink("../../blobs/bbbb", os.path.join(snapshot, "model.onnx.data"))
    cases.check("the cache of Hugging Face", None, os.path.join(snapshot, "model.onnx"))
    shutil.move(os.path.join(blobs, "bbbb"), os.path.join(repository, "bbbb"))
    os.unlink(os.path.join(snapshot, "model.onnx.data"))
    os.symlink("../../bbbb", os.path.join(snapshot, "model.onnx.data"))
    os.unlink(os.path.join(cases.folder, str(cases.count), "out.bin"))
    cases.check("a link out of the cache", "link that leads outside", os.path.join(snapshot, "model.onnx"))

    print(f"{cases.count} cases, {cases.failures} failures")
    return 1 if cases.failures else 0


if __name__ == "__main__":
    sys.exit(main())
