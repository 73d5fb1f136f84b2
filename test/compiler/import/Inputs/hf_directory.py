"""Reads, changes and writes small Hugging Face directories. Only the standard library."""
import json
import os
import shutil
import struct


def read_safetensors(path):
    """-> {name: (dtype, shape, bytes)}, in file order."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    body = data[8 + length:]
    return {name: (t["dtype"], t["shape"], body[t["data_offsets"][0]:t["data_offsets"][1]])
            for name, t in header.items()}


def write_safetensors(path, tensors):
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


def write_shards(folder, tensors, count):
    """Deals the tensors out over `count` files, with an index."""
    names = list(tensors)
    weight_map = {}
    for i in range(count):
        file = f"model-{i + 1:05}-of-{count:05}.safetensors"
        part = {n: tensors[n] for n in names[i::count]}
        write_safetensors(os.path.join(folder, file), part)
        weight_map.update({n: file for n in part})
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as file:
        json.dump({"metadata": {}, "weight_map": weight_map}, file)


def read_config(folder):
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        return json.load(file)


def write_config(folder, config):
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)


def copy(source, target, tokenizer):
    """A fresh copy of a fixture with a tokenizer in it."""
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for name in ("config.json", "generation_config.json", "model.safetensors"):
        shutil.copyfile(os.path.join(source, name), os.path.join(target, name))
    shutil.copyfile(tokenizer, os.path.join(target, "tokenizer.json"))
    return target
