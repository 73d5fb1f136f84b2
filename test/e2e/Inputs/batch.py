"""For each executable: logits of 41 tokens and a greedy text after a prompt of 41 tokens, with
every number of tokens at once and several numbers of threads, must be the same text.

Usage: batch.py OUT..."""
import json
import os
import subprocess
import sys

IDS = [(7 * i * i + 3) % 250 + 1 for i in range(41)]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def results(out, batch, threads):
    machine = ["-b", str(batch), "-t", str(threads)]
    ids = ",".join(map(str, IDS))
    logits = run(out, "logits", "--ids", ids, "--top", "5", "--json", *machine)
    text = "the quick brown fox jumps over the lazy dog " * 2
    told = json.loads(run(out, "-p", text, "-n", "8", "--temp", "0", "--ignore-eos", "--json", *machine))
    assert len(told["prompt_tokens"]) > 16, "the prompt is too short for this test"
    return logits, told["prompt_tokens"], told["tokens"]


for out in sys.argv[1:]:
    expected = results(out, 1, 1)
    differ = [(batch, threads) for batch in (2, 3, 16, 40, 41, 64) for threads in (1, 3)
              if results(out, batch, threads) != expected]
    print(f"{os.path.basename(out).split('.')[-1]}: {'equal' if not differ else f'differs with {differ}'}")
