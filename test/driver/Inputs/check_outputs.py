#!/usr/bin/env python3
"""Outputs that cannot be written, or must not be: check_outputs.py FIXTURES FOLDER

Each case must end with the expected exit code and one error that names the output and
its flag; an older output stays as it was and no other file appears. Cases that need a
mount or another user run as root only, and say so when they do not."""
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys

SECONDS = 60
NOBODY = 65534


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def state(folder):
    """Every file below `folder` with its content."""
    found = {}
    for directory, folders, files in os.walk(folder):
        for name in files:
            path = os.path.join(directory, name)
            found[os.path.relpath(path, folder)] = digest(path)
        for name in folders:
            found[os.path.relpath(os.path.join(directory, name), folder)] = "folder"
    return found


class Outputs:
    def __init__(self, fixtures, folder):
        self.folder = folder
        self.model = os.path.join(folder, "in", "model.onnx")
        self.tokenizer = os.path.join(folder, "in", "tokenizer.json")
        os.makedirs(os.path.join(folder, "in"))
        shutil.copy(os.path.join(fixtures, "opt-2layer", "model.onnx"), self.model)
        shutil.copy(os.path.join(fixtures, "opt-2layer", "config.json"), os.path.join(folder, "in"))
        shutil.copy(os.path.join(fixtures, "tokenizer.json"), self.tokenizer)
        self.failures = self.count = 0

    def compile(self, *flags, **options):
        command = ["pi-compile", self.model, "--tokenizer=" + self.tokenizer, *flags]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, **options)

    def check(self, name, words, *flags, **options):
        before = state(self.folder)
        result = self.compile(*flags, **options)
        errors = [line for line in result.stderr.splitlines() if re.search(r"(^|: )error: ", line)]
        problem = ""
        if result.returncode != 1:
            problem = f"exit code {result.returncode}"
        elif len(errors) != 1 or not re.search(words, errors[0]):
            problem = f"expected one error with '{words}'"
        elif state(self.folder) != before:
            problem = f"changed files: {sorted(set(state(self.folder).items()) ^ set(before.items()))}"
        self.count += 1
        if problem:
            self.failures += 1
            print(f"{name}: {problem}\n{result.stderr}")


def limit_files(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def check_forms(o, form, output, flags):
    """What holds for executables and for IR alike."""
    o.check(f"{form} on a folder", r"\(-o\): Is a directory", *flags, "-o", o.folder)
    o.check(f"{form} in a folder that is missing", r"none/x' \(-o\): No such file", *flags,
            "-o", os.path.join(o.folder, "none", "x"))
    o.check(f"{form} below a file", r"\(-o\): Not a directory", *flags, "-o", o.tokenizer + "/x")
    o.check(f"{form} over a device", r"\(-o\): .*not a regular file", *flags, "-o", "/dev/null")
    o.check(f"{form} over the model", r"\(-o\) is the input .*model.onnx", *flags, "-o", o.model)
    o.check(f"{form} over the tokenizer", r"\(-o\) is the input", *flags, "-o", o.tokenizer)
    o.check(f"{form} over config.json", r"\(-o\) is the input", *flags,
            "-o", os.path.join(o.folder, "in", "config.json"))
    link = os.path.join(o.folder, "link-" + form)
    os.symlink(o.model, link)
    o.check(f"{form} through a link to the model", r"\(-o\) is the input", *flags, "-o", link)
    for size in (0, 4096) if form == "IR" else (0, 4096, 64 << 10, 500 << 10):
        o.check(f"{form} with files of {size} bytes", r"out' \(-o\): File too large", *flags,
                "-o", output, preexec_fn=limit_files(size))


def check_as_root(o, form, flags):
    """Full disks and one that is mounted read-only."""
    mount = os.path.join(o.folder, "mount")
    os.makedirs(mount, exist_ok=True)
    # The linker meets the first two, the packager the third.
    for size in ("8k",) if form == "IR" else ("8k", "100k", "500k"):
        check_disk(o, form, flags, mount, size)


def check_disk(o, form, flags, mount, size):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", mount], check=True)
    try:
        old = os.path.join(mount, "out")
        with open(old, "w", encoding="utf-8") as file:
            file.write("old")
        o.check(f"{form} on a disk of {size}", r"out' \(-o\): No space left on device", *flags, "-o", old)
        subprocess.run(["mount", "-o", "remount,ro", mount], check=True)
        o.check(f"{form} on a read-only disk", r"\(-o\): Read-only file system", *flags, "-o", old)
    finally:
        subprocess.run(["umount", mount], check=True)


def check_as_nobody(o, form, flags):
    closed = os.path.join(o.folder, "closed")
    os.makedirs(closed, exist_ok=True)
    os.chmod(closed, 0o555)
    options = {}
    if os.geteuid() == 0:
        if not is_reachable(o.folder):
            print("skipped: the folder is closed to other users")
            return
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    o.check(f"{form} in a read-only folder", r"\(-o\): Permission denied", *flags,
            "-o", os.path.join(closed, "x"), **options)


def is_reachable(folder):
    """Whether another user may run pi-compile and read the model."""
    test = ["sh", "-c", "test -x \"$0\" && test -r \"$1\"", shutil.which("pi-compile"),
            os.path.join(folder, "in", "model.onnx")]
    return subprocess.run(test, user=NOBODY, group=NOBODY, extra_groups=[], check=False).returncode == 0


def check_temps(o, output):
    file = os.path.join(o.folder, "file")
    with open(file, "w", encoding="utf-8") as f:
        f.write("no folder")
    o.check("--save-temps in a file", r"file/cold.ll' \(--save-temps\): Not a directory", "-o", output, "--save-temps=" + file)
    temps = os.path.join(o.folder, "temps")
    os.makedirs(os.path.join(temps, "cold.ll"))
    o.check("--save-temps over a folder", r"cold.ll' \(--save-temps\): Is a directory", "-o", output,
            "--save-temps=" + temps)
    os.rmdir(os.path.join(temps, "cold.ll"))
    o.check("--save-temps with files of 4096 bytes", r"cold.ll' \(--save-temps\): File too large",
            "-o", output, "--save-temps=" + temps, preexec_fn=limit_files(4096))
    result = o.compile("-o", os.path.join(o.folder, "fine"), "--save-temps=" + temps)
    if result.returncode != 0 or sorted(os.listdir(temps)) != ["cold.ll", "cold.o"]:
        o.failures += 1
        print(f"--save-temps: {os.listdir(temps)}\n{result.stderr}")


def main():
    fixtures, folder = sys.argv[1:]
    o = Outputs(fixtures, folder)
    output = os.path.join(folder, "out")
    with open(output, "w", encoding="utf-8") as file:
        file.write("old")
    can_mount = os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "sh", "-c", f"mount -t tmpfs tmpfs '{folder}/in'"], capture_output=True,
        check=False).returncode == 0
    for form, flags in (("executable", []), ("IR", ["--compile-to=raise"])):
        check_forms(o, form, output, flags)
        check_as_nobody(o, form, flags)
        if can_mount:
            check_as_root(o, form, flags)
    if not can_mount:
        print("skipped: full and read-only disks need the right to mount")
    check_temps(o, output)
    result = o.compile("--compile-to=plan", "-o", "-", stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        o.failures += 1
    with open("/dev/full", "w", encoding="utf-8") as full:
        for flags in (["--compile-to=plan"], ["-n", "--explain"], ["-n", "--explain=json"]):
            command = ["pi-compile", o.model, "--tokenizer=" + o.tokenizer, *flags]
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            o.count += 1
            if result.returncode != 1 or "to standard output: No space left" not in result.stderr:
                o.failures += 1
                print(f"{flags} to a full device: {result.returncode}\n{result.stderr}")
    print(f"{o.count} cases, {o.failures} failures")
    return 1 if o.failures or o.count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
