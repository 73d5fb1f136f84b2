#!/usr/bin/env python3
"""Measures the whole way for models: compile time and memory, size of the executable
without weights, speed at 1 and 2 threads, bytes of weights read per token.

Usage: measure.py BUILD MODEL.onnx... [--text FILE]
The machine should be quiet; figures are medians of 5 runs, whole processes for compiling,
the program's own timings for decoding. Bytes per token: attention, norms, head and gate
(or up) rows, and the active share of the other feed-forward rows, with the sparsity that
`perplexity` counts on 20,000 characters of TEXT."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

PROMPT = "Once upon a time"


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def compile_model(build, model, output):
    """Median wall seconds of 5 runs and the largest peak memory in MiB."""
    command = [os.path.join(build, "bin/pi-compile"), model, "--exact", "-o", output]
    times, peak = [], 0
    for _ in range(5):
        start = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        times.append(time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss / 1024)
        if status:
            raise SystemExit(f"{' '.join(command)}: exit status {status}")
    return statistics.median(times), peak


def weights(build, program):
    """name -> bytes, shared weights once."""
    data = json.loads(run([os.path.join(build, "bin/pi-inspect"), program, "--weights", "--json"]))
    return {entry["name"]: entry["bytes"] for entry in data["weight_table"]}


def bytes_per_token(table, info, sparsity):
    total = 0
    row = info["hidden"] * 2
    for name, size in table.items():
        part = name.rsplit(".", 1)[-1]
        if name in ("embed", "positions"):
            total += row
            continue
        layer = int(name.split(".")[1]) if name.startswith("layers.") else -1
        gated = f"layers.{layer}.gate" in table
        sparse = part == "down" or (part == "up" and gated)
        total += size * (1 - sparsity[layer]) if sparse else size
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--text", required=True)
    args = parser.parse_args()
    print("| model | compile s | peak MiB | size without weights | tok/s, 1 thread | 2 threads "
          "| MB read per token | GB/s, 1 thread |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for model in args.models:
            program = os.path.join(folder, "model.bin")
            seconds, peak = compile_model(args.build, model, program)
            info = json.loads(run([program, "info", "--json"]))
            table = weights(args.build, program)
            with open(program, "rb") as file:
                file.seek(-64, os.SEEK_END)
                footer = file.read(64)
            elf = int.from_bytes(footer[0:8], "little")
            speed = {}
            for threads in (1, 2):
                runs = [json.loads(run([program, "-p", PROMPT, "-n", "400", "--ignore-eos", "--temp", "0", "--json",
                                        "-t", str(threads)]))["timings"]["decode_tok_s"] for _ in range(5)]
                speed[threads] = statistics.median(runs)
            counted = json.loads(run([program, "perplexity", "-f", args.text, "--max-chars", "20000", "--json"]))
            read = bytes_per_token(table, info, counted["sparsity"])
            name = os.path.basename(os.path.dirname(os.path.abspath(model)))
            print(f"| {name} | {seconds:.2f} | {peak:.0f} | {elf / 1024:.0f} KiB | {speed[1]:.0f} | {speed[2]:.0f} "
                  f"| {read / 1e6:.2f} | {read * speed[1] / 1e9:.1f} |", flush=True)


if __name__ == "__main__":
    main()
