#!/usr/bin/env python3
"""Compares a profile of the held-out text with a model's known answers: sparsity per layer.

Usage: check_sparsity.py hotness.json PROFILE.json    Exit status 1 where one is off by 1e-4."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    known = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    profile = json.load(file)
problems = []
if profile["tokens"] != known["heldout_tokens"]:
    problems.append(f"{profile['tokens']} tokens, expected {known['heldout_tokens']}")
if [layer["layer"] for layer in profile["layers"]] != [layer["layer"] for layer in known["layers"]]:
    problems.append("other layers")
worst = 0
for layer, answer in zip(profile["layers"], known["layers"]):
    counts = layer["counts"]
    sparsity = 1 - sum(counts) / (len(counts) * profile["tokens"])
    off = abs(sparsity - answer["heldout_mean_sparsity"])
    worst = max(worst, off)
    if off > 1e-4:
        problems.append(f"layer {layer['layer']}: sparsity {sparsity:.6f}, expected {answer['heldout_mean_sparsity']:.6f}")
print("\n".join(problems) or f"equal: {len(profile['layers'])} layers, worst {worst:.1e}")
sys.exit(1 if problems else 0)
