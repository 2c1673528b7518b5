"""The program on a terminal: width, colours, Ctrl-C, what is installed. Usage: terminal_test.py PROGRAM SCENARIOS BUILD"""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM, SCENARIOS, BUILD = (os.path.abspath(path) for path in sys.argv[1:4])
BY_HAND = os.path.join(SCENARIOS, "by-hand.json")
QUICKSTART = os.path.join(SCENARIOS, "quickstart.json")
LIFETIMES = os.path.join(SCENARIOS, "spot-lifetimes.json")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


class Terminal:
    """A process on a pseudo-terminal of so many columns."""

    def __init__(self, arguments, columns, **environment):
        main, self.side = pty.openpty()
        self.main = main
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if "COLOR" not in name and not name.startswith("LC_")}
        variables = {**kept, "TERM": "xterm", "LANG": "C.UTF-8", **environment}
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *arguments], stdin=self.side, stdout=self.side, stderr=self.side, env=variables)
        os.close(self.side)
        self.text = ""

    def read_until(self, mark, seconds=20):
        """Reads until the mark comes, or to the end if it is None. Whether it came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if mark is not None and mark in self.text:
                return True
            ready, _, _ = select.select([self.main], [], [], 0.1)
            if not ready:
                continue
            try:
                data = os.read(self.main, 65536)
            except OSError:  # the other side is closed
                data = b""
            if not data:
                break
            self.text += data.decode(errors="replace")
        return mark is not None and mark in self.text

    def finish(self):
        self.read_until(None)
        code = self.process.wait(timeout=20)
        os.close(self.main)
        return code, self.text.replace("\r\n", "\n")


def shown(arguments, columns=80, **environment):
    code, text = Terminal([PROGRAM, *arguments], columns, **environment).finish()
    check(" ".join(arguments), code == 0, f"exit code {code}: {text[-300:]}")
    return text


def piped(arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=True).stdout


FULL = ["compare", BY_HAND, "--full"]


def width():
    for columns in (60, 100):
        text = COLOUR.sub("", shown(FULL, columns))
        widest = max(text.splitlines(), key=len)
        check(f"{columns} columns", len(widest) <= columns or ".json" in widest, widest)
        missing = [word for word in piped(FULL).split() if word not in text and "---" not in word]
        check(f"{columns} columns, nothing lost", not missing, str(missing[:9]))
    check("a pipe is as wide as it likes", max(map(len, piped(FULL).splitlines())) > 100)


def colours():
    compare = ["compare", BY_HAND]
    check("colours", "\x1b[" in shown(compare))
    check("NO_COLOR", "\x1b" not in shown(compare, NO_COLOR="1"))
    check("NO_COLOR, empty", "\x1b[" in shown(compare, NO_COLOR=""))
    check("a dumb terminal", "\x1b" not in shown(compare, TERM="dumb"))
    check("--color always", "\x1b[" in shown([*compare, "--color", "always"], NO_COLOR="1"))
    check("a pipe", "\x1b" not in piped(compare))
    forced = subprocess.run(
        [PROGRAM, *compare], env={**os.environ, "CLICOLOR_FORCE": "1", "NO_COLOR": ""}, capture_output=True, text=True, check=True)
    check("CLICOLOR_FORCE", "\x1b[" in forced.stdout)
    check("ASCII", not set("█░▓▒") & set(shown(compare, LANG="C")))


def hostile_names():
    """A file's name is the user's own; it must not steer the terminal when it is shown again."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "a\x1b]0;owned\x07\x1b[2J.json")
        shutil.copy(BY_HAND, name)
        for arguments in (["compare", name, "--full"], ["validate", name]):
            text = COLOUR.sub("", shown(arguments))
            check("hostile name", "\x1b" not in text and "\x07" not in text and "\\x1b]0;owned" in text, repr(text[-300:]))


def begin_long(folder, name, arguments):
    place = os.path.join(folder, name)
    os.mkdir(place)
    old = os.path.join(place, "old.txt")
    with open(old, "w", encoding="utf-8") as file:
        file.write("as it was")
    return place, Terminal([PROGRAM, *arguments, "--output", old], 60)


# Nearly every job asks once a second for a month: one run takes minutes.
LONG_RUN = {
    "name": "long", "start": "2026-08-03", "window": "30d", "drain_limit": "1d", "prices_as_of": "2026-07-30",
    "prices": [{"machine": "generic", "usd_per_hour": 1}],
    "workload": [{"name": "jobs", "poisson": {"per_day": 30}, "machine": "generic", "work": "20d"}],
    "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 1}],
    "strategies": [{"name": "s", "legs": [{"model": "spot", "retries": "unlimited", "retry_interval": "1s"}]}]}


def one_long_run():
    """A single run says how far it is, also among those of a comparison or a sweep, and Ctrl-C does not wait for its end."""
    with tempfile.TemporaryDirectory() as folder:
        scenario, sweep, store = (os.path.join(folder, name) for name in ("long.json", "sweep.json", "store.sqlite"))
        with open(scenario, "w", encoding="utf-8") as file:
            json.dump(LONG_RUN, file)
        with open(sweep, "w", encoding="utf-8") as file:
            json.dump({"name": "long", "scenario": scenario, "vary": {"grid": [{"at": "/seed", "values": [1]}]}}, file)
        for arguments, said in (
            (["run", scenario, "--strategy", "s"], "nothing was written"),
            (["compare", scenario, "--threads", "1"], "nothing was written"),
            (["sweep", sweep, "--store", store, "--threads", "1"], "--resume goes on"),
        ):
            terminal = Terminal([PROGRAM, *arguments], 80)
            name = f"one long run, {arguments[0]}"
            check(name, terminal.read_until(" of 30") and re.search(r"day \d+ of 30", terminal.text), terminal.text)
            terminal.process.send_signal(signal.SIGINT)
            code, text = terminal.finish()
            check(name, code == 130 and said in text, f"{code} {text}")


def interrupted():
    """Ctrl-C while a command works: exit code 130, the line of progress gone, no file left or changed."""
    with tempfile.TemporaryDirectory() as folder:
        compare = ["compare", QUICKSTART, "--replications", "9000"]
        long_run = ["run", LIFETIMES, "--strategy", "no lifetimes", "--set", "/demand=100", "--set", '/window="3600d"',
                    "--set", "/models/spot/retries=3"]
        sweep_file, store = os.path.join(folder, "sweep.json"), os.path.join(folder, "store.sqlite")
        vary = {"grid": [{"at": "/seed", "values": list(range(2_000))}]}
        with open(sweep_file, "w", encoding="utf-8") as file:
            json.dump({"name": "long", "scenario": QUICKSTART, "replications": 5, "vary": vary}, file)
        jobs = os.path.join(folder, "run", "jobs.csv")
        begun = [
            ("compare", *begin_long(folder, "compare", compare), " left", ["nothing was written", "--replications"]),
            ("run", *begin_long(folder, "run", [*long_run, "--jobs-out", jobs]), " so far", ["nothing was written"]),
        ]
        sweep = Terminal([PROGRAM, "sweep", sweep_file, "--store", store], 60)
        for name, place, terminal, progress, said in begun:
            check(f"{name}, progress", terminal.read_until(progress), terminal.text)
            os.write(terminal.main, b"\x03")
            code, text = terminal.finish()
            check(f"{name}, exit code", code == 130, f"{code} {text}")
            after = text[text.rfind("\x1b[K") :]
            check(f"{name}, what it says", all(word in after for word in said), repr(after))
            check(f"{name}, files", os.listdir(place) == ["old.txt"], str(os.listdir(place)))
            with open(os.path.join(place, "old.txt"), encoding="utf-8") as file:
                check(f"{name}, older file", file.read() == "as it was")
        check("sweep, progress", sweep.read_until(" left", 60), sweep.text[-300:])
        sweep.process.send_signal(signal.SIGINT)
        code, text = sweep.finish()
        check("sweep", code == 130 and "--resume goes on" in text, f"{code} {text}")


COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
_stockout 2>&1
printf '%s\\n' "${COMPREPLY[@]}"
"""


def installed():
    """`cmake --install` puts a tree in place that works: completion in bash, scripts and a manual without faults."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "--install", BUILD, "--prefix", folder], capture_output=True, check=True)
        program, share = os.path.join(folder, "bin", "stockout"), os.path.join(folder, "share")
        script = os.path.join(share, "bash-completion", "completions", "stockout")
        manual = os.path.join(share, "man", "man1", "stockout.1")
        for command in (
            [program, "--version"],
            ["bash", "-n", script],
            ["zsh", "-n", os.path.join(share, "zsh", "site-functions", "_stockout")],
            ["mandoc", "-T", "lint", "-W", "warning", manual],
            ["groff", "-man", "-ww", "-z", "-K", "utf8", manual],
        ):
            if shutil.which(command[0]):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                said = done.stderr if command[0] != program else ""
                check(f"installed, {command[0]}", done.returncode == 0 and not said, done.stdout + done.stderr)
        for typed, offered in [
            (["comp"], ["compare", "completion"]),
            (["compare", "--form"], ["--format"]),
            (["compare", "--format", "c"], ["csv"]),
            (["compare", "--format", "=", "m"], ["markdown"]),
            (["sweep", "mer"], ["merge"]),
            (["sweep", "export", "--f"], ["--format"]),
            (["run", QUICKSTART, "--strategy", "flex,"], ["flex, one zone", "flex, asked in two zones"]),
            (["run", QUICKSTART, "--strategy", '"flex, a'], ["flex, asked in two zones"]),
            (["compare", QUICKSTART[:-3]], [QUICKSTART]),
            (["compare", "--catalog", SCENARIOS[:-1]], [SCENARIOS]),
            (["compare", "--seed", ""], [""]),
        ]:
            asked = ["bash", "-c", COMPLETE, "bash", script, program, *typed]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=False)
            check("completion of " + " ".join(typed), done.stdout.splitlines() == offered, done.stdout + done.stderr)


width()
installed()
colours()
hostile_names()
interrupted()
one_long_run()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
