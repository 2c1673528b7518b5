#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/bound/lower_bound.h"
#include "models/record/run_record.h"
#include "models/world/world.h"
#include "sim/stats/interval.h"

namespace stockout {

/// A bound without its deadlines, and with them.
template <typename Value>
struct ByDeadlines {
  Value without{};
  Value with{};
};

/// The least that jobs of one run can cost with perfect foresight, USD.
struct RunBounds {
  std::uint64_t jobs = 0;     // that the run completed
  double cost = 0;            // what it paid
  ByDeadlines<double> any{};  // in any way of buying of the scenario; with: jobs it completed in time stay so
  ByDeadlines<double> own{};  // in its own ways, with the held capacity it had, paid as it paid it
  bool has_deadlines = false;  // whether it completed any job in time for a deadline
  SimDuration cell{};          // the longest LowerBound::cell
};

/// Bounds for the jobs that `strategy` completed in a run.
[[nodiscard]] RunBounds bounds_of_run(const World& world, const BillTerms* terms, std::size_t strategy,
                                      std::uint64_t replication, const RunRecord& record, double cost);

/// All jobs of a replication, in any way of buying.
struct AllJobsBounds {
  std::uint64_t jobs = 0;
  std::uint64_t impossible = 0;  // of no strategy's legs, or with a deadline shorter than their work: left
                                 // out, or done without the deadline
  ByDeadlines<std::optional<double>> any{};  // none: they cannot all be done before the end of the run
  bool has_deadlines = false;
  SimDuration cell{};
};

[[nodiscard]] AllJobsBounds bounds_of_all_jobs(const World& world, const BillTerms* terms,
                                               std::uint64_t replication);

/// Bounds of a comparison, mean over replications.
struct BoundSummary {
  struct Row {
    std::string strategy;
    std::size_t replications = 0;
    double jobs = 0;
    Estimate cost{};
    ByDeadlines<Estimate> any{};
    ByDeadlines<Estimate> own{};
  };
  std::vector<Row> rows;         // by strategy, in the order of the world; those that were run
  std::size_t replications = 0;  // of all jobs
  double jobs = 0;
  double impossible = 0;
  ByDeadlines<std::optional<Estimate>> all_jobs{};  // none: impossible in some replication
  bool has_deadlines = false;
  SimDuration cell{};  // the longest of any
};

/// Gathers the bounds of runs, in any order, from any thread.
class BoundBook {
 public:
  /// Both must outlive the book; `terms` may be nullptr.
  BoundBook(const World& world, const BillTerms* terms) : world_{world}, terms_{terms} {}

  /// `cost` is what the run cost, USD.
  void add(std::size_t strategy, std::size_t replication, const RunRecord& record, double cost);

  [[nodiscard]] BoundSummary summary() const;

 private:
  void add_all_jobs(std::size_t replication);
  void sum_all_jobs(BoundSummary& summary) const;

  const World& world_;
  const BillTerms* terms_;
  mutable std::mutex mutex_;                                       // of what follows
  std::map<std::pair<std::size_t, std::size_t>, RunBounds> runs_;  // by strategy and replication
  std::map<std::size_t, std::optional<AllJobsBounds>> all_jobs_;   // by replication; none: being worked out
};

}  // namespace stockout
