#!/usr/bin/env python3
"""The runtime knows no operator: no word of one in runtime/, softmax arithmetic over
the final logits in runtime/text/Probabilities.{h,cpp} alone.

Usage: check_runtime_operators.py ROOT    Exit status 1 with one line per finding."""
import os
import re
import sys

WORDS = re.compile(r"\b\w*(gemv|matvec|matmul|rms_?norm|layer_?norm|rotary|attention|softmax|relu"
                   r"|swiglu|silu|gelu|dot_?product|kv_?append|down_?proj|up_?proj|gate_?proj)\w*"
                   r"|\b(\w*_)?(rope|ffn)(_\w*)?\b", re.IGNORECASE)
MATH = re.compile(r"\bstd::(exp|log|sqrt|tanh|erf|sin|cos|pow)f?\s*\(|\b(expf|logf|sqrtf|tanhf)\s*\(")
SOFTMAX_HOME = ("runtime/text/Probabilities.h", "runtime/text/Probabilities.cpp")
# Mathematics that is no operator: perplexity is exp of a mean.
MATH_HOME = SOFTMAX_HOME + ("runtime/main/Perplexity.cpp",)


def main():
    root = sys.argv[1]
    findings, count = [], 0
    for directory, _, files in os.walk(os.path.join(root, "runtime")):
        for name in sorted(files):
            if not name.endswith((".h", ".cpp", ".c")):
                continue
            count += 1
            path = os.path.relpath(os.path.join(directory, name), root)
            with open(path if os.path.isabs(path) else os.path.join(root, path), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    word, mathematics = WORDS.search(line), MATH.search(line)
                    if word and not (path in SOFTMAX_HOME and "softmax" in word.group(0).lower()):
                        findings.append(f"{path}:{number}: names an operator: {word.group(0)}")
                    if mathematics and path not in MATH_HOME:
                        findings.append(f"{path}:{number}: computes {mathematics.group(0)}...)")
    for finding in findings:
        print(finding)
    print(f"{count} files, {len(findings)} findings")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
