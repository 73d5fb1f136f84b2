#!/usr/bin/env python3
"""Solves placement problems exactly, as mixed integer programs with HiGHS, and compares.

Reads what pi-placement-dump prints. Usage: exact_placement.py FILE    needs highspy
Exit status 1 where an answer is worse than the optimum by more than 1 %, or better, or a
bound is above the optimum."""
import json
import sys

import highspy

ALWAYS_ON = 0.9
GAP = 1e-4  # how exactly HiGHS solves


class Program:
    """A minimisation with rows of coefficients."""

    def __init__(self):
        self.solver = highspy.Highs()
        self.solver.setOptionValue("output_flag", False)
        self.solver.setOptionValue("mip_rel_gap", GAP)
        # HiGHS 1.16.0 with presolve calls a worse point optimal in one of the problems.
        self.solver.setOptionValue("presolve", "off")
        self.solver.setOptionValue("threads", 1)
        self.solver.setOptionValue("time_limit", 20.0)
        self.count = 0

    def variable(self, cost, isBinary):
        self.solver.addVar(0.0, 1.0 if isBinary else highspy.kHighsInf)
        self.solver.changeColCost(self.count, cost)
        if isBinary:
            self.solver.changeColIntegrality(self.count, highspy.HighsVarType.kInteger)
        self.count += 1
        return self.count - 1

    def atLeast(self, bound, terms):
        """sum of coefficient * variable >= bound"""
        columns = [column for column, _ in terms]
        self.solver.addRow(bound, highspy.kHighsInf, len(terms), columns, [float(value) for _, value in terms])

    def solve(self):
        """(value, proven bound)"""
        self.solver.run()
        info = self.solver.getInfo()
        return info.objective_function_value, info.mip_dual_bound


def optimum(problem):
    cpu, gpu, crossing = problem["cpu"], problem["gpu"], problem["crossing"]
    program = Program()
    constant = 0.0
    used = program.variable(0, True)  # anything on the GPU
    memory = [(used, -problem["scratch_bytes"])]
    before = None  # the side of attention in the layer before; the embedding is on the CPU

    def change(variable):
        """A crossing where the residual stream changes sides."""
        crossed = program.variable(crossing, True)
        earlier = [] if before is None else [(before, 1)]
        program.atLeast(0, [(crossed, 1), (variable, -1)] + earlier)
        if before is not None:
            program.atLeast(0, [(crossed, 1), (variable, 1), (before, -1)])

    for layer in problem["layers"]:
        weights = layer["attention_bytes"] + layer["cache_read_bytes"]
        constant += weights / cpu
        attention = program.variable(weights / gpu - weights / cpu, True)
        memory.append((attention, -(layer["attention_bytes"] + layer["cache_bytes"])))
        program.atLeast(0, [(used, 1), (attention, -1)])
        change(attention)
        before = attention
        reads = [layer["row_bytes"] if f > ALWAYS_ON else
                 layer["check_bytes"] + f * (layer["row_bytes"] - layer["check_bytes"]) for f in layer["frequency"]]
        hot = [program.variable(0, True) for _ in reads]
        memory += [(variable, -layer["row_bytes"]) for variable in hot]
        for earlier, later in zip(hot, hot[1:]):  # rows go in order
            program.atLeast(0, [(earlier, 1), (later, -1)])
        time = program.variable(1, False)
        program.atLeast(0, [(time, 1)] + [(v, -r / gpu) for v, r in zip(hot, reads)])
        program.atLeast(sum(reads) / cpu, [(time, 1)] + [(v, r / cpu) for v, r in zip(hot, reads)])
        away = program.variable(2 * crossing, True)  # rows on the other side than attention
        program.atLeast(0, [(away, 1), (hot[0], -1), (attention, 1)])
        program.atLeast(0, [(away, 1), (hot[-1], 1), (attention, -1)])
        program.atLeast(0, [(used, 1), (hot[0], -1)])
    headBytes = problem["head_bytes"]
    constant += headBytes / cpu
    head = program.variable(headBytes / gpu - headBytes / cpu + crossing, True)
    memory.append((head, -headBytes))
    program.atLeast(0, [(used, 1), (head, -1)])
    change(head)
    scale = 1 / problem["budget_bytes"]  # coefficients near 1, for the solver's tolerances
    program.atLeast(-1, [(column, bytes * scale) for column, bytes in memory])
    value, bound = program.solve()
    return value + constant, bound + constant


def main():
    worst, problems, unsolved = 0.0, [], 0
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.readlines()
    for number, line in enumerate(lines):
        problem = json.loads(line)
        value, bound = optimum(problem)
        if value > bound * (1 + 10 * GAP):
            unsolved += 1  # out of time: the proven bound alone counts
        worst = max(worst, problem["total_us"] / value - 1)
        if problem["total_us"] > value * 1.01:
            problems.append(f"{number}: {problem['total_us']:.3f} us, the optimum is {value:.3f}")
        if problem["total_us"] < bound * (1 - 10 * GAP):
            problems.append(f"{number}: {problem['total_us']:.3f} us is better than the optimum, {bound:.3f}")
        if problem["bound_us"] > value * (1 + 10 * GAP):
            problems.append(f"{number}: the bound {problem['bound_us']:.3f} is above the optimum, {value:.3f}")
    if unsolved > len(lines) // 20:
        problems.append(f"{unsolved} problems were not solved in time")
    print("\n".join(problems) or f"equal: {len(lines)} problems, worst {100 * worst:.3f} % above the optimum")
    return 1 if problems or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
