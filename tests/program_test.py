"""The program as a process: exit codes, standard streams, a full disk. Usage: program_test.py PROGRAM SCENARIOS"""

import os
import subprocess
import sys

PROGRAM, SCENARIOS = sys.argv[1:3]
BY_HAND = os.path.join(SCENARIOS, "by-hand.json")
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


def reader_that_leaves():
    """As in `stockout compare ... | head -1`: quiet, and no error."""
    reader, writer = os.pipe()
    os.close(reader)
    result = run(["compare", BY_HAND], stdout=writer)
    os.close(writer)
    check("reader that leaves", result.returncode == 0 and result.stderr == "", f"{result.returncode} {result.stderr}")


def closed_streams():
    """A closed standard output must not make the report land in the next file that is opened."""
    result = subprocess.run(f'exec "{PROGRAM}" compare "{BY_HAND}" >&- 2>&- <&-', shell=True, timeout=60, check=False)
    check("closed streams", result.returncode == 0, str(result.returncode))


exit_codes()
full_disk()
reader_that_leaves()
closed_streams()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
