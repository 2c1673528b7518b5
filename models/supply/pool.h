#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/lease_class.h"
#include "models/supply/markov_capacity.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"
#include "sim/random/law.h"

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

/// The highest priority of a waiting request, and with a minus the lowest.
inline constexpr std::int32_t kMostPriority = 500;

/// Which spot lease is preempted first.
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
  std::shared_ptr<const MarkovCapacity> chain;  // if set, levels are drawn in each replication; no steps then
};

/// The most GPUs the source ever has, in any replication.
[[nodiscard]] GpuCount most_gpus(const CapacitySource& source);

/// How machines break, or are taken away for maintenance: each leased machine after a life of its own, and
/// each idle one of a held pool.
struct FaultRule {
  std::string name;  // for people: "hardware", "maintenance"
  Law life{.a =
               kForever};  // from the machine's start-up, or its becoming idle, to the fault; kForever: never
  SimDuration notice{};    // from the fault to the end of the lease
  Law repair{};            // from the end of the notice until the pool has the machine's GPUs again
};
inline constexpr std::size_t kMostFaultRules = 16;

/// The provider reclaims Spot machines of a zone pool together, at times of its own.
struct MassReclaim {
  Law every{.a = kForever};            // from one such time to the next, at least 1 s
  std::int32_t share_ppm = 1'000'000;  // of the Spot machines that are up, each by its own luck
  Law spread{};                        // from that time until a machine is taken
};

/// How machines are put on hosts.
enum class Fill : std::uint8_t {
  best_fit,   // the host with the least free GPUs that holds the machine
  first_fit,  // the first host that holds it
  worst_fit,  // the host with the most free GPUs
};
inline constexpr std::array<std::string_view, 3> kFillNames{"best_fit", "first_fit", "worst_fit"};

/// Hosts, in blocks, on which the machines of a zone pool are placed. Without it only GPUs are counted.
struct Placement {
  std::int32_t hosts = 0;
  std::int32_t host_gpus = 0;    // of each
  std::int32_t block_hosts = 0;  // hosts of a block; the last may be smaller
  Fill fill = Fill::best_fit;
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
  std::vector<FaultRule> faults{};     // at most kMostFaultRules
  bool flex_before_on_demand = false;  // assumption: the queue is served before at-once on-demand requests
  bool hold_for_head = false;          // assumption: free room gathers for the first in the queue
  std::optional<MassReclaim> mass_reclaim{};  // of zone pools
  std::optional<Placement>
      placement{};  // then one source of constant capacity, hosts x host_gpus, for every class
};

/// A held pool that is booked beforehand: Calendar mode, a future reservation.
struct Booking {
  SimTime decided{};  // when the provider says yes or no, not after `from`
  SimDuration
      gather{};  // so long before `from` the provider begins to keep freed machines for it (assumption)
  std::int32_t accept_ppm = 1'000'000;    // the chance of a yes, given that there is room (assumption)
  std::int32_t bookable_ppm = 1'000'000;  // share of the capacity that may be promised away (assumption)
};

/// From `at` on, so many machines are held at least.
struct LeastStep {
  SimTime at{};
  MachineCount least{};
};

/// A held pool that grows and shrinks: a persistent resource, or a node pool of GKE. Each machine is leased
/// from the landlord apart.
struct Scaling {
  MachineCount least{};            // held from `from` on, whether used or not, before the first step
  std::vector<LeastStep> steps{};  // sorted, no two at one time
  SimDuration idle_after{};        // a machine that was free so long is given back, down to `least` ...
  SimDuration after_add{};         // ... but none so soon after the last grant of one
  Law cold_start{};                // of one machine: grant to being there; not billed
  LeaseClass lease_class = LeaseClass::on_demand;  // of its machines' leases on the landlord
  bool is_node_pool = false;  // its machines are billed as any of Compute Engine; else Vertex AI bills them

  [[nodiscard]] MachineCount least_at(SimTime at) const;
};

/// Capacity the planner holds and sublets to jobs. A reservation is one long lease, created from `landlord`'s
/// free room (reclaiming spot leases) at `from`, tried again every `retry_every` until it is there, held
/// until `until`. With `booking` it is promised beforehand; with `scaling` it grows and shrinks.
struct HeldPool {
  Pool pool;  // capacity is empty: it is what has been granted
  PoolId landlord{};
  bool added_supply = false;  // comes on top of the landlord's capacity instead of out of it
  SimTime from{};
  SimTime until = kNever;   // after `from`; kNever: until the run ends
  SimDuration committed{};  // a commitment's term from its creation, paid whatever `until` says; 0: none
  SimDuration retry_every{};
  std::optional<Booking> booking;
  std::optional<Scaling> scaling;
  MachineId machine{};
  MachineCount machines{};  // with scaling: the most; 0: none, and no strategy holds it
  GpuCount gpus{};          // of all machines
  bool share = false;       // jobs may share a machine
  PriceLineId line{};       // what every held machine-hour costs
  PriceLineId sublet{};     // the same price, for showing who used what; with `share` the price of one GPU

  /// When some of it is due at the latest, in a window that begins at `begin`: a pool that grows and shrinks
  /// once it holds a least number and a machine has started up, on average. kNever: it need not come.
  [[nodiscard]] SimTime due(SimTime begin) const;
  /// 0 without machines.
  [[nodiscard]] GpuCount machine_gpus() const {
    return GpuCount{gpus.count() / std::max<std::int64_t>(1, machines.count())};
  }
  /// Vertex AI's, which bills it.
  [[nodiscard]] bool is_persistent_resource() const { return scaling && !scaling->is_node_pool; }
};

}  // namespace stockout
