#!/usr/bin/env python3
"""How often the sets of `stockout calibrate` hold the truth.

Draws worlds out of the prior of a scenario's `unknown`, makes a history of each, calibrates on it, and counts how often
the set of 95 % holds the parameter that the history was made with.

Usage: planted_worlds.py STOCKOUT SCENARIO STRATEGY [--worlds N] [--runs N] [--seed N]
"""

import argparse
import csv
import datetime
import json
import math
import pathlib
import random
import subprocess
import tempfile
import zoneinfo


def planted_value(unknown, rng):
    """A number of the range by its law, as the program draws it."""
    low, high, share = unknown["from"], unknown["to"], rng.random()
    if unknown.get("law") == "log_uniform":
        value = low * math.exp(math.log(high / low) * share)
        step = unknown.get("step")
        return low + step * round((value - low) / step) if step else value
    if step := unknown.get("step"):
        steps = math.floor((high - low) / step + 1e-9)
        return low + step * min(math.floor(share * (steps + 1)), steps)
    return low + (high - low) * share


def plant(scenario, rng):
    """Values for --set, and the numbers among them by the name of their unknown."""
    sets, truth = [], {}
    for unknown in scenario["unknown"]:
        if "from" in unknown:
            truth[unknown["name"]] = value = planted_value(unknown, rng)
            sets += ["--set", f"{unknown['at']}={value}{unknown.get('unit', '')}"]
        elif "values" in unknown:
            sets += ["--set", f"{unknown['at']}={json.dumps(rng.choice(unknown['values']))}"]
        else:
            for pointer, value in rng.choice(unknown["choices"])["set"].items():
                sets += ["--set", f"{pointer}={json.dumps(value)}"]
    return sets, truth


def start_of(scenario):
    """The instant at which the window begins: 00:00 local time."""
    zone = zoneinfo.ZoneInfo(scenario.get("time_zone", "UTC"))
    return datetime.datetime.fromisoformat(scenario["start"]).replace(tzinfo=zone).astimezone(datetime.timezone.utc)


def write_history(jobs, path, begin):
    """The record of a run as a cluster would have written it down."""

    def stamp(seconds):
        return (begin + datetime.timedelta(seconds=float(seconds))).isoformat()

    with open(jobs, newline="", encoding="utf-8") as run, open(path, "w", newline="", encoding="utf-8") as history:
        out = csv.writer(history)
        out.writerow(["submit", "duration", "gpus", "class", "outcome", "start", "end"])
        for job in csv.DictReader(run):
            submit = stamp(job["submit_s"])
            if job["state"] != "completed":
                outcome = job["state"] if job["state"] in ("refused", "expired") else "cancelled"
                out.writerow([submit, "", job["gpus"], job["class"], outcome, "", ""])
                continue
            start = stamp(float(job["first_grant_s"]) + float(job["start_delay_s"]))
            out.writerow([submit, job["work_s"], job["gpus"], job["class"], "completed", start, stamp(job["finished_s"])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stockout")
    parser.add_argument("scenario")
    parser.add_argument("strategy")
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    scenario = json.loads(pathlib.Path(asked.scenario).read_text(encoding="utf-8"))
    rng = random.Random(asked.seed)
    held, sets = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        jobs, history = f"{folder}/jobs.csv", f"{folder}/history.csv"
        for world in range(asked.worlds):
            values, truth = plant(scenario, rng)
            run = ["run", asked.scenario, "--strategy", asked.strategy, "--replication", str(100_000 + world)]
            subprocess.run([asked.stockout, *run, "--jobs-out", jobs, *values], check=True, stdout=subprocess.DEVNULL)
            write_history(jobs, history, start_of(scenario))
            calibrate = ["calibrate", asked.scenario, "--observed", history, "--strategy", asked.strategy]
            found = subprocess.run(
                [asked.stockout, *calibrate, "--runs", str(asked.runs), "--seed", str(world + 1), "--format", "json"],
                stdout=subprocess.PIPE, check=False)
            for row in json.loads(found.stdout)["unknown"]:
                name = row["unknown"]
                if name not in truth:
                    continue
                low, high = (float(row[end].split()[0]) for end in ("low", "high"))
                rounding = 5e-4  # of texts of four digits
                sets[name] = sets.get(name, 0) + 1
                held[name] = held.get(name, 0) + (low * (1 - rounding) <= truth[name] <= high * (1 + rounding))
    for name, count in sets.items():
        print(f"{name}: {held[name]} of {count}")
    print(f"all: {sum(held.values())} of {sum(sets.values())}, {sum(held.values()) / sum(sets.values()):.1%}")


if __name__ == "__main__":
    main()
