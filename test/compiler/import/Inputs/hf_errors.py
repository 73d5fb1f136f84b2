#!/usr/bin/env python3
"""Hugging Face directories with one thing wrong each: prints what pi-compile says of them.

    hf_errors.py FIXTURES SCRATCH

Every case must end with exit code 1, at least one error, and nothing written."""
import json
import os
import subprocess
import sys

import hf_directory as hf

FIXTURES, SCRATCH = sys.argv[1:]
TOKENIZER = os.path.join(FIXTURES, "tokenizer.json")


def compile_case(label, model, flags=()):
    out = os.path.join(SCRATCH, "never.bin")
    run = subprocess.run(["pi-compile", model, "-o", out, *flags], capture_output=True, text=True, timeout=60)
    print(f"== {label}")
    print(run.stderr.replace(SCRATCH + "/", ""), end="")
    assert run.returncode == 1, (label, run.returncode)
    assert "error: " in run.stderr, label
    assert not os.path.exists(out), label
    assert not [f for f in os.listdir(SCRATCH) if "tmp" in f], label


def config_case(label, fixture="hf-llama", flags=(), **changes):
    folder = hf.copy(os.path.join(FIXTURES, fixture), os.path.join(SCRATCH, "m"), TOKENIZER)
    config = hf.read_config(folder)
    for key, value in changes.items():
        if value is None:
            config.pop(key, None)
        else:
            config[key] = value
    hf.write_config(folder, config)
    compile_case(label, folder, flags)


def tensor_case(label, change, fixture="hf-llama"):
    folder = hf.copy(os.path.join(FIXTURES, fixture), os.path.join(SCRATCH, "m"), TOKENIZER)
    path = os.path.join(folder, "model.safetensors")
    tensors = hf.read_safetensors(path)
    change(tensors)
    hf.write_safetensors(path, tensors)
    compile_case(label, folder)


def file_case(label, change, model=""):
    folder = hf.copy(os.path.join(FIXTURES, "hf-llama"), os.path.join(SCRATCH, "m"), TOKENIZER)
    change(folder)
    compile_case(label, os.path.join(folder, model) if model else folder)


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def shards(folder, change):
    path = os.path.join(folder, "model.safetensors")
    hf.write_shards(folder, hf.read_safetensors(path), 2)
    os.remove(path)
    change(folder, os.path.join(folder, "model.safetensors.index.json"))


def edit_index(old, new):
    def change(_, index):
        with open(index, encoding="utf-8") as file:
            text = file.read()
        assert old in text
        with open(index, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    return change


def move_in_index(_, index):
    with open(index, encoding="utf-8") as file:
        content = json.load(file)
    files = sorted(set(content["weight_map"].values()))
    map_ = content["weight_map"]
    map_["model.norm.weight"] = files[1 - files.index(map_["model.norm.weight"])]
    with open(index, "w", encoding="utf-8") as file:
        json.dump(content, file)


def link_outside(folder):
    target = os.path.join(SCRATCH, "outside.safetensors")
    os.rename(os.path.join(folder, "model.safetensors"), target)
    os.symlink(target, os.path.join(folder, "model.safetensors"))


# --- config.json
config_case("unknown family", model_type="mamba")
config_case("no family", model_type=None)
config_case("activation", hidden_act="silu")
config_case("default activation", fixture="hf-falcon-40b", activation=None)
config_case("several at once", hidden_size=0, num_hidden_layers="two", rms_norm_eps=-1, vocab_size=None)
config_case("too many layers", num_hidden_layers=2**31)
config_case("groups", num_key_value_heads=3)
config_case("mlp bias", mlp_bias=True)
config_case("quantised", quantization_config={"bits": 4})
config_case("rope type", rope_parameters={"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0})
config_case("rope factor", rope_parameters={"rope_type": "linear", "rope_theta": 10000.0})
config_case("partial rope", rope_parameters={"rope_type": "default", "partial_rotary_factor": 0.5})
config_case("partial rope, old spelling", partial_rotary_factor=0.5)
config_case("alibi", fixture="hf-falcon-40b", alibi=True)
config_case("projected embeddings", fixture="hf-opt-postnorm", word_embed_proj_dim=16)
config_case("context", fixture="hf-opt-postnorm", flags=["--context=129"])
config_case("another hidden size", hidden_size=48)
config_case("fewer layers", num_hidden_layers=1)
config_case("more layers", num_hidden_layers=3)

# --- tensors
tensor_case("missing", lambda t: t.pop("model.layers.1.mlp.up_proj.weight"))
tensor_case("unknown", lambda t: t.update({"model.layers.0.self_attn.q_norm.weight": ("BF16", [16], bytes(32))}))
tensor_case("type", lambda t: t.update({"model.norm.weight": ("I32", [32], bytes(128))}))

# --- files
file_case("no config", lambda d: os.remove(os.path.join(d, "config.json")))
file_case("bad config", lambda d: write(d, "config.json", b"{\"model_type\": "))
file_case("no tokenizer", lambda d: os.remove(os.path.join(d, "tokenizer.json")))
file_case("pickles only", lambda d: os.rename(os.path.join(d, "model.safetensors"), os.path.join(d, "pytorch_model.bin")))
file_case("graph only", lambda d: os.rename(os.path.join(d, "model.safetensors"), os.path.join(d, "model.onnx")))
file_case("a pickle", lambda d: write(d, "m.bin", b"PK\3\4 and so on"), model="m.bin")
for protocol in (1, 2, 3, 5, 6):
    file_case(f"protocol {protocol}", lambda d: write(d, "m.bin", bytes([0x80, protocol, 0x8A])), model="m.bin")
file_case("gguf", lambda d: write(d, "m.gguf", b"GGUF\3\0\0\0"), model="m.gguf")
file_case("one file", lambda d: None, model="model.safetensors")
file_case("link outside", link_outside)
file_case("shard missing", lambda d: shards(d, lambda f, i: os.remove(os.path.join(f, "model-00002-of-00002.safetensors"))))
file_case("shard outside", lambda d: shards(d, edit_index("model-00002-of-00002", "../model-00002-of-00002")))
file_case("tensor elsewhere", lambda d: shards(d, move_in_index))
file_case("no weight map", lambda d: shards(d, lambda f, i: write(f, os.path.basename(i), b"{}")))
