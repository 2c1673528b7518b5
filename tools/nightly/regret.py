#!/usr/bin/env python3
"""Worth of the advice of `stockout recommend` on later jobs, on recorded histories.

Replays each history, cuts it in two at several places, and has it advised before each (`recommend --observed
--split`). Prints regret, the captured share of what could be saved, and the goals that were missed; then medians and
the worst.

A job may have committed GPUs, wait for them, or go to on-demand ones, at the H100 prices of us-central1. How many to
commit to, and how long to wait, is decided. 95 % of jobs are to start within an hour. With --no-on-demand they wait for
committed ones: how many are enough?

Usage: regret.py STOCKOUT TRACES [--term 1y|3y] [--no-on-demand] [--history NAME] [--splits 20%,50%] [--threads N]
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

# Name, file below TRACES, format, users that are kept.
HISTORIES = [
    ("HPC2N", "workloads/swf/hpc2n.swf", "swf", []),
    ("NASA iPSC", "workloads/swf/NASA-iPSC-1993-3.1-cln.swf.gz", "swf", []),
    ("Philly 11cb48", "workloads/philly/philly_dev_vcs.csv.gz", "philly", ["11cb48"]),
    ("Philly 6214e9", "workloads/philly/philly_dev_vcs.csv.gz", "philly", ["6214e9"]),
    ("Philly b436b2", "workloads/philly/philly_dev_vcs.csv.gz", "philly", ["b436b2"]),
    ("Philly 103959", "workloads/philly/philly_dev_vcs.csv.gz", "philly", ["103959"]),
    ("Philly ed69ec", "workloads/philly/philly_dev_vcs.csv.gz", "philly", ["ed69ec"]),
    ("openb", "workloads/alibaba-openb-2023/openb_pod_list_default.csv", "openb", []),
    ("PAI week", "workloads/gaia/pai_1k.csv", "gaia_seconds", []),
    ("PAI year", "workloads/gaia/pai-100k.csv.gz", "gaia_hours", []),
]
DAYS = re.compile(r" for (\d+)d")
STEPS = 16  # choices of how many to commit to; up to so many times the mean use, with on-demand ones and without:
MOST_OF_MEAN = {True: 2, False: 8}
ON_DEMAND, COMMITTED = 11.06, {"1y": 7.67, "3y": 4.86}  # USD an hour: an eighth of a3-highgpu-8g, 2026-07-30


def scenario_of(name, path, form, users, most, term="1y", on_demand=True):
    trace = {"file": str(path), "format": form}
    if users:
        trace["only_users"] = users
    committed = {"model": "reservation", "reservation": "committed"}
    step = max(1, math.ceil(most / STEPS))
    strategies = [{"name": "on-demand", "legs": [{"model": "on_demand"}]},
                  {"name": "else on-demand", "legs": [committed | {"limit": "0s"}, {"model": "on_demand"}]},
                  {"name": "on-demand after 30 min", "legs": [committed | {"limit": "30min"}, {"model": "on_demand"}]},
                  {"name": "wait", "legs": [committed]}]
    return {
        "name": name, "start": "2026-08-03", "prices_as_of": "2026-07-30", "replications": 1, "hold_end": "last_start",
        "prices": [{"machine": "generic", "model": "on_demand", "usd_per_hour": ON_DEMAND},
                   {"machine": "generic", "model": f"cud_{term}", "usd_per_hour": COMMITTED[term]}],
        "workload": [{"name": "jobs", "machine": "generic", "trace": trace}],
        "pools": [{"family": "generic", "place": "generic", "unlimited": True}],
        "goal": {"wait_p": 95, "at_most": "1h"}, "most_obligation": term,
        "decide": [{"name": "committed", "at": "/reservations/0/count", "from": 0, "to": step * STEPS, "step": step}],
        "reservations": [{"name": "committed", "machine": "generic", "place": "generic",
                          "count": 0 if on_demand else step * STEPS,
                          "commitment": term, "added_supply": True}],
        "strategies": strategies if on_demand else strategies[-1:],
    }


def said(command):
    """Its output as JSON; nothing and its error where the input is refused."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return (json.loads(run.stdout), "") if run.stdout else (None, run.stderr.strip())


def mean_use(stockout, path, form, users):
    """GPUs in use on average within the window, if no job waits."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "use.json"
        scenario = scenario_of("use", path, form, users, 1) | {"end": "window"}
        scenario["strategies"] = scenario["strategies"][:1]
        file.write_text(json.dumps(scenario), encoding="utf-8")
        found, error = said([stockout, "recommend", str(file), "--format", "json"])
        if error:
            raise SystemExit(error)
        days = DAYS.search(found["sentence"])
        return found["purchases"][0]["cost_usd"]["mean"] / ON_DEMAND / 24 / float(days[1])


def share(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def row_of(name, found):
    """Regret as a share of the best's cost, and the captured share; None where there is none."""
    parts = found["parts"]
    regret = found["regret_usd"]["share_of_best"] if found["regret_usd"] else None
    captured = found["captured_share"]["mean"] if found["captured_share"] else None
    to_gain = found["to_gain_usd"]["mean"] / found["paid"][-1]["cost_usd"]["mean"] if found["to_gain_usd"] else None
    days = " + ".join(f"{part['days']:.0f}" for part in parts)
    best = parts[-1]["best"] if len(parts) > 1 else "-"
    print(f"| {name} | {days} | {parts[0]['best']} | {best} | {found['kind']} | {share(regret)} | {share(to_gain)} | "
          f"{share(captured)} |", flush=True)
    return found["kind"], regret, captured


def told(name, rows):
    """Of some rows: how many missed a goal, and median and worst of the others."""
    regrets = [regret for _, regret, _ in rows if regret is not None]
    captured = [part for _, _, part in rows if part is not None]
    missed = sum(kind == "misses_goal" for kind, _, _ in rows)
    middle = [statistics.median(values) if values else None for values in (regrets, captured)]
    print(f"| {name} | {len(rows)} | {missed} | {share(middle[0])}, {share(max(regrets, default=None))} | "
          f"{share(middle[1])}, {share(min(captured, default=None))} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stockout")
    parser.add_argument("traces")
    parser.add_argument("--history", action="append", help="one of them; may be given again")
    parser.add_argument("--splits", default="20%,35%,50%,65%,80%")
    parser.add_argument("--term", choices=sorted(COMMITTED), default="1y")
    parser.add_argument("--no-on-demand", dest="on_demand", action="store_false")
    parser.add_argument("--threads", default="0")
    asked = parser.parse_args()
    rows = {}
    print("| history | days | advised | best in hindsight | it is | regret | could be saved | captured |")
    print("|---|---|---|---|---|---|---|---|")
    for name, file, form, users in HISTORIES:
        if asked.history and name not in asked.history:
            continue
        path = (pathlib.Path(asked.traces) / file).resolve()
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder) / "scenario.json"
            most = MOST_OF_MEAN[asked.on_demand] * mean_use(asked.stockout, path, form, users)
            text = json.dumps(scenario_of(name, path, form, users, most, asked.term, asked.on_demand))
            scenario.write_text(text, encoding="utf-8")
            seen = set()
            for split in asked.splits.split(","):
                found, error = said([asked.stockout, "recommend", str(scenario), "--observed", str(path), "--split",
                                     split, "--threads", asked.threads, "--format", "json"])
                if error:
                    print(f"| {name} | {split} | refused: {error.splitlines()[0].split('--split: ')[-1]} |||||||")
                    continue
                if found["split"] not in seen:
                    rows.setdefault(name, []).append(row_of(name, found))
                seen.add(found["split"])
    print("\n| history | splits | goal missed | regret: median, worst | captured: median, worst |\n|---|---|---|---|---|")
    for name in rows:
        told(name, rows[name])
    told("all", [row for of in rows.values() for row in of])


if __name__ == "__main__":
    main()
