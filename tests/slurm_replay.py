#!/usr/bin/env python3
"""Jobs on a real Slurm, and the same jobs in the model of it. Usage: slurm_replay.py PROGRAM [--short] [--seeds 1,2]

It starts slurmctld and a slurmd for each of 16 nodes, all on this machine. It submits jobs that only sleep, takes the
times of starts and ends out of the controller's logs, and has PROGRAM replay the same jobs: same submissions, same
lengths. It prints how many pairs of jobs started in the other order, how far the mean wait is off, and the same for two
repetitions on the real Slurm. The short form takes less than a minute; it has one repetition and wider bounds.

--kind accounts and qos also start slurmdbd and a MariaDB, with accounts, shares and QOS; --kind cloud has nodes that are
off until a job needs them, and come up late or never.

Needs root and the Debian packages slurm-wlm and munge, for accounts and qos also mariadb-server, slurmdbd and
slurm-wlm-mysql-plugin; --install gets them. Where they are missing it says so and exits with 77, or fails when it is
--required. On a machine without a network it is always skipped. Exit code 1: further off than the bounds and
than the repetitions are from one another.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "program"))
from support.one_machine_slurm import PROGRAMS  # noqa: E402
from support.replay_kinds import COLUMNS, KINDS, make_jobs, sbatch_options  # noqa: E402

SKIPPED = 77
REVERSED_MOST = 0.01  # of all pairs of jobs
WAIT_OFF_MOST = 0.017
SHORT_REVERSED_MOST = 0.05
SHORT_WAIT_OFF_MOST = 0.15
TABLES = ["accounts", "qos", "power"]  # of clusters: options of the program, too
SHORT_TRIES = 3  # a machine with other work delays a real Slurm now and then; a wrong model fails each time


@dataclasses.dataclass
class Played:
    """Jobs by their id in the list ("7", "7_2"), in seconds since the rhythm of the schedulers began."""
    submits: dict[str, float]
    starts: dict[str, float]
    lengths: dict[str, float]
    nodes: dict[str, str]
    epoch: float
    configuration: pathlib.Path


def play_really(folder: pathlib.Path, kind: str, seed: int, rows: list[dict], patience: float) -> Played:
    folder.mkdir()
    folder.chmod(0o755)
    cluster = KINDS[kind].cluster(folder, random.Random(f"{kind} {seed} cluster"))
    numbers: dict[int, str] = {}
    try:
        cluster.start(60)
        zero = time.time()
        for row in rows:
            time.sleep(max(0.0, zero + row["submit"] - time.time()))
            numbers[row["id"]] = cluster.run("sbatch", "--parsable", *sbatch_options(row, numbers), "--wrap",
                                             f"exec sleep {row['runtime']}").strip()
        cluster.wait_for_all(patience)
        times, nodes, rhythm = cluster.times(), cluster.nodes_of_jobs(), cluster.rhythm()
        submits = cluster.submissions()
        for name, text in cluster.tables().items():
            (folder / f"{name}.txt").write_text(text)
    except BaseException:
        print(cluster.logs())
        raise
    finally:
        cluster.stop()
    result = Played({}, {}, {}, {}, rhythm, folder / "slurm.conf")
    for row in rows:
        for task in [f"_{n}" for n in range(1, row["array"] + 1)] if row["array"] else [""]:
            start, end = times[numbers[row["id"]] + task]
            job = f"{row['id']}{task}"
            result.submits[job], result.starts[job] = submits[numbers[row["id"]]] - rhythm, start - rhythm
            result.lengths[job], result.nodes[job] = end - start, nodes.get(numbers[row["id"]] + task, "")
    (folder / "really.json").write_text(json.dumps(dataclasses.asdict(result) | {"configuration": "slurm.conf"}))
    return result


def what_was_kept(folder: pathlib.Path) -> Played:
    kept = json.loads((folder / "really.json").read_text())
    return Played(**kept | {"configuration": folder / kept["configuration"]})


def play_here(program: str, rows: list[dict], real: Played) -> Played:
    jobs, played = real.configuration.with_name("jobs.csv"), real.configuration.with_name("played.csv")
    with open(jobs, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            first = f"{row['id']}_1" if row["array"] else str(row["id"])
            writer.writerow(row | {"submit": f"{real.submits[first]:.3f}", "runtime": f"{real.lengths[first]:.3f}"})
    tables = {option: jobs.with_name(f"{option}.txt") for option in TABLES}
    more = [word for option, file in tables.items() if file.exists() for word in (f"--{option}", file)]
    subprocess.run([program, "slurm", "replay", jobs, "--conf", real.configuration, "--epoch", f"{real.epoch:.3f}", "--output",
                    played, *more], check=True, stdout=subprocess.DEVNULL)
    with open(played, encoding="utf-8") as file:
        lines = {line["id"]: line for line in csv.DictReader(file)}
    starts = {job: float(line["start"]) for job, line in lines.items()}
    nodes = {job: line["nodes"].replace(" ", ",") for job, line in lines.items()}
    return Played(real.submits, starts, {}, nodes, real.epoch, real.configuration)


def expand(nodes: str) -> set[str]:
    """n[1-3,7],n9 -> n1, n2, n3, n7, n9"""
    found = set()
    for ranges, single in re.findall(r"n\[([^\]]*)\]|n(\d+)", nodes):
        for part in (ranges or single).split(","):
            first, _, last = part.partition("-")
            found |= {f"n{n}" for n in range(int(first), int(last or first) + 1)}
    return found


@dataclasses.dataclass
class Difference:
    reversed: float  # of all pairs of jobs: those whose starts are in the other order
    wait_off: float  # of the mean wait
    same_nodes: float

    def __str__(self) -> str:
        return (f"{100 * self.reversed:.3f} % of pairs reversed, mean wait {100 * self.wait_off:+.2f} %, "
                f"{100 * self.same_nodes:.0f} % of jobs on the same nodes")


def mean_wait(played: Played) -> float:
    return sum(played.starts[job] - played.submits[job] for job in played.starts) / len(played.starts)


def difference(real: Played, other: Played) -> Difference:
    jobs = list(real.starts)
    pairs = wrong = 0
    for i, a in enumerate(jobs):
        for b in jobs[i + 1:]:
            pairs += 1
            wrong += (real.starts[a] - real.starts[b]) * (other.starts[a] - other.starts[b]) < 0
    same = sum(expand(real.nodes[job]) == expand(other.nodes[job]) for job in jobs)
    return Difference(wrong / pairs, mean_wait(other) / mean_wait(real) - 1, same / len(jobs))


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def judge(found: list[Difference], band: list[Difference], short: bool) -> bool:
    """Whether the model is within the bounds, or as near to Slurm as Slurm is to itself."""
    reversed_most, off_most = (SHORT_REVERSED_MOST, SHORT_WAIT_OFF_MOST) if short else (REVERSED_MOST, WAIT_OFF_MOST)
    reversed_most = max([reversed_most] + [each.reversed for each in band])
    off_most = max([off_most] + [abs(each.wait_off) for each in band])
    wrong, off = mean([each.reversed for each in found]), mean([each.wait_off for each in found])
    print(f"all runs: {100 * wrong:.3f} % of pairs reversed (at most {100 * reversed_most:.3f} %), "
          f"mean wait {100 * off:+.2f} % (at most {100 * off_most:.2f} %)")
    return wrong <= reversed_most and abs(off) <= off_most


def why_not(kind: str, install: bool) -> str | None:
    if os.geteuid() != 0:
        return "only root can start a cluster"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    needed = [*PROGRAMS, *KINDS[kind].programs]
    packages = ["slurm-wlm", "munge", *KINDS[kind].packages]
    if install and any(shutil.which(program, path=path) is None for program in needed):
        subprocess.run(["apt-get", "install", "--yes", "--no-install-recommends", *packages], check=True,
                       env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, stdout=subprocess.DEVNULL)
    missing = [program for program in needed if shutil.which(program, path=path) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian: {', '.join(packages)})"
    return None


def has_network() -> bool:
    return any(interface != "lo" for interface in os.listdir("/sys/class/net"))


def run_all(arguments: argparse.Namespace, folder: pathlib.Path) -> bool:
    lists = {seed: make_jobs(arguments.kind, seed, arguments.jobs, arguments.gap, arguments.length) for seed in arguments.seeds}
    runs = [(seed, repetition) for repetition in range(arguments.repetitions) for seed in arguments.seeds]

    def play(run: tuple[int, int]) -> Played:
        own = folder / f"{run[0]}-{run[1]}"
        if arguments.again:
            return what_was_kept(own)
        return play_really(own, arguments.kind, run[0], lists[run[0]], 300 if arguments.short else 3600)

    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        played = dict(zip(runs, pool.map(play, runs)))
    found, band = [], []
    for (seed, repetition), real in played.items():
        found.append(difference(real, play_here(arguments.program, lists[seed], real)))
        print(f"seed {seed}, run {repetition + 1}: {len(real.starts)} jobs, mean wait {mean_wait(real):.1f} s; model: {found[-1]}")
        if repetition > 0:
            band.append(difference(played[seed, 0], real))
            print(f"seed {seed}: run 1 and run {repetition + 1} of Slurm: {band[-1]}")
    return judge(found, band, arguments.short)


def run_in_passing(arguments: argparse.Namespace) -> bool:
    with tempfile.TemporaryDirectory(prefix="stockout-slurm-", dir="/tmp") as name:
        os.chmod(name, 0o755)
        try:
            return run_all(arguments, pathlib.Path(name))
        except RuntimeError as error:
            if not arguments.short:
                raise
            print(f"failed: {error}")
            return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kind", choices=KINDS, default="sizes")
    parser.add_argument("--seeds", type=lambda text: [int(seed) for seed in text.split(",")], default=[1, 2])
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--gap", type=float, default=2.0, help="seconds between two submissions, on average")
    parser.add_argument("--length", type=float, default=14.0, help="seconds that a job runs, on average")
    parser.add_argument("--at-once", type=int, default=2, help="clusters that run at the same time")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--keep", help="a folder for logs, jobs and what was played; it must not exist")
    parser.add_argument("--again", help="such a folder, of the same jobs: only the model plays them again")
    parser.add_argument("--required", action="store_true")
    parser.add_argument("--install", action="store_true", help="Debian packages that are missing are installed")
    arguments = parser.parse_args()
    reason = why_not(arguments.kind, arguments.install)
    if reason:
        print(f"{'failed' if arguments.required else 'skipped'}: {reason}")
        return 1 if arguments.required else SKIPPED
    if not has_network():
        print("skipped: Slurm does not start on a machine without a network")
        return SKIPPED
    if arguments.short:
        arguments.seeds, arguments.repetitions, arguments.jobs, arguments.gap, arguments.length = [1], 1, 40, 0.02, 5.0
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    if arguments.again:
        return 0 if run_all(arguments, pathlib.Path(arguments.again)) else 1
    if arguments.keep:
        folder = pathlib.Path(arguments.keep)
        folder.mkdir(mode=0o755)
        return 0 if run_all(arguments, folder) else 1
    return 0 if any(run_in_passing(arguments) for _ in range(SHORT_TRIES if arguments.short else 1)) else 1


if __name__ == "__main__":
    sys.exit(main())
