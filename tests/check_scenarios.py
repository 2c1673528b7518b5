"""Holds the shipped scenarios against scenarios/schema.json with a validator that is not ours.

Usage: check_scenarios.py FOLDER. Without python3-jsonschema it says so and is skipped.
"""

import json
import pathlib
import sys

SKIPPED = 77


def main(folder: pathlib.Path) -> int:
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
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
    bad = {"name": "x", "start": "2026-08-03", "prices_as_of": "2026-07-30", "workloads": []}
    if not list(validator.iter_errors(bad)):
        print("schema.json accepts an unknown key")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
