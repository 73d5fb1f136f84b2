#!/usr/bin/env python3
"""Writes a .piprof file from docs/profile-format.md alone, as a check of that page.

Usage: make_profile.py OUT [key=value...]    keys and defaults in DEFAULTS
tiny=1 writes two layers of four neurons with known numbers; otherwise counts follow a
power law whose exponent and scale differ from layer to layer, permuted by the seed."""
import random
import struct
import sys

DEFAULTS = {
    "tiny": 0, "layers": 4, "neurons": 100, "hidden": 8, "tokens": 1000, "norms": 1,
    "fingerprint": 0x1234, "goal": 0, "seed": 1, "hash": 0, "window": 512, "shard": 0, "of": 1,
    "limit": 4, "samples": 3, "interrupted": 0, "version": 1, "source": "self-sampled",
}


def pad(data):
    return data + b"\0" * (-len(data) % 8)


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def tiny_layers(options):
    """(hidden, counts, mass, norms) of each layer."""
    return [(2, [10, 0, 60, 10], [2**24, 0, 3 * 2**23, 2**25], [1.0, 2.0, 0.5, 0.25]),
            (2, [100, 50, 0, 0], [2**23, 2**22, 0, 0], [])]


def power_law_layers(options, rng):
    layers = []
    for index in range(options["layers"]):
        place = index / max(options["layers"] - 1, 1)
        exponent = 0.8 + 0.7 * (1 - abs(2 * place - 1)) + rng.random() * 0.2
        knee = options["neurons"] * (0.02 + 0.05 * rng.random())
        rates = [0.95 * (1 + rank / knee) ** -(exponent + rank / options["neurons"])
                 for rank in range(options["neurons"])]
        # Some neurons are never active, more in later layers.
        dead = int(options["neurons"] * 0.05 * place)
        rates = [0.0 if rank >= options["neurons"] - dead else rate
                 for rank, rate in enumerate(rates)]
        rng.shuffle(rates)
        counts = [min(options["tokens"], int(rate * options["tokens"] + rng.random()))
                  for rate in rates]
        mass = [int(count * rng.random() * 2**24) for count in counts]
        norms = [rng.random() for _ in counts] if options["norms"] else []
        layers.append((options["hidden"], counts, mass, norms))
    return layers


def make_samples(options, layers, rng):
    samples = []
    for _ in range(options["samples"]):
        masks = b""
        for _, counts, _, _ in layers:
            bits = sum(rng.randrange(2) << n for n in range(len(counts)))
            masks += bits.to_bytes((len(counts) + 7) // 8, "little")
        inputs = [rng.random() for hidden, *_ in layers for _ in range(hidden)]
        key = (rng.randrange(2**64), rng.randrange(100), rng.randrange(options["window"]))
        samples.append((key, struct.pack(f"<{len(inputs)}f", *inputs) + masks))
    return sorted(samples)


def make_file(options):
    # Norms belong to the model, counts to the shard.
    rng = random.Random(options["shard"] * 1000 + options["seed"])
    layers = tiny_layers(options) if options["tiny"] else power_law_layers(options, rng)
    samples = make_samples(options, layers, rng)
    source = options["source"].encode()
    rest = struct.pack(
        "<5Q8I", options["fingerprint"], options["tokens"], options["goal"], options["seed"],
        options["hash"], options["window"], options["of"], 1, len(layers), options["limit"],
        len(samples), len(source), 0)
    rest += pad(source) + pad(struct.pack("<I", options["shard"]))
    for index, (hidden, counts, _, norms) in enumerate(layers):
        rest += struct.pack("<4I", index, hidden, len(counts), bool(norms))
    for _, counts, mass, norms in layers:
        rest += struct.pack(f"<{len(counts)}Q", *counts) + struct.pack(f"<{len(mass)}Q", *mass)
        rest += pad(struct.pack(f"<{len(norms)}f", *norms))
    for key, data in samples:
        rest += pad(struct.pack("<3Q", *key) + data)
    start = b"PIPROF\r\n" + struct.pack("<2IQ", options["version"], options["interrupted"],
                                        32 + len(rest))
    return start + struct.pack("<Q", fnv1a(start + rest)) + rest


def main():
    options = dict(DEFAULTS)
    for argument in sys.argv[2:]:
        key, value = argument.split("=", 1)
        options[key] = type(DEFAULTS[key])(value)
    with open(sys.argv[1], "wb") as file:
        file.write(make_file(options))


if __name__ == "__main__":
    main()
