"""Puts the neurons of each layer in a random order and splits them into groups.

usage: split_groups.py IN.mlir OUT.mlir SEED GROUPS

IN is IR of phase partition with one group per layer. Each group becomes GROUPS of them, of
random sizes, the first on gpu0; all name one pi.order.
"""

import random
import re
import sys

NAMES = ["hot", "cold", "c2", "c3"]


def split(text, seed, count):
    rng = random.Random(seed)
    groups = {}  # name -> [(suffix, first, last)]

    def make_groups(match):
        layer, rows, weights = int(match[1]), int(match[2]), match[3]
        cuts = [0] + sorted(rng.sample(range(1, rows), count - 1)) + [rows]
        groups[f"@layers.{layer}.all"] = [
            (NAMES[i], cuts[i], cuts[i + 1]) for i in range(count)]
        order = list(range(rows))
        rng.shuffle(order)
        lines = [f"  pi.order @layers.{layer}.order = dense<{order}> : tensor<{rows}xi32>"]
        for i in range(count):
            place = "gpu0" if i == 0 else "cpu"
            lines.append(f"  neuron.group @layers.{layer}.{NAMES[i]} layer {layer} "
                         f"rows({cuts[i]} to {cuts[i + 1]}) on <{place}> weights [{weights}] "
                         f"order @layers.{layer}.order")
        return "\n".join(lines)

    text = re.sub(r"^ *neuron\.group @layers\.(\d+)\.all layer \d+ rows\(0 to (\d+)\) on <cpu> "
                  r"weights \[(.*?)\].*$", make_groups, text, flags=re.M)

    def copy_line(line):
        match = re.search(r"(%\w+) = neuron\.(gate_up|down) (?:<relu> )?(%\w+) of "
                          r"(@layers\.\d+\.)all", line)
        if not match:
            return [line]
        result, step, operand = match[1], match[2], match[3]
        copies = []
        for name, first, last in groups[match[4] + "all"]:
            copy = line.replace(f"{result} =", f"%{name}{result[1:]} =")
            if step == "down":
                copy = copy.replace(f"down {operand} of", f"down %{name}{operand[1:]} of")
            copy = copy.replace(match[4] + "all", match[4] + name)
            copies.append(re.sub(r"acts<\d+>", f"acts<{last - first}>", copy))
        shares[result] = [f"%{name}{result[1:]}" for name, _, _ in groups[match[4] + "all"]]
        return copies

    shares = {}
    lines = [copy for line in text.split("\n") for copy in copy_line(line)]

    def merge(match):
        parts = shares[match[1]]
        return (f"neuron.merge {', '.join(parts)}{match[2]}: "
                f"({', '.join([match[3]] * len(parts))})")

    return re.sub(r"neuron\.merge (%\w+)(.*?): \((.*?)\)", merge, "\n".join(lines))


def main():
    source, target, seed, count = sys.argv[1:]
    with open(source) as file:
        text = file.read()
    with open(target, "w") as file:
        file.write(split(text, int(seed), int(count)))


main()
