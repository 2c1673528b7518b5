#!/usr/bin/env python3
"""Holds the pictures of report pages against Vega-Lite's schema. Usage: page_charts_test.py CHARTS SCHEMA; exit 77: no
jsonschema."""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: needs python3-jsonschema")
    sys.exit(77)


def problems(chart: dict, schema: dict) -> list[str]:
    """What is wrong with a specification; it must also have rows of its own, so that an editor shows something."""
    found = [f"{error.json_path}: {error.message[:200]}" for error in jsonschema.Draft7Validator(schema).iter_errors(chart)]
    if not chart.get("data", {}).get("values"):
        found.append("has no rows to show in an editor")
    if not chart.get("description"):
        found.append("does not say what its rows are")
    return found


def main(folder: pathlib.Path, schema_file: pathlib.Path) -> int:
    schema = json.loads(schema_file.read_text(encoding="utf-8"))
    files = sorted(folder.glob("*.vl.json"))
    found = [(file, problem) for file in files for problem in problems(json.loads(file.read_text(encoding="utf-8")), schema)]
    for file, problem in found:
        print(f"{file.name}: {problem}")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
