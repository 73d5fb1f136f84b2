#!/usr/bin/env python3
# onnxruntime as a peer: logits of a decoder model.onnx in float32 arithmetic. A copy of the model in a temporary folder gets
# float32 where the file has float16 or bfloat16 (initialisers, constants, casts, inputs, outputs, value infos), then runs one
# token at a time with its KV cache (or, where it has no past inputs, the whole prefix at once). Needs onnx, onnxruntime, numpy.
# Usage: ort_logits.py MODEL.onnx --ids 1,2,3 [--greedy N] [--top N] [--chunk N] [--scale exact [--head-dim D]] [--threads N]
#   -> {"ids":[..],"logits":[[..] per position]}, with --top N [[[id,value],..] per position] as the executables print it.

import argparse
import json
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, numpy_helper

NARROW = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
EXTERNAL_FROM_BYTES = 1 << 30  # larger copies are saved with external data (protobuf ends at 2 GiB)


def widenTensor(t):
    """Makes one TensorProto float32, in place; returns whether it was narrow."""
    if t.data_type not in NARROW:
        return False
    t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(t).astype(np.float32), t.name))
    return True


def widenType(t):
    """Makes a TypeProto (tensor, sequence or optional) float32, in place."""
    kind = t.WhichOneof("value")
    if kind == "tensor_type" and t.tensor_type.elem_type in NARROW:
        t.tensor_type.elem_type = TensorProto.FLOAT
    elif kind in ("sequence_type", "optional_type"):
        widenType(getattr(t, kind).elem_type)


def widenNodes(nodes):
    for node in nodes:
        for a in node.attribute:
            if a.type == onnx.AttributeProto.TENSOR:
                widenTensor(a.t)
            elif a.type == onnx.AttributeProto.TENSORS:
                for t in a.tensors:
                    widenTensor(t)
            elif a.type == onnx.AttributeProto.GRAPH:
                widenGraph(a.g)
            elif a.type == onnx.AttributeProto.GRAPHS:
                for g in a.graphs:
                    widenGraph(g)
            elif a.name in ("to", "dtype", "stash_type", "output_dtype") and a.i in NARROW:
                a.i = TensorProto.FLOAT


def widenGraph(g):
    for t in g.initializer:
        widenTensor(t)
    for v in list(g.input) + list(g.output) + list(g.value_info):
        widenType(v.type)
    widenNodes(g.node)


def exactScales(g, headDim=0):
    """Replaces attention scales by float32(d^-0.5) or float32(d^0.5); returns how many.

    An f16 export stores the scale as an f16 constant, while transformers in float32 uses the exact Python float. Every scalar
    constant that is the f16 rounding of d^-0.5 or d^0.5, and feeds a Mul or Div, is taken; d is headDim, or where that is 0
    the cache's last dimension.
    """
    dims = [v.type.tensor_type.shape.dim for v in g.input]
    headDim = headDim or next((d[3].dim_value for d in dims if len(d) == 4), 0)
    if not headDim:
        raise ValueError("--scale exact needs past inputs of rank 4, or --head-dim")
    exact = {np.float32(np.float16(e)): np.float32(e) for e in (headDim ** -0.5, headDim ** 0.5)}
    used = {n for node in g.node if node.op_type in ("Mul", "Div") for n in node.input}
    tensors = [(t.name, t) for t in g.initializer]
    tensors += [(n.output[0], n.attribute[0].t) for n in g.node if n.op_type == "Constant" and n.attribute[0].name == "value"]
    count = 0
    for name, t in tensors:
        if name in used and t.data_type == TensorProto.FLOAT and not t.dims:
            value = exact.get(np.float32(numpy_helper.to_array(t)))
            if value is not None:
                t.CopyFrom(numpy_helper.from_array(np.array(value, np.float32), t.name))
                count += 1
    return count


def widenModel(path, outDir, scale="stored", headDim=0):
    """Writes the float32 copy of the model at path into outDir; returns its path."""
    m = onnx.load(path)  # external data included
    widenGraph(m.graph)
    for f in m.functions:
        widenNodes(f.node)
    if scale == "exact":
        exactScales(m.graph, headDim)
    out = os.path.join(outDir, "model.onnx")
    large = sum(len(t.raw_data) for t in m.graph.initializer) > EXTERNAL_FROM_BYTES
    onnx.save(m, out, save_as_external_data=large, location="model.onnx.data" if large else None)
    return out


class Runner:
    """One model in onnxruntime, with its KV cache; feed() appends ids and returns their logits, f32 [len(ids), vocab]."""

    def __init__(self, path, threads=1, scale="stored", headDim=0):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with tempfile.TemporaryDirectory() as t:
            copy = widenModel(path, t, scale, headDim)
            self.session = onnxruntime.InferenceSession(copy, options, providers=["CPUExecutionProvider"])
        inputs = self.session.get_inputs()
        self.plain = [i.name for i in inputs if len(i.shape) < 4]
        self.past = [i for i in inputs if len(i.shape) == 4]
        for name in self.plain:
            if name not in ("input_ids", "attention_mask", "position_ids"):
                raise ValueError(f"{path}: unexpected input {name}")
        self.outputs = [o.name for o in self.session.get_outputs()]
        if self.past and len(self.past) != len(self.outputs) - 1:
            raise ValueError(f"{path}: {len(self.past)} past inputs, {len(self.outputs) - 1} present outputs")
        self.reset()

    def reset(self):
        """Forgets all ids."""
        self.ids = []
        self.cache = [np.zeros([1, i.shape[1], 0, i.shape[3]], np.float32) for i in self.past]

    def feed(self, ids):
        start = len(self.ids)
        self.ids += [int(i) for i in ids]
        first = start if self.past else 0  # without a cache the whole prefix runs again
        values = {"input_ids": self.ids[first:], "attention_mask": [1] * len(self.ids),
                  "position_ids": list(range(first, len(self.ids)))}
        feeds = {n: np.array([values[n]], np.int64) for n in self.plain}
        feeds.update({i.name: c for i, c in zip(self.past, self.cache)})
        out = self.session.run(self.outputs, feeds)
        if self.past:
            self.cache = out[1:]
        return out[0][0][start - first:]


def logitsOf(runner, ids, chunk=1):
    """Teacher-forced logits of ids, f32 [len(ids), vocab], fed chunk at a time."""
    runner.reset()
    return np.concatenate([runner.feed(ids[i:i + chunk]) for i in range(0, len(ids), chunk)])


def greedyOf(runner, ids, count):
    """count greedy ids after the prompt ids (lowest id among equals), going on past eos."""
    last, out = logitsOf(runner, ids, len(ids))[-1], []
    for i in range(count):
        out.append(int(np.argmax(last)))
        if i + 1 < count:
            last = runner.feed([out[-1]])[-1]
    return out


def topOf(row, count):
    order = np.argsort(-row, kind="stable")[:count]
    return [[int(i), float(row[i])] for i in order]


def main():
    parser = argparse.ArgumentParser(description="Logits of an ONNX decoder by onnxruntime in float32.")
    parser.add_argument("model")
    parser.add_argument("--ids", required=True, help="comma-separated token ids")
    parser.add_argument("--greedy", type=int, default=0, metavar="N", help='also print N greedy ids after them as "greedy"')
    parser.add_argument("--top", type=int, default=0, metavar="N", help="print the N largest logits as [id, value]")
    parser.add_argument("--chunk", type=int, default=1, metavar="N", help="tokens per step (default 1)")
    parser.add_argument("--scale", choices=["stored", "exact"], default="stored",
                        help="attention scale: the file's f16 constant, or head_dim^-0.5 as transformers has it")
    parser.add_argument("--head-dim", type=int, default=0, metavar="D", help="for --scale exact without past inputs")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    ids = [int(i) for i in args.ids.split(",")]
    runner = Runner(args.model, args.threads, args.scale, args.head_dim)
    logits = logitsOf(runner, ids, args.chunk)
    rows = [topOf(r, args.top) for r in logits] if args.top else [[float(v) for v in r] for r in logits]
    result = {"ids": ids, "logits": rows}
    if args.greedy:
        result["greedy"] = greedyOf(runner, ids, args.greedy)
    print(json.dumps(result, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
