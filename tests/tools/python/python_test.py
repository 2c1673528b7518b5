#!/usr/bin/env python3
"""The Python package against the command: the same bits, no copy, a lock that is released, errors with their place, help.
Usage: python_test.py PROGRAM SCENARIOS, with the package in PYTHONPATH."""

import ctypes
import doctest
import gc
import inspect
import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy
import pandas
import stockout

PROGRAM, SCENARIOS = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(SCENARIOS)
QUICK, BY_HAND, LONG = (f"{SCENARIOS}/{name}.json" for name in ("quickstart", "by-hand", "many-zones"))
PLAIN = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"LC_ALL": "C.UTF-8"}


def program(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300, check=False, env=PLAIN)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout


def read_csv(text):
    return pandas.read_csv(io.StringIO(text), float_precision="round_trip", keep_default_na=False, na_values=[""])


def plain(frame):
    """As a CSV file has it: words are texts, an empty one is nothing, truths are 1 and 0."""
    columns = {}
    for name, column in frame.items():
        values = column.astype(object)
        columns[name] = [None if value is None or value is pandas.NA or value == "" or value != value else
                         float(value) if isinstance(value, (bool, int, float, numpy.number)) else value for value in values]
    return columns


class SameAsTheCommand(unittest.TestCase):
    def assert_same(self, frame, text):
        expected = plain(read_csv(text))
        actual = plain(frame)
        self.assertEqual(list(actual), list(expected))
        for name, values in actual.items():
            self.assertEqual(values, expected[name], name)

    def test_compare(self):
        options = ["--by", "class", "--replications", "2", "--set", "/goal/at_most=8h", "--seed", "7", "--lower-bound"]
        found = stockout.compare(QUICK, by="class", replications=2, set={"/goal/at_most": "8h"}, seed=7, lower_bound=True)
        self.assert_same(found.table, program("compare", QUICK, *options, "--format", "csv"))
        self.assertEqual(found.json, program("compare", QUICK, *options, "--format", "json"))
        self.assertEqual(found.text, program("compare", QUICK, *options))
        self.assertEqual(repr(found), found.text)
        self.assertIn(found.strategy, found.answer)
        self.assertEqual(list(found.totals.cost_usd), list(found.table[found.table.group == ""].cost_usd))
        self.assertEqual(found.totals.index[0], "on-demand, one zone")
        self.assertIn(f'"fingerprint": "{found.fingerprint}"', found.json)

    def test_compare_under_alternatives(self):
        found = stockout.compare(QUICK, replications=1, assumptions=True)
        self.assertEqual(found.json, program("compare", QUICK, "--replications", "1", "--assumptions", "--format", "json"))
        self.assertEqual(len(found.totals), 8)

    def test_compare_to_a_precision(self):
        found = stockout.compare(LONG, precision="20%", precision_of=["cost_usd", "goal_met_share"], most_replications=10)
        self.assertEqual(found.json, program("compare", LONG, "--precision", "20%", "--precision-of", "cost_usd,goal_met_share",
                                             "--most-replications", "10", "--format", "json"))

    def test_run(self):
        for strategy, scenario in (("spot", QUICK), ("reserved, else flex 2 h, else on-demand", QUICK),
                                   (None, f"{SCENARIOS}/kueue-reservation-dws.json")):
            with tempfile.TemporaryDirectory() as folder:
                if strategy is None:
                    strategy = stockout.compare(scenario, replications=1).strategy
                report = program("run", scenario, "--strategy", strategy, "--replication", "2",
                                 "--jobs-out", f"{folder}/jobs.csv", "--format", "json")
                found = stockout.run(scenario, strategy, 2)
                self.assert_same(found.jobs, pathlib.Path(f"{folder}/jobs.csv").read_text(encoding="utf-8"))
                self.assertEqual(found.json, report)

    def test_columns_end_with_their_unit(self):
        ends = {"h": ("_h",), "USD": ("_usd",), "share": ("_share",), "GPU-h": ("_gpu_h", "_gpu_h"), "per job": ("_per_job",)}
        found = stockout.compare(BY_HAND)
        for measure in json.loads(found.json)["measures"]:
            self.assertIn(measure["name"], found.table.columns)
            self.assertTrue(measure["name"].endswith(ends.get(measure["unit"], ("",))), measure)

    def test_check_and_its_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            mine, theirs = f"{folder}/mine.json", f"{folder}/theirs.json"
            made = stockout.check(QUICK, mine, update=True, replications=2)
            program("check", QUICK, "--baseline", theirs, "--update", "--replications", "2")
            self.assertEqual(pathlib.Path(mine).read_bytes(), pathlib.Path(theirs).read_bytes())
            self.assertEqual(len(made.measures), 0)
            same = stockout.check(QUICK, theirs, replications=2)
            self.assertTrue(same.holds and same.measures.holds.all())
            moved = stockout.check(QUICK, mine, replications=2, seed=9)
            self.assertFalse(moved.holds)
            self.assertEqual(moved.text, program("check", QUICK, "--baseline", mine, "--replications", "2", "--seed", "9", code=1))
            apart = moved.measures[~moved.measures.holds]
            self.assertTrue((apart.baseline != apart.now).any())
            self.assertIn("seed", set(moved.facts[moved.facts.baseline != moved.facts.now].fact))

    def test_sweep_and_going_on_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file, store = f"{folder}/sweep.json", f"{folder}/load.sqlite"
            vary = {"grid": [{"at": "/demand", "name": "demand", "values": [0.5, 1]},
                             {"at": "/goal/at_most", "name": "wait", "values": ["1h", "4h"]}]}
            pathlib.Path(file).write_text(json.dumps({"name": "load", "scenario": QUICK, "replications": 2, "vary": vary}),
                                          encoding="utf-8")
            found = stockout.sweep(file, store)
            self.assertEqual((found.left, found.failed, found.done_before), (0, 0, 0))
            self.assert_same(found.table, program("sweep", "export", store))
            again = stockout.sweep(file, store, resume=True)
            self.assertEqual((again.done, again.done_before), (0, found.done))
            pandas.testing.assert_frame_equal(again.table, found.table)

    def test_price(self):
        with tempfile.TemporaryDirectory() as folder:
            record = f"{folder}/runs.sqlite"
            stockout.compare(QUICK, replications=2, record=record)
            found = stockout.price(record, date="2025-03-15")
            self.assert_same(found.table, program("price", record, "--date", "2025-03-15", "--format", "csv"))
            self.assertEqual(found.json, program("price", record, "--date", "2025-03-15", "--format", "json"))
            self.assertIsNone(found.break_even)
            even = stockout.price(record, break_even=True).break_even
            self.assert_same(even, program("price", record, "--break-even", "--format", "csv"))

    def test_prices_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            half = f"{folder}/half.json"
            pathlib.Path(half).write_text('[{"factor": 0.5, "factor_of": "above"}]', encoding="utf-8")
            record = f"{folder}/runs.sqlite"
            list_price = stockout.compare(QUICK, replications=1, record=record)
            found = stockout.compare(QUICK, replications=1, prices=[half, half])
            self.assertEqual(found.json, program("compare", QUICK, "--replications", "1", "--prices", half, "--prices", half, "--format", "json"))
            self.assertAlmostEqual(found.totals.cost_spot_usd.iloc[2] * 4, list_price.totals.cost_spot_usd.iloc[2], places=2)
            self.assertEqual(stockout.run(QUICK, "spot", prices=half).json,
                             program("run", QUICK, "--strategy", "spot", "--prices", half, "--format", "json"))
            priced = stockout.price(record, prices=[half, half])
            self.assertEqual(priced.json, program("price", record, "--prices", half, "--prices", half, "--format", "json"))

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/jobs.csv"
            pathlib.Path(file).write_text("submit,start,end,gpus,user,outcome\n"
                                          "2026-03-02 08:00:00,2026-03-02 09:30:00,2026-03-02 10:30:00,8,ann,COMPLETED\n"
                                          "2026-03-02 09:00:00,2026-03-02 09:00:00,2026-03-02 11:00:00,16,bob,FAILED\n",
                                          encoding="utf-8")
            found = stockout.trace(file, capacity=16)
            self.assertEqual((found.format, found.times_from, found.rows_read), ("csv", "unix", 2))
            self.assertEqual(list(found.jobs.wait_s), [5400, 0])
            self.assertEqual(list(found.jobs.user), ["ann", "bob"])
            self.assertEqual(str(pandas.to_datetime(found.jobs.submit_s[0], unit="s")), "2026-03-02 08:00:00")
            shown = program("trace", "audit", file, "--capacity", "16", code=0 if found.usable else 1)
            self.assertIn(found.verdict, shown)
            self.assertFalse(found.usable)  # 24 GPUs in use, of 16


class Memory(unittest.TestCase):
    def owner(self, column):
        values = column.cat.codes.to_numpy() if column.dtype == "category" else column.to_numpy()
        array = values
        while isinstance(array.base, numpy.ndarray):
            array = array.base
        return values, array.base

    def test_columns_of_jobs_are_the_buffers_of_the_module(self):
        jobs = stockout.run(QUICK, "spot").jobs
        for name in ("job", "gpus", "wait_s", "for_capacity_s"):
            values, owner = self.owner(jobs[name])
            self.assertEqual(type(owner).__name__, "PyCapsule", name)
            self.assertEqual(jobs[name].to_numpy().ctypes.data, values.ctypes.data)
        codes = jobs["class"].array.codes
        while isinstance(codes.base, numpy.ndarray):
            codes = codes.base
        self.assertEqual(type(codes.base).__name__, "PyCapsule")

    def test_a_column_outlives_its_frame(self):
        jobs = stockout.run(QUICK, "spot").jobs
        waits = jobs["wait_s"].to_numpy()
        before, address = waits.copy(), waits.ctypes.data
        del jobs
        gc.collect()
        stockout.run(QUICK, "spot")
        numpy.testing.assert_array_equal(waits, before)
        self.assertEqual(ctypes.cast(address, ctypes.POINTER(ctypes.c_double))[0], before[0])


class Threads(unittest.TestCase):
    def test_others_go_on_during_a_run(self):
        ticks, ended = [], threading.Event()

        def tick():
            while not ended.wait(0.01):
                ticks.append(time.monotonic())

        ticker = threading.Thread(target=tick)
        ticker.start()
        began = time.monotonic()
        stockout.compare(QUICK, replications=100)
        over = time.monotonic()
        ended.set()
        ticker.join()
        within = [at for at in ticks if began + 0.1 < at < over - 0.1]
        self.assertGreater(over - began, 0.3, "too short to tell")
        self.assertGreater(len(within), 10 * (over - began - 0.2))

    def test_two_at_a_time_find_what_one_finds(self):
        found = [None, None]

        def compare(place):
            found[place] = stockout.compare(QUICK, seed=place).json

        threads = [threading.Thread(target=compare, args=(place,)) for place in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [stockout.compare(QUICK, seed=place).json for place in range(2)])

    def test_interrupted(self):
        """At once, as a KeyboardInterrupt; no half file is left, and Python goes on."""
        script = ("import os, stockout, sys, time\n"
                  "print('begun', flush=True)\n"
                  "try:\n"
                  "    {call}\n"
                  "except KeyboardInterrupt:\n"
                  "    print('interrupted', os.listdir(sys.argv[1]), stockout.compare(sys.argv[2]).kind, flush=True)\n")
        calls = ("stockout.compare(sys.argv[3], replications=10000, record=sys.argv[1] + '/runs.sqlite')",
                 "stockout.run(sys.argv[3], 'flex, 3 zones', set={'/window': '10000d'}, record=sys.argv[1] + '/runs.sqlite')")
        for call in calls:
            with tempfile.TemporaryDirectory() as folder:
                with subprocess.Popen([sys.executable, "-c", script.format(call=call), folder, BY_HAND, LONG],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                    self.assertEqual(process.stdout.readline(), "begun\n")
                    time.sleep(0.5)
                    began = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    out, err = process.communicate(timeout=120)
                    self.assertEqual(out, "interrupted [] class_never_runs\n", err)
                    self.assertLess(time.monotonic() - began, 20)


class Errors(unittest.TestCase):
    def error_of(self, call, *arguments, **options):
        with self.assertRaises(stockout.Error) as caught:
            call(*arguments, **options)
        return caught.exception

    def test_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/s.json"
            text = pathlib.Path(BY_HAND).read_text(encoding="utf-8").replace('"machines": 3', '"machines": -3')
            pathlib.Path(file).write_text(text.replace('"work": "2h"', '"work": "2"').replace('"$schema": "schema.json",', ""),
                                          encoding="utf-8")
            error = self.error_of(stockout.compare, file)
            self.assertEqual((error.file, error.pointer, error.argument), (file, "/workload/0/work", ""))
            self.assertEqual(error.line, 1 + text[:text.index('"work": "2h"')].count("\n"))
            self.assertTrue(str(error).startswith(f"{file}:{error.line}: /workload/0/work: {error.message}"), error)
            self.assertEqual(len(error.others), 1)
            self.assertIn("/pools/0/machines", error.others[0])
            self.assertIn(error.others[0], str(error))
            self.assertIsInstance(error, ValueError)
            same = pickle.loads(pickle.dumps(error))
            self.assertEqual((same.line, same.pointer, str(same)), (error.line, error.pointer, str(error)))
        self.assertEqual(self.error_of(stockout.trace, "nowhere.csv").file, "nowhere.csv")
        self.assertEqual(self.error_of(stockout.price, BY_HAND).file, BY_HAND)

    def test_in_an_argument(self):
        error = self.error_of(stockout.run, QUICK, "sport")
        self.assertEqual((error.argument, error.file, error.line), ("strategy", "", 0))
        self.assertEqual(str(error), 'argument strategy: there is no strategy "sport", did you mean "spot"?')
        error = self.error_of(stockout.compare, QUICK, set={"/pools/0/hosts": -1})
        self.assertEqual((error.argument, error.pointer), ("set", "/pools/0/hosts"))
        self.assertTrue(str(error).startswith("argument set: /pools/0/hosts: must be"), error)
        for options, argument in (({"replications": 0}, "replications"), ({"threads": -1}, "threads"), ({"by": "team"}, "by"),
                                  ({"seed": 1.5}, "seed"), ({"precision": "2"}, "precision"),
                                  ({"precision": "2%", "replications": 3}, "precision"),
                                  ({"precision": "2%", "precision_of": "cost"}, "precision_of")):
            self.assertEqual(self.error_of(stockout.compare, QUICK, **options).argument, argument)
        self.assertEqual(self.error_of(stockout.check, QUICK, "x.json", update=True, tolerance="much").argument, "tolerance")
        self.assertEqual(stockout.compare(BY_HAND, seed=numpy.int64(3)).strategy, "one way for each job")

    def test_texts_stay_texts(self):
        """A value is put into the scenario as it is: "3" is a text and 3 a number."""
        self.assertIn("must be", self.error_of(stockout.compare, QUICK, set={"/replications": "3"}).message)
        self.assertEqual(stockout.compare(QUICK, set={"/replications": 3}).table.replications.max(), 3)


class Help(unittest.TestCase):
    def test_every_argument_and_attribute_is_described(self):
        for name in stockout.__all__:
            thing = getattr(stockout, name)
            self.assertTrue(thing.__doc__, name)
            names = inspect.signature(thing).parameters if not name.istitle() else getattr(thing, "__dataclass_fields__", {})
            for one in names:
                self.assertRegex(thing.__doc__, rf"\b{one}\b", name)
            if not name.istitle():
                self.assertTrue(all(p.annotation is not p.empty for p in names.values()), name)
                self.assertIn(f"{name}(", stockout.__doc__)

    def test_examples_come_out_as_written(self):
        here = os.getcwd()
        os.chdir(ROOT)
        try:
            found = doctest.testmod(stockout, extraglobs={"stockout": stockout})
            self.assertEqual(found.failed, 0)
            self.assertGreater(found.attempted, 8)
        finally:
            os.chdir(here)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
