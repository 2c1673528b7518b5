#pragma once

#include <string>

#include "models/measures/goal_text.h"
#include "models/repricing/stored_comparison.h"
#include "models/scenario/scenario.h"

namespace stockout::test {

/// All strategies of a scenario, run and gathered.
inline StoredComparison recorded(const Scenario& scenario, int threads = 2) {
  RunRecorder recorder{scenario, {}, "test"};
  const Comparison comparison =
      compare(scenario.world, {.strategies = {},
                               .replications = static_cast<std::size_t>(scenario.replications),
                               .threads = threads,
                               .goal = scenario.goal,
                               .goals = asked_goals(scenario.goals, scenario.world.classes),
                               .terms = &scenario.terms,
                               .observers = {&recorder}});
  return recorder.finish(comparison);
}

/// A small scenario with everything that a bill may hold, from Monday on for three days.
inline const std::string kBilledScenario = R"({
 "name": "billed", "start": "2026-08-03", "window": "3d", "warm_up": "1d", "prices_as_of": "2026-08-01",
 "replications": 2, "goal": {"wait_p": 50, "at_most": "48h"},
 "goals": [{"class": "small", "wait_p": 1, "at_most": "72h"}, {"budget_usd": 100000000}],
 "prices": [
  {"machine": "a3-highgpu-8g", "model": "on_demand", "factor": 0.9, "from": "2026-08-04", "label": "from Tuesday"},
  {"machine": "a3-highgpu-1g", "model": "spot", "usd_per_hour": 7.123456789, "label": "'; DROP TABLE runs; --"}],
 "commitments": [
  {"name": "one", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 2, "plan": "1y", "start": "2026-01-01"},
  {"name": "two", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 1, "usd_per_hour": 50,
   "start": "2025-08-05", "end": "2026-08-05"}],
 "other_costs": [
  {"name": "disks", "usd_per_month": 700}, {"name": "start", "usd_per_job": 0.07, "strategies": ["on demand"]},
  {"name": "tool", "usd_per_gpu_hour": 0.01, "classes": ["small"]}],
 "workload": [
  {"name": "big", "poisson": {"per_day": 12}, "machine": "a3-highgpu-8g", "nodes": 2,
   "work": {"lognormal": {"median": "2h", "sigma": 1}, "most": "9h"}, "users": 5},
  {"name": "small", "poisson": {"per_day": 30}, "gpu": "H100-80GB", "gpus": 1,
   "work": {"lognormal": {"median": "1h", "sigma": 1}, "most": "9h"}}],
 "pools": [
  {"family": "a3-highgpu", "place": "us-central1-a", "hosts": 8, "tenants": {"load": 0.6}},
  {"family": "a3-highgpu", "place": "us-central1-b", "hosts": 8, "tenants": {"load": 0.6}}],
 "reservations": [
  {"name": "list", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2, "share": true},
  {"name": "year", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2, "commitment": "1y"}],
 "strategies": [
  {"name": "on demand", "legs": [{"model": "on_demand", "retries": "unlimited", "machine": "a3-highgpu-8g"}]},
  {"name": "spot \"quoted\"", "legs": [{"model": "spot", "retries": "unlimited"}]},
  {"name": "flex, first boot", "legs": [{"model": "flex_start", "race": "first_boot"}]},
  {"name": "shared", "legs": [{"model": "reservation", "reservation": "list", "limit": "1h"}, {"model": "flex_start"}]},
  {"name": "year", "legs": [{"model": "reservation", "reservation": "year", "limit": "1h", "classes": ["big"]},
   {"model": "flex_start"}]},
  {"name": "by price", "order": "cheapest_first", "legs": [{"model": "spot", "retries": 0}, {"model": "flex_start"}]}]
})";

}  // namespace stockout::test
