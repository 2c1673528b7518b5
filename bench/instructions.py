#!/usr/bin/env python3
"""Counts the instructions of simulate() for each job of bench/replay, and compares them with bench/instructions.json.

    bench/instructions.py build/bench/bench/replay             fails beyond 3 %
    bench/instructions.py build/bench/bench/replay --update    writes them anew

Instructions do not depend on how busy a machine is. They depend on the compiler: the file holds those of Debian 12's g++.
Needs valgrind.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).with_name("instructions.json")
CASES = ("plain", "users", "rooms")
TOLERANCE = 0.03


def per_job(program, case):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             "--toggle-collect=stockout::simulate(*", program, case],
            check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1)) / int(run.stdout)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    counted = {case: round(per_job(sys.argv[1], case)) for case in CASES}
    if sys.argv[2:]:
        KEPT.write_text(json.dumps(counted, indent=2) + "\n")
    kept = json.loads(KEPT.read_text())
    failed = False
    for case in CASES:
        change = counted[case] / kept[case] - 1
        failed = failed or abs(change) > TOLERANCE
        print(f"{case:6} {counted[case]:6} instructions a job, {kept[case]:6} kept ({change:+.1%})")
    if failed:
        sys.exit("more than 3 % apart: find out why, and write them anew with --update if it is meant")


if __name__ == "__main__":
    main()
