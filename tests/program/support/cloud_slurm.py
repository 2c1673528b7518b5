"""A cluster of cloud nodes: each is off until a job needs it, comes up after some seconds, or never.

Programs for power saving stand in for those of Cluster Toolkit. What becomes of each request for a node is planned: the
attempts of a node are taken one after another, and then again from the first.
"""

import csv
import dataclasses
import pathlib
import random
import re
import sys

from support.many_nodes_slurm import NODES, ManyNodes

RESUME_TIMEOUT = 20

POWER = """
SuspendProgram={folder}/suspend
ResumeProgram={folder}/resume
ResumeFailProgram={folder}/failed
SuspendTime=20
SuspendTimeout=5
ResumeTimeout={timeout}
ResumeRate=0
SuspendRate=0
SlurmctldParameters=idle_on_node_suspend,cloud_dns,power_save_interval=1
PrivateData=cloud
"""
PROGRAM = """#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin SLURM_CONF={folder}/slurm.conf setsid {python} {here}/power_program.py {what} {folder} "$1" >>{folder}/power.out 2>&1 &
"""
CONFIGURED = re.compile(r"\[(\S+)\] Resetting JobId=(\S+?)(?:\(\d+\))? start time for node power up")


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A node is up after `boot` seconds; or DOWN after `down`, as after a stock-out; or it never answers. A node that
    did not come up is to be had again `back` seconds after it should have."""
    boot: int | None = None
    down: int | None = None
    back: int | None = None


def make_power_plan(draw: random.Random) -> dict[str, list[Attempt]]:
    def attempt() -> Attempt:
        kind = draw.random()
        if kind < 0.8:
            return Attempt(boot=draw.randint(3, 9))
        return Attempt(down=2 if kind < 0.9 else None, back=draw.randint(5, 30))

    return {f"n{node}": [attempt() for _ in range(6)] for node in range(1, NODES + 1)}


class CloudCluster(ManyNodes):
    IDLE = "idle~"

    def __init__(self, folder: pathlib.Path, lines: str, plan: dict[str, list[Attempt]]):
        super().__init__(folder, POWER.format(folder=folder, timeout=RESUME_TIMEOUT) + lines, node_options=" State=CLOUD")
        self.plan = plan
        for what in ("resume", "suspend", "failed"):
            program = folder / what
            program.write_text(PROGRAM.format(folder=folder, what=what, python=sys.executable,
                                              here=pathlib.Path(__file__).resolve().parent))
            program.chmod(0o755)
        (folder / "attempts").mkdir()
        for node, attempts in plan.items():
            with open(folder / "attempts" / f"{node}.csv", "w", encoding="utf-8") as file:
                csv.writer(file).writerows(dataclasses.astuple(attempt) for attempt in attempts)

    def start_nodes(self) -> None:
        """They are off."""

    def times(self) -> dict[str, tuple[float, float]]:
        """A job starts when all its nodes are up."""
        times = super().times()
        for at, job in self.lines("slurmctld.log", CONFIGURED):
            if job in times and at <= times[job][1]:
                times[job] = (max(at, times[job][0]), times[job][1])
        return times

    def tables(self) -> dict[str, str]:
        """The attempts, with times from the request or, of `back`, from when the node is DOWN."""
        rows = ["node,boot,down,back"]
        for node, attempts in self.plan.items():
            for each in attempts:
                back = "" if each.back is None else each.back + (RESUME_TIMEOUT - each.down if each.down else 0)
                rows.append(f"{node},{each.boot or ''},{each.down or ''},{back}")
        return {"power": "\n".join(rows) + "\n"}
