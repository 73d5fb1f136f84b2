"""Checks plans of --explain=json: fields, sums, and what a budget must lead to.

Usage: check_placement.py SPLIT SMALLER NOTHING LAYERS UNPROFILED"""
import json
import sys

split, smaller, nothing, layers, unprofiled = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])


def check(plan):
    assert plan["device_bytes"] == sum(plan["device"].values()) <= plan["budget_bytes"]
    bytesOfLayers = sum(layer["device_bytes"] for layer in plan["layers"])
    head = plan["device"]["weights"] + plan["device"]["kv"] - bytesOfLayers
    assert (head > 0) == (plan["head"] == "gpu"), head
    for layer in plan["layers"]:
        assert layer["hot_rows"] + layer["cold_rows"] == 1024 and 0 <= layer["coverage"] <= 1
        assert (layer["us_gpu"] > 0) == (layer["hot_rows"] > 0 or layer["attention"] == "gpu")
    # Per layer the slower side counts, so the sum of the longer parts is no more than the total.
    total = 1e6 / plan["predicted_tok_s"]
    assert total <= plan["us_cpu"] + plan["us_gpu"] + plan["us_crossing"] + 1e-6
    assert total >= max(plan["us_cpu"], plan["us_gpu"], plan["us_crossing"]) - 1e-6
    assert plan["tok_s_with_1_gib_more"] >= plan["predicted_tok_s"]
    assert plan["dispatches_per_layer"] > 0 and plan["gpu"] == "rtx4090"


for plan in (split, smaller, nothing, layers, unprofiled):
    check(plan)
assert any(0 < layer["hot_rows"] < 1024 for layer in split["layers"]), "no layer is split"
assert all(layer["attention"] == "gpu" for layer in split["layers"])
# Hot rows are the most active: they cover more than their share.
assert all(layer["coverage"] > layer["hot_rows"] / 1024 for layer in split["layers"] if 0 < layer["hot_rows"] < 1024)
assert {layer["attention"] for layer in smaller["layers"]} == {"cpu", "gpu"}
assert nothing["device_bytes"] == 0 and nothing["head"] == "cpu" and nothing["binds"] == "cpu read bandwidth"
assert all(layer["hot_rows"] in (0, 1024) and layer["choice"] == "dense" for layer in layers["layers"])
assert layers["lp_gap"] is None and 0 <= split["lp_gap"] < 0.02, split["lp_gap"]
assert split["predicted_tok_s"] > layers["predicted_tok_s"] and split["predicted_tok_s"] > smaller["predicted_tok_s"]
assert split["profiled"] and not unprofiled["profiled"]
