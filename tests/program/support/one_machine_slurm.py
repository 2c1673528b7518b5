"""A real Slurm cluster of one machine, for tests: everything it writes is in one folder, and nothing of it outlives `stop`.

Needs root, and the Debian packages slurm-wlm and munge. It needs neither systemd nor control groups, and takes free ports,
so it stands beside whatever else runs on the machine.
"""

import os
import pathlib
import platform
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue")

# cred_expire: a task that is put back may begin again when its old credential has expired, 120 s unless told otherwise.
CONFIGURATION = """
ClusterName=one-machine
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1
PropagateResourceLimits=NONE
ReturnToService=2
MailProg=/bin/true
NodeName=machine NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus}
PartitionName=all Nodes=ALL Default=YES MaxTime=10
"""

# slurmd looks for control groups even where nothing uses them, and where there are none it ends, unless told which kind.
CONTROL_GROUPS = """
CgroupPlugin=cgroup/v1
CgroupMountpoint={folder}
"""


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """`folder` is empty, may be read by all, and has a short path without blanks (it holds a socket)."""

    def __init__(self, folder: pathlib.Path, cpus: int):
        self.folder = folder
        self.daemons: list[subprocess.Popen] = []
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "SBATCH_"))}
        self.environment["SLURM_CONF"] = str(folder / "slurm.conf")
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        controller_port, node_port = free_ports(2)
        (folder / "state").mkdir()
        (folder / "spool").mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=platform.node().split(".")[0], folder=folder, cpus=cpus, controller_port=controller_port, node_port=node_port))
        (folder / "cgroup.conf").write_text(CONTROL_GROUPS.format(folder=folder))
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)

    def start(self, seconds: float) -> None:
        munge = {"key-file": "munge.key", "socket": "munge.socket", "log-file": "munged.log", "pid-file": "munged.pid",
                 "seed-file": "munged.seed"}
        self._daemon("munged", "--foreground", *(f"--{option}={self.folder / name}" for option, name in munge.items()))
        self.wait("munged", seconds, lambda: (self.folder / "munge.socket").exists())
        self._daemon("slurmctld", "-D")
        self._daemon("slurmd", "-D", "-N", "machine")
        self.wait("a node that takes jobs", seconds, lambda: "idle" in self.run("sinfo", "--noheader", "--format=%T", check=False))

    def run(self, *command: str, check: bool = True) -> str:
        """What the command prints; raises RuntimeError with what it said when it fails."""
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        if check and result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def job(self, job: str) -> dict[str, str]:
        """The fields of one job or task, as `scontrol` shows them."""
        words = self.run("scontrol", "--oneliner", "show", "job", job).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait(self, what: str, seconds: float, happened) -> None:
        end = time.monotonic() + seconds
        while not happened():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} has ended with {daemon.returncode} while waiting for {what}")
            if time.monotonic() > end:
                raise RuntimeError(f"no {what} after {seconds:.0f} s\n{self.run('squeue', check=False)}")
            time.sleep(0.05)

    def logs(self) -> str:
        """The end of every log."""
        parts = []
        for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")):
            parts += [f"-- {path.name}", *path.read_text(errors="replace").splitlines()[-30:]]
        return "\n".join(parts)

    def stop(self) -> None:
        """Ends the daemons, and then every process that any of them began."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(timeout=5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in self._begun():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def _daemon(self, *command: str) -> None:
        with open(self.folder / f"{command[0]}.out", "wb") as output:
            self.daemons.append(subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.folder))

    def _begun(self) -> list[int]:
        """Processes with this cluster's SLURM_CONF in their environment, which no other process has."""
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:  # it has ended
                pass
        return found
