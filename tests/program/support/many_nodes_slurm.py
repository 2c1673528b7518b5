"""A real Slurm cluster of many nodes on one machine, and the exact times of its jobs out of the controller's logs."""

import calendar
import datetime
import pathlib
import platform
import random
import re
import socket
import threading
import time

from support.one_machine_slurm import Cluster

NODES = 16
GIVING_PORTS = threading.Lock()
GIVEN_PORTS: set[int] = set()

# An Epilog, as clusters have one: then the end of a job starts a cycle of the main scheduler at once. cred_expire: how
# long a preempted job waits before it may run again. The lines of a kind of jobs stand below.
CONFIGURATION = """
ClusterName=many-nodes
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=20
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldDebug=verbose
DebugFlags=Backfill,NO_CONF_HASH
SlurmSchedLogLevel=1
SlurmSchedLogFile={folder}/sched.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
{storage}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
ReturnToService=2
MailProg=/bin/true
MinJobAge=86400
Epilog=/bin/true
GresTypes=gpu
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{low}-{high}] CPUs=8 Gres=gpu:4{node_options}
"""
NO_STORAGE = "AccountingStorageType=accounting_storage/none"

INITIATED = re.compile(r"sched: \[(\S+)\] JobId=(\S+?)(?:\(\d+\))? initiated")
BACKFILLED = re.compile(r"\[(\S+)\] sched/backfill: _start_job: Started JobId=(\S+?)(?:\(\d+\))? in")
DONE = re.compile(r"\[(\S+)\] _job_complete: JobId=(\S+?)(?:\(\d+\))? done")
SUBMITTED = re.compile(r"\[(\S+)\] _slurm_rpc_submit_batch_job: JobId=(\d+)")
PLANNING = re.compile(r"\[(\S+)\] sched/backfill: _attempt_backfill: beginning")


def seconds(stamp: str) -> float:
    """The time of a line of a log: seconds since the Unix epoch."""
    whole, _, part = stamp.partition(".")
    at = calendar.timegm(datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").timetuple())
    return at - local_offset(at) + float(f"0.{part or 0}")


def local_offset(at: float) -> int:
    return datetime.datetime.fromtimestamp(at).astimezone().utcoffset().seconds


class ManyNodes(Cluster):
    """`lines`: what slurm.conf says of priorities, preemption and partitions. `storage`: of accounting."""

    IDLE = "idle"  # as sinfo calls nodes that take jobs

    def __init__(self, folder: pathlib.Path, lines: str, storage: str = NO_STORAGE, node_options: str = ""):
        super().__init__(folder, cpus=8)
        ports = self._ports()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=platform.node().split(".")[0], folder=folder, controller_port=ports[-1], low=ports[0], high=ports[-2],
            nodes=NODES, storage=storage, node_options=node_options) + lines)
        (folder / "gres.conf").write_text(f"NodeName=n[1-{NODES}] Name=gpu File={folder}/gpu[0-3]\n")
        for gpu in range(4):
            (folder / f"gpu{gpu}").touch()
        for node in range(1, NODES + 1):
            (folder / f"spool/n{node}").mkdir()

    @staticmethod
    def _ports() -> list[int]:
        """Free ports in a row, which no other cluster of this process has."""
        with GIVING_PORTS:
            while True:
                first = random.randrange(20000, 32000)  # below those that the system gives to clients
                row = list(range(first, first + NODES + 1))
                if not GIVEN_PORTS.intersection(row) and not any(in_use(port) for port in row):
                    GIVEN_PORTS.update(row)
                    return row

    def start(self, seconds: float) -> None:
        munge = {"key-file": "munge.key", "socket": "munge.socket", "log-file": "munged.log", "pid-file": "munged.pid",
                 "seed-file": "munged.seed"}
        self._daemon("munged", "--foreground", *(f"--{option}={self.folder / name}" for option, name in munge.items()))
        self.wait("munged", seconds, lambda: (self.folder / "munge.socket").exists())
        self.before_controller(seconds)
        self._daemon("slurmctld", "-D")
        self.start_nodes()
        self.wait("nodes that take jobs", seconds, lambda: self.run(
            "sinfo", "--noheader", "--format=%D %T", check=False).splitlines()[:1] == [f"{NODES} {self.IDLE}"])

    def before_controller(self, seconds: float) -> None:
        """Whatever the controller needs, and is not there yet."""

    def start_nodes(self) -> None:
        for node in range(1, NODES + 1):
            self._daemon("slurmd", "-D", "-N", f"n{node}")

    def wait_for_all(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self.run("squeue", "--noheader"):
            if time.monotonic() > end:
                raise RuntimeError(f"jobs are left after {seconds:.0f} s")
            time.sleep(1)

    def lines(self, name: str, what: re.Pattern) -> list[tuple[float, str]]:
        found = map(what.match, (self.folder / name).read_text(errors="replace").splitlines())
        return [(seconds(line[1]), line[2] if what.groups > 1 else "") for line in found if line]

    def times(self) -> dict[str, tuple[float, float]]:
        """Of each job or task ("7", "7_2"): when it started for the last time, and when it ended."""
        starts: dict[str, float] = {}
        for at, job in sorted(self.lines("sched.log", INITIATED) + self.lines("slurmctld.log", BACKFILLED)):
            starts[job] = at
        return {job: (starts[job], at) for at, job in self.lines("slurmctld.log", DONE) if job in starts}

    def submissions(self) -> dict[str, float]:
        """When the controller took each job."""
        return {job: at for at, job in self.lines("slurmctld.log", SUBMITTED)}

    def tables(self) -> dict[str, str]:
        """What a planner knows of the cluster besides slurm.conf: files for options of `slurm replay`."""
        return {}

    def rhythm(self) -> float:
        """A time from which both schedulers count: whole seconds before the first cycle of backfill. Its thread
        and the main loop begin within a tenth of a second of one another."""
        return self.lines("slurmctld.log", PLANNING)[0][0] - 30

    def nodes_of_jobs(self) -> dict[str, str]:
        """The nodes of each job or task when it ran last."""
        found = {}
        for line in self.run("scontrol", "--oneliner", "show", "jobs").splitlines():
            words = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if "JobId" not in words:
                continue
            task = words.get("ArrayTaskId")
            found[f"{words['ArrayJobId']}_{task}" if task else words["JobId"]] = words.get("NodeList", "")
        return found


def in_use(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False
