"""Usage: check_readme.py PAGE PROGRAM. Runs the commands in the page's console blocks and finds what it shows of their output.

A block begins with ```console; a line in it that begins with `$ stockout` is run from the folder of the page. The lines
below it must come in its output, in that order; a line `...` stands for lines that are left out.
"""

import pathlib
import shlex
import subprocess
import sys


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


def main(page: pathlib.Path, program: str) -> int:
    commands = shown_commands(page)
    wrong = 0 if commands else 1
    for command, lines in commands:
        name, *arguments = shlex.split(command)
        assert name == "stockout", command
        done = subprocess.run([program, *arguments], cwd=page.parent, capture_output=True, text=True, check=False)
        missing = first_missing(lines, done.stdout.splitlines())
        if done.returncode != 0 or missing is not None:
            print(f"{page.name}: `{command}` ended with {done.returncode} and does not print, in this order:\n{missing}")
            print(done.stderr, end="")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
