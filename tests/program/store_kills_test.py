"""Work that is kept gives the same bits however often it is killed. Usage: store_kills_test.py PROGRAM SCENARIOS calibrate|recommend [KILLS]

Killed (-9) at KILLS random moments (25, in the suite 10) and resumed, with one or two threads: no finished run is lost, none is done again, and report and files
are those of a command without a store. Ctrl-C keeps what is done, says how to go on, and ends with exit code 130.
"""

import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SEED = 20261126
SECONDS = 300  # for one process to end


class Work:
    """A command, the table of its store, and what its rows are numbered by."""

    def __init__(self, program: str, scenarios: pathlib.Path, how: str, folder: pathlib.Path):
        self.folder = folder
        self.table, self.keys = {"calibrate": ("worlds", 1), "recommend": ("runs", 2)}[how]
        scenario = str(scenarios / f"{how}-quickstart.json")
        self.command = [program, how, scenario, "--format", "json"]
        if how == "calibrate":
            self.command += ["--observed", str(scenarios / "histories" / "two-zones.csv"), "--strategy", "flex by zone",
                             "--keep-unidentified"]
        self.written = "--write-worlds" if how == "calibrate" else "--write-scenario"
        self.store = folder / "kept.sqlite"

    def arguments(self, name: str, *more: str) -> list[str]:
        return [*self.command, self.written, str(self.folder / name), *more]

    def answer(self, name: str, *more: str) -> tuple[bytes, bytes]:
        result = subprocess.run(self.arguments(name, *more), capture_output=True, timeout=SECONDS, check=False)
        assert result.returncode == 0, f"exit code {result.returncode}\n{result.stderr.decode()}"
        return result.stdout, (self.folder / name).read_bytes()

    def begin(self, threads: int) -> subprocess.Popen:
        kept = ["--store", str(self.store), "--resume", "--threads", str(threads)]
        return subprocess.Popen(self.arguments("killed.json", *kept), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def rows(self) -> dict[tuple, tuple]:
        """What a copy of the store holds: what a killed process left half-done is for the program to clear up."""
        with tempfile.TemporaryDirectory() as folder:
            for part in self.folder.glob(f"{self.store.name}*"):
                shutil.copy(part, folder)
            connection = sqlite3.connect(pathlib.Path(folder) / self.store.name)
            try:
                if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (self.table,)).fetchall():
                    return {}
                rows = connection.execute(f"SELECT * FROM {self.table}").fetchall()
                return {row[:self.keys]: row for row in rows}
            finally:
                connection.close()


def kill_and_resume(work: Work, moments: random.Random, expected: tuple[bytes, bytes], most: int) -> int:
    """One store, killed until its command is done, `most` times. Returns how many kills were in the middle."""
    work.store.unlink(missing_ok=True)
    known, in_the_middle = {}, 0
    for attempt in range(most):
        process = work.begin(1 + attempt % 2)
        try:
            out, said = process.communicate(timeout=moments.uniform(0.05, 0.8))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            rows = work.rows()
            assert all(rows.get(key) == row for key, row in known.items()), "a finished run was lost or done again"
            in_the_middle += len(rows) > len(known)
            known = rows
            continue
        assert process.returncode == 0, said.decode()
        assert out == expected[0], "another answer than without the kills"
        return in_the_middle
    kept = ("--store", str(work.store), "--resume")
    assert work.answer("killed.json", *kept) == expected, "another answer than without the kills"
    rows = work.rows()
    assert all(rows.get(key) == row for key, row in known.items()), "a finished run was done again"
    return in_the_middle


def interrupt(work: Work, expected: tuple[bytes, bytes]) -> None:
    """Ctrl-C as soon as something is kept."""
    work.store.unlink(missing_ok=True)
    process = work.begin(2)
    while not (work.store.exists() and work.store.stat().st_size > 0):
        time.sleep(0.005)
        assert process.poll() is None, "it was done before it could be interrupted"
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, f"exit code {process.returncode}\n{said.decode()}"
    assert out == b"" and b"interrupted: the same command with --resume goes on" in said, said.decode()
    assert not (work.folder / "killed.json").exists(), "an interrupted command wrote a file"
    kept = len(work.rows())
    assert kept > 0, "what was done is not kept"
    again = work.begin(2)
    out, said = again.communicate(timeout=SECONDS)
    assert again.returncode == 0 and f"note: {kept} ".encode() in said, said.decode()
    assert (out, (work.folder / "killed.json").read_bytes()) == expected, "another answer than without the interrupt"


def main(program: str, scenarios: pathlib.Path, how: str, most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Work(program, scenarios, how, pathlib.Path(folder))
        expected = work.answer("plain.json", "--threads", "2")
        assert work.answer("plain.json", "--threads", "1") == expected, "the threads matter"
        interrupt(work, expected)
        (work.folder / "killed.json").unlink()
        moments = random.Random(SEED)
        kills = sum(kill_and_resume(work, moments, expected, most) for _ in range(2))
        print(f"{how}: {kills} kills in the middle of two commands; none lost a run or did one again")
        assert kills >= 2, "this machine is too quick or too slow for the test to mean much"


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 25)
