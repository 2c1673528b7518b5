#!/usr/bin/env python3
"""Holds the size of classes in the engine. Usage: check_classes.py ROOT; prints `file:line: ...`, exit 1.

It reads what clang-format has laid out: a member begins two columns right of its class, and its further lines stand
further right. Constructors, destructors, assignments, constants and types do not
count.
"""

import pathlib
import re
import sys
from collections.abc import Iterator

FOLDERS = ("models/simulation", "models/orchestrators")
MOST_FIELDS = 12
MOST_METHODS = 25

CLASS = re.compile(r"^( *)(?:class|struct) (?:alignas\(\w+\) )?(\w+)[^;{}()=]*\{$", re.MULTILINE)
COMMENT = re.compile(r" *//.*")
FIRST_LINE_END = re.compile(r"[;{}:(),=]$")  # other lines are a template's head, or a type with its name on the next line
PREFIX = re.compile(r"(?:template <.*> |\[\[\w+\]\] |__extension__ |virtual |explicit )+")
ANGLES = re.compile(r"<[^<>]*>")
NO_MEMBER = re.compile(r"(?:using|friend|enum|struct|class|static_assert|static constexpr)\b")


def members(body: str, indent: str) -> Iterator[str]:
    """The first line of each member."""
    member = ""
    for line in body.splitlines():
        line = COMMENT.sub("", line)
        if line.startswith(indent) and line[len(indent) :][:1] not in ("", " ", "}"):
            member += line[len(indent) :] + " "
            if FIRST_LINE_END.search(line):
                yield member
                member = ""


def count(name: str, body: str, indent: str) -> tuple[int, int]:
    """Fields and methods of a class."""
    fields = methods = 0
    for member in members(body, indent):
        member = PREFIX.sub("", member)
        while ANGLES.search(member):
            member = ANGLES.sub("", member)
        if NO_MEMBER.match(member) or re.match(rf"~?{name}\(|{name}& operator=\(", member):
            continue
        is_method = "operator" in member or "(" in re.split(r"[={;]", member)[0]
        methods += is_method
        fields += not is_method
    return fields, methods


def problems(text: str) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of one file."""
    for found in CLASS.finditer(text):
        indent, name = found.groups()
        body = text[found.end() : text.index(f"\n{indent}}}", found.end())]
        fields, methods = count(name, body, indent + "  ")
        line = text.count("\n", 0, found.start()) + 1
        if fields > MOST_FIELDS:
            yield line, f"{name} has {fields} fields; at most {MOST_FIELDS}: some of them are a part with a name"
        if methods > MOST_METHODS:
            yield line, f"{name} has {methods} methods; at most {MOST_METHODS}: it is two things"


def main(root: pathlib.Path) -> int:
    found = 0
    for path in (p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in (".h", ".cpp")):
        for line, wrong in problems(path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(root).as_posix()}:{line}: {wrong}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
