#!/usr/bin/env python3
"""Compares the runtime's tokenizer with Hugging Face `tokenizers` (0.23).

usage: compare_with_hf.py --check BIN --models DIR [--cases N] [--seed S]
  --check   the built pi-tokenize-check
  --models  a folder with <model>/tokenizer.json and heldout.txt

Random texts and ids go through both on the tokenizers of the models and on
variants that are made here. Exit 0 if there is no difference, 1 otherwise.
Needs a Python with `tokenizers`; not part of the unit tests.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

META = "\u2581"
BYTE_TOKENS = ["<0x%02X>" % byte for byte in range(256)]


def added(content, **flags):
    token = dict(content=content, single_word=False, lstrip=False,
                 rstrip=False, normalized=False, special=True)
    token.update(flags)
    return token


def train(pre_tokenizer, specials, texts, alphabet=(), vocab_size=2000):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=specials,
                                  initial_alphabet=list(alphabet), show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return json.loads(tokenizer.to_str())


def set_added(spec, tokens):
    vocab = spec["model"]["vocab"]
    next_id = len(vocab)
    spec["added_tokens"] = []
    for token in tokens:
        number = vocab.get(token["content"], next_id)
        next_id = max(next_id, number + 1)
        spec["added_tokens"].append(dict(id=number, **token))
    return spec


def variants(texts):
    """Yields (name, tokenizer.json as a dict)."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    gpt2 = train(byte_level, ["<|endoftext|>"], texts, alphabet)
    gpt2["decoder"] = dict(type="ByteLevel", add_prefix_space=True,
                           trim_offsets=True, use_regex=True)
    yield "gpt2", set_added(gpt2, [
        added("<|endoftext|>"), added("<|im_start|>", rstrip=True),
        added("<mask>", lstrip=True), added("word", single_word=True, special=False),
        added("<both>", lstrip=True, rstrip=True),
        added("  ", special=False, normalized=True), added("\u00e9t", special=False)])
    legacy = json.loads(json.dumps(gpt2))
    legacy["model"]["merges"] = [" ".join(pair) for pair in gpt2["model"]["merges"]]
    legacy["model"]["ignore_merges"] = True
    legacy["pre_tokenizer"]["add_prefix_space"] = True
    legacy["decoder"] = None
    yield "gpt2, merges as strings, ignore_merges", legacy
    falcon = json.loads(json.dumps(gpt2))
    falcon["pre_tokenizer"] = dict(type="Sequence", pretokenizers=[
        dict(type="Punctuation", behavior="Contiguous"),
        dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True),
        dict(type="Digits", individual_digits=False),
        dict(type="Split", pattern=dict(Regex="[0-9][0-9][0-9]"), behavior="Isolated",
             invert=False)])
    yield "falcon", falcon
    no_regex = json.loads(json.dumps(gpt2))
    no_regex["pre_tokenizer"] = dict(type="Sequence", pretokenizers=[
        dict(type="Digits", individual_digits=True),
        dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=False)])
    yield "byte level without regex, single digits", no_regex
    for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                     "Contiguous"):
        for invert in (False, True):
            split = json.loads(json.dumps(gpt2))
            split["pre_tokenizer"] = dict(type="Sequence", pretokenizers=[
                dict(type="Split", pattern=dict(String=" "), behavior=behavior,
                     invert=invert),
                dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True,
                     use_regex=False)])
            yield "split %s invert=%s" % (behavior, invert), split

    meta = train(pre_tokenizers.Metaspace(prepend_scheme="always"),
                 ["<unk>", "<s>", "</s>"] + BYTE_TOKENS, texts)
    model = meta["model"]
    model.update(unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    specials = [added("<unk>"), added("<s>"), added("</s>")]
    llama_decoder = dict(type="Sequence", decoders=[
        dict(type="Replace", pattern=dict(String=META), content=" "),
        dict(type="ByteFallback"), dict(type="Fuse"),
        dict(type="Strip", content=" ", start=1, stop=0)])
    template = dict(type="TemplateProcessing",
                    single=[dict(SpecialToken=dict(id="<s>", type_id=0)),
                            dict(Sequence=dict(id="A", type_id=0)),
                            dict(SpecialToken=dict(id="</s>", type_id=0))],
                    pair=[dict(Sequence=dict(id="A", type_id=0)),
                          dict(Sequence=dict(id="B", type_id=0))],
                    special_tokens={
                        "<s>": dict(id="<s>", ids=[1], tokens=["<s>"]),
                        "</s>": dict(id="</s>", ids=[2], tokens=["</s>"])})

    def llama(**changes):
        spec = json.loads(json.dumps(meta))
        spec.update(decoder=llama_decoder, post_processor=template)
        spec["model"].update(changes.pop("model", {}))
        spec.update(changes)
        return set_added(spec, specials + [
            added("<tool>", special=False, normalized=True),
            added("<pad>", lstrip=True), added("<sep>", rstrip=True, special=False)])

    yield "llama-2", llama(pre_tokenizer=None, normalizer=dict(type="Sequence", normalizers=[
        dict(type="Prepend", prepend=META),
        dict(type="Replace", pattern=dict(String=" "), content=META)]))
    meta_decoder = dict(type="Metaspace", replacement=META, prepend_scheme="first", split=True)
    for scheme in ("never", "first", "always"):
        for split in (True, False):
            stage = dict(type="Metaspace", replacement=META, prepend_scheme=scheme, split=split)
            yield ("metaspace %s split=%s" % (scheme, split),
                   llama(pre_tokenizer=stage, decoder=dict(meta_decoder, prepend_scheme=scheme)))
    stage = dict(type="Metaspace", replacement=META, prepend_scheme="first", split=False)
    holes = {token: number for token, number in model["vocab"].items()
             if token not in ("<0xE2>", "<0x9F>", "<0xC3>")}
    names = sorted(holes, key=holes.get)
    holes = {token: number for number, token in enumerate(names)}
    for fuse in (False, True):
        yield ("byte tokens missing, fuse_unk=%s" % fuse,
               llama(pre_tokenizer=stage, model=dict(vocab=holes, fuse_unk=fuse)))
        yield ("no byte fallback, fuse_unk=%s" % fuse,
               llama(pre_tokenizer=stage, model=dict(byte_fallback=False, fuse_unk=fuse)))
    yield ("no unk", llama(pre_tokenizer=stage, model=dict(byte_fallback=False, unk_token=None)))
    strip = dict(type="Sequence", decoders=[
        dict(type="Strip", content=META, start=1, stop=0), dict(type="ByteFallback"),
        dict(type="Fuse"), dict(type="Strip", content="a", start=2, stop=0)])
    yield "strip per token", llama(pre_tokenizer=stage, decoder=strip)
    double = json.loads(json.dumps(meta["model"]["merges"]))
    random.Random(1).shuffle(double)
    yield "merges in random order", llama(pre_tokenizer=stage,
                                          model=dict(merges=double + double[:500]))


RANGES = [(0x20, 0x7E), (0x20, 0x7E), (0x0, 0x1F), (0x7F, 0xFF), (0x100, 0x24F), (0x300, 0x36F),
          (0x370, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0x2000, 0x206F), (0x2150, 0x218F),
          (0x2460, 0x24FF), (0x2581, 0x2581), (0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
          (0xE000, 0xF8FF), (0xFB00, 0xFFFD), (0x10000, 0x10FFFF), (0x1F300, 0x1FAFF),
          (0x1D400, 0x1D7FF), (0x1F1E6, 0x1F1FF)]
SNIPPETS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "\u2019s", "''", "'", " '", "\n", "\r\n",
            "\t", "\u00a0", "\u3000", "\u0085", "\u2028", "\u200b", "\u200d", "\ufeff", " ", "  ", "   ",
            "\n\n", " \n", "\n ", "123", "1234567", "3.14", "\u0661\u0662", "\u00bd", "\u2167", "<0x0A>", "<0x",
            "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F1E9\U0001F1EA", "e\u0301", "\u4f60\u597d",
            META, META + META, "...", "--", "_", "word", "sword", "words", "\u0000", "aaaaaaaa"]


def random_text(rng, corpus, contents):
    parts = []
    for _ in range(rng.randint(0, 12)):
        kind = rng.random()
        if kind < 0.3:
            start = rng.randrange(len(corpus))
            parts.append(corpus[start:start + rng.randint(1, 40)])
        elif kind < 0.5:
            parts.append(rng.choice(SNIPPETS))
        elif kind < 0.65:
            parts.append(rng.choice(contents))
        elif kind < 0.75:
            parts.append(rng.choice([" ", "\n", "\t", " \n", "\u00a0"]) * rng.randint(1, 9))
        else:
            low, high = rng.choice(RANGES)
            parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 8))))
    return "".join(parts).encode("utf-8", "ignore").decode()


def ask(check, path, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([check, str(path)], input=lines.encode(), capture_output=True)
    if done.returncode != 0:
        sys.exit("%s: %s" % (path, done.stderr.decode()))
    return [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]


def compare(name, path, check, corpus, cases, rng, whole_text):
    reference = Tokenizer.from_file(str(path))
    contents = [token.content for token in reference.get_added_tokens_decoder().values()]
    contents = contents or ["<s>"]
    requests, expected = [], []

    def add(request, answer):
        requests.append(request)
        expected.append(answer)

    texts = [random_text(rng, corpus, contents) for _ in range(cases)]
    if whole_text:
        texts.append(corpus)
    size = reference.get_vocab_size()
    for text in texts:
        special = rng.random() < 0.5
        ids = reference.encode(text, add_special_tokens=special).ids
        add(dict(encode=text, special=special), ids)
        ids = ids[:400]
        if rng.random() < 0.4:
            ids = [rng.randrange(size + 3) for _ in range(rng.randint(0, 30))]
        if rng.random() < 0.3:  # runs of byte tokens, ill-formed ones among them
            ids = ids + [rng.randrange(min(size, 262)) for _ in range(rng.randint(1, 6))]
            ids = ids + rng.choice([[], [rng.randrange(size)]])
        skip = rng.random() < 0.5
        whole = reference.decode(ids, skip_special_tokens=skip)
        add(dict(decode=ids, skip=skip), whole)
        prompt = rng.randint(0, len(ids))
        start = reference.decode(ids[:prompt], skip_special_tokens=skip)
        add(dict(stream=ids, prompt=prompt, skip=skip),
            whole[len(os.path.commonprefix([whole, start])):])
    answers = ask(check, path, requests)
    differences = 0
    for request, want, got in zip(requests, expected, answers):
        if "stream" in request:
            got = "".join(got)
        if want != got:
            differences += 1
            if differences <= 3:
                print("  %s\n    expected %r\n    found    %r" %
                      (str(request)[:600], str(want)[:400], str(got)[:400]))
    if len(answers) != len(requests):
        differences += 1
    print("%-45s %6d texts, %6d comparisons, %d differences" %
          (name, len(texts), len(requests), differences), flush=True)
    return len(texts), len(requests), differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", required=True)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    corpus = (options.models / "heldout.txt").read_bytes().decode()
    rng = random.Random(options.seed)
    totals = [0, 0, 0]

    def run(name, path, whole_text):
        result = compare(name, path, options.check, corpus, options.cases, rng, whole_text)
        for i, value in enumerate(result):
            totals[i] += value

    for path in sorted(options.models.glob("*/tokenizer.json")):
        run(path.parent.name, path, True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tokenizer.json"
        for name, spec in variants([corpus[:120000]]):
            path.write_text(json.dumps(spec, ensure_ascii=False))
            run(name, path, False)
    print("%d texts, %d comparisons, %d differences" % tuple(totals))
    return 1 if totals[2] else 0


if __name__ == "__main__":
    sys.exit(main())
