#!/usr/bin/env python3
# Makes the random-weight fixtures under test/fixtures/: real transformers classes, exported to ONNX by torch, with known
# answers (expected.json) that transformers computes in float32 arithmetic over the stored weights.
# Written with torch 2.11.0, transformers 5.17.0, onnx 1.23.2, onnxscript 0.7.2, numpy 2.4.6, tokenizers 0.23.3, Python 3.11.
# Weights come from a seeded numpy generator; the same versions on the same machine give the same bytes.
# Needs no network. Usage: make_fixtures.py OUTDIR [NAME ...] (OUTDIR is test/fixtures; without names: all, and the tokenizer).

import argparse
import json
import logging
import os
import shutil
import sys
import tempfile
import warnings
import zlib

import numpy as np
import onnx
import torch
from torch import nn
from transformers import (DynamicCache, FalconConfig, FalconForCausalLM, LlamaConfig, LlamaForCausalLM, MistralConfig,
                          MistralForCausalLM, OPTConfig, OPTForCausalLM, PhiConfig, PhiForCausalLM)
from transformers.utils.logging import disable_progress_bar

MAX_FIXTURE_BYTES = 300_000
MAX_POSITIONS = 128
BOS, EOS, PAD = 1, 2, 0
SEQUENCES, SEQUENCE_LENGTH = 2, 24  # teacher-forced ids per fixture
FULL_POSITIONS = (10, 23)  # of the first sequence: whole logits vectors are kept
TOP, GREEDY_TOKENS, PROMPT = 8, 32, "the cat and the hen"
MIN_MARGIN, MIN_DISTINCT, MAX_ATTEMPTS = 5e-3, 8, 200

# Words whose merges the tokenizer knows: enough for a few steps of merging, small enough to read.
MERGES = ["Ġ t", "h e", "Ġt he", "Ġ a", "n d", "Ġa nd", "i n", "Ġ h", "Ġh en", "e n", "a t", "Ġ c", "Ġc at", "t he", "o n"]


def byteLevelAlphabet():
    """GPT-2's 256 printable stand-ins for bytes, in order of byte value."""
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    extra = iter(range(256, 512))
    return [chr(b) if b in printable else chr(next(extra)) for b in range(256)]


def makeTokenizer(path):
    """Writes a byte-level BPE tokenizer.json: <pad> 0, <s> 1, </s> 2, 256 bytes, then the merges; <s> goes in front."""
    # A merge may only use symbols that exist, so the pairs are ordered here rather than by hand.
    specials = ["<pad>", "<s>", "</s>"]
    known = byteLevelAlphabet()
    merges, pending = [], [m.split(" ") for m in MERGES]
    while pending:
        ready = [m for m in pending if m[0] in known and m[1] in known]
        assert ready, f"merges {pending} build on nothing"
        merges += ready
        known += [a + b for a, b in ready]
        pending = [m for m in pending if m not in ready]
    bos = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": s, "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True} for i, s in enumerate(specials)],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": {"type": "TemplateProcessing", "single": [bos, {"Sequence": {"id": "A", "type_id": 0}}],
                           "pair": [bos, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                           "special_tokens": {"<s>": {"id": "<s>", "ids": [BOS], "tokens": ["<s>"]}}},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": {t: i for i, t in enumerate(specials + known)}, "merges": merges},
    }
    with open(path, "w", encoding="utf-8") as f:
        json.dump(tokenizer, f, ensure_ascii=False, separators=(",", ":"))
        f.write("\n")


# --- the models ---------------------------------------------------------------------------------------------------

def llama(**kw):
    base = dict(vocab_size=288, hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=6,
                num_key_value_heads=2, hidden_act="relu", max_position_embeddings=MAX_POSITIONS, rms_norm_eps=1e-5,
                rope_parameters={"rope_type": "default", "rope_theta": 10000.0}, tie_word_embeddings=False,
                bos_token_id=BOS, eos_token_id=EOS)
    if kw.pop("rope", None) == "llama3":  # as Llama 3.1 scales its frequencies, for a shorter context
        base["rope_parameters"] = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0,
                                   "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
    theta = kw.pop("theta", None)
    if theta:
        base["rope_parameters"] = {"rope_type": "default", "rope_theta": theta}
    return LlamaForCausalLM, LlamaConfig(**{**base, **kw})


def opt(**kw):
    base = dict(vocab_size=288, hidden_size=48, word_embed_proj_dim=48, ffn_dim=160, num_hidden_layers=2,
                num_attention_heads=4, activation_function="relu", max_position_embeddings=MAX_POSITIONS,
                do_layer_norm_before=True, dropout=0.0, attention_dropout=0.0, layerdrop=0.0, bos_token_id=BOS,
                eos_token_id=EOS, pad_token_id=PAD)
    return OPTForCausalLM, OPTConfig(**{**base, **kw})


def falcon(**kw):
    base = dict(vocab_size=288, hidden_size=48, ffn_hidden_size=160, num_hidden_layers=2, num_attention_heads=6,
                activation="relu", alibi=False, bias=False, parallel_attn=True, hidden_dropout=0.0,
                attention_dropout=0.0, max_position_embeddings=MAX_POSITIONS, bos_token_id=BOS, eos_token_id=EOS,
                rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    return FalconForCausalLM, FalconConfig(**{**base, **kw})


def mistral():
    return MistralForCausalLM, MistralConfig(
        vocab_size=288, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, hidden_act="relu", sliding_window=8, max_position_embeddings=MAX_POSITIONS, bos_token_id=BOS,
        eos_token_id=EOS, rope_parameters={"rope_type": "default", "rope_theta": 10000.0})


def phi():
    return PhiForCausalLM, PhiConfig(
        vocab_size=288, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
        hidden_act="relu", max_position_embeddings=MAX_POSITIONS, bos_token_id=BOS, eos_token_id=EOS,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5})


SMALL = dict(hidden_size=32, num_attention_heads=4)
FALCON_7B = dict(multi_query=True, new_decoder_architecture=False)
FALCON_40B = dict(new_decoder_architecture=True, num_kv_heads=2, num_ln_in_parallel_attn=2)

# name -> (class and config, export options). Options: f32 (store float32), plainNorms (norms as initialised: all ones),
# past=False, fold=False, dynamo, external, names="short", answers=False (a model to refuse: no expected.json),
# safetensors (a Hugging Face directory instead of a graph), type="bfloat16" (how weights are stored).
FIXTURES = {
    "llama-gqa-tied": (lambda: llama(tie_word_embeddings=True), {}),
    "opt-2layer": (lambda: opt(), {}),
    "falcon-40b-style": (lambda: falcon(**FALCON_40B), {}),
    "falcon-7b-style": (lambda: falcon(**FALCON_7B), {}),
    "llama-silu": (lambda: llama(hidden_act="silu", hidden_size=32, num_attention_heads=4), dict(answers=False)),
    "opt-gelu": (lambda: opt(activation_function="gelu", hidden_size=32, word_embed_proj_dim=32), dict(answers=False)),
    "falcon-gelu": (lambda: falcon(activation="gelu", hidden_size=32, num_attention_heads=4, **FALCON_7B),
                    dict(answers=False)),
    "llama-mha": (lambda: llama(num_attention_heads=4, num_key_value_heads=4, intermediate_size=112), {}),
    "llama-untied": (lambda: llama(hidden_size=40, num_attention_heads=4, num_key_value_heads=1, intermediate_size=80,
                                   num_hidden_layers=1), {}),
    "llama-theta": (lambda: llama(theta=500000.0, num_attention_heads=3, num_key_value_heads=1), {}),
    "llama-1layer": (lambda: llama(num_hidden_layers=1, hidden_size=80, intermediate_size=128, num_attention_heads=5,
                                   num_key_value_heads=1), {}),
    "llama-12layer": (lambda: llama(num_hidden_layers=12, hidden_size=16, intermediate_size=32, num_attention_heads=2,
                                    num_key_value_heads=2), dict(names="short")),
    "llama-odd": (lambda: llama(vocab_size=293, hidden_size=40, num_attention_heads=4, intermediate_size=54), {}),
    "llama-equalnorms": (lambda: llama(num_hidden_layers=3, hidden_size=32, num_attention_heads=4, intermediate_size=48),
                         dict(plainNorms=True, names="short")),
    "llama-f32": (lambda: llama(hidden_size=24, num_attention_heads=4, intermediate_size=40, num_hidden_layers=1,
                                tie_word_embeddings=True),
                  dict(f32=True)),
    "opt-1layer-oddvocab": (lambda: opt(num_hidden_layers=1, vocab_size=301), {}),
    "opt-odd": (lambda: opt(hidden_size=36, word_embed_proj_dim=36, num_attention_heads=4, ffn_dim=91, vocab_size=289), {}),
    "falcon-untied": (lambda: falcon(tie_word_embeddings=False, num_hidden_layers=1, ffn_hidden_size=80, **SMALL, **FALCON_40B),
                      {}),
    "llama-nopast": (lambda: llama(hidden_size=32, num_attention_heads=4), dict(past=False)),
    "llama-nofold": (lambda: llama(tie_word_embeddings=True), dict(fold=False)),
    "llama-dynamo": (lambda: llama(tie_word_embeddings=True), dict(dynamo=True)),
    "llama-external": (lambda: llama(), dict(external=True)),
    "llama-llama3rope": (lambda: llama(rope="llama3", num_hidden_layers=1, **SMALL), {}),
    "opt-postnorm": (lambda: opt(do_layer_norm_before=False, hidden_size=16, word_embed_proj_dim=16, ffn_dim=48,
                                 num_attention_heads=2), {}),
    "hf-llama": (lambda: llama(rope="llama3", attention_bias=True, head_dim=16, **SMALL),
                 dict(safetensors=True, type="bfloat16")),
    "hf-opt-postnorm": (lambda: opt(do_layer_norm_before=False, hidden_size=32, word_embed_proj_dim=32, ffn_dim=91),
                        dict(safetensors=True)),
    "hf-falcon-40b": (lambda: falcon(**SMALL, **FALCON_40B), dict(safetensors=True)),
    "hf-falcon-serial": (lambda: falcon(bias=True, parallel_attn=False, multi_query=False, tie_word_embeddings=False,
                                        new_decoder_architecture=False, num_hidden_layers=1, **SMALL),
                         dict(safetensors=True)),
    "mistral-window": (lambda: mistral(), dict(answers=False)),
    "llama-mlpbias": (lambda: llama(mlp_bias=True, num_hidden_layers=1, **SMALL), dict(answers=False)),
    "phi-partial": (lambda: phi(), dict(answers=False)),
}


def fillWeights(model, rng, dtype, plainNorms):
    """Random weights at scales that keep about half of the neurons active and the logits spread; rounded to dtype.

    Linear layers: N(0, gain^2 / fan_in); q and k a little larger so that attention is not uniform. Norm weights are
    uniform in [0.5, 1.5] and biases N(0, 0.2^2), so that no two parameters are equal and none is trivial.
    """
    with torch.no_grad():
        for name, p in model.named_parameters():
            shape = tuple(p.shape)
            isNorm = "norm" in name or ".ln_" in name
            if isNorm and plainNorms:
                continue
            if name.endswith("bias"):
                value = rng.normal(0.0, 0.2, shape)
            elif isNorm:
                value = rng.uniform(0.5, 1.5, shape)
            elif "embed_positions" in name:
                value = rng.normal(0.0, 0.3, shape)
            elif "embed" in name:
                value = rng.normal(0.0, 2.5 / np.sqrt(shape[1]), shape)
            else:
                gain = {"q_proj": 1.6, "k_proj": 1.6, "query_key_value": 1.4, "lm_head": 2.5}.get(name.split(".")[-2], 1.5)
                value = rng.normal(0.0, gain / np.sqrt(shape[1]), shape)
            stored = torch.tensor(value.astype(np.float32)).to(dtype)
            p.copy_(stored.to(p.dtype))


# --- known answers ------------------------------------------------------------------------------------------------

def sig(x):
    """A float32 logit at 7 significant digits."""
    return float(f"{float(x):.7g}")


def logitsOf(model, ids):
    """Teacher-forced logits, float32 [len(ids), vocab]."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def greedyOf(model, promptIds):
    """GREEDY_TOKENS greedy ids (going on past eos) by full recomputation, and each step's margin."""
    ids, margins = list(promptIds), []
    for _ in range(GREEDY_TOKENS):
        best = torch.topk(logitsOf(model, ids)[-1], 2)
        ids.append(int(best.indices[0]))
        margins.append(float(best.values[0] - best.values[1]))
    return ids[len(promptIds):], margins


def activeShares(model, ids):
    """Per layer, the share of FFN neurons with an activation > 0 over the given ids."""
    shares, hooks = [], []
    for name, module in model.named_modules():
        if name.endswith(("gate_proj", "fc1", "dense_h_to_4h")):
            hooks.append(module.register_forward_hook(lambda _m, _i, out: shares.append(float((out > 0).float().mean()))))
    logitsOf(model, ids)
    for h in hooks:
        h.remove()
    return shares


def storedType(options):
    return options.get("type", "float32" if options.get("f32") else "float16")


def buildModel(name, promptIds):
    """Searches seeds for a model whose greedy run has margins and variety; returns (f32 model, seed, answers)."""
    (make, options) = FIXTURES[name]
    dtype = getattr(torch, storedType(options))
    cls, config = make()
    config._attn_implementation = "eager"
    best = None
    for attempt in range(MAX_ATTEMPTS):
        seed = zlib.crc32(name.encode()) % 100000 + attempt
        rng = np.random.default_rng(seed)
        model = cls(config).eval()
        fillWeights(model, rng, dtype, options.get("plainNorms", False))
        if not options.get("answers", True):
            return model, seed, None
        greedy, margins = greedyOf(model, promptIds)
        quality = (len(set(greedy)) >= MIN_DISTINCT and min(margins) >= MIN_MARGIN, min(margins))
        if best is None or quality > best[0]:
            best = (quality, model, seed, greedy, margins, rng)
        if quality[0]:
            break
    quality, model, seed, greedy, margins, rng = best
    if not quality[0]:
        print(f"{name}: best of {MAX_ATTEMPTS} seeds has min margin {min(margins):.2e}", file=sys.stderr)
    sequences = [[int(i) for i in rng.integers(0, config.vocab_size, SEQUENCE_LENGTH)] for _ in range(SEQUENCES)]
    shares = activeShares(model, sequences[0])
    assert all(0.2 < s < 0.8 for s in shares), (name, shares)
    return model, seed, (sequences, greedy, margins, shares)


def writeExpected(path, name, model, seed, promptIds, answers):
    """expected.json; one line per position, so that a difference is readable."""
    sequences, greedy, margins, shares = answers
    stored = storedType(FIXTURES[name][1])
    dump = lambda x: json.dumps(x, separators=(",", ":"))
    head = {
        "model": name, "seed": seed, "vocab": model.config.vocab_size,
        "computed_with": "transformers 5.17.0, torch 2.11.0, CPU, float32 arithmetic on the stored "
                         f"{stored} weights, eager attention",
        "method": f"teacher_forced: logits after each id; top: the {TOP} largest as [id, value]; full: position -> the whole "
                  "vector. greedy: always the largest logit, going on past eos; margins[i] = largest minus second at step i; "
                  "prompt_ids are those of ../tokenizer.json. active: share of FFN neurons above zero in each layer, first "
                  "sequence. Values have 7 significant digits.",
        "active": [round(s, 3) for s in shares],
        "greedy": {"prompt": PROMPT, "prompt_ids": promptIds, "greedy_ids": greedy, "margins": [round(m, 5) for m in margins]},
    }
    lines = ["{"] + [f"{dump(k)}:{dump(v)}," for k, v in head.items()] + ['"teacher_forced":[']
    for s, ids in enumerate(sequences):
        logits = logitsOf(model, ids)
        lines += [f'{{"ids":{dump(ids)},', '"top":[']
        for i in range(len(ids)):
            best = torch.topk(logits[i], TOP)
            row = [[int(t), sig(v)] for t, v in zip(best.indices, best.values)]
            lines.append(dump(row) + ("," if i + 1 < len(ids) else "],"))
        full = {str(i): [sig(v) for v in logits[i]] for i in FULL_POSITIONS} if s == 0 else {}
        lines += ['"full":{'] + [f"{dump(k)}:{dump(v)}" + ("," if k != str(FULL_POSITIONS[-1]) else "") for k, v in full.items()]
        lines.append("}}" + ("," if s + 1 < len(sequences) else ""))
    lines += ["]}"]
    text = "\n".join(lines) + "\n"
    json.loads(text)
    with open(path, "w") as f:
        f.write(text)


# --- export -------------------------------------------------------------------------------------------------------

class WithPast(nn.Module):
    """(input_ids, attention_mask, position_ids, past_0_k, past_0_v, ...) -> (logits, present_0_k, present_0_v, ...)."""

    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, input_ids, attention_mask, position_ids, *past):
        cache = DynamicCache([(past[2 * i], past[2 * i + 1]) for i in range(len(past) // 2)])
        out = self.m(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids,
                     past_key_values=cache, use_cache=True)
        result = [out.logits]
        for layer in out.past_key_values.layers:
            result += [layer.keys, layer.values]
        return tuple(result)


class NoPast(nn.Module):
    """(input_ids, attention_mask) -> logits: a plain forward pass without a cache.

    input_ids alone does not export: transformers then looks for packed sequences with aten::diff.
    """

    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, input_ids, attention_mask):
        return self.m(input_ids=input_ids, attention_mask=attention_mask, use_cache=False).logits


def cacheShapes(model):
    """[kv heads, head dim] as the class's cache holds them (Falcon's keeps repeated heads)."""
    with torch.no_grad():
        out = model(input_ids=torch.ones(1, 2, dtype=torch.long), use_cache=True)
    shape = out.past_key_values.layers[0].keys.shape
    return shape[1], shape[3]


def export(model, path, options):
    dtype = next(model.parameters()).dtype
    layers = model.config.num_hidden_layers
    seq, past = 3, 5
    ids = torch.ones(1, seq, dtype=torch.long)
    if not options.get("past", True):
        inputs = ["input_ids", "attention_mask"]
        torch.onnx.export(NoPast(model), (ids, torch.ones_like(ids)), path, input_names=inputs, output_names=["logits"],
                          opset_version=17, dynamo=False, dynamic_axes={n: {0: "batch", 1: "seq"} for n in inputs + ["logits"]})
        return
    heads, dim = cacheShapes(model)
    cache = [torch.zeros(1, heads, past, dim, dtype=dtype) for _ in range(2 * layers)]
    args = (ids, torch.ones(1, past + seq, dtype=torch.long), torch.arange(past, past + seq)[None], *cache)
    pastNames = [f"past_{i}_{c}" for i in range(layers) for c in "kv"]
    presentNames = [f"present_{i}_{c}" for i in range(layers) for c in "kv"]
    inputs, outputs = ["input_ids", "attention_mask", "position_ids"] + pastNames, ["logits"] + presentNames
    if options.get("dynamo"):
        exportDynamo(model, args, path, inputs, outputs)
        return
    axes = {"input_ids": {0: "batch", 1: "seq"}, "attention_mask": {0: "batch", 1: "total"},
            "position_ids": {0: "batch", 1: "seq"}, "logits": {0: "batch", 1: "seq"},
            **{n: {0: "batch", 2: "past"} for n in pastNames}, **{n: {0: "batch", 2: "total"} for n in presentNames}}
    torch.onnx.export(WithPast(model), args, path, input_names=inputs, output_names=outputs, dynamic_axes=axes,
                      opset_version=17, dynamo=False, do_constant_folding=options.get("fold", True))


def exportDynamo(model, args, path, inputs, outputs):
    """torch.export, then the onnxscript translation, opset 18. Stack traces (paths of this machine) are dropped."""
    dynamic = torch.export.Dim.DYNAMIC  # names would need "total = past + seq", which Dim cannot state
    shapes = {"input_ids": {0: dynamic, 1: dynamic}, "attention_mask": {0: dynamic, 1: dynamic},
              "position_ids": {0: dynamic, 1: dynamic}, "past": tuple({0: dynamic, 2: dynamic} for _ in args[3:])}
    program = torch.onnx.export(WithPast(model), args, dynamo=True, opset_version=18, input_names=inputs,
                                output_names=outputs, dynamic_shapes=shapes, external_data=False, verbose=False)
    program.save(path, external_data=False)
    m = onnx.load(path)
    for holder in [m.graph, *m.graph.node, *m.graph.input, *m.graph.output, *m.graph.value_info, *m.graph.initializer]:
        kept = [p for p in holder.metadata_props if p.key == "pkg.torch.onnx.name_scopes"]
        del holder.metadata_props[:]
        holder.metadata_props.extend(kept)
    onnx.save(m, path)


def shortenNames(path):
    """Renames every internal value to v<N>: node names stay, and a deep graph fits into the size limit."""
    m = onnx.load(path)
    keep = {v.name for v in list(m.graph.input) + list(m.graph.output)} | {t.name for t in m.graph.initializer}
    short = {}
    for node in m.graph.node:
        for names in (node.input, node.output):
            for i, n in enumerate(names):
                if n and n not in keep:
                    names[i] = short.setdefault(n, f"v{len(short)}")
    onnx.save(m, path)


def makeFixture(name, folder, promptIds):
    make, options = FIXTURES[name]
    model, seed, answers = buildModel(name, promptIds)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path = os.path.join(folder, "model.onnx")
    if answers:
        writeExpected(os.path.join(folder, "expected.json"), name, model, seed, promptIds, answers)
    for p in model.parameters():  # half() would round the rotary frequencies too, from_pretrained does not
        p.data = p.data.to(getattr(torch, storedType(options)))
    model.config.dtype = next(model.parameters()).dtype
    if options.get("safetensors"):
        model.save_pretrained(folder)
    else:
        export(model, path, options)
    if options.get("names") == "short":
        shortenNames(path)
    if options.get("external"):
        onnx.save(onnx.load(path), path, save_as_external_data=True, all_tensors_to_one_file=True,
                  location="model.onnx.data", size_threshold=1024)
        os.chmod(path + ".data", 0o644)  # onnx leaves it readable by the owner alone
    with tempfile.TemporaryDirectory() as t:  # config.json and generation_config.json as save_pretrained writes them
        model.save_pretrained(t)
        for f in ("config.json", "generation_config.json"):
            shutil.copyfile(os.path.join(t, f), os.path.join(folder, f))
    total = sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))
    nodes = len(onnx.load(path, load_external_data=False).graph.node) if os.path.exists(path) else "no"
    note = "" if total <= MAX_FIXTURE_BYTES else "  OVER THE LIMIT"
    margins = ""
    if answers:
        margins = (f", min margin {min(answers[2]):.4f}, {len(set(answers[1]))} distinct greedy ids, "
                   f"active {min(answers[3]):.2f}-{max(answers[3]):.2f}")
    print(f"{name}: {total} bytes, {nodes} nodes, seed {seed}{margins}{note}", flush=True)
    return total <= MAX_FIXTURE_BYTES


def main():
    parser = argparse.ArgumentParser(description="Makes the random-weight fixtures.")
    parser.add_argument("outdir", help="test/fixtures")
    parser.add_argument("names", nargs="*", help="fixtures to make (default: all)")
    args = parser.parse_args()
    unknown = [n for n in args.names if n not in FIXTURES]
    if unknown:
        parser.error(f"unknown fixtures {unknown}; known: {', '.join(FIXTURES)}")
    warnings.filterwarnings("ignore")
    disable_progress_bar()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    os.makedirs(args.outdir, exist_ok=True)
    tokenizer = os.path.join(args.outdir, "tokenizer.json")
    makeTokenizer(tokenizer)
    from tokenizers import Tokenizer
    promptIds = Tokenizer.from_file(tokenizer).encode(PROMPT).ids
    ok = [makeFixture(n, os.path.join(args.outdir, n), promptIds) for n in args.names or FIXTURES]
    return 0 if all(ok) else 1


if __name__ == "__main__":
    sys.exit(main())
