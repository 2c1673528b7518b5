"""Holds the shipped scenarios and sweeps against their schema.json with a validator that is not ours.

Usage: check_scenarios.py FOLDER. Without python3-jsonschema it says so and is skipped.
"""

import importlib.util
import json
import pathlib
import sys

SKIPPED = 77


def check(folder: pathlib.Path, bad: dict) -> bool:
    """Whether all files of the folder fit its schema, and `bad`, which has an unknown key, does not."""
    import jsonschema

    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failed = False
    for path in sorted(folder.glob("*.json")):
        if path.name == "schema.json":
            continue
        for error in validator.iter_errors(json.loads(path.read_text(encoding="utf-8"))):
            print(f"{path.name}: {error.json_path}: {error.message}")
            failed = True
    if not list(validator.iter_errors(bad)):
        print(f"{folder}/schema.json accepts an unknown key")
        failed = True
    return not failed


def main(folder: pathlib.Path) -> int:
    if importlib.util.find_spec("jsonschema") is None:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
    scenario = {"name": "x", "start": "2026-08-03", "prices_as_of": "2026-07-30", "workloads": []}
    sweep = {"name": "x", "scenario": "x.json", "vary": {"gird": []}}
    return 0 if all([check(folder, scenario), check(folder / "sweeps", sweep)]) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
