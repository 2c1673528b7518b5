#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "models/experiment/run_observer.h"
#include "models/recommend/purchase_run.h"
#include "models/recommend/purchase_store.h"
#include "models/recommend/purchases.h"

namespace stockout {

/// Runs of purchases, kept to be looked at again and again. A replication has the same random numbers, and is
/// in the same world, for all.
class PurchaseRuns {
 public:
  /// `purchases` and `goals` outlive it. `done` hears how many runs were simulated, from any thread. `store`,
  /// if there is one, keeps each run and has earlier ones, which count as simulated.
  PurchaseRuns(const Purchases& purchases, std::span<const Goal> goals,
               std::function<void(std::size_t)> done = {}, PurchaseStore* store = nullptr);

  /// Runs purchases `who`, places in Purchases::all(), up to replication `to`, whole rounds of the worlds, on
  /// `threads` (0: as many as the machine has). One that draws nothing is run once in each world. The same
  /// whatever the threads. Throws what a run throws, InputError for one of too many steps, and
  /// WorkInterrupted if the store says so.
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

  [[nodiscard]] Measures measure(std::size_t who, const Scenario& scenario, std::size_t replication,
                                 RunObservers observers = {}) const;
  [[nodiscard]] PurchaseRun simulate(const Place& place, RunObservers observers = {}) const;
  [[nodiscard]] PurchaseRun run_of(const Place& place) const;
  [[nodiscard]] KeptRunPlace kept_place(const Place& place) const;
  void add_others(std::size_t who, std::size_t to, std::vector<Place>& places);
  void run_all(const std::vector<Place>& places, int threads);

  const Purchases& purchases_;
  std::span<const Goal> goals_;
  std::function<void(std::size_t)> done_;
  PurchaseStore* store_;
  std::vector<Kept> kept_;  // by purchase
  std::size_t simulated_ = 0;
};

}  // namespace stockout
