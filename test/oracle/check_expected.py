#!/usr/bin/env python3
# Checks an executable made by pi-compile against a model's known answers (expected.json: cases with prompt, prompt_ids,
# greedy_ids, full_text, top5_ids, top5_logits; perplexity). Plain Python, no packages. Prints one line per failed check and
# a summary line; exit status 1 on any failure.
# Usage: check_expected.py EXECUTABLE EXPECTED.json [-t N ...] [--logit-tol X] [--cases N] [--perplexity TEXTFILE]

import argparse
import json
import os
import sys

from run_program import Checks, near, runJson


def checkCase(checks, program, name, case, threads, flags):
    """Prompt ids, greedy ids and text of one case at one thread count; decoding goes on past eos."""
    want = case["greedy_ids"]
    label = f"{name} -t {threads}" if threads else name
    args = ["-p", case["prompt"], "-n", str(len(want)), "--temp", "0", "--ignore-eos", "--json"] + flags
    out = checks.run(label, lambda: runJson(program, args + (["-t", str(threads)] if threads else [])))
    if out is None:
        return
    checks.equal(f"{label}: prompt_tokens", out.get("prompt_tokens"), case["prompt_ids"])
    checks.equal(f"{label}: tokens", out.get("tokens"), want, hint=lambda i: f", margin there {case['margins'][i]}")
    checks.equal(f"{label}: prompt + text", case["prompt"] + str(out.get("text")), case["full_text"])


def checkTopLogits(checks, program, name, case, tolerance, flags):
    """The largest logits after the prompt: each expected id must be there, with its value."""
    ids = ",".join(str(i) for i in case["prompt_ids"])
    top = str(len(case["top5_ids"]))
    out = checks.run(f"{name}: logits", lambda: runJson(program, ["logits", "--ids", ids, "--top", top, "--json"] + flags))
    if out is None:
        return
    checks.equal(f"{name}: logits ids", out.get("ids"), case["prompt_ids"])
    if len(out["logits"]) != len(case["prompt_ids"]):
        checks.fail(f"{name}: logits: {len(out['logits'])} positions for {len(case['prompt_ids'])} ids")
        return
    checks.logits(f"{name}: top logits", dict(out["logits"][-1]), zip(case["top5_ids"], case["top5_logits"]), tolerance)


def checkPerplexity(checks, program, expected, textFile, flags):
    want = expected["perplexity"]
    args = ["perplexity", "-f", textFile, "--max-chars", str(want["chars"]), "--json"] + flags
    out = checks.run("perplexity", lambda: runJson(program, args, timeout=3600))
    if out is None:
        return
    checks.equal("perplexity: tokens", out.get("tokens"), want["tokens"])
    for key, relative in (("perplexity", 1e-4), ("mean_nll", 1e-4)):
        checks.that(near(out.get(key), want[key], relative * abs(want[key])),
                    f"perplexity: {key} is {out.get(key)}, expected {want[key]} within {relative} relative")
    # hotness.json, where there is one, counts the last token of each window too: hence 1e-3.
    hotness = os.path.join(os.path.dirname(textFile), expected["model"], "hotness.json")
    if os.path.exists(hotness):
        with open(hotness, encoding="utf-8") as file:
            layers = [layer["heldout_mean_sparsity"] for layer in json.load(file)["layers"]]
        sparsity = out.get("sparsity") or []
        checks.equal("perplexity: layers with sparsity", len(sparsity), len(layers))
        for index, (got, known) in enumerate(zip(sparsity, layers)):
            checks.that(abs(got - known) <= 1e-3,
                        f"perplexity: sparsity of layer {index} is {got}, expected {known} within 1e-3")


def main():
    parser = argparse.ArgumentParser(description="Checks an executable against a model's expected.json.")
    parser.add_argument("program", help="the executable that pi-compile made")
    parser.add_argument("expected", help="the model's expected.json")
    parser.add_argument("-t", "--threads", type=int, action="append", default=[],
                        help="thread count for generation; may be given several times (default: the program's own)")
    parser.add_argument("--logit-tol", type=float, default=1e-3, help="absolute bound for the top logits (default 1e-3)")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="only the first N cases")
    parser.add_argument("--perplexity", metavar="FILE", help="also perplexity, on this held-out text (slow)")
    parser.add_argument("--flag", action="append", default=[], help="extra flag for every call, e.g. --flag=--no-gpu")
    args = parser.parse_args()
    with open(args.expected, encoding="utf-8") as f:
        expected = json.load(f)
    cases = expected["cases"][:args.cases or None]
    checks = Checks()
    for i, case in enumerate(cases):
        name = f"case {i} {json.dumps(case['prompt'][:24])}"
        for threads in args.threads or [0]:
            checkCase(checks, args.program, name, case, threads, args.flag)
        checkTopLogits(checks, args.program, name, case, args.logit_tol, args.flag)
    if args.perplexity:
        checkPerplexity(checks, args.program, expected, args.perplexity, args.flag)
    return checks.summary(f"{expected['model']}: {len(cases)} cases" + (" and perplexity" if args.perplexity else ""))


if __name__ == "__main__":
    sys.exit(main())
