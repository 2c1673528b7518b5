"""JUnit files of `stockout check`, read as a CI server would. Usage: junit_test.py PROGRAM SCENARIOS"""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PROGRAM, SCENARIOS = (os.path.abspath(argument) for argument in sys.argv[1:3])
NAME = "<&\"'> né ]]> \uffff"  # as hostile as a scenario lets a name be
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


def run(folder, *more):
    return subprocess.run([PROGRAM, "check", "s.json", "--baseline", "b.json", *more], cwd=folder, capture_output=True,
                          text=True, timeout=60, check=False)


def junit(folder, code, *more):
    """The suite that a check writes, twice the same bytes."""
    written = []
    for name in ("1.xml", "2.xml"):
        done = run(folder, "--junit", name, *more)
        check("exit code", done.returncode == code, f"{done.returncode}: {done.stderr}")
        with open(os.path.join(folder, name), "rb") as file:
            written.append(file.read())
    check("the same bytes", written[0] == written[1])
    return ElementTree.fromstring(written[0]).find("testsuite")


def scenario():
    with open(os.path.join(SCENARIOS, "by-hand.json"), encoding="utf-8") as file:
        made = json.load(file)
    made["name"] = NAME
    made["strategies"][0]["name"] = NAME
    return made


with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "s.json"), "w", encoding="utf-8") as file:
        json.dump(scenario(), file)
    check("update", run(folder, "--update").returncode == 0)

    suite = junit(folder, 0)
    cases = suite.findall("testcase")
    shown = NAME.replace("\uffff", "\ufffd")
    check("name", suite.get("name") == shown, suite.get("name"))
    check("tests", int(suite.get("tests")) == len(cases) > 20, suite.get("tests"))
    check("no failures", suite.get("failures") == "0" and suite.find("testcase/failure") is None)
    check("class", {case.get("classname") for case in cases} == {"experiment", shown})
    check("fingerprint", len(suite.find("properties/property[@name='fingerprint']").get("value")) == 16)

    suite = junit(folder, 1, "--set", "/prices/0/usd_per_hour=99")
    failed = suite.findall("testcase[failure]")
    check("failures", int(suite.get("failures")) == len(failed) > 0, suite.get("failures"))
    cost = suite.find("testcase[@name='cost_usd']/failure")
    check("message", cost is not None and "cost_usd was 78.4" in cost.get("message") and "exact" in cost.text)

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
