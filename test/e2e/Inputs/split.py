"""Any order of neurons and any split give the same model: for random profiles (so random
orders) and budgets, logits and the number of active neurons are those of the executable
without a plan, and greedy texts are equal.

Usage: split.py MODEL.onnx TOKENIZER MAKE_PROFILE.py FOLDER [BUDGET...]"""
import json
import os
import subprocess
import sys

IDS = ",".join(str((7 * i * i + 3) % 250 + 1) for i in range(24))
TOLERANCE = 2e-5  # f32 sums of some hundred terms in another order


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"
    return result.stdout


model, tokenizer, makeProfile, folder, *budgets = sys.argv[1:]
common = [model, f"--tokenizer={tokenizer}", "--exact"]
text = os.path.join(folder, "text.txt")
with open(text, "w", encoding="utf-8") as file:
    file.write("the quick brown fox jumps over the lazy dog. " * 30)


def facts(out):
    logits = json.loads(run(out, "logits", "--ids", IDS, "--top", "100000", "--json"))["logits"]
    told = json.loads(run(out, "-p", "once upon a time", "-n", "12", "--temp", "0", "--ignore-eos", "--json"))
    sparsity = json.loads(run(out, "perplexity", "-f", text, "--window", "60", "--json"))["sparsity"]
    return [dict(map(tuple, row)) for row in logits], told["tokens"], sparsity


# Crossings that cost nearly nothing, so that even small layers are split.
machine = os.path.join(folder, "machine.json")
with open(machine, "w", encoding="utf-8") as file:
    json.dump({"version": 1, "cpu": {"name": "slow", "threads": 1, "read_bytes_per_us": 1000,
                                     "f16_bytes_per_us": 1000}, "crossing_us": 0.001}, file)

plain = os.path.join(folder, "plain.bin")
run("pi-compile", *common, "-o", plain)
expected = facts(plain)

# The model's fingerprint and sizes, from a real profile.
own = os.path.join(folder, "own.piprof")
run("pi-profile", model, f"--tokenizer={tokenizer}", "--tokens", "20", "--window", "19", "-o", own)
shown = json.loads(run("pi-profile", "show", own, "--json"))
layers, neurons = len(shown["layers"]), len(shown["layers"][0]["counts"])
splits = 0
for seed, budget in enumerate(budgets):
    profile = os.path.join(folder, f"{seed}.piprof")
    run(sys.executable, makeProfile, profile, f"fingerprint={int(shown['fingerprint'], 16)}", f"layers={layers}",
        f"neurons={neurons}", f"seed={seed}", f"hidden={shown['layers'][0].get('hidden', 8)}")
    flags = ["--gpu=rtx4090", f"--vram-budget={budget}", f"--profile={profile}", f"--machine={machine}"]
    out = os.path.join(folder, "split.bin")
    run("pi-compile", *common, *flags, "-o", out)
    plan = json.loads(run("pi-compile", *common, *flags, "-n", "--explain=json"))
    hot = [layer["hot_rows"] for layer in plan["layers"]]
    splits += sum(0 < rows < neurons for rows in hot)
    logits, tokens, sparsity = facts(out)
    worst = max(abs(row[i] - value) for before, row in zip(expected[0], logits) for i, value in before.items())
    scale = max(abs(value) for row in expected[0] for value in row.values())
    assert worst <= TOLERANCE * max(scale, 1), f"{budget}: logits differ by {worst}"
    assert tokens == expected[1], f"{budget}: {tokens}, not {expected[1]}"
    assert sparsity == expected[2], f"{budget}: sparsity {sparsity}, not {expected[2]}"
    print(f"{budget}: hot rows {hot}, worst {worst:.1e}")
assert splits >= 3, "hardly any layer was split"
print("equal")
