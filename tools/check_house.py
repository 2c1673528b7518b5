#!/usr/bin/env python3
"""Holds the house rules that a look at the text can hold. Usage: check_house.py ROOT; prints `file:line: ...`, exit 1."""

import pathlib
import re
import sys
from collections.abc import Iterator

LONGEST_FILE = 400
TOPS = ("sim", "models", "tools", "tests", "bench")
CODE = (".h", ".cpp", ".py", ".sh", ".cmake", ".txt")
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")) + r")\b")


def problems(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield 1, "a header begins with #pragma once"
    if path.suffix in (".h", ".cpp", ".py") and len(lines) > LONGEST_FILE:
        yield LONGEST_FILE + 1, f"{len(lines)} lines; a file has at most {LONGEST_FILE}, so it is two things"
    for number, line in enumerate(lines, start=1):
        if UNFINISHED.search(line):
            yield number, "unfinished by its own words"
        if line != line.rstrip():
            yield number, "spaces at the end"


def main(root: pathlib.Path) -> int:
    found = 0
    for path in (p for top in TOPS for p in sorted((root / top).rglob("*"))):
        if path.suffix not in CODE or "golden" in path.parts or "corpus" in path.parts:
            continue
        for number, wrong in problems(path):
            print(f"{path.relative_to(root).as_posix()}:{number}: {wrong}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
