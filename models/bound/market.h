#pragma once

#include <compare>
#include <cstddef>
#include <limits>
#include <vector>

#include "models/billing/terms.h"
#include "models/bound/resource.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

// Work is counted in reference GPU-milliseconds, called units: the GPUs a job asks for times its work.

/// Price of a unit from `from` on, USD.
struct PricePiece {
  SimTime from{};
  double usd = 0;
  friend auto operator<=>(const PricePiece&, const PricePiece&) = default;
};

/// One way to get work of one kind done: machines in a pool, or the same machines paid by a commitment that
/// exists.
struct Way {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  std::size_t resource = kUnlimited;  // of the market
  double takes = 0;                   // of it, in its amount x ms, for each unit
  std::int64_t least = 0;             // must be there at one time; 0: there always is, if there is anything
  std::vector<PricePiece> price;      // rising times, at least one
  friend auto operator<=>(const Way&, const Way&) = default;
};

/// Jobs that can be done in the same ways.
struct JobKind {
  ShapeId shape{};
  ClassId job_class{};
  friend auto operator<=>(const JobKind&, const JobKind&) = default;
};

/// The ways in which jobs of a kind can be done.
struct KindOffers {
  std::vector<Way> ways;
  double gpus = 0;       // that each of its jobs asks for
  double speed = 0;      // work-ms for each ms, on the fastest
  double start_usd = 0;  // at least paid before work begins, by each job
  double fee_usd = 0;    // other costs by job, of each
};

/// Which ways of buying count.
struct MarketScope {
  std::vector<std::size_t> strategies;  // of the world, at least one

  /// Their one run, if held capacity is to be what this run held, and paid as it was paid. Without it held
  /// capacity is paid only for the hours in which it is used, anywhere between its `from` and `until`.
  const RunRecord* run = nullptr;

  /// The last submission of the jobs that are to be done: with HoldEnd::last_start what is held costs
  /// nothing later.
  SimTime last_submit{};
};

/// Everything that could be bought in one replication, at contracted prices.
class BoundMarket {
 public:
  BoundMarket(const World& world, const BillTerms* terms, std::uint64_t replication, const MarketScope& scope,
              const std::vector<JobKind>& kinds);

  [[nodiscard]] const std::vector<Resource>& resources() const { return resources_; }
  /// By the place in the list of kinds.
  [[nodiscard]] const std::vector<KindOffers>& kinds() const { return kinds_; }

  /// Payments whatever is done: held capacity of the scope's run, commitments that exist, other costs by
  /// time.
  [[nodiscard]] double fixed_usd() const { return fixed_usd_; }

 private:
  friend class MarketBuilder;
  std::vector<Resource> resources_;
  std::vector<KindOffers> kinds_;
  double fixed_usd_ = 0;
};

}  // namespace stockout
