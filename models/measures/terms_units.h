#pragma once

#include <vector>

#include "models/billing/terms.h"
#include "models/record/run_record.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// Of what the other costs of a bill are counted by, how much there is in one run of one strategy. Exact.
class TermsUnits {
 public:
  TermsUnits(const World& world, std::size_t strategy);

  void add_job(const Job& job, const JobOutcome& outcome);
  /// GPU-time that jobs of a class leased.
  void add_leased(ClassId job_class, GpuTime leased) { leased_[index(job_class)] += leased; }

  /// By BillTerms::other, an hour for each unit: a price times an hour is the price of one. 0 where the
  /// strategy does not pay it.
  [[nodiscard]] std::vector<MachineTime> units(const BillTerms& terms) const;

 private:
  [[nodiscard]] MachineTime units_of(const OtherCost& cost) const;

  const World& world_;
  std::size_t strategy_;
  std::vector<std::int64_t> started_;  // by ClassId
  std::vector<GpuTime> leased_;        // by ClassId
};

}  // namespace stockout
