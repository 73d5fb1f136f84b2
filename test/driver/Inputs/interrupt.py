#!/usr/bin/env python3
"""Ends compilations at random moments: interrupt.py MODEL TOKENIZER FOLDER [--seed N]

Whenever SIGINT or SIGTERM comes, the folder holds the old output and nothing else, or,
where the compilation was faster, the new one. The exit code is 130 or 143."""
import argparse
import os
import random
import signal
import subprocess
import sys
import time

MOMENTS = 20  # for each form of output
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


class Interrupts:
    def __init__(self, options, flags):
        self.out = os.path.join(options.folder, "out")
        self.folder = options.folder
        self.command = ["pi-compile", options.model, "--tokenizer=" + options.tokenizer, "-o", self.out] + flags
        self.failures = self.interrupted = 0

    def run(self, seconds=None, which=None, ignored=()):
        """Exit code of a compilation that gets a signal after `seconds`."""
        def dispose():  # a test runner in the background has some of them ignored
            for number in (*CODES, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

        with open(self.out, "w", encoding="utf-8") as file:
            file.write("old")
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=dispose)
        if seconds is not None:
            time.sleep(seconds)
            process.send_signal(which)
        _, stderr = process.communicate(timeout=60)
        return process.returncode, stderr.decode()

    def check(self, seconds, which):
        code, stderr = self.run(seconds, which)
        with open(self.out, "rb") as file:
            is_old = file.read(16) == b"old"
        left = sorted(os.listdir(self.folder))
        # Before main() nothing can handle a signal: the system's way to end is fine then.
        ended = code in (CODES[which], -which)
        self.interrupted += ended and is_old
        good = left == ["out"] and (code == 0 or ended)
        if code == 0:
            good = good and not is_old
        if -which == code:
            good = good and is_old and not stderr
        if not good:
            self.failures += 1
            print(f"{self.command} after {seconds:.4f} s of {which.name}: exit code {code}, left {left}, "
                  f"old output: {is_old}\n{stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("tokenizer")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    failures = interrupted = 0
    for flags in ([], ["--compile-to=plan"]):
        runs = Interrupts(options, flags)
        begin = time.monotonic()
        code, stderr = runs.run()
        length = time.monotonic() - begin
        if code != 0:
            print(f"exit code {code}\n{stderr}")
            return 1
        for moment in range(MOMENTS):
            # Evenly spread over the whole compilation, each at a random place.
            runs.check(length * (moment + rng.random()) / MOMENTS, rng.choice(list(CODES)))
        # Under nohup, or in the background of a script: a signal that is ignored stays so.
        for which in (signal.SIGHUP, signal.SIGINT):
            if runs.run(length / 2, which, ignored=(which,))[0] != 0:
                print(f"{which.name} is ignored, but ended {runs.command}")
                runs.failures += 1
        failures += runs.failures
        interrupted += runs.interrupted
    print(f"{2 * MOMENTS} signals, {interrupted} in time, {failures} failures")
    # A test whose signals all come too late tests nothing.
    return 1 if failures or interrupted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
