"""The program as a process: exit codes, standard streams, a full disk. Usage: program_test.py PROGRAM SCENARIOS"""

import contextlib
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM, SCENARIOS = (os.path.abspath(path) for path in sys.argv[1:3])
BY_HAND = os.path.join(SCENARIOS, "by-hand.json")
QUICKSTART = os.path.join(SCENARIOS, "quickstart.json")
failures = []


def run(arguments, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([PROGRAM, *arguments], stderr=subprocess.PIPE, text=True, timeout=60, **options)


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


def exit_codes():
    for name, arguments, code in [
        ("version", ["--version"], 0),
        ("help", ["--help"], 0),
        ("no command", [], 2),
        ("unknown command", ["compar"], 2),
        ("missing file", ["compare", "no-such-file.json"], 2),
        ("done", ["compare", BY_HAND], 0),
    ]:
        result = run(arguments)
        check(name, result.returncode == code, f"exit code {result.returncode}, not {code}: {result.stderr}")
        check(name, code == 0 or result.stderr.startswith("stockout: error: "), result.stderr)
        check(name, code != 0 or result.stderr == "", result.stderr)


def full_disk():
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = run(["compare", BY_HAND], stdout=full)
    check("full disk", result.returncode == 2 and "No space left" in result.stderr, f"{result.returncode} {result.stderr}")
    with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="utf-8") as full:
        trace = os.path.join(folder, "unfit.csv")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("submit,start,duration,gpus\n" + "100,50,60,1\n" * 20)
        asked = run(["trace", "audit", trace])
        check("unfit", asked.returncode == 1, f"{asked.returncode} {asked.stderr} {asked.stdout}")
        result = run(["trace", "audit", trace], stdout=full)
    check("full disk and a no", result.returncode == 2 and "No space left" in result.stderr, f"{result.returncode} {result.stderr}")


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def file_size_limit():
    """Told as a full disk is, with the file's name; nothing is left of it."""
    with tempfile.TemporaryDirectory() as folder:
        sweep = os.path.join(folder, "sweep.json")
        with open(sweep, "w", encoding="utf-8") as file:
            json.dump({"name": "one", "scenario": BY_HAND, "vary": {"grid": [{"at": "/seed", "values": [1]}]}}, file)
        for arguments, told in [
            (["compare", BY_HAND, "--format", "json", "--output", "out.json"], "out.json: cannot be written: File too large"),
            (["compare", BY_HAND, "--record", "out.sqlite"], "out.sqlite: cannot be written: File too large"),
            (["compare", BY_HAND, "--report", "out.html"], "out.html: cannot be written: File too large"),
            (["sweep", sweep, "--store", "out.sqlite"], "out.sqlite: cannot be written: the disk failed, or a quota or a limit on the size"),
        ]:
            result = run(arguments, cwd=folder, preexec_fn=limit_file_size)
            check(f"file-size limit, {arguments[-2]}", result.returncode == 2 and told in result.stderr, f"{result.returncode} {result.stderr}")
            check(f"file-size limit, {arguments[-2]}", os.listdir(folder) == ["sweep.json"], os.listdir(folder))
        with open(os.path.join(folder, "out"), "w", encoding="utf-8") as limited:
            result = run(["compare", BY_HAND, "--format", "json"], stdout=limited, preexec_fn=limit_file_size)
        check("file-size limit", result.returncode == 2 and "standard output: File too large" in result.stderr, result.stderr)


def damaged_time_zone():
    """Over the zone's own file, for this process alone: mounting that may not be allowed, and then nothing is checked."""
    zone = "/usr/share/zoneinfo/America/Los_Angeles"
    with tempfile.NamedTemporaryFile() as damaged, open(zone, "rb") as whole:
        content = whole.read()
        damaged.write(content[: len(content) // 2])
        damaged.flush()
        mount = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh", damaged.name, zone]
        try:
            subprocess.run([*mount, "true"], stderr=subprocess.DEVNULL, check=True, timeout=60)
        except (OSError, subprocess.CalledProcessError):
            return
        command = [*mount, PROGRAM, "validate", BY_HAND, "--set", "/time_zone=America/Los_Angeles"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        told = result.returncode == 2 and 'the time zone "America/Los_Angeles" cannot be used' in result.stderr
        check("damaged time zone", told, f"{result.returncode} {result.stderr}")


def reader_that_leaves():
    """As in `stockout compare ... | head -1`: quiet, and no error."""
    reader, writer = os.pipe()
    os.close(reader)
    result = run(["compare", BY_HAND], stdout=writer)
    os.close(writer)
    check("reader that leaves", result.returncode == 0 and result.stderr == "", f"{result.returncode} {result.stderr}")


def closed_streams():
    """A closed standard output is one that cannot be written to, and never the next file that is opened."""
    for rest in ("2>&- <&-", ""):
        command = f'exec "{PROGRAM}" compare "{BY_HAND}" >&- {rest}'
        result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
        told = bool(rest) or "cannot write to standard output" in result.stderr
        check("closed streams", result.returncode == 2 and told, f"{result.returncode} {result.stderr}")
    result = subprocess.run(f'exec "{PROGRAM}" compare "{BY_HAND}" 2>&- <&-', shell=True, capture_output=True, timeout=60, check=False)
    check("closed input", result.returncode == 0 and result.stdout, str(result.returncode))


def points_in(store):
    if not os.path.exists(store):
        return 0
    try:
        with contextlib.closing(sqlite3.connect(store)) as database:
            return database.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.OperationalError:  # it is just being begun, or written
        return 0


def interrupted_sweep():
    """Ctrl-C, or the end of a batch job: what is finished is kept, and the exit code is that of an interrupt."""
    with tempfile.TemporaryDirectory() as folder:
        sweep, store = os.path.join(folder, "sweep.json"), os.path.join(folder, "store.sqlite")
        vary = {"grid": [{"at": "/seed", "values": list(range(1_000))}]}
        with open(sweep, "w", encoding="utf-8") as file:
            json.dump({"name": "long", "scenario": QUICKSTART, "vary": vary}, file)
        for stop in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen(
                [PROGRAM, "sweep", sweep, "--store", store, "--resume"], stdout=subprocess.PIPE, text=True
            ) as process:
                before = points = points_in(store)
                while points == before and process.poll() is None:
                    time.sleep(0.1)
                    points = points_in(store)
                process.send_signal(stop)
                output, _ = process.communicate(timeout=60)
            check(f"sweep, {stop.name}", process.returncode == 130 and "--resume goes on" in output, output)
        exported = run(["sweep", "export", store])
        check("its store", exported.returncode == 0 and len(exported.stdout.splitlines()) > 2, exported.stderr)


exit_codes()
full_disk()
file_size_limit()
damaged_time_zone()
interrupted_sweep()
reader_that_leaves()
closed_streams()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
