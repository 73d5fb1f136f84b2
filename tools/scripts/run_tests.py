#!/usr/bin/env python3
"""Runs the gtest executables and the lit suites of builds, sums them up, and ends
with one line "N passed, N failed, N skipped". Exit status 1 if any failed."""
import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

LIT = "/usr/lib/llvm-22/bin/lit"


def print_skipped(name, element):
    """One line with the reason, where the XML element of a skipped test has one."""
    message = element.get("message", "") if element is not None else ""
    lines = [line for line in message.splitlines() if line.strip()]
    # gtest writes FILE:LINE first where it knows it.
    reason = " ".join(lines[1:] if len(lines) > 1 else lines)
    print(f"  skipped {name}" + (f": {reason}" if reason else ""), flush=True)


def run_gtest(path, build):
    """Runs one gtest executable; returns (passed, failed, skipped)."""
    report = os.path.join(build, "test", os.path.basename(path) + ".xml")
    result = subprocess.run([path, "--gtest_brief=1", f"--gtest_output=xml:{report}"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        data = ElementTree.parse(report).getroot()
    except (OSError, ElementTree.ParseError):
        print(result.stdout)
        print(f"{path}: no report, exit status {result.returncode}")
        return 0, 1, 0
    os.remove(report)
    skipped = 0
    for case in data.iter("testcase"):
        if case.get("result") == "skipped":
            skipped += 1
            print_skipped(f"{case.get('classname')}.{case.get('name')}", case.find("skipped"))
    tests, failed = int(data.get("tests")), int(data.get("failures"))
    passed = tests - failed - skipped
    if failed or result.returncode:
        print(result.stdout)
        failed = max(failed, 1)
    return passed, failed, skipped


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
            folder = "/".join(parts[1:])
            print_skipped(f"{folder}/{case.get('name')}" if folder else case.get("name"), case.find("skipped"))
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
