#!/usr/bin/env python3
"""FOCUS rows of shipped scenarios against the specification, and against the tables beside them. Knows nothing of how the
program makes them. Usage: focus_test.py PROGRAM SCENARIOS COLUMNS"""

import collections
import csv
import datetime
import decimal
import functools
import json
import os
import re
import subprocess
import sys
import tempfile

Decimal = decimal.Decimal
PROGRAM, SCENARIOS, COLUMNS = sys.argv[1:4]
NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
TIME = "%Y-%m-%dT%H:%M:%SZ"
NANO = Decimal("1e-9")
PRICE_PROPERTIES = {"InstanceType": str, "GpuCount": (int, float), "CoreCount": (int, float)}
# Beside the mandatory columns those of which a run has something to say: it has regions, commitments, reservations, tags ...
LEFT_OUT = {"PricingCurrency", "PricingCurrencyContractedUnitPrice", "PricingCurrencyEffectiveCost", "PricingCurrencyListUnitPrice"}
SHIPPED = ["by-hand", "calendar", "commitments", "deadline", "flex-forms", "fragmentation", "held-capacity", "partial-gangs",
           "quickstart", "spot-lifetimes", "which-gpu"]
failures = []

with open(COLUMNS, encoding="utf-8", newline="") as facts:
    SPEC = {row["column"]: row for row in csv.DictReader(facts)}


def check(name, holds, detail=""):
    if not holds and len(failures) < 40:
        failures.append(f"{name}: {detail}")


def run(arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.lru_cache(maxsize=None)
def time_of(value):
    return datetime.datetime.strptime(value, TIME)


def check_header(name, columns):
    ours = [column for column in columns if column.startswith("x_")]
    for column in columns[: len(columns) - len(ours)]:
        check(name, column in SPEC, f"unknown column {column}")
    check(name, columns[len(columns) - len(ours):] == ours, "columns of our own are last")
    check(name, set(SPEC) - set(columns) == LEFT_OUT, f"missing {set(SPEC) - set(columns) - LEFT_OUT}")
    check(name, len(set(columns)) == len(columns), "a column is there twice")


def check_values(name, row):
    for column, spec in SPEC.items():
        value = row.get(column, "")
        if value == "":
            check(name, spec["nulls"] == "yes" or column in LEFT_OUT, f"{column} is null")
            continue
        if spec["type"] == "decimal":
            check(name, NUMBER.fullmatch(value), f"{column} is {value}")
        if spec["type"] == "datetime":
            time_of(value)
        if spec["type"] == "currency":
            check(name, re.fullmatch("[A-Z]{3}", value), f"{column} is {value}")
        if spec["type"] == "json":
            check(name, isinstance(json.loads(value), dict), f"{column} is {value}")
        if spec["allowed"]:
            check(name, value in spec["allowed"].split("|"), f"{column} is {value}")


def both_or_none(name, row, column, others):
    for other in others:
        check(name, (row[column] == "") == (row[other] == ""), f"{column} {row[column]!r}, {other} {row[other]!r}")


def check_nulls(name, row):
    usage = row["ChargeCategory"] == "Usage"
    both_or_none(name, row, "CommitmentDiscountId",
                 ["CommitmentDiscountCategory", "CommitmentDiscountType", "CommitmentDiscountQuantity", "CommitmentDiscountUnit"])
    has_status = row["CommitmentDiscountStatus"] != ""
    check(name, has_status == (usage and row["CommitmentDiscountId"] != ""), "CommitmentDiscountStatus")
    has_status = row["CapacityReservationStatus"] != ""
    check(name, has_status == (usage and row["CapacityReservationId"] != ""), "CapacityReservationStatus")
    consumed = usage and row["CommitmentDiscountStatus"] != "Unused"
    check(name, (row["ConsumedQuantity"] != "") == consumed, f"ConsumedQuantity {row['ConsumedQuantity']}")
    both_or_none(name, row, "ConsumedQuantity", ["ConsumedUnit"])
    both_or_none(name, row, "PricingQuantity", ["PricingUnit"])
    both_or_none(name, row, "ResourceId", ["ResourceName", "ResourceType"])
    both_or_none(name, row, "SubAccountId", ["SubAccountName", "SubAccountType"])
    for column in ["PricingCategory", "PricingQuantity", "ListUnitPrice", "ContractedUnitPrice", "SkuId", "SkuPriceId", "SkuMeter"]:
        check(name, row[column] != "", f"{column} of a usage or purchase is null")
    check(name, usage or row["ChargeFrequency"] != "Usage-Based", "a purchase is not usage-based")


def check_money(name, row):
    quantity = Decimal(row["PricingQuantity"])
    for price, cost in [("ListUnitPrice", "ListCost"), ("ContractedUnitPrice", "ContractedCost")]:
        # A quantity is rounded to nine decimals, a cost to one of the two nano-dollars beside it.
        most = Decimal(row[price]) * NANO / 2 + NANO
        check(name, abs(Decimal(row[price]) * quantity - Decimal(row[cost])) <= most, f"{price} x PricingQuantity is not {cost}")
    covers = row["CommitmentDiscountId"] != ""
    if row["ChargeCategory"] == "Purchase" and covers:
        check(name, Decimal(row["EffectiveCost"]) == 0, "a fee has an effective cost")
        check(name, row["PricingCategory"] != "Committed", "a fee is not under its own commitment")
    elif covers:
        check(name, Decimal(row["BilledCost"]) == 0, "committed use is billed")
        check(name, row["PricingCategory"] == "Committed", f"committed use is {row['PricingCategory']}")
        check(name, row["CommitmentDiscountQuantity"] == row["PricingQuantity"], "CommitmentDiscountQuantity")
    else:
        check(name, abs(Decimal(row["BilledCost"]) - Decimal(row["EffectiveCost"])) <= NANO, "billed is not effective")


def check_savings(name, row):
    if row["x_OnDemandCost"] and row["x_PriceModel"] == "on_demand":
        check(name, abs(Decimal(row["x_OnDemandCost"]) - Decimal(row["ListCost"])) <= NANO, "x_OnDemandCost is not the list cost")
    check(name, row["x_OnDemandCost"] == "" or row["ServiceCategory"] == "Compute", "x_OnDemandCost of no machine")


def check_times(name, row):
    start, end = (time_of(row[f"ChargePeriod{edge}"]) for edge in ("Start", "End"))
    first, last = (time_of(row[f"BillingPeriod{edge}"]) for edge in ("Start", "End"))
    check(name, first <= start < end <= last, f"{start} to {end} in {first} to {last}")
    check(name, 28 <= (last - first).days <= 31, f"a month from {first} to {last}")


def check_details(name, row):
    tags = json.loads(row["Tags"])
    check(name, tags["strategy"] == row["SubAccountName"], tags)
    check(name, tags.get("user", "") == row["x_User"] and tags.get("class", "") == row["x_Class"], tags)
    for key, value in json.loads(row["SkuPriceDetails"] or "{}").items():
        kind = PRICE_PROPERTIES.get(key)
        check(name, isinstance(value, kind) if kind else key.startswith("x_"), f"SkuPriceDetails {key}")


def check_commitments(name, rows):
    paid, borne = collections.Counter(), collections.Counter()
    for row in rows:
        key = row["SubAccountId"], row["CommitmentDiscountId"]
        if key[1] and row["ChargeCategory"] == "Purchase":
            paid[key] += Decimal(row["BilledCost"])
        elif key[1]:
            borne[key] += Decimal(row["EffectiveCost"])
    check(name, paid == borne, f"commitments: paid {paid}, borne {borne}")


def check_skus(name, rows):
    parents = collections.defaultdict(set)
    for row in rows:
        parents[row["SkuPriceId"]].add((row["SkuId"], row["SkuPriceDetails"]))
    check(name, all(len(of_price) == 1 for of_price in parents.values()), parents)


def cents(amount):
    return Decimal(str(amount)).quantize(Decimal("0.01"), decimal.ROUND_HALF_UP)


def check_sums(name, rows, report):
    for strategy in report["strategies"]:
        own = [row for row in rows if row["SubAccountName"] == strategy["name"]]
        in_all = cents(strategy["total"]["cost_usd"]["mean"])
        borne = [row for row in own if row["ChargeCategory"] == "Usage" or not row["CommitmentDiscountId"]]
        for column, of, expected in [
            ("EffectiveCost", own, in_all),
            ("BilledCost", own, in_all),
            ("ContractedCost", borne, in_all),
            ("ListCost", borne, cents(strategy["total"]["cost_list_usd"]["mean"])),
        ]:
            found = cents(sum(Decimal(row[column]) for row in of))
            check(name, found == expected, f"{strategy['name']}: {column} {found}, in the table {expected}")


def check_file(name, path, report):
    with open(path, encoding="utf-8", newline="") as file:
        check_header(name, next(csv.reader(file)))
    rows = rows_of(path)
    check(name, rows, "no rows")
    for row in rows:
        for rule in (check_values, check_nulls, check_money, check_savings, check_times, check_details):
            rule(name, row)
    check_commitments(name, rows)
    check_skus(name, rows)
    check_sums(name, rows, report)
    return rows


def compare(name, scenario, folder, *options):
    path = os.path.join(folder, "costs.csv")
    result = run(["compare", scenario, "--replications", "1", "--focus", path, "--format", "json", *options])
    check(name, result.returncode == 0, result.stderr)
    return check_file(name, path, json.loads(result.stdout)) if result.returncode == 0 else []


def by_user(rows, use):
    sums = collections.Counter()
    for row in rows:
        if row["x_Use"] == use:
            sums[row["SubAccountName"], row["x_User"]] += Decimal(row["EffectiveCost"])
    return sums


def idle_rules(folder):
    scenario = os.path.join(SCENARIOS, "held-capacity.json")
    found = {rule: compare(f"held-capacity {rule}", scenario, folder, "--idle-cost", rule) for rule in ("to-owner", "by-use", "by-share")}
    owner = by_user(found["to-owner"], "idle")
    check("to-owner", owner and all(user == "" for _, user in owner), owner)
    for rule in ("by-use", "by-share"):
        shared = by_user(found[rule], "idle")
        check(rule, shared and all(user != "" for _, user in shared), shared)
        check(rule, all(row["x_IdleCostRule"] == rule for row in found[rule] if row["x_Use"] == "idle"), "x_IdleCostRule")
        sums = collections.Counter()
        for (strategy, _), usd in shared.items():
            sums[strategy, ""] += usd
        check(rule, all(abs(sums[key] - owner[key]) < Decimal("0.000001") for key in owner), f"{sums}, {owner}")
    for strategy in {strategy for strategy, _ in owner}:
        parts = [usd for (name, _), usd in by_user(found["by-share"], "idle").items() if name == strategy]
        check("by-share", max(parts) - min(parts) < Decimal("0.01"), parts)


def held_names(folder):
    """Elastic capacity goes by the name of the product that it is."""
    for scenario, model in (("node-groups", "Node pool"), ("held-capacity", "Persistent resource")):
        rows = compare(scenario, os.path.join(SCENARIOS, f"{scenario}.json"), folder)
        ids = {row["ResourceId"].split("/")[0] for row in rows if row["ResourceType"] == model}
        check(scenario, ids == {model.lower().replace(" ", "-") + "s"}, ids)


def terms(folder):
    """Commitments that exist, one of them to end in the window, and every kind of other cost."""
    with open(os.path.join(SCENARIOS, "quickstart.json"), encoding="utf-8") as file:
        scenario = json.load(file)
    scenario["name"] = '=Quick "start", with <terms>'
    scenario["strategies"] = scenario["strategies"][-2:]
    scenario["commitments"] = [
        {"name": "two old ones", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 2, "start": "2025-01-01", "plan": "3y"},
        {"name": "ends soon", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 1, "start": "2026-01-01",
         "end": "2026-08-10", "usd_per_hour": 40}]
    scenario["other_costs"] = [
        {"name": "file system", "usd_per_month": 1234.5}, {"name": "set-up", "usd_once": 99.99},
        {"name": "=licence, \"per job\"", "usd_per_job": 0.07}, {"name": "fee", "usd_per_gpu_hour": 0.013}]
    path = os.path.join(folder, "terms.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario, file)
    for period, rule in [("day", "by-use"), ("hour", "to-owner"), ("month", "by-share")]:
        rows = compare(f"terms, {period}", path, folder, "--focus-period", period, "--idle-cost", rule)
        kinds = {(row["ChargeCategory"], row["ChargeFrequency"], row["CommitmentDiscountStatus"], row["ServiceCategory"]) for row in rows}
        for kind in [("Purchase", "Recurring", "", "Compute"), ("Usage", "Usage-Based", "Used", "Compute"),
                     ("Usage", "Usage-Based", "Unused", "Compute"), ("Purchase", "One-Time", "", "Other")]:
            check(f"terms, {period}", kind in kinds, f"no row is {kind}")
        check(f"terms, {period}", {row["PricingUnit"] for row in rows} == {"Hours", "Units", "Jobs", "GPU-Hours"}, "units")


def read_back(folder):
    """What `stockout prices` makes of the file is the list price, but for what the bill rounds up."""
    scenario = os.path.join(SCENARIOS, "quickstart.json")
    rows = compare("read back", scenario, folder)
    prices = os.path.join(folder, "prices.json")
    result = run(["prices", os.path.join(folder, "costs.csv"), "--format", "focus", "--out", prices])
    check("read back", result.returncode == 0, result.stderr)
    with open(prices, encoding="utf-8") as file:
        found = {(price["model"], price["machine"], price["region"]): price["usd_per_hour"] for price in json.load(file)}
    expected = {}
    for row in rows:
        machine = json.loads(row["SkuPriceDetails"])["InstanceType"]
        sums = expected.setdefault((row["x_PriceModel"], machine, row["RegionId"]), [0, 0, float(row["ListUnitPrice"])])
        sums[0] += float(row["PricingQuantity"])
        sums[1] += float(row["ConsumedQuantity"] or 0)
    models = {key[0] for key in found}
    check("read back", models == {"on_demand", "spot", "flex_start", "management_fee"}, models)
    for key, usd in found.items():
        billed, used, price = expected[key]
        check("read back", abs(usd - price * billed / used) < 2e-6, f"{key}: {usd}, not {price} x {billed} / {used}")
        check("read back", price - 1e-6 <= usd < 1.001 * price, f"{key}: {usd} is not about {price}")


def one_run(folder):
    path = os.path.join(folder, "run.csv")
    scenario = os.path.join(SCENARIOS, "quickstart.json")
    result = run(["run", scenario, "--strategy", "spot", "--replication", "2", "--focus", path, "--format", "json"])
    rows = check_file("run", path, json.loads(result.stdout))
    check("run", {(row["SubAccountName"], row["x_Replication"]) for row in rows} == {("spot", "2")}, "strategy and replication")
    categories = {(row["x_PriceModel"], row["ServiceName"], row["PricingCategory"]) for row in rows}
    check("run", categories == {("spot", "GPU machines", "Dynamic"), ("management_fee", "Vertex AI", "Standard")}, categories)
    with open(path, "rb") as file:
        first = file.read()
    run(["compare", scenario, "--replications", "3", "--threads", "2", "--focus", path])
    with open(path, "rb") as file:
        many = file.read()
    run(["compare", scenario, "--replications", "1", "--threads", "1", "--focus", path])
    with open(path, "rb") as file:
        check("compare", file.read() == many, "the file depends on threads or replications")
    check("run", first != many, "one run is not all of them")


def bad_options(folder):
    by_hand = os.path.join(SCENARIOS, "by-hand.json")
    path = os.path.join(folder, "never.csv")
    for arguments, words in [
        (["--idle-cost", "by-use"], "--focus FILE"),
        (["--focus-period", "day"], "--focus FILE"),
        (["--focus", path, "--idle-cost", "by-us"], "by-use"),
        (["--focus", path, "--focus-period", "week"], "--focus-period"),
        (["--focus", path, "--idle-cost", ""], "--idle-cost"),
        (["--focus", by_hand], "read by this command"),
        (["--focus", path, "--output", path], "what --output writes to"),
        (["--focus", os.path.join(folder, "no", "folder.csv")], "folder"),
    ]:
        result = run(["compare", by_hand, *arguments])
        check("bad options", result.returncode == 2 and words in result.stderr, f"{arguments}: {result.returncode} {result.stderr}")
        check("bad options", not os.path.exists(path), f"{arguments}: a file is left")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in SHIPPED:
            compare(name, os.path.join(SCENARIOS, f"{name}.json"), folder)
        for test in (idle_rules, held_names, terms, read_back, one_run, bad_options):
            test(folder)
    print("\n".join(failures) or "all rows are as FOCUS 1.2 asks, and add up")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
