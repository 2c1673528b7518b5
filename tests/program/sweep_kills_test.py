"""A sweep gives the same bits however it is run. Usage: sweep_kills_test.py PROGRAM SCENARIOS shards|kills [KILLS]

shards: with one and two threads, as one process and as four shards.
kills: killed (-9) at KILLS random moments (100, in the suite 30) and resumed; no finished point is lost, and none is done again.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from support.sweep_store import finished_points, finished_points_of_a_copy, mark_points, remove_marks

SEED = 20261121
POINTS = {"shards": 24, "kills": 80}  # in a sweep
SHARDS = 4
SECONDS = 120  # for one process to end


class Sweep:
    def __init__(self, program: str, scenarios: pathlib.Path, folder: pathlib.Path, points: int):
        self.program, self.folder, self.points = program, folder, points
        self.file = folder / "sweep.json"
        loads = [round(0.5 + 0.01 * i, 2) for i in range(points)]
        self.file.write_text(json.dumps({
            "name": "tenants' load", "scenario": str((scenarios / "quickstart.json").resolve()), "replications": 1,
            "vary": {"grid": [{"at": "/pools/0/tenants/load", "values": loads}]}}), encoding="utf-8")

    def command(self, store: pathlib.Path, *options: str) -> list[str]:
        return [self.program, "sweep", str(self.file), "--store", str(store), *options]

    def run(self, store: pathlib.Path, *options: str, **environment: str) -> pathlib.Path:
        self.succeed(self.command(store, *options), **environment)
        return store

    def succeed(self, command: list[str], **environment: str) -> bytes:
        result = subprocess.run(command, env=environment, capture_output=True, timeout=SECONDS, check=False)
        assert result.returncode == 0, f"{command}: exit code {result.returncode}\n{result.stderr.decode()}"
        return result.stdout

    def export(self, store: pathlib.Path) -> bytes:
        assert len(finished_points(store)) == self.points
        return self.succeed([self.program, "sweep", "export", str(store)])

    def as_shards(self, store: pathlib.Path) -> pathlib.Path:
        shards = []
        for index in range(SHARDS):  # numbered from 1, as many people number their arrays
            self.run(store, "--threads", str(1 + index % 2), SLURM_ARRAY_TASK_ID=str(index + 1), SLURM_ARRAY_TASK_MIN="1",
                     SLURM_ARRAY_TASK_COUNT=str(SHARDS))
            shards.append(str(store.with_name(f"{store.stem}.shard-{index}-of-{SHARDS}.sqlite")))
        self.succeed([self.program, "sweep", "merge", str(store), *shards])
        return store


def shards(sweep: Sweep) -> None:
    alone = sweep.export(sweep.run(sweep.folder / "one-thread.sqlite", "--threads", "1"))
    assert alone.count(b"\n") > sweep.points
    assert sweep.export(sweep.run(sweep.folder / "two-threads.sqlite", "--threads", "2")) == alone
    assert sweep.export(sweep.as_shards(sweep.folder / "shards.sqlite")) == alone


class Killer:
    """Kills until it has killed so often, over as many sweeps as that takes."""

    def __init__(self, sweep: Sweep, wanted: int):
        self.wanted = wanted
        self.sweep, self.random = sweep, random.Random(SEED)
        self.kills = self.in_the_middle = self.kept = 0
        self.expected = sweep.export(sweep.run(sweep.folder / "undisturbed.sqlite", "--threads", "2"))

    def one_sweep(self, store: pathlib.Path) -> None:
        known, marked = {}, 0
        while self.kills < self.wanted and self.killed(store):
            points = finished_points_of_a_copy(store)
            assert all(points.get(point) == rows for point, rows in known.items()), "a finished point was lost or done again"
            self.in_the_middle += 0 < len(points) < self.sweep.points
            known = points
            if self.kills % 2 == 0 and points:  # every other time the program finds the store just as it was left
                marked = mark_points(store)
                known = finished_points(store)
        self.sweep.run(store, "--threads", "2", "--resume")
        assert remove_marks(store) == marked, "a finished point was done again"
        assert self.sweep.export(store) == self.expected, "another result than without the kills"
        self.kept += len(known)

    def killed(self, store: pathlib.Path) -> bool:
        """Whether the process was still running when its moment had come."""
        process = subprocess.Popen(self.sweep.command(store, "--threads", "2", "--resume"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        try:
            _, said = process.communicate(timeout=self.random.uniform(0.0, 0.35))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.kills += 1
            return True
        assert process.returncode == 0, said.decode()
        return False


def kills(sweep: Sweep, wanted: int) -> None:
    killer = Killer(sweep, wanted)
    sweeps = 0
    while killer.kills < wanted:
        killer.one_sweep(sweep.folder / f"{sweeps}.sqlite")
        sweeps += 1
    print(f"{killer.kills} kills in {sweeps} sweeps of {sweep.points} points, {killer.in_the_middle} of them in the middle; "
          f"{killer.kept} points finished before a kill, none lost, none repeated")
    assert killer.in_the_middle >= wanted / 4, "this machine is too quick or too slow for the test to mean much"


def main(program: str, scenarios: pathlib.Path, how: str, wanted: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(program, scenarios, pathlib.Path(folder), POINTS[how])
        if how == "shards":
            shards(sweep)
        else:
            kills(sweep, wanted)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 100)
