#!/usr/bin/env python3
"""Appends a payload to the fake model of the runtime's tests: a second writer of
runtime/abi/pi_format.h, independent of the packager and of runtime/abi/pi_checksum.h.

Usage: make_payload.py ELF TOKENIZER.json OUT [VARIANT]
VARIANT: no-template (the tokenizer adds no bos), no-bos (nor have the facts one),
no-tokenizer, bad-tokenizer, bad-info, nan (a weight is not a number)

The model (FakeProgram.cpp) says a fixed text: weight `script` has a 1 per row at the
token to come, `bigram` adds a little that depends on the token before."""
import json
import os
import struct
import sys

MAGIC = 0x0A0D6578652D6970
VOCAB, SCRIPT_ROWS = 274, 48
SCRIPT = "Es war einmal ein Bär – 熊 🐻 und €uro."


def checksum(data):
    """pi_checksum: words of 8 bytes, the tail padded, then the length."""
    state = 0xCBF29CE484222325
    padded = data + bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", padded + struct.pack("<Q", len(data))):
        state = (state ^ word) * 0x100000001B3 & (1 << 64) - 1
        state ^= state >> 32
    return state


def byte_tokens(tokenizer):
    """Token id of each byte, by the alphabet of byte-level BPE (GPT-2)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    alphabet = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in alphabet:
            alphabet[byte] = chr(256 + len(alphabet) - len(printable))
    vocab = tokenizer["model"]["vocab"]
    return [vocab[alphabet[byte]] for byte in range(256)]


def script_ids(tokenizer):
    of_byte = byte_tokens(tokenizer)
    ids = [of_byte[byte] for byte in SCRIPT.encode()]
    assert len(ids) < SCRIPT_ROWS
    return ids + [2] * (SCRIPT_ROWS - len(ids))  # eos


def weights(tokenizer):
    """(name, dtype, rows, cols, layer, bytes) in the order of indices."""
    script = [0.0] * (SCRIPT_ROWS * VOCAB)
    for row, token in enumerate(script_ids(tokenizer)):
        script[row * VOCAB + token] = 8.0
    bigram = [(31 * i + 17 * j) % 97 / 97 for i in range(VOCAB) for j in range(VOCAB)]
    pack = lambda values: struct.pack(f"<{len(values)}f", *values)
    return [("script", 1, SCRIPT_ROWS, VOCAB, 0xFFFFFFFF, pack(script)),
            ("bigram", 1, VOCAB, VOCAB, 0, pack(bigram)),
            ("bigram.tied", 1, VOCAB, VOCAB, 1, pack(bigram)),
            ("halves", 2, 1, 5, 1, struct.pack("<5e", 1, 2, 3, 4, 5))]


INFO = {"family": "fake", "layers": 2, "hidden": VOCAB, "intermediate": 0, "heads": 1, "kv_heads": 1,
        "vocab": VOCAB, "context": 4096, "weights": "f32", "kv": "f32", "exact": True,
        "cpu": "x86-64", "gpu_arch": None, "min_driver": None, "compiler": "make_payload.py 1",
        "groups": [{"layer": 0, "place": "cpu", "rows": 4, "bytes": 16, "weights": "f32"}],
        "device_bytes": {"weights": 0, "kv": 0, "predictors": 0, "scratch": 0}, "bos": 1, "eos": [2]}


def build(elf, tokenizer_text, variant):
    table = weights(json.loads(tokenizer_text))
    info = json.dumps(INFO | ({"bos": None} if variant == "no-bos" else {})).encode()
    if variant in ("no-template", "no-bos"):
        tokenizer_text = json.dumps(json.loads(tokenizer_text) | {"post_processor": None}).encode()
    elif variant == "no-tokenizer":
        tokenizer_text = b""
    elif variant == "bad-tokenizer":
        tokenizer_text = b'{"model": {"type": "Other"}}'
    elif variant == "bad-info":
        info = b"[1]"
    elif variant == "nan":
        name, dtype, rows, cols, layer, data = table[0]
        table[0] = (name, dtype, rows, cols, layer, struct.pack("<f", float("nan")) + data[4:])
    return append_payload(elf, table, info, tokenizer_text)


def append_payload(elf, table, info, tokenizer_text):
    out = bytearray(elf)
    out += bytes(-len(out) % 65536)
    payload_offset = len(out)
    entries, strings, offsets = b"", b"", {}
    for name, dtype, rows, cols, layer, data in table:
        if data not in offsets:
            out += bytes(-len(out) % 256)
            offsets[data] = len(out) - payload_offset
            out += data
        entries += struct.pack("<6Q2I", len(strings), offsets[data], len(data), checksum(data), rows, cols,
                               dtype, layer)
        strings += name.encode() + b"\0"
    payload_bytes = len(out) - payload_offset
    out += bytes(-len(out) % 8)
    manifest_offset = len(out)
    body, places = b"", []
    for section in (entries, strings, info, tokenizer_text):
        places.append((64 + len(body), len(section)))
        body += section + bytes(-len(section) % 8)
    manifest = struct.pack("<2I7Q", len(entries) // 56, 0, places[0][0], *places[1], *places[2], *places[3])
    manifest += body
    out += manifest
    footer = struct.pack("<6QI", payload_offset, payload_bytes, manifest_offset, len(manifest), len(out) + 64,
                         checksum(manifest), 1)
    footer += struct.pack("<IQ", checksum(footer) & 0xFFFFFFFF, MAGIC)
    return out + footer


def main():
    elf, tokenizer, out = sys.argv[1:4]
    variant = sys.argv[4] if len(sys.argv) > 4 else ""
    with open(elf, "rb") as file, open(tokenizer, "rb") as text:
        data = build(file.read(), text.read(), variant)
    with open(out + ".tmp", "wb") as file:
        file.write(data)
    os.chmod(out + ".tmp", 0o755)
    os.rename(out + ".tmp", out)


if __name__ == "__main__":
    main()
