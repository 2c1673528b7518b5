#!/usr/bin/env python3
"""A sweep on a real Slurm, one machine large: an array of shards, one task killed, another put back, both begun again,
and in the end bit for bit what one process makes. Usage: slurm_test.py PROGRAM [--required]

Needs root and the Debian packages slurm-wlm and munge; where they are missing it says so and exits with 77, or fails
when it is --required. Slurm does not start on a machine that has no network but its own: there it is always skipped.
"""

import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from support.one_machine_slurm import PROGRAMS, Cluster
from support.sweep_store import finished_points

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
SHARDS = 4
POINTS = 40
SECONDS = 240  # for any single thing to happen; all of it takes about a minute


def why_not() -> str | None:
    if os.geteuid() != 0:
        return "only root can start a cluster"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [program for program in PROGRAMS if shutil.which(program, path=path) is None]
    return f"not installed: {', '.join(missing)} (Debian: slurm-wlm, munge)" if missing else None


def has_network() -> bool:
    return any(interface != "lo" for interface in os.listdir("/sys/class/net"))


def write_sweep(folder: pathlib.Path) -> pathlib.Path:
    sweep = folder / "load sweep.json"
    sweep.write_text(json.dumps({
        "name": "tenants' load", "scenario": str(ROOT / "scenarios/quickstart.json"), "replications": 40,
        "vary": {"grid": [{"at": "/pools/0/tenants/load", "values": [round(0.7 + 0.01 * i, 2) for i in range(POINTS)]}]},
    }), encoding="utf-8")
    return sweep


def export(program: str, store: pathlib.Path) -> pathlib.Path:
    text = store.with_suffix(".csv")
    subprocess.run([program, "sweep", "export", store, "--output", text], check=True, timeout=SECONDS)
    return text


def processes_with(argument: pathlib.Path, shard: int) -> list[int]:
    """Our program at work on this shard of this store."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            task = f"SLURM_ARRAY_TASK_ID={shard}".encode() in (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if task and b"sweep" in words and bytes(argument) in words:
            found.append(int(entry.name))
    return found


class Sweep:
    def __init__(self, cluster: Cluster, program: str, sweep: pathlib.Path, store: pathlib.Path):
        self.cluster, self.store = cluster, store
        cluster.environment["STOCKOUT"] = program
        said = cluster.run(str(ROOT / "tools/slurm/submit"), str(sweep), str(store), str(SHARDS), "--time=5")
        print(said, end="")
        self.array, self.merge = (line.split("job ")[1].split(",")[0] for line in said.splitlines()[:2])

    def task(self, shard: int) -> str:
        return f"{self.array}_{shard}"

    def shard_store(self, shard: int) -> pathlib.Path:
        return self.store.with_name(f"{self.store.stem}.shard-{shard}-of-{SHARDS}.sqlite")

    def wait_until_halfway(self, shard: int) -> None:
        self.cluster.wait(f"finished point of shard {shard}", SECONDS,
                          lambda: len(finished_points(self.shard_store(shard))) >= 2)
        assert self.cluster.job(self.task(shard))["JobState"] == "RUNNING", f"shard {shard} was too quick to be stopped"

    def kill(self, shard: int) -> None:
        self.wait_until_halfway(shard)
        processes = processes_with(self.store, shard)
        assert len(processes) == 1, f"{len(processes)} processes work on shard {shard}"
        os.kill(processes[0], signal.SIGKILL)
        self.cluster.wait("failed task", SECONDS, lambda: self.cluster.job(self.task(shard))["JobState"] == "FAILED")
        self.requeue(shard, "killed")

    def put_back(self, shard: int) -> None:
        self.wait_until_halfway(shard)
        self.requeue(shard, "put back")

    def requeue(self, shard: int, how: str) -> None:
        self.cluster.run("scontrol", "requeue", self.task(shard))
        self.cluster.wait("task in the queue", SECONDS, lambda: self.cluster.job(self.task(shard))["JobState"] == "PENDING")
        done = len(finished_points(self.shard_store(shard)))
        print(f"shard {shard}: {how} after {done} of {POINTS // SHARDS} points")
        assert done < POINTS // SHARDS

    def wait(self) -> None:
        def ended() -> bool:
            return self.cluster.job(self.merge)["JobState"] not in ("PENDING", "RUNNING", "COMPLETING")

        self.cluster.wait("end of the merge job", SECONDS, ended)
        for job in [self.task(shard) for shard in range(SHARDS)] + [self.merge]:
            state = self.cluster.job(job)["JobState"]
            assert state == "COMPLETED", f"job {job} is {state}"

    def logs(self) -> str:
        return "\n".join(f"-- {path.name}\n{path.read_text(errors='replace')}" for path in sorted(self.store.parent.glob("*.log")))


def test(program: str, folder: pathlib.Path) -> None:
    (folder / "slurm").mkdir()
    (folder / "the results").mkdir()
    sweep_file = write_sweep(folder / "the results")
    cluster = Cluster(folder / "slurm", cpus=2)
    sweep = None
    try:
        cluster.start(SECONDS)
        sweep = Sweep(cluster, program, sweep_file, folder / "the results/many tasks.sqlite")
        sweep.kill(0)
        sweep.put_back(2)
        sweep.wait()
        assert [cluster.job(sweep.task(shard))["Restarts"] for shard in range(SHARDS)] == ["1", "0", "1", "0"]
    except BaseException:
        print(cluster.logs(), sweep.logs() if sweep else "", cluster.run("squeue", check=False), sep="\n")
        raise
    finally:
        cluster.stop()
    alone = folder / "the results/one process.sqlite"
    subprocess.run([program, "sweep", sweep_file, "--store", alone, "--threads", "1"], check=True, timeout=SECONDS,
                   stdout=subprocess.DEVNULL)
    assert len(finished_points(sweep.store)) == POINTS
    assert filecmp.cmp(export(program, sweep.store), export(program, alone), shallow=False), "the exports differ"
    print(f"{SHARDS} shards, one killed, one put back: the export of one process, bit for bit")


def main(program: str, required: bool) -> int:
    reason = why_not()
    if reason:
        print(f"{'failed' if required else 'skipped'}: {reason}")
        return 1 if required else SKIPPED
    if not has_network():
        print("skipped: Slurm does not start on a machine without a network")
        return SKIPPED
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="stockout-slurm-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        test(str(pathlib.Path(program).resolve()), pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--required" in sys.argv[2:]))
