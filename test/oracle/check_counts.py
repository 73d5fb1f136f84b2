#!/usr/bin/env python3
"""Compares a profile of a corpus with onnxruntime in float32: how often each neuron is active,
the sum of |activation|, and the norm of its row of down.

Windows of bos and W tokens of text, complete ones, as pi-profile makes them. A count may differ
where a sum is within --near-zero of zero. Needs onnx, onnxruntime, numpy, tokenizers.
Usage: check_counts.py MODEL.onnx TOKENIZER.json TEXT PROFILE.json --bos N [--window W]
       [--near-zero X]"""
import argparse
import json
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from tokenizers import Tokenizer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ort_logits import widenModel  # noqa: E402


class Blocks:
    """The feed-forward blocks of a graph: names of the sums before ReLU and of activations."""

    def __init__(self, graph):
        users = {}
        for node in graph.node:
            for name in node.input:
                users.setdefault(name, []).append(node)
        values = {t.name: t for t in graph.initializer}
        self.sums, self.activations, self.downs = [], [], []
        for node in graph.node:
            if node.op_type != "Relu":
                continue
            name = node.output[0]
            if users[name][0].op_type == "Mul":
                name = users[name][0].output[0]
            self.sums.append(node.input[0])
            self.activations.append(name)
            down = values.get(users[name][0].input[1])
            self.downs.append(None if down is None else numpy_helper.to_array(down))


def openSession(path, folder):
    model = onnx.load(widenModel(path, folder, "exact"))
    blocks = Blocks(model.graph)
    names = blocks.sums + blocks.activations
    for name in dict.fromkeys(names):
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    onnx.save(model, os.path.join(folder, "traced.onnx"))
    session = onnxruntime.InferenceSession(os.path.join(folder, "traced.onnx"),
                                           providers=["CPUExecutionProvider"])
    return session, blocks


def runWindow(session, ids, names):
    values = {"input_ids": ids, "attention_mask": [1] * len(ids), "position_ids": list(range(len(ids)))}
    feeds = {}
    for entry in session.get_inputs():
        if len(entry.shape) == 4:
            feeds[entry.name] = np.zeros([1, entry.shape[1], 0, entry.shape[3]], np.float32)
        else:
            feeds[entry.name] = np.array([values[entry.name]], np.int64)
    return [out.reshape(len(ids), -1) for out in session.run(names, feeds)]


def check(layer, least, most, mass, tokens, down):
    """Problems of one layer, as text; `down` is [neurons, features], or turned."""
    counts, sums = np.array(layer["counts"]), np.array(layer["mass"])
    problems = []
    if not ((least <= counts) & (counts <= most)).all():
        problems.append("counts differ")
    if not np.allclose(sums, mass, rtol=1e-4, atol=1e-4 * tokens):
        problems.append("masses differ")
    if down is not None:
        rows = down if down.shape[0] == len(counts) else down.T
        norms = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))
        if not np.allclose(layer["down_norms"], norms, rtol=1e-5):
            problems.append("norms differ")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs=4)
    parser.add_argument("--bos", type=int, required=True)
    parser.add_argument("--window", type=int, default=511)
    parser.add_argument("--near-zero", type=float, default=1e-4)
    args = parser.parse_args()
    model, tokenizer, text, profilePath = args.paths
    with open(profilePath, encoding="utf-8") as file:
        profile = json.load(file)
    with open(text, encoding="utf-8") as file:
        ids = Tokenizer.from_file(tokenizer).encode(file.read(), add_special_tokens=False).ids
    windows = [[args.bos] + ids[i:i + args.window] for i in range(0, len(ids) - args.window + 1, args.window)]
    with tempfile.TemporaryDirectory() as folder:
        session, blocks = openSession(model, folder)
        count = len(blocks.sums)
        least, most, mass = [0] * count, [0] * count, [0.0] * count
        for window in windows:
            outputs = runWindow(session, window, blocks.sums + blocks.activations)
            for i in range(count):
                least[i] = least[i] + (outputs[i] > args.near_zero).sum(axis=0)
                most[i] = most[i] + (outputs[i] > -args.near_zero).sum(axis=0)
                mass[i] = mass[i] + np.abs(outputs[count + i].astype(np.float64)).sum(axis=0)
    problems = []
    if profile["tokens"] != sum(len(w) for w in windows):
        problems.append(f"{profile['tokens']} tokens, expected {sum(len(w) for w in windows)}")
    if len(profile["layers"]) != count:
        problems.append(f"{len(profile['layers'])} layers, expected {count}")
    for i, layer in enumerate(profile["layers"][:count]):
        problems += [f"layer {i}: {p}" for p in
                     check(layer, least[i], most[i], mass[i], profile["tokens"], blocks.downs[i])]
    active = sum(sum(layer["counts"]) for layer in profile["layers"])
    print("\n".join(problems) or f"equal: {count} layers, {len(windows)} windows, {active} activations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
