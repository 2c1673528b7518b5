"""Kinds of jobs that slurm_replay.py plays, and the clusters that they run on."""

import dataclasses
import pathlib
import random
from typing import Callable

from support.accounts_slurm import Account, AccountsCluster, Quality
from support.cloud_slurm import CloudCluster, make_power_plan
from support.many_nodes_slurm import ManyNodes

COLUMNS = ["id", "submit", "nodes", "limit", "runtime", "partition", "cpus", "gpus", "nice", "array", "after", "account",
           "user", "qos"]

SIZES = """PriorityType=priority/multifactor
PriorityWeightJobSize=1000
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 OverSubscribe=EXCLUSIVE
"""
MIXED = """PriorityType=priority/multifactor
PriorityWeightPartition=1000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 PriorityTier=1 PriorityJobFactor=1
PartitionName=large Nodes=ALL MaxTime=60 PriorityTier=1 PriorityJobFactor=2
PartitionName=urgent Nodes=n[1-8] MaxTime=60 PriorityTier=10 PriorityJobFactor=2
"""
# The shortest times that Slurm takes: usage is counted each minute, and half of it is forgotten after two.
SHARES = """PriorityType=priority/multifactor
PriorityCalcPeriod=1
PriorityDecayHalfLife=2
PriorityMaxAge=10
PriorityWeightFairshare=10000
PriorityWeightAge=500
PriorityWeightQOS=4000
DebugFlags=Backfill,NO_CONF_HASH,Priority
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 OverSubscribe=EXCLUSIVE
"""
PREEMPTING = """PreemptType=preempt/qos
PreemptMode=REQUEUE
"""
CLOUD = """PriorityType=priority/multifactor
PriorityWeightJobSize=1000
PartitionName=batch Nodes=n[1-8] Default=YES MaxTime=60 OverSubscribe=EXCLUSIVE
PartitionName=flex Nodes=n[9-16] MaxTime=60 OverSubscribe=EXCLUSIVE SuspendTime=5
"""

# Users that Debian has; two of them are in two accounts.
ACCOUNTS = [
    Account("research", "root", 50, {}),
    Account("vision", "research", 30, {"daemon": 2, "bin": 1, "games": 1}),
    Account("speech", "research", 20, {"man": 1, "lp": 1, "bin": 1}),
    Account("product", "root", 40, {"mail": 3}),
    Account("serving", "product", 1, {"news": 1, "uucp": 1, "daemon": 1}),
]
QUALITIES = [Quality("normal", ("priority=10",)), Quality("high", ("priority=30",)),
             Quality("low", ("priority=0", "usagefactor=0.5"))]
URGENT = [Quality("normal", ("priority=10",)), Quality("low", ("priority=0", "preemptmode=requeue")),
          Quality("high", ("priority=30", "preempt=low"))]


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


def shares(draw: random.Random, row: dict) -> None:
    users = [(account.name, user) for account in ACCOUNTS for user in account.users]
    weights = [1 + (row["id"] // 60 + i) % len(users) for i in range(len(users))]  # who submits most changes
    row["account"], row["user"] = draw.choices(users, weights)[0]
    row["qos"] = draw.choices(["normal", "high", "low"], [70, 15, 15])[0]


def preempting(draw: random.Random, row: dict) -> None:
    shares(draw, row)
    row["qos"] = draw.choices(["normal", "high", "low"], [45, 15, 40])[0]
    row["nodes"] = min(row["nodes"], 8)


def cloud(draw: random.Random, row: dict) -> None:
    row.update(nodes=min(row["nodes"], 4), partition=draw.choice(["batch", "flex"]), nice=draw.choice([0, 0, 100]))


@dataclasses.dataclass(frozen=True)
class Kind:
    draw: Callable[[random.Random, dict], None]
    cluster: Callable[[pathlib.Path, random.Random], ManyNodes]
    programs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


def on_accounts(lines: str, qualities: list[Quality]) -> Callable[[pathlib.Path, random.Random], ManyNodes]:
    return lambda folder, _: AccountsCluster(folder, lines, ACCOUNTS, qualities)


KINDS = {
    "sizes": Kind(sizes, lambda folder, _: ManyNodes(folder, SIZES)),
    "mixed": Kind(mixed, lambda folder, _: ManyNodes(folder, MIXED)),
    "accounts": Kind(shares, on_accounts(SHARES, QUALITIES), AccountsCluster.PROGRAMS, AccountsCluster.PACKAGES),
    "qos": Kind(preempting, on_accounts(PREEMPTING + SHARES, URGENT), AccountsCluster.PROGRAMS, AccountsCluster.PACKAGES),
    "cloud": Kind(cloud, lambda folder, draw: CloudCluster(folder, CLOUD, make_power_plan(draw))),
}


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
        KINDS[kind].draw(draw, row)
        rows.append(row)
    return rows


def sbatch_options(row: dict, numbers: dict[int, str]) -> list[str]:
    options = [f"--time={row['limit'] // 60}", f"--nodes={row['nodes']}", "--output=/dev/null", "--chdir=/",
               f"--partition={row['partition']}", f"--nice={row['nice']}", "--requeue", "--wait-all-nodes=1"]
    options += [f"--ntasks-per-node={row['cpus']}"] if row["cpus"] else []
    options += [f"--gres=gpu:{row['gpus']}"] if row["gpus"] else []
    options += [f"--array=1-{row['array']}"] if row["array"] else []
    options += [f"--dependency=afterany:{numbers[row['after']]}"] if row["after"] else []
    options += [f"--account={row['account']}", f"--uid={row['user']}"] if row["user"] else []
    options += [f"--qos={row['qos']}"] if row["qos"] else []
    return options
