#!/usr/bin/env python3
"""What power saving does with cloud nodes, for cloud_slurm. Usage: power_program.py resume|suspend|failed FOLDER NODES"""

import csv
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time


def attempt_of(folder: pathlib.Path, node: str) -> tuple[int | None, int | None, int | None]:
    """The one that is under way: the last that was asked for."""
    rows = list(csv.reader((folder / "attempts" / f"{node}.csv").read_text().splitlines()))
    asked = len((folder / "attempts" / f"{node}.log").read_text().splitlines())
    boot, down, back = (int(word) if word else None for word in rows[(asked - 1) % len(rows)])
    return boot, down, back


def update(node: str, *words: str) -> None:
    subprocess.run(["scontrol", "update", f"nodename={node}", *words], check=False)


def resume(folder: pathlib.Path, node: str, asked: float) -> None:
    with open(folder / "attempts" / f"{node}.log", "a", encoding="utf-8") as log:
        log.write(f"{asked:.3f}\n")
    boot, down, _ = attempt_of(folder, node)
    time.sleep(max(0.0, asked + (boot or down or 0) - time.time()))
    if boot:
        subprocess.run(["slurmd", "-b", "-N", node], check=False)  # -b: as if the machine had just booted
    elif down:
        update(node, "state=down", "reason=no capacity")


def suspend(folder: pathlib.Path, node: str, _: float) -> None:
    pid = folder / f"slurmd-{node}.pid"
    try:
        os.kill(int(pid.read_text()), signal.SIGKILL)
        pid.unlink()
    except (OSError, ValueError):  # it never came
        pass


def failed(folder: pathlib.Path, node: str, asked: float) -> None:
    back = attempt_of(folder, node)[2]
    time.sleep(max(0.0, asked + (back or 0) - time.time()))
    update(node, "state=resume")


def main(what: str, folder: str, nodes: str) -> None:
    asked = time.time()
    names = subprocess.run(["scontrol", "show", "hostnames", nodes], capture_output=True, text=True, check=True).stdout.split()
    act = {"resume": resume, "suspend": suspend, "failed": failed}[what]
    for name in names:
        threading.Thread(target=act, args=(pathlib.Path(folder), name, asked)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
