#!/usr/bin/env python3
"""Old and new spellings, shards and links: all give the same executable.

    hf_spellings.py FIXTURES SCRATCH"""
import os
import subprocess
import sys

import hf_directory as hf

FIXTURES, SCRATCH = sys.argv[1:]


def compiled(folder):
    out = folder.rstrip("/") + ".bin"
    subprocess.run(["pi-compile", folder, "-o", out], check=True)
    with open(out, "rb") as file:
        return file.read()


def fresh(name, label):
    return hf.copy(os.path.join(FIXTURES, name), os.path.join(SCRATCH, label),
                   os.path.join(FIXTURES, "tokenizer.json"))


def rename(config, pairs):
    for new, old in pairs:
        if new in config:
            config[old] = config.pop(new)


def old_llama(config):
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    rope["type"] = rope.pop("rope_type")
    config["rope_scaling"] = rope
    rename(config, [("dtype", "torch_dtype")])


def old_falcon(config):
    config["rope_theta"] = config.pop("rope_parameters")["rope_theta"]
    config["model_type"] = "RefinedWeb"
    del config["activation"], config["new_decoder_architecture"]
    config["hidden_act"] = "relu"
    rename(config, [("dtype", "torch_dtype"), ("num_hidden_layers", "n_layer"), ("num_attention_heads", "n_head"),
                    ("num_kv_heads", "n_head_kv"), ("hidden_size", "n_embed")])


for name, change in (("hf-llama", old_llama), ("hf-falcon-40b", old_falcon)):
    plain = compiled(fresh(name, name))
    folder = fresh(name, name + "-old")
    config = hf.read_config(folder)
    change(config)
    hf.write_config(folder, config)
    assert compiled(folder) == plain, f"{name}: old spellings differ"

    folder = fresh(name, name + "-shards")
    hf.write_shards(folder, hf.read_safetensors(os.path.join(folder, "model.safetensors")), 3)
    os.remove(os.path.join(folder, "model.safetensors"))
    assert compiled(folder + "/") == plain, f"{name}: shards differ"

    # The cache of Hugging Face: names are links to blobs.
    folder = fresh(name, name + "-cache")
    blobs, snapshot = os.path.join(folder, "blobs"), os.path.join(folder, "snapshots", "0123")
    os.makedirs(blobs)
    os.makedirs(snapshot)
    for i, file in enumerate(sorted(f for f in os.listdir(folder) if f.endswith((".json", ".safetensors")))):
        os.rename(os.path.join(folder, file), os.path.join(blobs, f"{i:040}"))
        os.symlink(f"../../blobs/{i:040}", os.path.join(snapshot, file))
    assert compiled(snapshot) == plain, f"{name}: links differ"

# Tensors saved from the base class have no prefix.
folder = fresh("hf-llama", "hf-llama-base")
path = os.path.join(folder, "model.safetensors")
plain = compiled(folder)
hf.write_safetensors(path, {n.removeprefix("model."): t for n, t in hf.read_safetensors(path).items()})
assert compiled(folder) == plain, "names without prefix differ"
print("ok")
