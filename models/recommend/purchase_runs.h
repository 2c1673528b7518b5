#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "models/measures/cost_parts.h"
#include "models/measures/goal.h"
#include "models/recommend/purchases.h"

namespace stockout {

/// What is kept of every run: what it cost, in all its parts and under each price, and how well it went.
inline constexpr auto kPurchaseMeasures = [] {
  constexpr std::array kOthers{
      Measure::cost,     Measure::cost_idle,           Measure::commitment,      Measure::work_done_share,
      Measure::wait_p95, Measure::never_started_share, Measure::deadline_missed, Measure::held_use};
  std::array<Measure, kOthers.size() + kCostParts.size() + kWaysToBuy.size()> all{};
  std::size_t at = 0;
  for (const Measure measure : kOthers) all[at++] = measure;
  for (const CostPart& part : kCostParts) all[at++] = part.measure;
  for (std::size_t i = 0; i < kWaysToBuy.size(); ++i) all[at++] = cost_under(static_cast<PriceModel>(i));
  return all;
}();

/// One run of a purchase.
struct PurchaseRun {
  std::array<Value, kPurchaseMeasures.size()> values{};  // by kPurchaseMeasures
  std::vector<GoalMet> goals;                            // as Measures has them
  double undone_gpu_h = 0;                               // the same
  bool runs_every_class = true;                          // of each class with jobs one started
  bool drew = true;                                      // as in the run record

  [[nodiscard]] const Value& operator[](Measure measure) const;
};

/// Runs of purchases, kept to be looked at again and again. A replication has the same random numbers, and is
/// in the same world, for all.
class PurchaseRuns {
 public:
  /// `purchases` and `goals` outlive it. `done` hears how many runs were simulated, from any thread.
  PurchaseRuns(const Purchases& purchases, std::span<const Goal> goals,
               std::function<void(std::size_t)> done = {});

  /// Runs purchases `who`, places in Purchases::all(), up to replication `to`, whole rounds of the worlds, on
  /// `threads` (0: as many as the machine has). One that draws nothing is run once in each world. The same
  /// whatever the threads. Throws what a run throws, and InputError for one of too many steps.
  void run(std::span<const std::size_t> who, std::size_t to, int threads);

  /// A run that was made; of a purchase that draws nothing in a world any replication there is the first.
  [[nodiscard]] const PurchaseRun& at(std::size_t who, std::size_t replication) const;

  /// Simulates the first replication of a purchase in the world in the middle, for all its measures.
  [[nodiscard]] Measures measure_in_middle(std::size_t who) const;

  /// How many replications of a purchase there are: one round, if it draws nothing.
  [[nodiscard]] std::size_t replications_of(std::size_t who) const { return kept_[who].runs.size(); }
  /// Whether it draws in any of the worlds. It was run.
  [[nodiscard]] bool draws(std::size_t who) const;
  /// How many runs of a purchase were simulated.
  [[nodiscard]] std::size_t runs_of(std::size_t who) const { return kept_[who].simulated; }

  /// Runs that were simulated.
  [[nodiscard]] std::size_t simulated() const { return simulated_; }

 private:
  struct Place {
    std::size_t who = 0;
    std::size_t replication = 0;
  };
  struct Kept {
    std::vector<PurchaseRun> runs;  // by replication; left empty where the first in that world stands for it
    std::size_t complete_to = 0;    // replications that need no run any more
    std::size_t simulated = 0;
  };

  [[nodiscard]] Measures measure(std::size_t who, const Scenario& scenario, std::size_t replication) const;
  [[nodiscard]] PurchaseRun simulate(const Place& place) const;
  void add_others(std::size_t who, std::size_t to, std::vector<Place>& places);
  void run_all(const std::vector<Place>& places, int threads);

  const Purchases& purchases_;
  std::span<const Goal> goals_;
  std::function<void(std::size_t)> done_;
  std::vector<Kept> kept_;  // by purchase
  std::size_t simulated_ = 0;
};

}  // namespace stockout
