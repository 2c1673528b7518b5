#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/types.h"
#include "models/supply/lease_class.h"
#include "sim/core/time.h"
#include "sim/random/law.h"

namespace stockout {

/// Course of a request that is not granted in the instant it is made.
enum class Admission : std::uint8_t {
  at_once,  // refused: the next place of the leg is tried, then the retry rule
  queue,    // waits in the pool's queue, at most the leg's patience
};

/// Whether such a request waits. The one switch over Admission: whoever wants to know asks Policy::waits().
[[nodiscard]] constexpr bool waits(Admission admission) {
  switch (admission) {
    case Admission::at_once:
      return false;
    case Admission::queue:
      return true;
  }
  return false;
}

/// A number of further tries; kUnlimited for no bound.
using Tries = std::int32_t;
inline constexpr Tries kUnlimited = -1;

/// A test of every machine of a gang before work begins. A machine that fails is replaced and tested again;
/// the gang waits for the last of its machines.
struct HealthTest {
  SimDuration takes{};
  std::int32_t fails_ppm = 0;  // at most 900,000
  SimDuration replace{};       // from a failure to the next test
};

/// Bounds of the provider for a model. A scenario may ask for less.
struct PolicyBounds {
  std::string_view product = {};  // for messages: "Flex Start"
  SimDuration wait_least{};       // max_wait, if it is not 0s
  SimDuration wait_most = kForever;
  std::string_view wait_rule = {};  // the two in words
  SimDuration run_least{};          // run_max
  SimDuration run_most = kForever;
  std::int32_t machines_most = 0;     // machines_max; 0: no bound
  bool run_least_is_assumed = false;  // a scenario that leaves it is warned, not refused
  bool run_most_is_assumed = false;   // the same
  std::string_view source = {};       // of the bounds: key into Catalog::sources()

  [[nodiscard]] constexpr bool waits(SimDuration wait) const {
    return wait == SimDuration::zero() || (wait >= wait_least && wait <= wait_most);
  }
  [[nodiscard]] constexpr bool runs(SimDuration run) const { return run >= run_least && run <= run_most; }
  /// Whether nobody sells such a run.
  [[nodiscard]] constexpr bool refuses(SimDuration run) const {
    return (run < run_least && !run_least_is_assumed) || (run > run_most && !run_most_is_assumed);
  }
};

/// A consumption model: one row of what the provider (or the scenario) says about it. Rows hold defaults;
/// a leg holds the effective copy after the scenario's and its own overrides.
struct Policy {
  std::string name;                // "flex_start"
  Offer offer = Offer::on_demand;  // which machines accept it
  Admission admission = Admission::at_once;
  LeaseClass lease_class = LeaseClass::on_demand;
  bool held = false;  // served from the planner's own reservation instead of a zone pool
  PriceModel price = PriceModel::on_demand;
  SimDuration max_wait = kForever;  // queue: patience in this leg; at_once: unused
  SimDuration notice{};             // from reclaim to the end of the lease
  Tries retries = 0;                // further attempts after a stock-out or a want of quota, per (job, leg)
  SimDuration retry_interval{};     // from that to the next attempt
  Tries restarts = kUnlimited;      // further attempts after a preemption, per (job, leg)
  std::optional<Tries> fault_restarts{};  // the same after a fault without notice; none: one of `restarts`
  Tries worker_restarts = 5;              // on its machine of a lease, of a worker that exits
  Tries exit_restarts =
      3;  // further attempts after one that exits beyond that, per (job, leg); then it fails
  SimDuration run_max = kForever;  // a lease that has run this long is cut off ...
  bool chains = false;             // ... or, if set, writes a last checkpoint and goes on in a new attempt
  std::int32_t machines_max = 0;   // most machines of one request; 0: no bound
  std::int32_t open_max = 0;       // queue: most requests of a planner open at a time; 0: no bound
  Law lifetime{.a = kForever};     // of each machine, from up to being preempted; kForever: by load alone
  Law provisioning{};              // grant to machines up; not billed
  Law start_up{};                  // machines up to work: image pull, data load; billed
  HealthTest health{};             // after start_up; billed

  // What the reader of a scenario goes by.
  PolicyBounds bounds{};
  bool zero_wait_is_forever = false;    // a max_wait of 0s is no limit
  std::string_view among_tenants = {};  // how other tenants who buy so are called; empty: none do
  bool by_resize_request = false;       // all machines at once; under GKE pods come to them later

  /// Whether requests wait, at the provider or for capacity that is held.
  [[nodiscard]] bool waits() const { return held || stockout::waits(admission); }
};

/// The built-in rows, in the order in which they are listed.
[[nodiscard]] std::span<const Policy> policy_table();

/// Their names, in that order.
[[nodiscard]] std::vector<std::string> model_names();

/// The rows that other tenants buy under, the strongest class of lease first.
[[nodiscard]] std::vector<Policy> tenant_policies();

/// The row of that name, or nullptr.
[[nodiscard]] const Policy* find_policy(std::string_view name);

}  // namespace stockout
