"""Holds scenarios and sweeps against their schema.json with a validator that is not ours.

Usage: check_scenarios.py STOCKOUT PRINT_SCENARIOS SCENARIOS [FOLDER...]. What the reader accepts the schema must accept: in
any of the folders, and of random scenarios. Without python3-jsonschema it says so and is skipped.
"""

import copy
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77

POOL = {"family": "a3-highgpu", "place": "us-central1-a"}
QUEUE = {"name": "q", "flavors": [{"flavor": "f", "nominal_quota": 8}]}
KUEUE = {"flavors": ["f"], "cluster_queues": [QUEUE], "local_queues": [{"name": "l", "cluster_queue": "q"}]}
SLURM = {
    "node_sets": [{"name": "s", "machine": "a3-highgpu-8g", "nodes": 1}],
    "partitions": [{"name": "p", "node_set": "s"}],
}

# JSON pointers into the quickstart, and what an editor must mark there; perhaps values that make the rest right.
WRONG = [
    ("/workloads", []),
    ("/strategies/0/legs/0/model", "flex"),
    ("/strategies/0/legs/0/machine", "a3-highgpu-8"),
    ("/strategies/0/legs/0/gpus", ["H100"]),
    ("/strategies/0/legs/0/places", ["us-central9"]),
    ("/strategies/0/orchestrator", "kubernetes"),
    ("/pools/0/family", "a3-highgpus"),
    ("/pools/0/place", "us-central1-A"),
    ("/models/flex", {"retries": 1}),
    ("/prices", [{"region": "us-central1-a", "factor": 0.9}]),
    ("/precision", {"half_width": 5, "of": ["cost"]}),
    ("/prices", [{"model": "spott", "factor": 0.9}]),
    ("/quota", {"limits": [{"gpu": "H100", "limit": 8}]}),
    ("/quota", {"limits": [{"region": "us-central1-a", "limit": 8}]}),
    ("/quota", {"limits": [{"cpus": "a3", "limit": 8}]}),
    # relations between keys
    ("/pools/0/discipline", "shortest_ageing"),
    ("/pools/0/ageing", 1),
    ("/pools/0/gpu", "H100-80GB"),
    ("/strategies/0/legs/0", {"model": "reservation"}),
    ("/strategies/0/legs/0", {"model": "on_demand", "reservation": "held"}),
    ("/strategies/0/legs/0", {"model": "on_demand", "max_wait": "1h"}),
    ("/strategies/0/legs/0", {"model": "flex_start", "partial": {"least": 1}}),
    ("/workload/0", {"name": "x", "schedule": {}, "work": "1h", "nodes": 2, "sizes": [{"weight": 1}]}),
    ("/reservations", [{"name": "x", "model": "calendar", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1}]),
    ("/reservations", [{"name": "x", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1, "lead_time": "1d"}]),
    ("/other_costs", [{"name": "x", "usd_once": 1, "classes": ["a"]}]),
    ("/strategies/0/legs/0", {"model": "spot", "flavor": "f", "partial": {"least": 1}}),
    ("/strategies/0/legs/0", {"model": "spot", "flavor": "f", "partition": "p"}),
    ("/strategies/0/legs/0", {"model": "flex_start", "flavor": "f", "race": "first_boot"}),
    ("/strategies/0/legs/0", {"model": "spot", "partition": "p", "retries": 1}),
    ("/strategies/0/legs/0", {"model": "spot", "partition": "p", "partial": {"least": 1}}),
    ("/strategies/0/legs/0", {"model": "flex_start_slurm", "partition": "p", "limit": "1h"}),
    ("/strategies/0/legs/0", {"model": "flex_start_slurm", "partition": "p", "keep": True}),
    ("/strategies/0/legs/0", {"model": "flex_start_slurm", "partition": "p", "race": "first_boot"}),
    ("/strategies/0/quota", {"when_short": "wait", "back_off": "1h"}),
    ("/slurm", {"node_sets": [{"name": "s"}], "partitions": [{"name": "p", "node_set": "s"}]}),
    ("/strategies/0/legs/0", {"model": "spot", "race": "first_boot"}),
    ("/strategies/0/legs/0", {"model": "flex_start", "spread": "any"}),
    ("/strategies/0/legs/0", {"model": "spot", "orchestrator": "vertex", "spread": "any"}),
    ("/strategies/0/legs/0", {"model": "spot", "orchestrator": "gke", "spread": "balanced"}),
    ("/strategies/0/legs/0", {"model": "spot", "spread": "any", "partial": {"least": 1, "gather": "1h"}}),
    ("/strategies/0/legs/0", {"model": "spot", "partial": {"least": 1, "recreate": True}}),
    ("/strategies/0/legs/0", {"model": "spot", "partial": {"least": 1, "every": "1min"}}),
    ("/strategies/0/legs/0", {"model": "spot", "partial": {"least": 1, "gather": "1h", "meanwhile": "work"}}),
    # between numbers, lists and days
    ("/decide", [{"name": "x", "at": "/seed", "from": "2026-08-03", "to": "2026-08-05", "unit": "d"}]),
    ("/decide", [{"name": "x", "at": "/seed", "from": "2026-08-03", "to": 5}]),
    ("/decide", [{"name": "x", "at": "/seed", "from": 5, "to": "2026-08-03"}]),
    ("/pools/0", POOL | {"gpus": [{"at": "0s", "gpus": 8}], "growth": {"gpus": 1, "every": "1d"}}),
    ("/workload/0", {"name": "x", "trace": {"file": "x.csv", "format": "csv"}, "max_wait": {"exponential": "1h"}}),
    # between objects
    ("/tenants", {"load": 0.5}, {"/pools": [POOL | {"gpus": 8}]}),
    ("/pools/0", POOL | {"unlimited": True, "tenants": {"load": 1}}),
    ("/pools/0", POOL | {"unlimited": True, "reclaim": "oldest"}),
    ("/pools/0", POOL | {"gpus": 8, "growth": {"machines": 1, "every": "1d"}}),
    ("/pools/0", POOL | {"capacity": [{"classes": ["spot"], "machines": 1}]}),
    ("/workload/0/failure_policy", "fast"),
    ("/workload/0/job_set", {}),
    ("/workload/0/speed", {"reference": "H100-80GB", "gpus": {"H100-80GB": 1}, "scaling": {"message": 1}}),
    ("/window", None),
    ("/quota", {"limits": [{"limit": 8}], "business_days": 2}),
    ("/strategies/0/quota", {"when_short": "wait"}),
    ("/strategies/0/node_groups", {}, {"/strategies/0/orchestrator": "slurm"}),
    ("/strategies/0/provisioning_request", {"pods_after": "1min"}),
    ("/strategies/0", {"name": "x", "deadline_rule": {}, "legs": [{"model": "spot"}, {"model": "flex_start"}]}),
    ("/strategies/0", {"name": "x", "deadline_rule": {}, "legs": [{"model": "spot", "restarts": 1}, {"model": "on_demand"}]}),
    ("/strategies/0", {"name": "x", "deadline_rule": {}, "legs": [{"model": "spot", "partial": {"least": 1}}, {"model": "on_demand"}]}),
    ("/strategies/0/legs/0/flavor", "f"),
    ("/strategies/0/legs/0/partition", "p"),
    ("/kueue", KUEUE),
    ("/slurm", SLURM),
    ("/strategies/0", {"name": "x", "legs": [{"model": "spot", "flavor": "f"}, {"model": "on_demand"}]}, {"/kueue": KUEUE}),
    ("/strategies/0", {"name": "x", "legs": [{"model": "spot", "flavor": "f"}], "resubmit": {"after": "1h"}}, {"/kueue": KUEUE}),
    ("/kueue", KUEUE | {"cluster_queues": [QUEUE | {"fair_weight": 2}]}, {"/strategies/0/legs/0/flavor": "f"}),
    ("/kueue", KUEUE | {"cluster_queues": [QUEUE | {"usage_based_admission": True}]}, {"/strategies/0/legs/0/flavor": "f"}),
    ("/kueue", KUEUE | {"cluster_queues": [QUEUE | {"preemption": {"reclaim_within_cohort": "any"}}]}, {"/strategies/0/legs/0/flavor": "f"}),
    (
        "/kueue",
        KUEUE | {"cluster_queues": [QUEUE | {"flavors": [{"flavor": "f", "nominal_quota": 8, "lending_limit": 1}]}]},
        {"/strategies/0/legs/0/flavor": "f"},
    ),
    ("/slurm", SLURM | {"priority": {"type": "basic", "weight_age": 1}}, {"/strategies/0/legs/0/partition": "p"}),
    ("/slurm", SLURM | {"priority": {"weight_fair_share": 1}}, {"/strategies/0/legs/0/partition": "p"}),
    ("/slurm", SLURM | {"qos": [{"name": "a", "preempts": ["a"]}]}, {"/strategies/0/legs/0/partition": "p"}),
    ("/slurm", SLURM | {"scheduler": {"type": "easy", "sched_interval": "1min"}}, {"/strategies/0/legs/0/partition": "p"}),
]

# What goes with them: that without its error the scenario fits.
RIGHT = [
    ("/strategies/0/legs/0", {"model": "spot", "race": "first_grant", "partial": {"least": 1, "gather": "1h", "every": "1min"}}),
    ("/strategies/0/legs/0", {"model": "flex_start", "spread": "any_single_zone"}),
    ("/decide", [{"name": "x", "at": "/seed", "from": "2026-08-03", "to": "2026-08-05"}, {"name": "y", "at": "/seed", "from": 1, "to": 2}]),
    ("/pools/0", POOL | {"gpus": 8, "growth": {"gpus": 1, "every": "1d"}}),
    ("/kueue", KUEUE, {"/strategies/0/legs/0/flavor": "f"}),
    ("/kueue", KUEUE | {"fair_sharing": {}, "cluster_queues": [QUEUE | {"fair_weight": 2}]}, {"/strategies/0/legs/0/flavor": "f"}),
    ("/slurm", SLURM | {"priority": {"weight_age": 1}}, {"/strategies/0/legs/0/partition": "p"}),
    ("/strategies/0/node_groups", {}, {"/strategies/0/orchestrator": "gke"}),
]


def changed(scenario: dict, pointer: str, value: object, more: dict | None = None) -> dict:
    """The scenario with values in the place of pointers; None takes one out."""
    whole = scenario
    for at, with_it in {pointer: value, **(more or {})}.items():
        whole = placed(whole, at, with_it)
    return whole


def placed(scenario: dict, pointer: str, value: object) -> dict:
    """The scenario with a value in the place of a pointer."""
    whole = copy.deepcopy(scenario)
    *path, last = pointer.split("/")[1:]
    at = whole
    for token in path:
        at = at[int(token)] if isinstance(at, list) else at.setdefault(token, {})
    if value is None:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return whole


def problems(validator, path: pathlib.Path) -> list[str]:
    """Where a file does not fit."""
    return [f"{path}: {e.json_path}: {e.message}" for e in validator.iter_errors(json.loads(path.read_text(encoding="utf-8")))]


def validator_of(folder: pathlib.Path):
    import jsonschema

    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def is_accepted(stockout: str, path: pathlib.Path) -> bool:
    return subprocess.run([stockout, "validate", path], capture_output=True, check=False).returncode == 0


def check_shipped(folder: pathlib.Path, wrong: list[dict]) -> list[str]:
    """All files of a folder fit its schema, and what is wrong does not."""
    validator = validator_of(folder)
    files = [path for path in sorted(folder.glob("*.json")) if path.name != "schema.json"]
    found = [text for path in files for text in problems(validator, path)]
    return found + [f"{folder}/schema.json accepts {json.dumps(bad)[:300]}" for bad in wrong if validator.is_valid(bad)]


def random_scenarios(print_scenarios: str) -> list[dict]:
    """What the reader accepts of scenarios made at random, which use every key."""
    with tempfile.TemporaryDirectory() as folder:
        lines = subprocess.run([print_scenarios, "400", folder], capture_output=True, check=True, text=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def main(stockout: str, print_scenarios: str, scenarios: pathlib.Path, *others: pathlib.Path) -> int:
    if importlib.util.find_spec("jsonschema") is None:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
    quickstart = json.loads((scenarios / "quickstart.json").read_text(encoding="utf-8"))
    found = check_shipped(scenarios, [])
    validator = validator_of(scenarios)
    for change in WRONG:
        if validator.is_valid(changed(quickstart, *change)):
            found.append(f"schema.json accepts {json.dumps(change[1])} at {change[0]}")
    for change in RIGHT:
        found += [f"{change[0]}: {e.json_path}: {e.message}" for e in validator.iter_errors(changed(quickstart, *change))]
    found += check_shipped(scenarios / "sweeps", [{"name": "x", "scenario": "x.json", "vary": {"gird": []}}])
    files = [path for folder in others for path in sorted(folder.glob("*.json"))]
    found += [text for path in files if is_accepted(stockout, path) for text in problems(validator, path)]
    made = random_scenarios(print_scenarios)
    assert len(made) > 100, "most are refused"
    found += [f"random: {e.json_path}: {e.message}" for scenario in made for e in validator.iter_errors(scenario)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], *map(pathlib.Path, sys.argv[3:])))
