#!/usr/bin/env python3
"""Tries every target of `pi-compile --list-targets`: check_targets.py LIST MODEL TOKENIZER"""
import subprocess
import sys

text, model, tokenizer = sys.argv[1:]
flag, failures, count = None, 0, 0
for line in open(text, encoding="utf-8"):
    if line.endswith("):\n"):
        flag = line[line.index("(") + 1:line.index(")")]
    elif line.startswith("  "):
        name = line.split()[0]
        later = "not built yet" in line
        if "not here" in line:  # this machine cannot be `native`
            continue
        result = subprocess.run(["pi-compile", model, "--tokenizer=" + tokenizer, "-n", "--no-profile",
                                 f"{flag}={name}"],
                                capture_output=True, text=True)
        count += 1
        expected = 2 if later else 0
        if result.returncode != expected or later != ("is not built yet" in result.stderr):
            failures += 1
            print(f"{flag}={name}: exit code {result.returncode}\n{result.stderr}")
print(f"{count} targets, {failures} failures")
sys.exit(1 if failures or count < 10 else 0)
