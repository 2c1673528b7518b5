"""Usage: check_readme.py ROOT PROGRAM. Runs the commands in console blocks of all READMEs and finds what they show of the output.

A block begins with ```console; a line in it that begins with `$ stockout` is run from the root of the project. The lines
below it must come in its output, in that order; a line `...` stands for lines that are left out. Links to files must lead somewhere.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

WIDE_AS_ANY = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"LC_ALL": "C.UTF-8"}


def shown_commands(page: pathlib.Path) -> list[tuple[str, list[str]]]:
    """(command, lines of output) for each command of the page."""
    commands, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            commands.append((line[2:], []))
        elif inside and line.strip() and line != "...":
            commands[-1][1].append(line)
    return commands


def first_missing(lines: list[str], output: list[str]) -> str | None:
    rest = iter(output)
    return next((line for line in lines if line not in rest), None)


def dead_links(page: pathlib.Path) -> list[str]:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [link for link in links if not (page.parent / link).exists()]


def differs(command: str, lines: list[str], root: pathlib.Path, program: str) -> str | None:
    name, *arguments = shlex.split(command)
    assert name == "stockout", command
    done = subprocess.run([program, *arguments], cwd=root, env=WIDE_AS_ANY, capture_output=True, text=True, check=False)
    missing = first_missing(lines, done.stdout.splitlines())
    if done.returncode == 0 and missing is None:
        return None
    return f"`{command}` ended with {done.returncode} and does not print, in this order:\n{missing}\n{done.stderr}"


def main(root: pathlib.Path, program: str) -> int:
    pages = [page for top in ("*.md", "[a-z]*/**/*.md") for page in sorted(root.glob(top)) if "build" not in page.relative_to(root).parts]
    wrong = [f"{page}: a link leads nowhere: {link}" for page in pages for link in dead_links(page)]
    commands = [(page, *command) for page in pages for command in shown_commands(page)]
    assert commands, "no page shows a command"
    for page, command, lines in commands:
        if told := differs(command, lines, root, program):
            wrong.append(f"{page}: {told}")
    print("\n".join(wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
