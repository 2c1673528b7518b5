"""Hostile input, as a process: whatever a file holds and the command line says, the program ends within seconds and bounded memory,
with exit code 0, or with 2 and one line that names the place. Usage: hostile_test.py PROGRAM"""

import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SECONDS = 60  # on a loaded machine; none takes more than a second or two
MEMORY = 2 << 30
MOST_LINES = 21  # a message for each of twenty mistakes, and that there may be more
MESSAGE = "stockout: error: "
FORMATS = ["csv", "swf", "philly", "gaia_seconds", "gaia_hours"]
RECORDS = ["sacct", "helios", "openb", "pai", "eagle", "vertex", "kueue", "kubernetes"]
HEADS = {
    "csv": "submit,duration,gpus,user\n",
    "swf": "",
    "philly": "timestamp,duration,num_gpus,gpu_time,cluster\n",
    "gaia_seconds": "arrival_time,length,cpus\n",
    "gaia_hours": "arrival_time,length,cpus\n",
}
ROWS = {
    "csv": "{0},{1},{2},u\n",
    "swf": "1 {0} -1 {1} {2} -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n",
    "philly": "{0},{1},{2},1,vc\n",
    "gaia_seconds": "{0},{1},{2}\n",
    "gaia_hours": "{0},{1},{2}\n",
}
NUMBERS = ["", "-1", "0", "-0", "nan", "inf", "1e999", "1e-999", "9223372036854775808", "-9223372036854775809", "0x10", "1,5", "+1",
           " 1", "1 2", "999999999999999999999999999999", "1000000000", "0.0000000001", "1970-13-45", "9999-12-31T23:59:59Z", "é", "\t"]
SCENARIO = {
    "name": "hostile", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30", "replications": 1,
    "workload": [{"name": "jobs", "poisson": {"per_day": 4}, "machine": "a3-highgpu-8g", "work": "2h"}],
    "pools": [{"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 4}],
    "strategies": [{"name": "one", "legs": [{"model": "spot"}]}],
}
failures = []
folder = tempfile.TemporaryDirectory()


def path(name, content=None):
    full = os.path.join(folder.name, name)
    if content is not None:
        with open(full, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    return full


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def say(arguments, memory=True):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=SECONDS, check=False,
                          preexec_fn=limit_memory if memory else None)


def is_messages(lines):
    """One line for each of at most twenty mistakes and one that says there may be more; a hint may be the last line."""
    if len(lines) > 1 and not lines[-1].startswith(MESSAGE):
        lines = lines[:-1]
    return 1 <= len(lines) <= MOST_LINES and all(line.startswith(MESSAGE) for line in lines)


def check(arguments, *wanted, code=None):
    """Exit code 2 with a line for each mistake, and what is wanted in them; or, if no code is asked for, 0."""
    name = " ".join(arguments)[:150]
    try:
        result = say(arguments)
    except subprocess.TimeoutExpired:
        failures.append(f"{name}: does not end")
        return
    said = result.stderr.decode(errors="replace")
    if result.returncode == 0 and code in (None, 0):
        return
    lines = said.splitlines()
    if result.returncode != 2 or code == 0:
        failures.append(f"{name}: exit code {result.returncode}: {said[:300]}")
    elif not is_messages(lines) or len(said) > 2000:
        failures.append(f"{name}: no message, or more than one line of one: {said[:300]!r}")
    for text in wanted:
        if result.returncode == 2 and text not in said:
            failures.append(f"{name}: does not say {text!r}: {said[:300]}")


def contents():
    whole = "submit,duration,gpus\n0,60,1\n"
    packed = gzip.compress(whole.encode())
    yield "empty", b""
    yield "line_end", b"\n"
    yield "zeros", bytes(4096)
    yield "binary", bytes(range(256)) * 16
    yield "bom", b"\xef\xbb\xbf"
    yield "utf16", whole.encode("utf-16")
    yield "latin1", "submit,duration,gpus,user\n0,60,1,J\xf6rg\n".encode("latin-1")
    yield "quote", b'submit,duration,gpus\n"0,60,1\n'
    yield "quotes", b'"' * 100_000
    yield "commas", b"," * 500_000
    yield "long_line", b"1" * (3 << 20)
    yield "escape", b"\x1b[2J\x1b]0;x\x07"
    yield "deep", b"[" * 100_000
    yield "deep_objects", b'{"a":' * 100_000
    yield "gzip_head", packed[:2]
    yield "gzip_cut", packed[:-9]
    yield "gzip_more", packed + b"garbage"
    yield "gzip_wrong_sum", packed[:-8] + bytes(8)
    yield "gzip_of_gzip", gzip.compress(packed)
    yield "json", b'{"scenario": 1}'
    yield "two_keys", b'{"name": "a", "name": "b"}'
    yield "big_number", b'{"start": 1e999999}'


def readers(file):
    """Commands that read `file` as each of the kinds of input."""
    for form in FORMATS + RECORDS:
        yield ["trace", "info", file, "--format", form]
    yield ["trace", "info", file]
    yield ["validate", file]
    yield ["check", SCENARIO_FILE, "--baseline", file]
    yield ["validate", SCENARIO_FILE, "--set", '/workload/0={"name":"t","gpu":"H100-80GB","trace":{"format":"csv","file":"%s"}}' % file]
    yield ["compare", SCENARIO_FILE, "--set", "/pools/0=%s" % json.dumps(
        {"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "capacity": [
            {"classes": ["spot"], "availability": {"file": file, "shape": "a3-highgpu-8g", "inverted": False, "holes": "hold"}}]})]


def files():
    for name, content in contents():
        file = path(name, content)
        for command in readers(file):
            check(command, file)
        check(["check", SCENARIO_FILE, "--baseline", file, "--update"], file, code=2)
    for special in ["/dev/zero", "/dev/random", folder.name, path("missing"), path("pipe"), "/proc/self/mem", "x" * 5000]:
        if special == path("pipe"):
            os.mkfifo(special)
        for command in readers(special):
            check(command, special[:500], code=2)


def numbers():
    for form in FORMATS:
        for place in range(3):
            for number in NUMBERS:
                cells = ["5", "60", "1"]
                cells[place] = number
                file = path("numbers", HEADS[form] + ROWS[form].format(*cells) + ROWS[form].format("7", "60", "1"))
                check(["trace", "info", file, "--format", form], file)


def bombs():
    for name, content in [("zeros.gz", bytes(200 << 20)), ("lines.gz", b"\n" * (200 << 20)), ("blanks.gz", b" " * (200 << 20))]:
        file = path(name, gzip.compress(content, 1))
        for command in readers(file):
            check(command, file, code=2)
    names = "submit,duration,gpus,user\n" + "".join(f"{i},60,1,{i:040}\n" for i in range(100_000))
    members = gzip.compress(names.encode(), 1) * 2  # the header comes twice
    check(["trace", "info", path("members.gz", members), "--format", "csv"], code=0)  # the second one is a row that is none


def out_of_memory():
    rows = "".join(f"{i},60,1,user {i}\n" for i in range(1_000_000))
    file = path("memory.csv", "submit,duration,gpus,user\n" + rows)
    global MEMORY
    MEMORY = 64 << 20
    check(["trace", "info", file, "--format", "csv"], file, "memory", code=2)
    check(["validate", SCENARIO_FILE, "--set",
           '/workload/0={"name":"t","gpu":"H100-80GB","trace":{"format":"csv","file":"%s"}}' % file], "memory", code=2)
    MEMORY = 200 << 20
    for threads in ["1", "2", "1024"]:
        check(["compare", SCENARIO_FILE, "--threads", threads, "--set", "/workload/0/poisson/per_day=900000", "--set", "/window=30d", "--set", "/workload/0/work=1min",
               "--set", "/pools/0/hosts=400000"], "memory", code=2)
    MEMORY = 2 << 30


def scenarios():
    for name, content in contents():
        check(["validate", path(name + ".json", content)], name, code=2)
    for change in [
            '/name="a\\nb"', '/name="\\u001b[2J"', "/window=1e99d", "/window=-1d", "/window=99999999999999999999d",
            "/drain_limit=100000d", "/grid=30d", "/start=0000-00-00", "/start=99999-12-31", "/start=1500-01-01", "/time_zone=",
            "/time_zone=../../etc/passwd", "/pools/0/place=", "/pools/0/hosts=1e9", "/pools/0/hosts=9223372036854775808",
            "/pools/0/hosts=-1", "/pools/0/hosts=1e400", "/pools/0/hosts=NaN", "/workload/0/poisson/per_day=1e300",
            "/workload/0/poisson/per_day=0", "/workload/0/work=-2h", "/workload/0/nodes=9223372036854775807", "/workload/-/name=x",
            "/workload/9/name=x", "/nothing/x=1", "/strategies/0/legs/0/retry_interval=1ms", '/strategies/0/name="a\\tb"',
            "/replications=0", "/replications=1000000000", "/seed=-1", "/seed=1e30"]:
        check(["compare", SCENARIO_FILE, "--set", change], code=2)


def many_mistakes():
    """All is refused at once, in a time that the size of the file bounds, and at most twenty mistakes are told."""
    nested = {f"y{i}": {f"z{j}": {"q": {"r": 1}} for j in range(100)} for i in range(300)}
    for name, mistakes in [("unknown", {f"x{i}": 1 for i in range(200_000)}), ("nested", {"x": nested}),
                           ("unknown_objects", {f"x{i}": {"y": {"z": {}}} for i in range(20_000)}),
                           ("sources", {"workload": [{"name": i} for i in range(20_000)]}),
                           ("legs", {"strategies": [{"name": "a", "legs": [{"model": "dws", "x": {"y": 1}}] * 20_000}]})]:
        file = path(f"{name}.json", json.dumps(SCENARIO | mistakes))
        try:
            result = say(["validate", file])
        except subprocess.TimeoutExpired:
            failures.append(f"{name}: does not end")
            continue
        lines = result.stderr.decode().splitlines()
        if result.returncode != 2 or not 1 <= len(lines) <= MOST_LINES:
            failures.append(f"{name}: exit code {result.returncode}, {len(lines)} lines: {lines[:1]}")


def command_lines():
    for arguments in [["--replications", "0"], ["--replications", "-1"], ["--replications", "1000000000"], ["--replications", ""],
                      ["--seed", "-1"], ["--seed", "1e3"], ["--seed", ""], ["--threads", "-1"], ["--threads", "99999999999"],
                      ["--by", ""], ["--format", ""], ["--output", "/"], ["--output", "-"], ["--output", SCENARIO_FILE],
                      ["--output", path("pipe")], ["--catalog", SCENARIO_FILE], ["--catalog", folder.name], ["--set", ""],
                      ["--set", "/"], ["--set", "/name"], ["--set", "/~=1"], ["--set", "=1"], ["--set"], ["--set", "/name\xff=1"]]:
        check(["compare", SCENARIO_FILE, *arguments], code=2)
    for arguments in [["--region", ""], ["--gpu", ""], ["--date", ""], ["--date", "2026-02-30"], ["--region", "\x1b[2J"]]:
        check(["catalog", *arguments], code=2)
    check(["compare", SCENARIO_FILE, "--threads", "0"], code=0)
    check(["compare", SCENARIO_FILE, "--seed", "18446744073709551615"], code=0)
    quiet = say(["compare", SCENARIO_FILE, "--threads", "1024"])
    if quiet.returncode != 0 or quiet.stderr:
        failures.append(f"--threads 1024: {quiet.returncode} {quiet.stderr[:200]!r}")


SCENARIO_FILE = path("scenario.json", json.dumps(SCENARIO))
for step in [files, numbers, bombs, out_of_memory, scenarios, many_mistakes, command_lines]:
    step()
folder.cleanup()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
