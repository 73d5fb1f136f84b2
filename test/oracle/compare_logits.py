#!/usr/bin/env python3
"""Compares two JSON files of logits, whole rows as lists or as [id, value] pairs.

Usage: compare_logits.py A B --tolerance X    Exit status 1 where any value differs more."""
import argparse
import json
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    result = []
    for row in data["logits"]:
        if row and isinstance(row[0], list):
            values = [None] * len(row)
            for index, value in row:
                values[index] = value
            row = values
        result.append(row)
    return data["ids"], result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--tolerance", type=float, required=True)
    args = parser.parse_args()
    ids_a, a = rows(args.a)
    ids_b, b = rows(args.b)
    if ids_a != ids_b or len(a) != len(b) or not a or any(len(x) != len(y) for x, y in zip(a, b)):
        print("different ids or shapes")
        return 1
    worst = max(abs(x - y) for row_a, row_b in zip(a, b) for x, y in zip(row_a, row_b))
    print(f"{len(a)} positions, {len(a[0])} logits each, largest difference {worst:.3g}")
    return 0 if worst <= args.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
