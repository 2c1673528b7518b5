"""A cluster of many nodes with accounts: slurmdbd and a MariaDB of its own, which live and end with it.

Needs the Debian packages mariadb-server and slurmdbd besides those of many_nodes_slurm. The database is in the folder
of the cluster, and listens to the loopback address alone.
"""

import dataclasses
import pathlib
import shutil
import socket

from support.many_nodes_slurm import ManyNodes
from support.one_machine_slurm import free_ports

STORAGE = """
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={folder}/munge.socket
AccountingStorageEnforce=associations,limits,qos
"""

DATABASE_DAEMON = """
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser=root
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database_port}
StorageLoc=slurm
StorageUser=slurm
StoragePass=slurm
"""

# One on each line, as mariadbd takes them.
FIRST_STATEMENTS = """CREATE DATABASE slurm;
CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'slurm';
GRANT ALL ON slurm.* TO slurm@'127.0.0.1';
"""


@dataclasses.dataclass(frozen=True)
class Account:
    """An account below another ("root" is Slurm's own), and the shares of its users."""
    name: str
    parent: str
    shares: int
    users: dict[str, int]


@dataclasses.dataclass(frozen=True)
class Quality:
    """A QOS. `options`: as sacctmgr takes them."""
    name: str
    options: tuple[str, ...]


class AccountsCluster(ManyNodes):
    PROGRAMS = ("slurmdbd", "sacctmgr", "mariadbd", "mariadb-install-db")
    PACKAGES = ("mariadb-server", "slurmdbd", "slurm-wlm-mysql-plugin")

    def __init__(self, folder: pathlib.Path, lines: str, accounts: list[Account], qualities: list[Quality]):
        self.accounts, self.qualities = accounts, qualities
        self.daemon_port, self.database_port = free_ports(2)
        super().__init__(folder, lines, STORAGE.format(folder=folder, port=self.daemon_port))
        file = folder / "slurmdbd.conf"
        file.touch(mode=0o600)
        file.write_text(DATABASE_DAEMON.format(folder=folder, host=socket.gethostname().split(".")[0], port=self.daemon_port,
                                               database_port=self.database_port))

    def before_controller(self, seconds: float) -> None:
        self._start_database(seconds)
        self._daemon("slurmdbd", "-D")
        self.wait("slurmdbd", seconds, lambda: "Name" in self.run("sacctmgr", "-P", "show", "qos", check=False))
        self._make_accounts()

    def _start_database(self, seconds: float) -> None:
        data = self.folder / "database"
        first = self.folder / "first.sql"
        first.write_text(FIRST_STATEMENTS)
        common = ("--no-defaults", "--user=root", f"--datadir={data}")
        # Two that begin at once would meet in the common folder for temporary files.
        (self.folder / "temporary").mkdir()
        self.run("env", f"TMPDIR={self.folder}/temporary", "mariadb-install-db", *common, "--skip-test-db")
        self._daemon("mariadbd", *common, f"--socket={self.folder}/mariadb.socket", f"--pid-file={self.folder}/mariadb.pid",
                     f"--tmpdir={self.folder}/temporary", f"--init-file={first}", "--skip-name-resolve",
                     "--bind-address=127.0.0.1", f"--port={self.database_port}", "--innodb-buffer-pool-size=32M",
                     "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=2")
        self.wait("database", seconds, lambda: answers(self.database_port))

    def _make_accounts(self) -> None:
        def make(*words: str) -> None:
            self.run("sacctmgr", "--immediate", *words)

        make("add", "cluster", "many-nodes")
        for quality in self.qualities:
            if quality.name != "normal":  # Slurm's own
                make("add", "qos", quality.name)
            make("modify", "qos", quality.name, "set", *quality.options)
        make("modify", "account", "root", "set", "qos=" + ",".join(quality.name for quality in self.qualities))
        for account in self.accounts:
            make("add", "account", account.name, f"parent={account.parent}", f"fairshare={account.shares}")
            for user, shares in account.users.items():
                make("add", "user", user, f"account={account.name}", f"fairshare={shares}")

    def tables(self) -> dict[str, str]:
        """Shares and QOS as a planner gets them from the cluster."""
        return {"accounts": self.run("sacctmgr", "-P", "show", "assoc", "format=account,parentname,user,share"),
                "qos": self.run("sacctmgr", "-P", "show", "qos")}

    def stop(self) -> None:
        super().stop()
        shutil.rmtree(self.folder / "database", ignore_errors=True)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
