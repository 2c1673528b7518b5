#pragma once

#include <vector>

#include "models/billing/terms.h"
#include "models/billing/usage.h"
#include "models/measures/measure_table.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// What the terms of a bill come to in one run of one strategy. Exact.
class TermsBill {
 public:
  TermsBill(const World& world, std::size_t strategy, const BillTerms* terms);

  void add_job(const Job& job, const JobOutcome& outcome);
  /// GPU-time that jobs of a class leased.
  void add_leased(ClassId job_class, GpuTime leased) { leased_[index(job_class)] += leased; }
  /// Takes off what the commitments cover, an hour at a time, in the order of their lines and of the keys.
  void add_usage(const UsageLedger& usage);

  /// Puts `machines`, the run's cost before all this, and the terms together.
  void fill(Values& values, Cost machines) const;
  /// By BillTerms::other; 0 where the strategy does not pay it.
  [[nodiscard]] std::vector<Money> other() const;

 private:
  void cover(const Coverage& coverage, const UsageLedger& usage, const std::vector<UsageKey>& keys);
  [[nodiscard]] MachineTime units_of(const OtherCost& cost) const;

  const World& world_;
  std::size_t strategy_;
  const BillTerms* terms_;             // nullptr: none
  std::vector<std::int64_t> started_;  // by ClassId
  std::vector<GpuTime> leased_;        // by ClassId
  Cost covered_;
};

}  // namespace stockout
