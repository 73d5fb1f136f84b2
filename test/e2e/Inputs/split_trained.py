"""Compiles a trained model for a GPU at several budgets and checks its known answers.

Usage: split_trained.py MODEL_DIR CHECK_EXPECTED.py SCRATCH BUDGET..."""
import json
import os
import subprocess
import sys

folder, check, scratch, *budgets = sys.argv[1:]
model = os.path.join(folder, "model.onnx")
profile = scratch + ".piprof"
subprocess.run(["pi-profile", model, "--tokens", "2048", "-o", profile], check=True)
plans = set()
for budget in budgets:
    flags = [model, "--exact", "--context=512", "--gpu=rtx4090", f"--vram-budget={budget}", f"--profile={profile}"]
    plan = json.loads(subprocess.run(["pi-compile", *flags, "-n", "--explain=json"], check=True,
                                     stdout=subprocess.PIPE).stdout)
    hot = [layer["hot_rows"] for layer in plan["layers"]]
    plans.add(tuple(hot))
    assert any(0 < layer["hot_rows"] and layer["cold_rows"] > 0 for layer in plan["layers"]), f"{budget}: {hot}"
    subprocess.run(["pi-compile", *flags, "-o", scratch + ".bin"], check=True)
    subprocess.run([sys.executable, check, scratch + ".bin", os.path.join(folder, "expected.json"), "-t", "2"], check=True)
    print(f"{budget}: hot rows {hot}")
assert len(plans) == len(budgets), "two budgets have one plan"
