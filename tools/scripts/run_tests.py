#!/usr/bin/env python3
"""Runs the gtest executables and the lit suites of builds, sums them up, and ends
with one line "N passed, N failed, N skipped". Exit status 1 if any failed."""
import argparse
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

LIT = "/usr/lib/llvm-22/bin/lit"


def run_gtest(path, build):
    """Runs one gtest executable; returns (passed, failed, skipped)."""
    report = os.path.join(build, "test", os.path.basename(path) + ".json")
    result = subprocess.run([path, "--gtest_brief=1", f"--gtest_output=json:{report}"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        with open(report, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError):
        print(result.stdout)
        print(f"{path}: no report, exit status {result.returncode}")
        return 0, 1, 0
    os.remove(report)
    skipped = sum(test["result"] == "SKIPPED" for suite in data["testsuites"]
                  for test in suite["testsuite"])
    failed = data["failures"]
    if failed or result.returncode:
        print(result.stdout)
        failed = max(failed, 1)
    return data["tests"] - data["failures"] - skipped, failed, skipped


def run_lit(build):
    """Runs all lit suites; returns {suite folder: [passed, failed, skipped]}."""
    report = os.path.join(build, "test", "lit.xml")
    if os.path.exists(report):
        os.remove(report)
    subprocess.run([LIT, "-j2", "--quiet", "-v", f"--xunit-xml-output={report}",
                    os.path.join(build, "test")], check=False)
    suites = {}
    for case in ElementTree.parse(report).iter("testcase"):
        parts = case.get("classname", "").split(".")
        counts = suites.setdefault("lit " + (parts[1] if len(parts) > 1 else parts[0]), [0, 0, 0])
        if case.find("failure") is not None:
            counts[1] += 1
        elif case.find("skipped") is not None:
            counts[2] += 1
        else:
            counts[0] += 1
    return suites


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="+")
    parser.add_argument("--elapsed", default="0")
    args = parser.parse_args()
    start = time.time()
    totals = {}

    def record(name, counts):
        totals[name] = counts
        print("  {}: {} passed, {} failed, {} skipped".format(name, *counts), flush=True)

    for build in map(os.path.abspath, args.builds):
        kind = os.path.basename(build)
        suffix = f" ({kind})" if kind.startswith("sanitize") else ""
        for name in sorted(os.listdir(os.path.join(build, "bin"))):
            if name.endswith("_tests"):
                record(name + suffix, run_gtest(os.path.join(build, "bin", name), build))
        if os.path.exists(os.path.join(build, "test", "lit.site.cfg.py")):
            for name, counts in sorted(run_lit(build).items()):
                record(name, counts)
    passed, failed, skipped = (sum(counts[i] for counts in totals.values()) for i in range(3))
    print(f"set-up and build {args.elapsed} s, tests {time.time() - start:.0f} s")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    if passed == 0:
        print("no test was executed", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
