#!/usr/bin/env python3
"""Two copies of an OPT graph: positions minus the offset, and an embedding table of 100 rows.

    change_positions.py MODEL FOLDER"""
import os
import sys

import onnx
from onnx import numpy_helper

source, folder = sys.argv[1:]
model = onnx.load(source)
(add,) = [n for n in model.graph.node if n.op_type == "Add" and "embed_positions" in n.name]
add.op_type = "Sub"
onnx.save(model, os.path.join(folder, "minus.onnx"))

model = onnx.load(source)
(table,) = [t for t in model.graph.initializer if "embed_tokens" in t.name]
rows = numpy_helper.to_array(table)
short = numpy_helper.from_array(rows[:100].copy(), "short")
model.graph.initializer.append(short)
for node in model.graph.node:
    if node.op_type == "Gather" and node.input[0] == table.name:
        node.input[0] = "short"
onnx.save(model, os.path.join(folder, "rows.onnx"))
