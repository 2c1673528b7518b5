#!/usr/bin/env python3
"""Jobs on a real Slurm, and the same jobs in the model of it. Usage: slurm_replay.py PROGRAM [--short] [--seeds 1,2]

It starts slurmctld and a slurmd for each of 16 nodes, all on this machine. It submits jobs that only sleep, takes the
times of starts and ends out of the controller's logs, and has PROGRAM replay the same jobs: same submissions, same
lengths. It prints how many pairs of jobs started in the other order, how far the mean wait is off, and the same for two
repetitions on the real Slurm. The short form takes less than a minute; it has one repetition and wider bounds.

Needs root and the Debian packages slurm-wlm and munge; where they are missing it says so and exits with 77, or fails
when it is --required. On a machine without a network it is always skipped. Exit code 1: further off than the bounds and
than the repetitions are from one another.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
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
from support.many_nodes_slurm import ManyNodes  # noqa: E402
from support.one_machine_slurm import PROGRAMS  # noqa: E402

SKIPPED = 77
REVERSED_MOST = 0.01  # of all pairs of jobs
WAIT_OFF_MOST = 0.017
SHORT_REVERSED_MOST = 0.05
SHORT_WAIT_OFF_MOST = 0.15
SHORT_TRIES = 3  # a machine with other work delays a real Slurm now and then; a wrong model fails each time

# sizes: whole nodes, and priorities by size with penalties. mixed: parts of nodes, GPUs, arrays, dependencies, and a
# partition whose jobs preempt others on half of the nodes.
KINDS = {
    "sizes": """PriorityType=priority/multifactor
PriorityWeightJobSize=1000
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 OverSubscribe=EXCLUSIVE
""",
    "mixed": """PriorityType=priority/multifactor
PriorityWeightPartition=1000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 PriorityTier=1 PriorityJobFactor=1
PartitionName=large Nodes=ALL MaxTime=60 PriorityTier=1 PriorityJobFactor=2
PartitionName=urgent Nodes=n[1-8] MaxTime=60 PriorityTier=10 PriorityJobFactor=2
"""}
COLUMNS = ["id", "submit", "nodes", "limit", "runtime", "partition", "cpus", "gpus", "nice", "array", "after"]


def sizes(draw: random.Random, row: dict) -> None:
    row["nice"] = draw.choice([0, 0, 0, 100, 200])


def mixed(draw: random.Random, row: dict) -> None:
    kind = draw.random()
    if kind < 0.5:
        row.update(nodes=1, cpus=draw.choice([1, 2, 4]), gpus=draw.choice([0, 1, 1, 2, 4]))
    else:
        row.update(nodes=min(row["nodes"], 8), cpus=8, gpus=4 if kind < 0.75 else 0)
    row["partition"] = draw.choices(["batch", "large", "urgent"], [70, 20, 10])[0]
    if row["partition"] == "urgent":
        row["nodes"] = min(row["nodes"], 4)
    if draw.random() < 0.05:
        row.update(array=draw.randint(2, 6), nodes=1)
    elif row["id"] > 10 and draw.random() < 0.05:
        row["after"] = draw.randint(row["id"] - 9, row["id"] - 1)


def make_jobs(kind: str, seed: int, count: int, gap: float, length: float) -> list[dict]:
    """Jobs of `length` seconds on average, one each `gap` seconds, with limits that are one to four times too long."""
    draw = random.Random(f"{kind} {seed}")
    rows: list[dict] = []
    at = 6.0  # cycles that nodes cause as they come up are over by then
    for number in range(1, count + 1):
        at += draw.expovariate(1 / gap)
        run = max(2, min(120, int(draw.expovariate(1 / length))))
        row = dict.fromkeys(COLUMNS, "")
        row.update(id=number, submit=at, nodes=draw.choices([1, 2, 4, 8, 16], [50, 25, 15, 8, 2])[0], runtime=run,
                   limit=60 * -(-int(run * draw.uniform(1.1, 4)) // 60), partition="batch", nice=0)
        {"sizes": sizes, "mixed": mixed}[kind](draw, row)
        rows.append(row)
    return rows


def submit(cluster: ManyNodes, row: dict, numbers: dict[int, str]) -> str:
    command = ["sbatch", "--parsable", f"--time={row['limit'] // 60}", f"--nodes={row['nodes']}", "--output=/dev/null",
               f"--partition={row['partition']}", f"--nice={row['nice']}", "--requeue"]
    command += [f"--ntasks-per-node={row['cpus']}"] if row["cpus"] else []
    command += [f"--gres=gpu:{row['gpus']}"] if row["gpus"] else []
    command += [f"--array=1-{row['array']}"] if row["array"] else []
    command += [f"--dependency=afterany:{numbers[row['after']]}"] if row["after"] else []
    return cluster.run(*command, "--wrap", f"exec sleep {row['runtime']}").strip()


@dataclasses.dataclass
class Played:
    """Jobs by their id in the list ("7", "7_2"), in seconds since the rhythm of the schedulers began."""
    submits: dict[str, float]
    starts: dict[str, float]
    lengths: dict[str, float]
    nodes: dict[str, str]
    epoch: float
    configuration: pathlib.Path


def play_really(folder: pathlib.Path, kind: str, rows: list[dict], patience: float) -> Played:
    folder.mkdir()
    folder.chmod(0o755)
    cluster = ManyNodes(folder, KINDS[kind])
    numbers: dict[int, str] = {}
    try:
        cluster.start(60)
        zero = time.time()
        for row in rows:
            time.sleep(max(0.0, zero + row["submit"] - time.time()))
            numbers[row["id"]] = submit(cluster, row, numbers)
        cluster.wait_for_all(patience)
        times, nodes, rhythm = cluster.times(), cluster.nodes_of_jobs(), cluster.rhythm()
        submits = cluster.submissions()
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
    return result


def play_here(program: str, rows: list[dict], real: Played) -> Played:
    jobs, played = real.configuration.with_name("jobs.csv"), real.configuration.with_name("played.csv")
    with open(jobs, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            first = f"{row['id']}_1" if row["array"] else str(row["id"])
            writer.writerow(row | {"submit": f"{real.submits[first]:.3f}", "runtime": f"{real.lengths[first]:.3f}"})
    subprocess.run([program, "slurm", "replay", jobs, "--conf", real.configuration, "--epoch", f"{real.epoch:.3f}", "--output",
                    played], check=True, stdout=subprocess.DEVNULL)
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


def why_not() -> str | None:
    if os.geteuid() != 0:
        return "only root can start a cluster"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [program for program in PROGRAMS if shutil.which(program, path=path) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian: slurm-wlm, munge)"
    return None


def has_network() -> bool:
    return any(interface != "lo" for interface in os.listdir("/sys/class/net"))


def run_all(arguments: argparse.Namespace, folder: pathlib.Path) -> bool:
    lists = {seed: make_jobs(arguments.kind, seed, arguments.jobs, arguments.gap, arguments.length) for seed in arguments.seeds}
    runs = [(seed, repetition) for repetition in range(arguments.repetitions) for seed in arguments.seeds]
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        played = dict(zip(runs, pool.map(lambda run: play_really(
            folder / f"{run[0]}-{run[1]}", arguments.kind, lists[run[0]], 300 if arguments.short else 3600), runs)))
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
    parser.add_argument("--required", action="store_true")
    arguments = parser.parse_args()
    reason = why_not()
    if reason:
        print(f"{'failed' if arguments.required else 'skipped'}: {reason}")
        return 1 if arguments.required else SKIPPED
    if not has_network():
        print("skipped: Slurm does not start on a machine without a network")
        return SKIPPED
    if arguments.short:
        arguments.seeds, arguments.repetitions, arguments.jobs, arguments.gap, arguments.length = [1], 1, 40, 0.02, 5.0
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    if arguments.keep:
        folder = pathlib.Path(arguments.keep)
        folder.mkdir(mode=0o755)
        return 0 if run_all(arguments, folder) else 1
    return 0 if any(run_in_passing(arguments) for _ in range(SHORT_TRIES if arguments.short else 1)) else 1


if __name__ == "__main__":
    sys.exit(main())
