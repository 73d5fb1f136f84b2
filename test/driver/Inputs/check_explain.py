#!/usr/bin/env python3
"""Compares `pi-compile -n --explain=json` with what the model's shapes ask for.

    check_explain.py MODEL_FOLDER TOKENIZER

The bytes are counted here from config.json: matrices are f16, vectors f32."""
import json
import os
import subprocess
import sys

FIELDS = ["layers", "device_bytes", "budget_bytes", "predicted_tok_s", "binds", "lp_gap",
          "dispatches_per_layer"]
LAYER_FIELDS = ["layer", "hot_rows", "cold_rows", "coverage", "attention", "choice",
                "device_bytes", "us_cpu", "us_gpu"]
BYTES_PER_US = 51200  # the row of x86-64-v3: 51.2 GB/s
F16, F32 = 2, 4


def count_bytes(config):
    """(per layer always, per layer if active, other, cache per layer), in bytes."""
    d = config["hidden_size"]
    kind = config["model_type"]
    heads = config["num_attention_heads"]
    context = min(4096, config.get("max_position_embeddings", 1 << 30))
    if kind == "opt":
        n, kv = config["ffn_dim"], d
        vectors = 2 * 2 * d + 4 * d + n + d  # norms, biases of attention, up and down
        gated, other_vectors, embeddings = False, 2 * d, 2
    elif kind == "falcon":
        n, kv = config.get("ffn_hidden_size") or 4 * d, d // heads
        # One norm for both halves of the layer; each half's kernel reads it.
        vectors = 2 * 2 * d
        gated, other_vectors, embeddings = False, 2 * d, 1
    else:
        n = config["intermediate_size"]
        kv = d // heads * config["num_key_value_heads"]
        vectors = 2 * d
        gated, other_vectors, embeddings = True, d, 1
    attention = 2 * d * d + 2 * kv * d
    always = F16 * (attention + n * d) + F32 * vectors
    if_active = F16 * n * d * (2 if gated else 1)
    other = F16 * (config["vocab_size"] * d + embeddings * d) + F32 * other_vectors
    return always, if_active, other, F16 * 2 * kv * context, n


def main():
    folder, tokenizer = sys.argv[1:]
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    result = subprocess.run(["pi-compile", os.path.join(folder, "model.onnx"), "--tokenizer=" + tokenizer,
                             "-n", "--explain=json"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "nothing was written" in result.stderr, result.stderr
    plan = json.loads(result.stdout)
    layers = config["num_hidden_layers"]
    always, if_active, other, cache, neurons = count_bytes(config)
    assert list(plan)[:len(FIELDS)] == FIELDS, list(plan)
    assert [layer["layer"] for layer in plan["layers"]] == list(range(layers))
    for layer in plan["layers"]:
        assert list(layer) == LAYER_FIELDS, list(layer)
        us = layer.pop("us_cpu")
        assert abs(us * BYTES_PER_US - (always + if_active)) < 1, (us * BYTES_PER_US, always + if_active)
        layer.pop("layer")
        assert layer == {"hot_rows": 0, "cold_rows": neurons, "coverage": 0, "attention": "cpu",
                         "choice": "gate", "device_bytes": 0, "us_gpu": 0}, layer
    minimum = layers * always + other
    total = minimum + layers * if_active
    assert plan["bytes_per_token"] == total, (plan["bytes_per_token"], total)
    assert plan["bytes_per_token_min"] == minimum, (plan["bytes_per_token_min"], minimum)
    assert plan["kv_bytes"] == layers * cache, (plan["kv_bytes"], layers * cache)
    assert abs(plan["predicted_tok_s"] * total / (BYTES_PER_US * 1e6) - 1) < 1e-9
    assert plan["device_bytes"] == 0 and plan["budget_bytes"] == 0 and plan["lp_gap"] is None
    assert plan["binds"] == "cpu read bandwidth" and plan["dispatches_per_layer"] == 6
    print(f"{layers} layers, {total} bytes")


if __name__ == "__main__":
    main()
