#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/validity.h"
#include "models/consumption/policy.h"
#include "models/execution/work.h"
#include "models/supply/footprint.h"
#include "sim/core/check.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"

namespace stockout {

/// The price line that machines are billed under, if there is one: nobody is billed for what tenants lease.
class BilledLine {
 public:
  BilledLine() = default;
  BilledLine(PriceLineId line) : line_{line} {}  // NOLINT(google-explicit-constructor): a line is one

  [[nodiscard]] bool is_none() const { return line_ == kNone; }
  /// There must be one.
  [[nodiscard]] PriceLineId value() const {
    STOCKOUT_CHECK(!is_none());
    return line_;
  }

 private:
  static constexpr PriceLineId kNone{~std::uint32_t{0}};
  PriceLineId line_ = kNone;
};

/// Machines of one type that a request asks for.
struct Part {
  BilledLine line;            // of the strategies under test alone
  std::int32_t machines = 0;  // 0: the part is not there. On a shared held pool: GPUs, as its line is priced
  std::int32_t gpus = 0;      // of one machine; on a shared held pool: 1
  MachineId machine{};
};

/// One pool a leg may ask for one shape, and what it would ask for there.
struct Candidate {
  PoolId pool{};
  std::int32_t least = 0;          // of a partial leg, or a spread one: so many machines will do; 0: all
  GpuCount gpus{};                 // GPUs of all the machines: what the lease takes from the pool
  GpuCount unused{};               // of these, GPUs the job does not use
  Part parts[2]{};                 // the full nodes, and the last, smaller node of a gang that has one
  Rate rate_ppm = kReferenceRate;  // how fast the job's work is done there

  [[nodiscard]] std::int64_t machines() const { return std::int64_t{parts[0].machines} + parts[1].machines; }
  /// So many of them at least.
  [[nodiscard]] std::int64_t least_machines() const { return least == 0 ? machines() : least; }

  /// GPUs of one machine, where all are of one kind.
  [[nodiscard]] GpuCount gpus_of_each() const { return GpuCount{gpus.count() / machines()}; }

  /// Its footprint on hosts, in a pool with Placement.
  [[nodiscard]] Footprint footprint(Compact compact) const {
    Footprint footprint{.groups = {}, .compact = compact};
    for (std::size_t i = 0; i < footprint.groups.size(); ++i) {
      if (parts[i].machines > 0) footprint.groups[i] = {.machines = parts[i].machines, .gpus = parts[i].gpus};
    }
    return footprint;
  }
};

static_assert(sizeof(Candidate) == 64);  // worlds have millions of them

/// Event that ends the race of a queueing leg's requests in its places.
enum class Race : std::uint8_t {
  first_grant,  // the first that is granted
  first_boot,   // the first whose lease begins to work; the others are held and paid until then
};

/// Fewer machines than asked will do, down to Candidate::least; single machines may be preempted.
struct Partial {
  SimDuration
      gather{};  // so long what is there is held and paid while the rest is asked for; 0: at one instant
  SimDuration interval{};  // between two askings meanwhile; positive if gather is
  bool recreates = false;  // machines that are lost are gathered anew; then gather is positive ...
  bool works_on = false;   // ... and the others work meanwhile, where they are enough
};

/// How a cluster autoscaler treats a node group that found no machines: it asks there no more for a while,
/// first for Policy::retry_interval.
struct NodeGroupRule {
  SimDuration most = std::chrono::minutes{30};  // the longest back-off ...
  SimDuration forget_after =
      std::chrono::hours{3};  // ... and the first again, so long after the last failure
};

/// Queued provisioning of GKE: pods that come too late find their machines gone.
struct PodRule {
  Law after{};                                  // from the machines being up to the pods
  SimDuration hold = std::chrono::minutes{10};  // machines without pods for longer go back: BookingExpired
  SimDuration again{};                          // from that to the next request
};

/// How the machines of a gang are placed over the pools of an at-once leg: the target shapes of Compute
/// Engine's bulkInsert.
enum class Spread : std::uint8_t {
  any_single_zone,  // all in one place
  balanced,         // as evenly over the places as their room allows
  any,              // in as few places as their room allows
};
inline constexpr std::array<std::string_view, 3> kSpreadNames{"any_single_zone", "balanced", "any"};

/// One way of buying, in one or more places. Everything a run needs of it is worked out beforehand.
struct Leg {
  Policy policy;                                      // the effective row
  std::optional<OrchestratorName> orchestrator = {};  // whose rules it began with; none: kRulesByDefault
  std::string label;                                  // for people: "flex_start us-central1"
  std::string flavor;     // of Kueue, whose quota a job needs here; all legs of a strategy have one, or none
  std::string partition;  // of Slurm, whose nodes its machines are; all legs of a strategy have one, or none,
                          // and each names
                          // another
  SimDuration limit = kForever;  // how long this leg is tried, from entering it; 0: the instant only
  bool keep = false;             // when the job passes on, its requests here stay open
  Race race = Race::first_grant;
  Compact compact = Compact::no;
  std::optional<Partial> partial;           // at once, on zone pools without placement, jobs of equal nodes
  Spread spread = Spread::any_single_zone;  // another: as partial, which there is not then; the candidates of
                                            // a shape differ in pool, line and rate alone
  std::optional<NodeGroupRule> node_group;  // at once, on zone pools: places back off, for all jobs together;
                                            // without spread
  std::optional<PodRule> pods;              // queueing, on zone pools, first_grant; no jobs of sets
  std::vector<bool> classes;  // by ClassId: whether jobs of the class may use the leg; empty: all may
  std::vector<std::vector<Candidate>>
      candidates;  // by ShapeId, in the leg's order of places; empty: never satisfiable

  [[nodiscard]] bool open_to(ClassId job_class) const { return classes.empty() || classes[index(job_class)]; }

  /// Whether a gang that asks for the candidate may be placed in several places of the leg.
  [[nodiscard]] bool spreads(const Candidate& candidate) const {
    return spread != Spread::any_single_zone && candidate.parts[0].machines > 1 &&
           candidate.parts[1].machines == 0;
  }

  /// How long a request here waits before the job passes on: the shorter of limit and the model's maximum
  /// wait.
  [[nodiscard]] SimDuration patience() const { return limit < policy.max_wait ? limit : policy.max_wait; }
};

/// The person who notices that a job ended without being done, and submits it again.
struct Resubmission {
  SimDuration after{};        // from the failure to noticing it
  SimDuration office_from{};  // local time of day; both zero: at any hour, any day
  SimDuration office_to{};
  SimDuration give_up_after = kForever;  // from the first submission; nothing is submitted later than that
};

/// Instead of walking through legs: leg 0 is cheap and may be lost, leg 1 is safe. At every tick the job's
/// progress against its deadline decides which of them it should be on, by the rule called Uniform Progress
/// (Wu et al., "Can't Be Late", NSDI '24), as models/simulation/README.md spells it out.
struct DeadlineRule {
  SimDuration tick{};      // between two decisions, from the job's release on; positive
  SimDuration overhead{};  // what a change of leg is taken to cost
};

/// Course of a job that finds no quota in any place of its leg.
enum class WhenShort : std::uint8_t {
  refuse,    // as if no place had room: the row's retry rule
  wait,      // until there is
  back_off,  // it asks again and again
};
inline constexpr std::array<std::string_view, 3> kWhenShortNames{"refuse", "wait", "back_off"};

/// When a request that waits in a queue takes its quota.
enum class QuotaTaken : std::uint8_t {
  request,  // when it is made
  start,    // when it is granted
};
inline constexpr std::array<std::string_view, 2> kQuotaTakenNames{"request", "start"};

/// How the provider goes about the quotas of World::quotas with this strategy.
struct QuotaRule {
  WhenShort when_short = WhenShort::refuse;
  QuotaTaken taken_at = QuotaTaken::request;
  SimDuration back_off_first = std::chrono::minutes{5};  // positive; doubled after each try ...
  SimDuration back_off_most = std::chrono::minutes{30};  // ... up to this
};

/// An ordered list of legs. An attempt starts at the first leg and passes on to the next when a leg is
/// exhausted.
struct Strategy {
  std::string name;
  std::vector<Leg> legs;     // at least one, at most 15
  std::vector<PoolId> held;  // the held pools this strategy pays for, in any order
  std::optional<Resubmission> resubmission;
  std::optional<DeadlineRule> deadline_rule;  // then there are two legs, both at once
  QuotaRule quota;
  bool cheapest_first =
      false;  // legs, and places of an at-once leg, go by price for the work, not in their order
};

}  // namespace stockout
