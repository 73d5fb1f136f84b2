#!/usr/bin/env python3
# Checks llm IR against known answers through the reference interpreter: expected.json of a trained model (cases) or of a
# fixture (teacher_forced, greedy). Plain Python, no packages. One line per failed check and a summary line; exit status 1 on
# any failure.
# Usage: check_llm.py PI_LLM_RUN F.llm.mlir EXPECTED.json [--cases N] [--logit-tol X]

import argparse
import json
import shutil
import sys

from run_program import Checks, runJson


def call(args, ids, steps, top):
    return runJson(args.interpreter, [args.ir, "--ids", ",".join(map(str, ids)), "--top", str(top), "--greedy", str(steps)])


def checkCase(checks, args, name, case):
    """Largest logits after the prompt and greedy ids of one case of a trained model."""
    want = case["greedy_ids"]
    out = checks.run(name, lambda: call(args, case["prompt_ids"], len(want), len(case["top5_ids"])))
    if out is None:
        return
    checks.equal(f"{name}: ids", out["ids"], case["prompt_ids"])
    checks.equal(f"{name}: tokens", out["tokens"], want, hint=lambda i: f", margin there {case['margins'][i]}")
    checks.logits(f"{name}: top logits", dict(out["logits"][-1]), zip(case["top5_ids"], case["top5_logits"]), args.logit_tol)


def checkFixture(checks, args, expected):
    for i, sequence in enumerate(expected["teacher_forced"]):
        name = f"sequence {i}"
        out = checks.run(name, lambda: call(args, sequence["ids"], 0, 0))
        if out is None:
            continue
        for position, (row, top) in enumerate(zip(out["logits"], sequence["top"], strict=True)):
            checks.logits(f"{name}: position {position}", dict(row), top, args.logit_tol)
        for position, values in sequence["full"].items():
            row = dict(out["logits"][int(position)])
            checks.logits(f"{name}: position {position}, whole row", row, enumerate(values), args.logit_tol)
    greedy = expected["greedy"]
    out = checks.run("greedy", lambda: call(args, greedy["prompt_ids"], len(greedy["greedy_ids"]), 1))
    if out is not None:
        checks.equal("greedy: tokens", out["tokens"], greedy["greedy_ids"], hint=lambda i: f", margin there {greedy['margins'][i]}")


def main():
    parser = argparse.ArgumentParser(description="Checks llm IR against an expected.json.")
    parser.add_argument("interpreter", help="pi-llm-run")
    parser.add_argument("ir", help="what the phase raise prints")
    parser.add_argument("expected", help="expected.json of a trained model or fixture")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="only the first N cases of a trained model")
    # Reordered f32 sums move logits by about 3e-5; constants of the graph that were stored in f16 by up to 4e-4.
    parser.add_argument("--logit-tol", type=float, default=1e-3, help="absolute bound for logits (default 1e-3)")
    args = parser.parse_args()
    args.interpreter = shutil.which(args.interpreter) or args.interpreter
    with open(args.expected, encoding="utf-8") as f:
        expected = json.load(f)
    checks = Checks()
    if "cases" in expected:
        cases = expected["cases"]
        for i, case in enumerate(cases[:args.cases] if args.cases else cases):
            checkCase(checks, args, f"case {i}", case)
    else:
        checkFixture(checks, args, expected)
    return checks.summary(expected["model"])


if __name__ == "__main__":
    sys.exit(main())
