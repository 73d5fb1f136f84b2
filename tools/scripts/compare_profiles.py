#!/usr/bin/env python3
"""How well the hot neurons of one profile serve the text of another.

Usage: compare_profiles.py OWN.piprof OTHER.piprof [NAME]    needs pi-profile in build/bin or PATH
Prints a row of a table: overlap of the hottest 25 % (mean over layers, and the least), the
share of OTHER's activations that OTHER's own hottest 25 % have, and what OWN's lose of it."""
import json
import os
import shutil
import subprocess
import sys

HOT = 0.25


def load(path):
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/bin/pi-profile")
    tool = here if os.path.exists(here) else shutil.which("pi-profile")
    return json.loads(subprocess.run([tool, "show", path, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def hottest(counts):
    """The hottest HOT of the neurons, ties by index, as placement takes them."""
    order = sorted(range(len(counts)), key=lambda i: (-counts[i], i))
    return set(order[:int(len(counts) * HOT)])


def main():
    own, other = load(sys.argv[1]), load(sys.argv[2])
    if own["fingerprint"] != other["fingerprint"]:
        sys.exit("the profiles are of different models")
    overlaps, best, lost = [], [], []
    for a, b in zip(own["layers"], other["layers"]):
        mine, theirs, total = hottest(a["counts"]), hottest(b["counts"]), sum(b["counts"])
        overlaps.append(len(mine & theirs) / len(theirs))
        best.append(sum(b["counts"][i] for i in theirs) / total)
        lost.append(best[-1] - sum(b["counts"][i] for i in mine) / total)
    mean = lambda values: 100 * sum(values) / len(values)
    name = sys.argv[3] if len(sys.argv) > 3 else os.path.basename(sys.argv[2])
    print(f"| {name} | {own['tokens']} | {other['tokens']} | {mean(overlaps):.1f} % | {100 * min(overlaps):.1f} % "
          f"| {mean(best):.1f} % | {mean(lost):.2f} % | {100 * max(lost):.2f} % |")


if __name__ == "__main__":
    main()
