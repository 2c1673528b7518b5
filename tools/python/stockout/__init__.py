"""Cloud GPU capacity, compared: `stockout` for Python.

Each function does what the command of its name does, and gives the same bits. Results are pandas frames, with units
in the names of columns: `cost_usd`, `wait_p95_h`, `wait_s`.

    compare(scenario)          every strategy of a scenario over the same jobs, and which to buy
    run(scenario, strategy)    one run, and what became of each of its jobs
    sweep(sweep, store)        a scenario at many points; goes on where it was stopped
    check(scenario, baseline)  whether a scenario still measures what it did
    price(record)              what recorded runs cost at other prices, without simulating again
    trace(file)                the jobs of a trace, and whether it can be used

A scenario small enough to check on paper:

    >>> import stockout
    >>> found = stockout.compare("scenarios/by-hand.json")
    >>> found.strategy
    'one way for each job'
    >>> found.totals.cost_usd.round(2).to_dict()
    {'one way for each job': 78.43}

Any value of a scenario can be changed, by its place in the file:

    >>> other = stockout.compare("scenarios/by-hand.json", set={"/workload/0/work": "4h"})
    >>> other.totals.cost_usd.round(2).to_dict()
    {'one way for each job': 82.03}

Arguments are the options of the command: `--lower-bound` is `lower_bound=True`, and where a message names an option
it means the argument of that name. `stockout COMMAND --help` and the READMEs say more about each.

A mistake in a file or an argument is a `stockout.Error` that names its place. While a function works, other threads of
Python go on. Ctrl-C stops it, and is a KeyboardInterrupt.
"""

from __future__ import annotations

import dataclasses
import json as _json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

if TYPE_CHECKING:
    import pandas

__all__ = ["Check", "Comparison", "Error", "Prices", "Run", "Sweep", "Trace",
           "check", "compare", "price", "run", "sweep", "trace"]

Path = Union[str, "os.PathLike[str]"]


class Error(ValueError):
    """A file or an argument is wrong. str() says where, what and what would be right.

    file      the file with the mistake; empty: it is in an argument
    pointer   its JSON pointer in that file, such as /pools/0/gpus; empty: none is known
    line      its line, from 1; 0: not known
    argument  the name of the argument that is wrong; empty: none is
    message   what is wrong and what would be right, without the place
    others    texts of further mistakes, up to 19

        >>> try:
        ...     found = stockout.compare("scenarios/by-hand.json", set={"/pools/0/machines": -1})
        ... except stockout.Error as error:
        ...     error.argument, error.pointer, error.message
        ('set', '/pools/0/machines', 'must be at least 0, but is -1')
    """

    def __init__(self, text: str, file: str = "", pointer: str = "", line: int = 0, message: str = "",
                 others: Sequence[str] = ()) -> None:
        self.file, self.pointer, self.line, self.message, self.others = file, pointer, line, message, list(others)
        self.argument = ""
        if file.startswith("command line"):
            option, _, place = (file + ": " + pointer).removeprefix("command line: ").strip(": ").partition(" ")
            self.file, self.pointer, self.argument = "", place, option.removeprefix("--").replace("-", "_")
            text = f"argument {self.argument}: {place + ': ' if place else ''}{message}"
        super().__init__("\n".join([text, *self.others]))


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class _Told:
    """A result is shown as the command prints it."""

    text: str  # as the command prints it

    def __repr__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class _Tabled(_Told):
    table: pandas.DataFrame

    @property
    def totals(self) -> pandas.DataFrame:
        """The rows of `table` that are about all jobs, by strategy."""
        is_total = self.table.by == ""
        if "rule" in self.table:  # rows of alternatives
            is_total &= self.table.rule.isna()
        return self.table[is_total].set_index("strategy")


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class _Simulated(_Tabled):
    prices: pandas.DataFrame
    warnings: list[str]
    assumptions: list[str]
    fingerprint: str
    json: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class _Judged:
    answer: str
    strategy: str
    kind: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Comparison(_Judged, _Simulated):
    """The result of `compare`.

    answer       the verdict in a sentence, with the numbers that it rests on
    strategy     the strategy of the verdict
    kind         cheapest_within_goal, none_meets_goal (it comes nearest), class_never_runs (under no strategy do all
                 classes run; it comes nearest), undecided or cheapest (there is no goal)
    table        rows for each strategy, of all jobs (`by` is empty there) and of groups: every measure over the
                 replications. NAME_plus_minus is half of its 95 % interval, NAME_replications in how many it has a
                 value, and NAME_is_lower_bound whether it is more than NAME says
    totals       its rows of all jobs, by strategy, of the scenario as it is written
    prices       the prices that anything was bought at, with their age
    warnings, assumptions   texts
    fingerprint  of all runs: equal comparisons have equal ones
    text, json   what the command prints, and what it prints with --format json
    """


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Run(_Simulated):
    """The result of `run`.

    jobs   a row for each job: the columns of `--jobs-out` (tools/report/README.md), with NaN where a field is empty.
           Points in time count from the start of the window. Words are categories
    table, totals, prices, warnings, assumptions, fingerprint, text, json   as in Comparison, of this one run
    """

    jobs: pandas.DataFrame


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Check(_Told):
    """The result of `check`.

    holds     whether all is as in the baseline, within tolerances
    measures  each measure of each strategy: `baseline` and `now` in its `unit`, their `difference` and what is `allowed`
    facts     what else there is of the experiment, then and now; differences that do not count are reported too
    text      what the command prints
    """

    holds: bool
    measures: pandas.DataFrame
    facts: pandas.DataFrame


@dataclasses.dataclass(frozen=True, eq=False)
class Sweep:
    """The result of `sweep`.

    table        a row for each point and strategy: what is varied, then every measure as in Comparison. A failed point
                 has one row, with its `error`. `never_ran` names the classes of which jobs came and none ever
                 started: such a strategy is never the answer
    store        the database, as it was named
    done         points that were done now, failed ones included; `done_before`: by earlier calls
    left         that are not done: they did not fit into memory
    failed       of all
    """

    table: pandas.DataFrame
    store: str
    done: int
    done_before: int
    left: int
    failed: int


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Prices(_Judged, _Told):
    """The result of `price`.

    answer, strategy, kind   the verdict at these prices, as in Comparison
    table        what each strategy costs now and did; `left_out` says why one could not be priced
    prices       the prices of a machine-hour, then and now
    break_even   up to which price of each model which strategy is the cheapest; None: not asked for
    text, json   what the command prints, and what it prints with --format json
    """

    table: pandas.DataFrame
    prices: pandas.DataFrame
    json: str
    break_even: Optional[pandas.DataFrame] = None


@dataclasses.dataclass(frozen=True, eq=False)
class Trace:
    """The result of `trace`.

    file, format   the file, and what it is: "sacct", "swf" ...
    jobs        a row for each job, those columns that the file has: submit_s, work_s, wait_s (recorded), gpus, user ...
    times_from  what points in time count from, in seconds: "unix" (1970) or "file" (its own zero)
    usable      whether it can be used as it is, and `verdict` the same in a sentence
    audit       what each check found: fine, look (can be used by someone who knows of it) or unfit
    dropped     rows of the file that are no jobs, by reason; `rows_read`: all
    notes       what else a reader must know
    """

    file: str
    format: str
    jobs: pandas.DataFrame
    times_from: str
    usable: bool
    verdict: str
    audit: pandas.DataFrame
    dropped: pandas.DataFrame
    rows_read: int
    notes: list[str]


def _path(path: Optional[Path]) -> Optional[str]:
    return None if path is None else os.fspath(path)


def _paths(paths: Union[Path, Sequence[Path], None]) -> list[str]:
    """One file, several, or none."""
    if paths is None:
        return []
    return [os.fspath(paths)] if isinstance(paths, (str, bytes, os.PathLike)) else [os.fspath(path) for path in paths]


def _set_text(pointer: str, value: Any) -> str:
    """As --set has it: JSON, or a text that is none."""
    if isinstance(value, str):
        try:
            _json.loads(value)
        except ValueError:
            return f"{pointer}={value}"
    return f"{pointer}={_json.dumps(value)}"


def _scenario(scenario: Path, changes: Optional[Mapping[str, Any]], seed: Optional[int],
              catalog: Optional[Path], prices: Union[Path, Sequence[Path], None]) -> dict[str, Any]:
    sets = [_set_text(pointer, value) for pointer, value in (changes or {}).items()]
    return {"scenario": _path(scenario), "set": sets, "seed": seed, "catalog": _path(catalog),
            "prices": _paths(prices)}


def compare(scenario: Path, *, set: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None,
            replications: Optional[int] = None, precision: Optional[str] = None,
            precision_of: Union[str, Sequence[str], None] = None, most_replications: Optional[int] = None,
            control_variates: bool = False, by: str = "nothing", threads: int = 0, assumptions: bool = False,
            lower_bound: bool = False, catalog: Optional[Path] = None, record: Optional[Path] = None,
            prices: Union[Path, Sequence[Path], None] = None) -> Comparison:
    """Every strategy of a scenario over the same jobs and the same luck, side by side.

    scenario           its file
    set                values to put into it, by JSON pointer: {"/goal/at_most": "8h", "/pools/0/hosts": 32}
    seed, replications, catalog   instead of the scenario's, and of the built-in catalogue (a folder)
    precision          "2%": as many replications as it takes to know means to so much, instead of `replications`
    precision_of       the measures that this is about, by name; without: cost_usd
    most_replications  where `precision` gives up
    control_variates   adjusts means by how much demand was drawn against what is expected
    by                 also a row for each "class", "user", "gpu", "pool", "cluster_queue", "cohort", "partition" or "account"
    threads            simulations at a time; 0: as many as there are cores
    assumptions        also the verdict under each of the scenario's alternatives
    lower_bound        also what the jobs cost at least, with perfect foresight
    record             a file to write what every run used to, for `price`
    prices             files with own prices, on top of the scenario's

        >>> table = stockout.compare("scenarios/by-hand.json", by="class").table
        >>> table[table.by == "class"].set_index("group").wait_mean_h.round(2).to_dict()
        {'steady': 0.0, 'batch': 0.0, 'urgent': 0.0, 'later': 0.61, 'too late': 0.25, 'idle held': nan}
    """
    of = precision_of if precision_of is None or isinstance(precision_of, str) else ",".join(precision_of)
    return Comparison(**_stockout.compare(
        _scenario(scenario, set, seed, catalog, prices)
        | {"replications": replications, "precision": precision, "precision_of": of, "by": by, "threads": threads,
           "most_replications": most_replications, "control_variates": control_variates,
           "assumptions": assumptions, "lower_bound": lower_bound, "record": _path(record)}))


def run(scenario: Path, strategy: str, replication: int = 0, *, set: Optional[Mapping[str, Any]] = None,
        seed: Optional[int] = None, by: str = "nothing", catalog: Optional[Path] = None,
        record: Optional[Path] = None, prices: Union[Path, Sequence[Path], None] = None) -> Run:
    """One strategy of a scenario, and what became of each job.

    strategy     its name in the scenario
    replication  which one, from 0: `compare` runs 0 to N-1
    set, seed, by, catalog, record, prices   as of `compare`

        >>> jobs = stockout.run("scenarios/by-hand.json", "one way for each job").jobs
        >>> jobs.set_index("class").finished_s.div(3600).round(2).to_dict()
        {'steady': 2.1, 'batch': 5.11, 'urgent': 2.61, 'later': 3.71, 'too late': 2.42}
    """
    return Run(**_stockout.run(_scenario(scenario, set, seed, catalog, prices)
                               | {"strategy": strategy, "replication": replication, "by": by, "record": _path(record)}))


def sweep(sweep: Path, store: Path, *, resume: bool = False, threads: int = 0,
          catalog: Optional[Path] = None, prices: Union[Path, Sequence[Path], None] = None) -> Sweep:
    """A scenario at many points, into a database. Each point that is done is on the disk.

    sweep    the sweep file: a scenario, and what is varied (scenarios/sweeps/README.md)
    store    the database (SQLite) that the results go to
    resume   goes on with a store that is there, and only reads one that is done; begins it if it is not there
    threads, catalog, prices   as of `compare`

        stockout.sweep("scenarios/sweeps/quickstart-load.json", "load.sqlite", resume=True).table
    """
    return Sweep(**_stockout.sweep({"sweep": _path(sweep), "store": _path(store), "resume": resume, "threads": threads,
                                    "catalog": _path(catalog), "prices": _paths(prices)}))


def check(scenario: Path, baseline: Path, *, update: bool = False, tolerance: Optional[str] = None,
          set: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None, replications: Optional[int] = None,
          threads: int = 0, catalog: Optional[Path] = None,
          prices: Union[Path, Sequence[Path], None] = None) -> Check:
    """Whether a scenario still measures what its baseline says. That it does not is no error: look at `holds`.

    baseline   the file with the measures (JSON)
    update     writes the baseline instead, and tells what changed
    tolerance  "exact", "interval" or a percentage such as "1%"; without: as the baseline says
    set, seed, replications, threads, catalog, prices   as of `compare`

        assert stockout.check("scenarios/quickstart.json", "quickstart.baseline.json").holds
    """
    return Check(**_stockout.check(_scenario(scenario, set, seed, catalog, prices)
                                   | {"baseline": _path(baseline), "update": update, "tolerance": tolerance,
                                      "replications": replications, "threads": threads}))


def price(record: Path, *, date: Optional[str] = None, prices: Union[Path, Sequence[Path], None] = None,
          break_even: bool = False, catalog: Optional[Path] = None) -> Prices:
    """Costs of recorded runs at other prices, at once: nothing is simulated again.

    record      what `compare(..., record=FILE)` or `run` wrote
    date        "2025-03-15": the day whose prices count; without: as the scenario says
    prices      files with own prices, on top
    break_even  also up to which price of each model which strategy is the cheapest
    catalog     as of `compare`

        stockout.compare("scenarios/quickstart.json", record="runs.sqlite")
        stockout.price("runs.sqlite", date="2025-03-15").table
    """
    return Prices(**_stockout.price({"record": _path(record), "date": date, "prices": _paths(prices),
                                     "break_even": break_even, "catalog": _path(catalog)}))


def trace(file: Path, *, format: Optional[str] = None, zone: str = "UTC", capacity: Optional[int] = None) -> Trace:
    """The jobs of a trace file, plain or gzip, and whether it can be used.

    format    "sacct", "vertex", "kueue", "swf" ... (`stockout trace info --help`); without: as its beginning tells
    zone      time zone of dates without an offset: "UTC", "-08:00", "America/Los_Angeles"
    capacity  GPUs that there were: whether more were ever in use

        stockout.trace("sacct.txt", zone="Europe/Berlin").jobs.groupby("user").wait_s.median()
    """
    return Trace(**_stockout.trace({"file": _path(file), "format": format, "zone": zone, "capacity": capacity}))


from . import _stockout  # noqa: E402  the module needs nothing of this file until it is called

__version__: str = _stockout.version
