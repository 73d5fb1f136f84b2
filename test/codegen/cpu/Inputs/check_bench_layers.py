"""Usage: check_bench_layers.py FILE: the JSON of pi-bench-layers on 64x96 and 40x64:plain, with
1 and 2 threads, 100 and 10 % active, a pool of 1 MiB."""
import json
import math
import sys

PARTS = {"64x96": (64, 96, 3), "40x64:plain": (40, 64, 2)}

with open(sys.argv[1]) as file:
    settings = json.load(file)
assert [(s["shape"], s["cpu"], s["threads"]) for s in settings] == [
    (shape, "x86-64-v3", threads) for shape in PARTS for threads in (1, 2)], settings
for s in settings:
    hidden, neurons, parts = PARTS[s["shape"]]
    layers = math.ceil((1 << 20) / (hidden * neurons * parts * 2))
    assert s["read_gbs"] > 0 and s["convert_gbs"] > 0
    expected = [("dense", 100)]
    for percent in (100, 10):
        expected += [(work, percent) for work in ("rows read", "sparse", "gate+sparse")]
    assert [(r["work"], r["active_percent"]) for r in s["rows"]] == expected
    for r in s["rows"]:
        active = layers * round(neurons * r["active_percent"] / 100) * hidden * 2
        rest = layers * neurons * hidden * 2
        size = rest + active * (parts - 1) if r["work"] == "gate+sparse" else active * parts
        assert r["bytes"] == size, (r, size)
        assert math.isclose(r["gbs"], size / r["ms"] * 1e-6, rel_tol=1e-3), r
        assert 0 < r["gbs_median"] <= r["gbs"] * 1.001 and r["ratio"] > 0 < r["ratio_median"], r
        if r["active_percent"] == 100:
            assert math.isclose(r["time_per_row"], 1, rel_tol=1e-5), r
