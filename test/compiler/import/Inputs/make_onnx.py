#!/usr/bin/env python3
"""Writes a small ONNX file from a Python literal; needs no package.

    make_onnx.py SPEC MODEL

SPEC holds one dict: opset (17), inputs and outputs [(name, type, dims)], initializers
[(name, type, dims, numbers or {key: value} of external data)], nodes [(op, name, inputs,
outputs, attributes)]. An op of another domain is "domain::op". An attribute is an int,
float, str, list of ints or floats, a tensor (type, dims, numbers), or "graph:" for an
empty subgraph. Lines that begin with # are comments."""
import struct
import sys

TYPES = {"f32": 1, "u8": 2, "i32": 6, "i64": 7, "bool": 9, "f16": 10, "f64": 11, "bf16": 16}
FORMATS = {"f32": "f", "u8": "B", "i32": "i", "i64": "q", "bool": "?", "f16": "e", "f64": "d"}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, payload):
    payload = payload.encode() if isinstance(payload, str) else payload
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def tensor(name, kind, dims, numbers):
    out = b"".join(number(1, d) for d in dims) + number(2, TYPES[kind]) + chunk(8, name)
    if isinstance(numbers, dict):
        for key, value in numbers.items():
            out += chunk(13, chunk(1, key) + chunk(2, value))
        return out + number(14, 1)
    if kind == "bf16":  # the upper half of an f32
        return out + chunk(9, b"".join(struct.pack("<f", n)[2:] for n in numbers))
    return out + chunk(9, struct.pack(f"<{len(numbers)}{FORMATS[kind]}", *numbers))


def attribute(name, value):
    out = chunk(1, name)
    if value == "graph:":
        return out + chunk(6, b"") + number(20, 5)
    if isinstance(value, int):
        return out + number(3, value) + number(20, 2)
    if isinstance(value, float):
        return out + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, str):
        return out + chunk(4, value) + number(20, 3)
    if isinstance(value, tuple):
        return out + chunk(5, tensor("", *value)) + number(20, 4)
    if value and isinstance(value[0], float):
        return out + chunk(7, struct.pack(f"<{len(value)}f", *value)) + number(20, 6)
    return out + b"".join(number(8, v) for v in value) + number(20, 7)


def node(op, name, inputs, outputs, attributes=None):
    domain, _, op = op.rpartition("::")
    out = b"".join(chunk(1, i) for i in inputs) + b"".join(chunk(2, o) for o in outputs)
    out += chunk(3, name) + chunk(4, op) + chunk(7, domain)
    return out + b"".join(chunk(5, attribute(k, v)) for k, v in (attributes or {}).items())


def value_info(name, kind, dims):
    shape = b"".join(chunk(1, number(1, d) if isinstance(d, int) else chunk(2, d)) for d in dims)
    return chunk(1, name) + chunk(2, chunk(1, number(1, TYPES[kind]) + chunk(2, shape)))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        spec = eval("".join(l for l in file if not l.lstrip().startswith("#")))
    graph = b"".join(chunk(1, node(*n)) for n in spec.get("nodes", []))
    graph += b"".join(chunk(5, tensor(*t)) for t in spec.get("initializers", []))
    graph += b"".join(chunk(11, value_info(*v)) for v in spec.get("inputs", []))
    graph += b"".join(chunk(12, value_info(*v)) for v in spec.get("outputs", []))
    model = number(1, 8) + chunk(7, graph) + chunk(8, number(2, spec.get("opset", 17)))
    model += b"".join(chunk(25, chunk(1, f)) for f in spec.get("functions", []))
    with open(sys.argv[2], "wb") as file:
        file.write(model)


if __name__ == "__main__":
    main()
