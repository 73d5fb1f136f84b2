#!/usr/bin/env python3
"""Checks the JSON of show.test's profile to the last field. Usage: check_show.py FILE"""
import json
import sys

EXPECTED = {
    "tokens": 100,
    "layers": [
        {"layer": 0, "counts": [10, 0, 60, 10], "mass": [1, 0, 1.5, 2],
         "down_norms": [1, 2, 0.5, 0.25], "hidden": 2, "neurons": 4, "sparsity": 0.8,
         "neurons_for": {"80": 2, "90": 3, "95": 3}},
        {"layer": 1, "counts": [100, 50, 0, 0], "mass": [0.5, 0.25, 0, 0],
         "hidden": 2, "neurons": 4, "sparsity": 0.625,
         "neurons_for": {"80": 2, "90": 2, "95": 2}},
    ],
    "fingerprint": "0000000000001234", "source": 'a "b".txt', "source_hash": "00000000000000ff",
    "seed": 9, "window": 64, "token_goal": 200, "shard_count": 1, "shards": [0],
    "interrupted": False, "complete": True, "samples": 3, "sample_limit": 8,
}

with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
if found != EXPECTED:
    print(f"found    {found}\nexpected {EXPECTED}")
    sys.exit(1)
