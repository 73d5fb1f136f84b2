# Shared by check_expected.py and check_fixture.py: running an executable that prints JSON, and counting checks. Not a test.

import json
import math
import os
import subprocess


def runJson(program, args, timeout=600):
    """Runs the program with an empty stdin and returns the JSON object it prints; RuntimeError says what went wrong."""
    path = program if os.path.dirname(program) else os.path.join(".", program)
    try:
        done = subprocess.run([path] + args, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"still running after {timeout} s") from None
    except OSError as e:
        raise RuntimeError(f"cannot run: {e}") from None
    if done.returncode != 0:
        tail = done.stderr.decode("utf-8", "replace").strip()[-500:]
        raise RuntimeError(f"exit status {done.returncode}: {tail}")
    try:
        value = json.loads(done.stdout.decode("utf-8"))
    except ValueError as e:
        raise RuntimeError(f"stdout is not JSON ({e}): {done.stdout[:200]!r}") from None
    if not isinstance(value, dict):
        raise RuntimeError(f"stdout is not a JSON object: {done.stdout[:200]!r}")
    return value


def near(value, want, tolerance):
    """True where value is a finite number within tolerance of want (NaN, infinity and null are not)."""
    return isinstance(value, (int, float)) and math.isfinite(value) and abs(value - want) <= tolerance


class Checks:
    """Counts checks; a failed one prints a line at once."""

    def __init__(self):
        self.done = self.failed = 0
        self.worst = 0.0  # largest |logit difference| seen

    def that(self, ok, message):
        self.done += 1
        if not ok:
            self.failed += 1
            print(f"FAIL {message}", flush=True)
        return ok

    def fail(self, message):
        self.that(False, message)

    def run(self, label, call):
        """call()'s result, or None after a failed check where it raises or its answer has an unexpected shape."""
        try:
            return call()
        except RuntimeError as e:
            self.fail(f"{label}: {e}")
            return None

    def equal(self, label, got, want, hint=None):
        """Equality; for lists and strings the message names the first difference. hint(index) adds words to it."""
        if got == want or not isinstance(got, type(want)) or not isinstance(want, (list, str)):
            return self.that(got == want, f"{label}: got {got!r:.120}, expected {want!r:.120}")
        i = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
        where = f"length {len(got)}, expected {len(want)}; " if len(got) != len(want) else ""
        extra = hint(i) if hint and i < len(want) else ""
        return self.that(False, f"{label}: {where}first difference at {i}: got {got[i:i + 12]!r}, "
                                f"expected {want[i:i + 12]!r}{extra}")

    def logits(self, label, got, want, tolerance):
        """got: {id: value}; want: (id, value) pairs. One check for the row; the message gives the worst id."""
        worst, worstId, value, wanted, missing = -1.0, None, None, None, []
        for token, expected in want:
            if not near(got.get(token), expected, math.inf):
                missing.append(token)
                continue
            difference = abs(got[token] - expected)
            self.worst = max(self.worst, difference)
            if difference > worst:
                worst, worstId, value, wanted = difference, token, got[token], expected
        if missing:
            return self.that(False, f"{label}: ids {missing[:8]} are missing or not finite")
        return self.that(worst <= tolerance, f"{label}: id {worstId} is {value}, expected {wanted} "
                                             f"(difference {worst:.2e} > {tolerance:g})")

    def summary(self, what):
        """Prints the summary line; returns the exit status."""
        print(f"{'FAILED' if self.failed else 'ok'}: {what}: {self.done - self.failed} of {self.done} checks passed, "
              f"largest logit difference {self.worst:.2e}", flush=True)
        return 1 if self.failed else 0
