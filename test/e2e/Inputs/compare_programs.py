"""Checks that programs compute the same as the first one.

usage: compare_programs.py TEXT FIRST OTHER...

Logits agree within 1e-5 of their largest: sums of a layer are over another order of neurons.
As many neurons of each layer are active over TEXT.
"""

import json
import subprocess
import sys

IDS = "5,9,17,33,2,64,101,7,7,12"


def run(program, *args):
    return json.loads(subprocess.run([program, *args, "--json"], check=True, timeout=120,
                                     stdout=subprocess.PIPE).stdout)


def main():
    text, first, others = sys.argv[1], sys.argv[2], sys.argv[3:]
    measure = ["perplexity", "-f", text, "--window=64"]
    logits = run(first, "logits", "--ids", IDS, "--top", "1000000")["logits"]
    expected = run(first, *measure)
    assert min(expected["sparsity"]) > 0 and max(expected["sparsity"]) < 1, expected
    for other in others:
        for a, b in zip(logits, run(other, "logits", "--ids", IDS, "--top", "1000000")["logits"],
                        strict=True):
            a, b = dict(a), dict(b)
            assert a.keys() == b.keys()
            bound = 1e-5 * max(abs(value) for value in a.values())
            worst = max(abs(a[token] - b[token]) for token in a)
            assert worst <= bound, f"{other}: logits differ by {worst}"
        found = run(other, *measure)
        assert found["sparsity"] == expected["sparsity"], f"{other}: {found}, not {expected}"
    print(f"{len(others)} programs equal the first")


main()
