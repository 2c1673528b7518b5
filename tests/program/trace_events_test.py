#!/usr/bin/env python3
"""Holds `stockout run --timeline` to the rules of the trace-event format, and to what else the run says of its jobs.

Usage: trace_events_test.py STOCKOUT SCENARIOS. Rules: "Trace Event Format" (Google, 2016), JSON object form; and what
ui.perfetto.dev asks on top: slices of one thread nest or follow each other, a thread belongs to one process."""

import collections
import csv
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SCENARIOS = pathlib.Path(sys.argv[2])
COLOURS = {"thread_state_sleeping", "grey", "startup", "good", "terrible"}  # of the viewer's reserved names
METADATA = {"process_name": "name", "process_labels": "labels", "process_sort_index": "sort_index",
            "thread_name": "name", "thread_sort_index": "sort_index"}


def check(holds: bool, *what: object) -> None:
    if not holds:
        print("not so:", *what)
        sys.exit(1)


def no_repeats(pairs: list) -> dict:
    check(len(pairs) == len({key for key, _ in pairs}), "a key twice", pairs)
    return dict(pairs)


def run(scenario: object, strategy: str, *arguments: object, code: int = 0) -> str:
    done = subprocess.run([PROGRAM, "run", str(scenario), "--strategy", strategy, *map(str, arguments)],
                          capture_output=True, text=True, timeout=60)
    check(done.returncode == code, done.returncode, "instead of", code, done.stderr)
    return done.stderr


def read(path: pathlib.Path) -> dict:
    text = path.read_text(encoding="utf-8")
    check("NaN" not in text and "Infinity" not in text, "a number that JSON has not")
    check("\\u" not in text, "an escape that not all readers know")
    trace = json.loads(text, object_pairs_hook=no_repeats)
    check(set(trace) == {"displayTimeUnit", "otherData", "traceEvents"}, set(trace))
    check(trace["displayTimeUnit"] in ("ms", "ns"), trace["displayTimeUnit"])
    check(all(isinstance(value, str) for value in trace["otherData"].values()), trace["otherData"])
    return trace


def check_event(event: dict) -> None:
    phase = event["ph"]
    check(isinstance(event["name"], str) and event["name"] != "", event)
    check(type(event["pid"]) is int and event["pid"] > 0, event)
    if phase != "M":
        check(type(event["ts"]) is int and event["ts"] >= 0, event)
        keys = list(event)
        check(keys.index("ts") < keys.index("name"), "readers look for ts before they look at texts", event)
    if phase in "Xi":
        check(type(event["tid"]) is int and event["tid"] > 0 and isinstance(event.get("args", {}), dict), event)
    if phase == "X":
        check(type(event["dur"]) is int and event["dur"] > 0 and event["cname"] in COLOURS, event)
    elif phase == "i":
        check(event["s"] in ("t", "p", "g"), event)
    elif phase == "C":
        numbers = list(event["args"].values())
        check(len(numbers) == 1 and type(numbers[0]) in (int, float) and numbers[0] >= 0, event)
    else:
        check(phase == "M", event)
        value = event["args"][METADATA[event["name"]]]
        check(isinstance(value, int if event["name"].endswith("index") else str), event)


def check_format(trace: dict) -> None:
    names = collections.defaultdict(set)
    process_of = {}
    lanes = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        check_event(event)
        if event["ph"] == "M":
            names[event["name"]].add(event.get("tid", event["pid"]))
        elif event["ph"] == "X" or event.get("s") == "t":
            check(process_of.setdefault(event["tid"], event["pid"]) == event["pid"], "a thread of two processes", event)
            check(event["tid"] in names["thread_name"] and event["tid"] in names["thread_sort_index"], event)
        check(event["pid"] in names["process_name"] and event["pid"] in names["process_sort_index"] or event["ph"] == "M",
              "a process without a name", event)
        if event["ph"] == "X":
            lanes[event["tid"]].append((event["ts"], event["ts"] + event["dur"], event))
    check(not set(process_of) & set(process_of.values()), "a lane has the number of a process")
    for slices in lanes.values():
        slices.sort(key=lambda each: each[:2])
        for before, after in zip(slices, slices[1:]):
            check(before[1] <= after[0], "slices of one lane overlap", before, after)
    for counter, steps in counters(trace).items():
        check(all(before[0] < after[0] for before, after in zip(steps, steps[1:])), "two values at one time", counter)


def counters(trace: dict) -> dict:
    """Times and values by (process, name, unit)."""
    found = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] == "C":
            (unit, value), = event["args"].items()
            found[event["pid"], event["name"], unit].append((event["ts"], value))
    return found


def kind_of(event: dict) -> str:
    return event["name"].split(" job ", 1)[0]


def lengths(trace: dict, *kinds: str) -> dict:
    """Microseconds of slices of these kinds, by job."""
    sums: dict = collections.Counter()
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and kind_of(event) in kinds:
            sums[event["args"]["job"]] += event["dur"]
    return sums


def microseconds(seconds: str) -> int:
    whole, _, rest = seconds.partition(".")
    return (int(whole) * 1000 + int(rest)) * 1000


def check_against_records(trace: dict, jobs: list, leases: list) -> None:
    """Nothing but races and partial leases would be otherwise."""
    seen = {event["args"]["job"] for event in trace["traceEvents"] if event["ph"] in "Xi" and "args" in event}
    check(seen == set(range(len(jobs))), "jobs that are missing", set(range(len(jobs))) - seen)
    for event in trace["traceEvents"]:
        if event["ph"] in "Xi" and "args" in event:
            told = event["args"]
            check(event["name"].endswith(f" job {told['job']} ({told['class']})"), "a name without its job and class", event)
    leased = lengths(trace, "start-up", "run", "lost work")
    lost = lengths(trace, "lost work")
    waited = lengths(trace, "wait")
    for job in jobs:
        number = int(job["job"])
        check(leased[number] == microseconds(job["leased_s"]), "leased time", job, leased[number])
        in_system = microseconds(job["finished_s"]) - microseconds(job["released_s"])
        check(waited[number] == in_system - leased[number], "waiting time", job, waited[number])
    lost_of = collections.Counter()
    for lease in leases:
        lost_of[int(lease["job"])] += microseconds(lease["lost_s"])
    check(lost == +lost_of, "lost work")
    check(lost == +collections.Counter({int(job["job"]): microseconds(job["lost_s"]) for job in jobs}), "lost work of jobs")
    preempted = sum(event["ph"] == "i" and event["name"].split(" ")[0] in ("preempted", "fault")
                    for event in trace["traceEvents"])
    check(preempted == sum(lease["preempted"] == "1" for lease in leases), "preemptions", preempted)
    refused = sum(event["args"].get("times", 1) for event in trace["traceEvents"] if event["name"].startswith("stock-out job"))
    check(refused > 0 or not any(job["state"] == "failed" for job in jobs), "stock-outs")


def check_levels(trace: dict, leases: list) -> None:
    """The counters of leased GPUs, where every change is in them, are the leases added up."""
    changes: dict = collections.Counter()
    for lease in leases:
        changes[microseconds(lease["granted_s"])] += int(lease["gpus"])
        changes[microseconds(lease["ended_s"])] -= int(lease["gpus"])
    drawn: dict = collections.Counter()
    for (_, name, _), steps in counters(trace).items():
        check(not name.startswith("leased by jobs, mean"), name)
        if name == "leased by jobs":
            before = 0
            for at, value in steps:
                drawn[at] += value - before
                before = value
    check({at: by for at, by in changes.items() if by} == {at: by for at, by in drawn.items() if by}, "leased GPUs")


def drawn_jobs(trace: dict) -> set:
    return {event["args"]["job"] for event in trace["traceEvents"] if event["ph"] in "Xi" and "args" in event}


def check_scenario(folder: pathlib.Path, name: str, strategy: str) -> None:
    scenario = SCENARIOS / f"{name}.json"
    path = folder / "trace.json"
    told = run(scenario, strategy, "--timeline", path, "--jobs-out", folder / "jobs.csv", "--leases-out",
               folder / "leases.csv")
    check("Open it in https://ui.perfetto.dev" in told and "not drawn" not in told, told)
    trace = read(path)
    check_format(trace)
    check(trace["otherData"]["left_out"] == "nothing", trace["otherData"])
    jobs = list(csv.DictReader((folder / "jobs.csv").open(encoding="utf-8")))
    leases = list(csv.DictReader((folder / "leases.csv").open(encoding="utf-8")))
    check_against_records(trace, jobs, leases)
    check_levels(trace, leases)


def check_left_out(folder: pathlib.Path, most: int) -> None:
    path = folder / "part.json"
    told = run(SCENARIOS / "quickstart.json", "spot", "--timeline", path, "--timeline-most", most)
    trace = read(path)
    check_format(trace)
    drawn = [event for event in trace["traceEvents"] if event["ph"] == "X" or event.get("cat") == "trouble"]
    check(len(drawn) <= most, len(drawn), "drawn, at most", most)
    levels = sum(event["ph"] == "C" for event in trace["traceEvents"])
    check(levels <= max(most, 200), levels, "counter values")
    jobs = drawn_jobs(trace)
    check(jobs == set(range(len(jobs))) and len(jobs) < 631, jobs)
    left_out = trace["otherData"]["left_out"]
    check(f"jobs from number {len(jobs)} on ({631 - len(jobs)} of 631) are not drawn" in left_out, left_out)
    check(left_out in told, told)
    check(any(event.get("s") == "g" and event["name"] == left_out for event in trace["traceEvents"]), "no global instant")
    check(any(event["name"] == "process_labels" and event["args"]["labels"] == left_out for event in trace["traceEvents"]),
          "no label")


def check_from(folder: pathlib.Path) -> None:
    path = folder / "later.json"
    told = run(SCENARIOS / "quickstart.json", "spot", "--timeline", path, "--timeline-from", "5d")
    trace = read(path)
    check_format(trace)
    begin = 5 * 24 * 3_600_000_000
    times = [event["ts"] for event in trace["traceEvents"] if event["ph"] == "X" or event.get("cat") == "trouble"]
    check(min(times) >= begin, min(times))
    check("jobs are not drawn: over before 5d" in told, told)


def check_files(folder: pathlib.Path) -> None:
    plain, packed = folder / "same.json", folder / "same.json.gz"
    run(SCENARIOS / "quickstart.json", "spot", "--timeline", plain)
    run(SCENARIOS / "quickstart.json", "spot", "--timeline", packed)
    check(gzip.decompress(packed.read_bytes()) == plain.read_bytes(), "gzipped, it is something else")
    check(len(packed.read_bytes()) < len(plain.read_bytes()) / 8, "not packed")
    missing = folder / "not there" / "trace.json"
    for arguments in (("--timeline", folder / "a", "--jobs-out", folder / "a"), ("--timeline", missing),
                      ("--timeline", SCENARIOS / "quickstart.json"), ("--timeline-most", 5),
                      ("--timeline", folder / "a", "--timeline-most", 0), ("--timeline", folder / "a", "--timeline-from", "x"),
                      ("--timeline", folder / "a", "--timeline-from", "90w 9999999d")):
        run(SCENARIOS / "quickstart.json", "spot", *arguments, code=2)
    check(not (folder / "a").exists() and not missing.exists(), "half a file")


def check_hostile_names(folder: pathlib.Path) -> None:
    scenario = json.loads((SCENARIOS / "quickstart.json").read_text(encoding="utf-8"))
    name = "</script>\"\\ \u00fc\u2028" + "\u4f60" * 300
    scenario["strategies"][0]["name"] = name
    for pool in scenario["pools"]:
        pool["name"] = name + pool.get("place", "") + pool.get("family", "")
    path = folder / "hostile.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    run(path, name, "--timeline", folder / "hostile.trace")
    trace = read(folder / "hostile.trace")
    check_format(trace)
    check(trace["otherData"]["strategy"].startswith("</script>\"\\ \u00fc\u2028\u4f60"), trace["otherData"])
    check(all(len(event["name"].encode()) < 200 for event in trace["traceEvents"]), "a name that is too long")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, strategy in (("quickstart", "spot"), ("quickstart", "reserved, else flex 2 h, else on-demand"),
                               ("held-capacity", "persistent, 1 to 8"), ("calendar", "booked weeks, then flex"),
                               ("deadline", "Spot, on-demand when the deadline asks")):
            check_scenario(folder, name, strategy)
        for most in (1, 40, 1000):
            check_left_out(folder, most)
        check_from(folder)
        check_files(folder)
        check_hostile_names(folder)


if __name__ == "__main__":
    main()
