#include "models/measures/terms_units.h"

#include "models/billing/hour.h"

namespace stockout {
namespace {

bool is_in(const std::vector<bool>& chosen, std::size_t i) {
  return chosen.empty() || (i < chosen.size() && chosen[i]);
}

}  // namespace

TermsUnits::TermsUnits(const World& world, std::size_t strategy)
    : world_{world}, strategy_{strategy}, started_(world.classes.size()), leased_(world.classes.size()) {}

void TermsUnits::add_job(const Job& job, const JobOutcome& outcome) {
  if (outcome.first_grant != kNever) ++started_[index(job.job_class)];
}

MachineTime TermsUnits::units_of(const OtherCost& cost) const {
  MachineTime units{};
  switch (cost.unit) {
    case CostUnit::hour:
      return MachineCount{1} * (world_.window_end - kStart);
    case CostUnit::once:
      return MachineCount{1} * kHour;
    case CostUnit::job:
      for (std::size_t i = 0; i < started_.size(); ++i)
        if (is_in(cost.classes, i)) units += MachineCount{started_[i]} * kHour;
      return units;
    case CostUnit::gpu_hour:
      for (std::size_t i = 0; i < leased_.size(); ++i)
        if (is_in(cost.classes, i)) units += MachineTime{leased_[i].count()};
      return units;
  }
  return units;
}

std::vector<MachineTime> TermsUnits::units(const BillTerms& terms) const {
  std::vector<MachineTime> units;
  for (const OtherCost& cost : terms.other)
    units.push_back(is_in(cost.strategies, strategy_) ? units_of(cost) : MachineTime{});
  return units;
}

}  // namespace stockout
