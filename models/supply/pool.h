#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/lease_class.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Which waiting request is next.
enum class Discipline : std::uint8_t {
  fifo,                // strict first-in first-out: a request that does not fit blocks all behind it
  first_fit,           // the first in arrival order that fits
  shortest,            // strict, by run-time estimate: the shortest blocks
  shortest_first_fit,  // the shortest that fits
  smallest,            // the fewest GPUs first; among equals the first in arrival order
  shortest_ageing,     // the least estimate + Pool::ageing_ppm x entry that fits
};
inline constexpr std::array<std::string_view, 6> kDisciplineNames{
    "fifo", "first_fit", "shortest", "shortest_first_fit", "smallest", "shortest_ageing"};

/// Which spot lease is taken back first.
enum class ReclaimRule : std::uint8_t {
  newest,         // the latest grant
  oldest,         // the earliest grant
  random,         // by one draw for each lease, keyed by (job, attempt)
  smallest_loss,  // the least GPU-time of work lost, of the GPUs asked for; among equals the latest grant
};
inline constexpr std::array<std::string_view, 4> kReclaimRuleNames{"newest", "oldest", "random",
                                                                   "smallest_loss"};

/// From `at` on, `gpus`.
struct CapacityStep {
  SimTime at{};
  GpuCount gpus{};
};

/// Capacity over time for the classes it names. Each class of a pool has at most one source; a class with
/// none is unlimited in that pool.
struct CapacitySource {
  std::array<bool, kLeaseClasses> classes{};  // by LeaseClass
  std::vector<CapacityStep> steps;            // sorted; the first at or before the start of the run
  std::vector<std::uint8_t>
      censored;  // by step, or empty: the probe saw "at least" this (a value at its cap)
};

/// GPUs of one machine family in one place: the provider's zone pool, or capacity the planner holds.
struct Pool {
  std::string name;                      // "H100 us-central1-a": for people, unique
  std::string family;                    // machine family
  std::string place;                     // zone or region
  std::vector<CapacitySource> capacity;  // zone pools; empty: unlimited for every class
  Discipline discipline = Discipline::first_fit;
  ReclaimRule reclaim = ReclaimRule::newest;
  std::int64_t ageing_ppm = 0;  // shortest_ageing: millionths of a ms of estimate for each ms of later entry
};

/// A pool that is one long lease: a reservation. Created from `landlord`'s free room (taking back spot
/// leases) at `from`, tried again every `retry_every` until it is there, held until the run ends.
struct HeldPool {
  Pool pool;  // capacity is empty: it is what has been granted
  PoolId landlord{};
  bool added_supply = false;  // comes on top of the landlord's capacity instead of out of it
  SimTime from{};
  SimDuration retry_every{};
  MachineId machine{};
  MachineCount machines{};
  GpuCount gpus{};       // of all machines
  bool share = false;    // jobs may share a machine
  PriceLineId line{};    // what every held machine-hour costs
  PriceLineId sublet{};  // the same price, for showing who used what; with `share` the price of one GPU
};

}  // namespace stockout
