#!/usr/bin/env python3
# Checks an executable made by pi-compile from a random-weight fixture against the fixture's expected.json (written by
# models/make_fixtures.py): teacher-forced logits (all of two positions, the largest of every position) and greedy ids. Plain
# Python, no packages. Prints one line per failed check and a summary line; exit status 1 on any failure.
# Usage: check_fixture.py EXECUTABLE EXPECTED.json [-t N ...] [--logit-tol X]

import argparse
import json
import sys

from run_program import Checks, runJson


def checkSequence(checks, program, name, sequence, vocab, tolerance, flags):
    """Teacher forcing over one id sequence. Values are compared by id: near-equal logits may swap ranks."""
    ids = sequence["ids"]
    args = ["logits", "--ids", ",".join(str(i) for i in ids), "--top", str(vocab), "--json"] + flags
    out = checks.run(name, lambda: runJson(program, args))
    if out is None:
        return
    checks.equal(f"{name}: ids", out.get("ids"), ids)
    rows = out.get("logits", [])
    if not checks.that(len(rows) == len(ids), f"{name}: {len(rows)} positions for {len(ids)} ids"):
        return
    for i, (row, top) in enumerate(zip(rows, sequence["top"])):
        checks.that(len(row) == vocab, f"{name}: position {i}: {len(row)} logits for a vocabulary of {vocab}")
        checks.logits(f"{name}: position {i}", dict(row), top, tolerance)
    for position, values in sequence["full"].items():
        row = dict(rows[int(position)])
        checks.logits(f"{name}: position {position}, whole row", row, enumerate(values), tolerance)


def checkGreedy(checks, program, greedy, threads, flags):
    label = f"greedy -t {threads}" if threads else "greedy"
    args = ["-p", greedy["prompt"], "-n", str(len(greedy["greedy_ids"])), "--temp", "0", "--ignore-eos", "--json"] + flags
    out = checks.run(label, lambda: runJson(program, args + (["-t", str(threads)] if threads else [])))
    if out is None:
        return
    checks.equal(f"{label}: prompt_tokens", out.get("prompt_tokens"), greedy["prompt_ids"])
    checks.equal(f"{label}: tokens", out.get("tokens"), greedy["greedy_ids"],
                 hint=lambda i: f", margin there {greedy['margins'][i]}")


def main():
    parser = argparse.ArgumentParser(description="Checks an executable against a fixture's expected.json.")
    parser.add_argument("program", help="the executable that pi-compile made (with --tokenizer of the fixtures)")
    parser.add_argument("expected", help="the fixture's expected.json")
    parser.add_argument("-t", "--threads", type=int, action="append", default=[],
                        help="thread count for generation; may be given several times (default: the program's own)")
    parser.add_argument("--logit-tol", type=float, default=1e-3, help="absolute bound for every logit (default 1e-3)")
    parser.add_argument("--flag", action="append", default=[], help="extra flag for every call, e.g. --flag=--no-gpu")
    args = parser.parse_args()
    with open(args.expected, encoding="utf-8") as f:
        expected = json.load(f)
    checks = Checks()
    for i, sequence in enumerate(expected["teacher_forced"]):
        checkSequence(checks, args.program, f"sequence {i}", sequence, expected["vocab"], args.logit_tol, args.flag)
    for threads in args.threads or [0]:
        checkGreedy(checks, args.program, expected["greedy"], threads, args.flag)
    return checks.summary(expected["model"])


if __name__ == "__main__":
    sys.exit(main())
