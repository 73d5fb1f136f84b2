#!/usr/bin/env python3
"""A copy of a graph with a long chain of operators behind the embedding.

    deep_graph.py MODEL OUT OPERATOR COUNT"""
import sys

import onnx
from onnx import helper

source, out, operator, count = sys.argv[1:]
model = onnx.load(source)
nodes = list(model.graph.node)
(at,) = [i for i, n in enumerate(nodes) if n.op_type == "Gather" and "embed_tokens" in n.name]
name = nodes[at].output[0]
names = [f"{name}_{i}" for i in range(int(count))] + [name]
nodes[at].output[0] = names[0]
chain = [helper.make_node(operator, [a] * (2 if operator == "Add" else 1), [b], name=f"/link{i}")
         for i, (a, b) in enumerate(zip(names, names[1:]))]
del model.graph.node[:]
model.graph.node.extend(nodes[:at + 1] + chain + nodes[at + 1:])
onnx.save(model, out)
