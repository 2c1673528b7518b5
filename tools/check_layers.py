#!/usr/bin/env python3
"""Holds the direction of includes. Usage: check_layers.py ROOT; prints `file:line: folder may not include x`, exit 1."""

import pathlib
import re
import sys

CORE = ["sim/core"]
SIM = ["sim"]
PARTS = SIM + [f"models/{part}" for part in ("catalog", "workload", "supply", "execution", "billing")]
POLICIES = PARTS + ["models/consumption"]
FROZEN = POLICIES + ["models/world", "models/record"]
# What a measure reads of a run: the types of the world and the record, never what made them.
READ = [part for part in FROZEN if part not in ("sim", "models/execution")] + ["sim/core", "sim/stats"]
RUN = FROZEN + ["models/orchestrators", "models/simulation"]
MEASURED = RUN + ["models/measures"]
# What a scenario is read into: reading never simulates.
SCENARIO = FROZEN + ["models/measures", "models/scenario/format"]
DRAFT = SCENARIO + ["models/scenario/scenario.h"]
# What a report is made of, and written by.
TABLES = ["sim", "models", "tools/table"]
# What a command of the program stands on, in its rooms from the ground up.
PROGRAM = TABLES + ["tools/page", "tools/report", "tools/stockout/commands.h"]
TERMINAL = PROGRAM + ["tools/stockout/terminal"]
ARGUMENTS = TERMINAL + ["tools/stockout/arguments"]
FILES = ARGUMENTS + ["tools/stockout/files"]

# Folder -> what it may include, itself aside: folders, or single files. The longest match counts.
MAY_INCLUDE = {
    "sim/core": [],
    "sim/engine": CORE + ["sim/random"],
    "sim/random": CORE,
    "sim/stats": CORE,
    "sim/io": CORE,
    "models/catalog": SIM,
    "models/workload": SIM + ["models/catalog"],
    "models/supply": SIM + ["models/catalog"],
    "models/execution": SIM + ["models/catalog"],
    "models/billing": SIM + ["models/catalog"],
    "models/consumption": PARTS,
    # What an administrator sets up in Kueue and in Slurm is data of the world.
    "models/world": [part for part in POLICIES if part != "sim"] + ["sim/core", "sim/random", "models/orchestrators/kueue", "models/orchestrators/slurm"],
    "models/record": [part for part in POLICIES if part != "sim"] + ["sim/core", "models/world"],
    "models/orchestrators": FROZEN,
    "models/orchestrators/kueue": CORE,
    "models/orchestrators/slurm": CORE,
    "models/simulation": FROZEN + ["models/orchestrators"],
    "models/measures": READ,
    "models/experiment": MEASURED,
    "models/scenario/format": FROZEN + ["models/measures"],
    "models/scenario": SCENARIO,
    "models/scenario/draft": DRAFT,
    "models/scenario/supply": DRAFT + ["models/scenario/draft"],
    "models/scenario/workload": DRAFT + ["models/scenario/draft", "models/theory"],
    "models/scenario/buying": DRAFT + [f"models/scenario/{room}" for room in ("draft", "supply", "workload")]
    + ["models/orchestrators/kueue", "models/orchestrators/slurm"],
    "models/scenario/load": DRAFT + [f"models/scenario/{room}" for room in ("draft", "supply", "workload", "buying")],
    "models/launch": MEASURED + ["models/experiment", "models/scenario"],
    # A first scenario, as text, out of what a planner has.
    "models/starter": POLICIES + ["models/inventory"],
    "models/theory": SIM,
    # What long commands have done, on disk.
    "models/kept": SIM + ["models/catalog"],
    # What stands on scenarios: many of them, bounds to them, what they recorded at other prices.
    "models/sweep": MEASURED + ["models/experiment", "models/kept", "models/launch", "models/scenario"],
    "models/recommend": MEASURED + ["models/experiment", "models/kept", "models/launch", "models/scenario"],
    "models/calibration": MEASURED + ["models/experiment", "models/history", "models/kept", "models/launch", "models/scenario"],
    "models/assumptions": MEASURED + ["models/experiment"],
    "models/baseline": MEASURED + ["models/experiment", "models/scenario"],
    "models/bound": MEASURED + ["models/experiment"],
    "models/history": MEASURED,
    "models/inventory": SIM + ["models/catalog", "models/workload"],
    "models/showback": READ + ["models/measures"],
    "models/repricing": MEASURED + ["models/experiment", "models/scenario"],
    "tools/table": ["sim/core", "sim/io", "sim/stats", "models/measures"],
    "tools/page": ["sim/core", "sim/io", "models/measures", "tools/table"],
    "tools/report/prices": TABLES + ["tools/page"],
    "tools/report/comparison": TABLES + ["tools/report/prices"],
    "tools/report/comparison_page": TABLES + ["tools/page", "tools/report/comparison", "tools/report/prices"],
    "tools/report/record": TABLES + ["tools/page", "tools/report/comparison", "tools/report/prices"],
    "tools/report/sweep": TABLES + ["tools/page", "tools/report/comparison"],
    "tools/report/recommend": TABLES + ["tools/report/comparison", "tools/report/prices"],
    "tools/report/recommend_page": TABLES + ["tools/page", "tools/report/comparison", "tools/report/recommend"],
    "tools/report/calibration": TABLES + ["tools/report/comparison"],
    "tools/report/backtest_page": TABLES + ["tools/page", "tools/report/calibration"],
    "tools/report/check": TABLES + ["tools/report/comparison"],
    "tools/report/run": TABLES,
    "tools/report/focus": TABLES + ["tools/report/prices"],
    "tools/kueue": ["sim/core", "sim/io", "models/orchestrators/kueue"],
    "tools/slurm_replay": ["sim/core", "sim/io", "models/catalog", "models/orchestrators/slurm", "models/starter/type_guess.h"],
    "tools/stockout": TABLES + ["tools/page", "tools/report"],
    "tools/stockout/terminal": PROGRAM,
    "tools/stockout/arguments": TERMINAL,
    "tools/stockout/shell": ARGUMENTS,
    "tools/stockout/files": ARGUMENTS,
    "tools/stockout/prices": FILES,
    "tools/stockout/supply": FILES,
    "tools/stockout/clusters": FILES + ["tools/kueue", "tools/slurm_replay"],
    "tools/stockout/sweeps": FILES,
    "tools/stockout/traces": FILES,
    "tools/stockout/calibration": FILES + ["tools/stockout/traces"],
    "tools/stockout/answers": FILES + ["tools/stockout/traces", "tools/stockout/calibration"],
    "tools/python": TABLES + ["tools/report", "tools/stockout"],
    "tests": ["sim", "models", "tools"],
    "bench": ["sim", "models", "tools"],
}
# The floors of models/simulation, from the ground up: a file may include those of floors below, and those before it on
# its own. A room is a pair of files of one name, in the folder of its floor. The top is the folder itself.
SIMULATION = "models/simulation"
FLOORS = {
    "ground": ["slot", "grid", "area", "run_events", "run_state", "this_instant", "agenda", "touched_pools", "tables", "outcome"],
    "books": ["ledger_checks", "meter", "run_log", "host_books", "pool_counts", "pool_state", "pool_totals", "delayed_starts",
              "books", "pool_checks", "request_tally", "recorder", "draws", "route", "run_clerk", "orchestrator_turns",
              "orchestration"],
    "lives": ["partial_state", "gangs", "spreads", "mass_reclaims", "fates", "workers", "lease_start", "lease_end", "lease_life",
              "flight", "flights", "reclaim", "making_way", "requests"],
    "market": ["market", "supply_changes", "held_state", "held_leases", "idle_machines", "elastic_pools", "bookings"],
    "desk": ["deadline_moves", "office_hours", "asking", "spent_tries", "job_desk", "holdings"],
}
ROOMS = [
    "simulate.h",  # which the ground knows: what a run is asked for
    *(f"{floor}/{room}" for floor, rooms in FLOORS.items() for room in rooms),
    *("house", "pace", "incoming", "simulate.cpp"),
]
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


def within(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def folder_of(path: str) -> str | None:
    return max((folder for folder in MAY_INCLUDE if within(path, folder)), key=len, default=None)


def room_of(path: str) -> int | None:
    """The place of a file of models/simulation in its stack of rooms."""
    name = path.removeprefix(SIMULATION + "/")
    room = name if name in ROOMS else name.rsplit(".", 1)[0]
    return ROOMS.index(room) if room in ROOMS else None


def wrong_way(path: str, included: str) -> str | None:
    """An include that goes up the stack."""
    if not within(path, SIMULATION) or not within(included, SIMULATION):
        return None
    room, below = room_of(path), room_of(included)
    if room is None or below is None:
        return f"{path if room is None else included} is not in the list of rooms of {pathlib.Path(__file__).name}"
    return f"{path} may not include {included}, which stands above it" if below > room else None


def problem(root: pathlib.Path, folder: str | None, included: str) -> str | None:
    if folder is None:
        return f"this folder is not in the table of {pathlib.Path(__file__).name}"
    if not (root / included).is_file():
        return f'"{included}" is not a path from the top of the project'
    if not any(included == allowed or within(included, allowed) for allowed in [folder, *MAY_INCLUDE[folder]]):
        return f"{folder} may not include {included}"
    return None


def main(root: pathlib.Path) -> int:
    found = 0
    sources = [p for top in ("sim", "models", "tools", "tests", "bench") for p in sorted((root / top).rglob("*"))]
    for source in (p for p in sources if p.suffix in (".h", ".cpp")):
        path = source.relative_to(root).as_posix()
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), start=1):
            include = INCLUDE.match(line)
            wrong = include and (problem(root, folder_of(path), include[1]) or wrong_way(path, include[1]))
            if wrong:
                print(f"{path}:{number}: {wrong}")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
