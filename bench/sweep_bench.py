#!/usr/bin/env python3
"""How a sweep scales with threads. Usage: bench/sweep_bench.py PROGRAM [REPETITIONS]

Time: 200 points of the quickstart scenario on one and on two threads, in turns; wall clock, and processor time beside it,
which shows whether the machine had two cores for us. Memory: a sweep over the Philly trace (skipped where ../shared is not);
what a thread adds is held against what the first one adds to reading the scenario.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHILLY = ROOT.parent / "shared/traces/workloads/philly"
MIB = 1024.0


class Run(NamedTuple):
    wall_s: float
    cpu_s: float
    peak_mib: float


def run(*command: str) -> Run:
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return Run(time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MIB)


def write_sweep(folder: pathlib.Path, scenario: pathlib.Path, replications: int, at: str, values: list) -> pathlib.Path:
    sweep = folder / f"{scenario.stem}-sweep.json"
    sweep.write_text(json.dumps({"name": "bench", "scenario": str(scenario), "replications": replications,
                                 "vary": {"grid": [{"at": at, "values": values}]}}), encoding="utf-8")
    return sweep


def run_sweep(program: str, sweep: pathlib.Path, threads: int) -> Run:
    store = sweep.with_suffix(".sqlite")
    store.unlink(missing_ok=True)
    return run(program, "sweep", str(sweep), "--store", str(store), "--threads", str(threads))


def time_of(program: str, folder: pathlib.Path, repetitions: int) -> None:
    loads = [round(0.5 + 0.003 * i, 3) for i in range(200)]
    sweep = write_sweep(folder, ROOT / "scenarios/quickstart.json", 2, "/pools/0/tenants/load", loads)
    turns = [(run_sweep(program, sweep, 1), run_sweep(program, sweep, 2)) for _ in range(repetitions)]
    print(f"200 points, medians of {repetitions}   wall [s]   processor [s]")
    for threads in (1, 2):
        wall = statistics.median(turn[threads - 1].wall_s for turn in turns)
        cpu = statistics.median(turn[threads - 1].cpu_s for turn in turns)
        print(f"  {threads} thread{'s' if threads > 1 else ' '}                  {wall:8.2f} {cpu:15.2f}")
    ratios = sorted(one.wall_s / two.wall_s for one, two in turns)
    print(f"two threads are faster by {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}; aim: 1.9)")


def memory_of(program: str, folder: pathlib.Path) -> None:
    if not PHILLY.exists():
        print("Philly trace: skipped, no shared data")
        return
    scenario = ROOT / "scenarios/philly.json"
    reading = run(program, "validate", str(scenario)).peak_mib
    sweep = write_sweep(folder, scenario, 1, "/reservations/0/count", list(range(8, 24)))
    one, two = (run_sweep(program, sweep, threads).peak_mib for threads in (1, 2))
    print(f"16 points over the Philly trace: at most {one:.1f} MiB on one thread, {two:.1f} MiB on two")
    print(f"  the second thread adds {two - one:.1f} MiB, the first {one - reading:.1f} to the {reading:.1f} of reading the scenario")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        time_of(sys.argv[1], pathlib.Path(name), int(sys.argv[2]) if len(sys.argv) > 2 else 3)
        memory_of(sys.argv[1], pathlib.Path(name))
