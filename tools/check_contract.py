#!/usr/bin/env python3
"""Holds the contract's rules to their numbers and their tests. Usage: check_contract.py ROOT; prints `file:line: ...`, exit 1."""

import pathlib
import re
import sys
from collections.abc import Iterator

CONTRACT = "models/simulation/README.md"
REFERENCE = "tests/support/reference"
SECTION = re.compile(r"## (\d+)\. ")
RULE = re.compile(r"- \*\*R(\d+)\.(\d+)\*\*")
NAMED_RULE = re.compile(r"\bR(\d+\.\d+)\b")
TESTS_OF_RULES = re.compile(r"- (R\d+\.\d+(?:, R\d+\.\d+)*): ")
NAMED_TEST = re.compile(r'"([^"]+)"')
TEST_CASE = re.compile(r'TEST_CASE\(\s*"([^"]+)"')


def numbering(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Rules go R1.1, R1.2, ... within each section, and sections go 1, 2, ..."""
    section, rule = 0, 0
    for number, line in enumerate(lines, start=1):
        if heading := SECTION.match(line):
            if int(heading[1]) != section + 1:
                yield number, f"section {heading[1]} does not follow section {section}"
            section, rule = int(heading[1]), 0
        elif begins := RULE.match(line):
            if (int(begins[1]), int(begins[2])) != (section, rule + 1):
                yield number, f"R{begins[1]}.{begins[2]} does not follow R{section}.{rule}"
            rule = int(begins[2])


def tests_named(lines: list[str]) -> Iterator[tuple[int, list[str], list[str]]]:
    """(line, numbers of rules, names of the tests that hold them) of each item of the lists of tests."""
    for first, line in enumerate(lines):
        if begins := TESTS_OF_RULES.match(line):
            end = next((i for i in range(first + 1, len(lines)) if not lines[i].startswith("  ")), len(lines))
            text = " ".join(part.strip() for part in lines[first:end])
            yield first + 1, NAMED_RULE.findall(begins[1]), NAMED_TEST.findall(text)


def untested(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Rules that no item of a list of tests names together with a test."""
    held = {rule for _, rules, names in tests_named(lines) if names for rule in rules}
    for number, line in enumerate(lines, start=1):
        if (begins := RULE.match(line)) and f"{begins[1]}.{begins[2]}" not in held:
            yield number, f"R{begins[1]}.{begins[2]} names no test that holds it"


def problems(root: pathlib.Path) -> Iterator[tuple[str, int, str]]:
    lines = (root / CONTRACT).read_text(encoding="utf-8").splitlines()
    for number, wrong in [*numbering(lines), *untested(lines)]:
        yield CONTRACT, number, wrong
    files = (root / "tests").rglob("*_test.cpp")
    tests = {name for file in files for name in TEST_CASE.findall(file.read_text(encoding="utf-8"))}
    for number, _, names in tests_named(lines):
        yield from ((CONTRACT, number, f'no test is called "{name}"') for name in names if name not in tests)
    rules = {f"{begins[1]}.{begins[2]}" for begins in map(RULE.match, lines) if begins}
    for path in [root / CONTRACT, *sorted((root / REFERENCE).glob("*"))]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for name in NAMED_RULE.findall(line):
                if name not in rules:
                    yield path.relative_to(root).as_posix(), number, f"the contract has no R{name}"


def main(root: pathlib.Path) -> int:
    found = list(problems(root))
    for file, number, wrong in found:
        print(f"{file}:{number}: {wrong}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
