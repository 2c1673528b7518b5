#include "models/measures/terms_bill.h"

#include <algorithm>

#include "models/billing/hour.h"

namespace stockout {
namespace {

bool is_in(const std::vector<bool>& chosen, std::size_t i) {
  return chosen.empty() || (i < chosen.size() && chosen[i]);
}

}  // namespace

TermsBill::TermsBill(const World& world, std::size_t strategy, const BillTerms* terms)
    : world_{world},
      strategy_{strategy},
      terms_{terms},
      started_(world.classes.size()),
      leased_(world.classes.size()) {}

void TermsBill::add_job(const Job& job, const JobOutcome& outcome) {
  if (outcome.first_grant != kNever) ++started_[index(job.job_class)];
}

void TermsBill::add_usage(const UsageLedger& usage) {
  if (terms_ == nullptr || terms_->coverage.empty()) return;
  const std::vector<UsageKey> keys = usage.keys();
  for (const Coverage& coverage : terms_->coverage) cover(coverage, usage, keys);
}

void TermsBill::cover(const Coverage& coverage, const UsageLedger& usage, const std::vector<UsageKey>& keys) {
  std::vector<MachineTime> left;  // by hour
  for (const PriceLineId line : coverage.lines) {
    const auto first = std::ranges::lower_bound(keys, line, {}, &UsageKey::line);
    const auto last = std::ranges::upper_bound(keys, line, {}, &UsageKey::line);
    for (auto key = first; key != last; ++key) {
      for (const UsageHour& hour : usage.hours(*key)) {
        while (left.size() <= static_cast<std::size_t>(hour.hour))
          left.push_back(covered_in(*terms_, coverage, static_cast<std::int64_t>(left.size())));
        MachineTime& rest = left[static_cast<std::size_t>(hour.hour)];
        const MachineTime taken = std::min(rest, hour.billed);
        rest -= taken;
        const PriceStep& price = price_at(world_.price_lines[index(line)], hour.hour);
        covered_ += {.list = price.list * taken, .contracted = price.contracted * taken};
      }
    }
  }
}

// In the unit of Money: a price times an hour is the price of one.
MachineTime TermsBill::units_of(const OtherCost& cost) const {
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

std::vector<Money> TermsBill::other() const {
  std::vector<Money> costs;
  if (terms_ == nullptr) return costs;
  for (const OtherCost& cost : terms_->other)
    costs.push_back(is_in(cost.strategies, strategy_) ? cost.price * units_of(cost) : Money{});
  return costs;
}

void TermsBill::fill(Values& values, Cost machines) const {
  Cost sunk;
  Cost left;
  Cost in_all = machines;
  if (terms_ != nullptr) {
    for (const Commitment& commitment : terms_->commitments) {
      sunk += cost_between(commitment, kStart, world_.window_end);
      left += cost_between(commitment, world_.window_end, kNever);
    }
    Money other_sum;
    for (const Money cost : other()) other_sum += cost;
    in_all.list -= covered_.list;
    in_all.contracted -= covered_.contracted;
    in_all += sunk;
    in_all += {.list = other_sum, .contracted = other_sum};
    if (!terms_->other.empty()) values.set(Measure::cost_other, other_sum.to_usd());
    if (!terms_->commitments.empty()) {
      values.set(Measure::cost_sunk, sunk.contracted.to_usd());
      values.set(Measure::cost_open, (in_all.contracted - sunk.contracted).to_usd());
      values.set(Measure::covered, covered_.contracted.to_usd());
      values.set(Measure::sunk_left, left.contracted.to_usd());
    }
  }
  values.set(Measure::cost, in_all.contracted.to_usd());
  values.set(Measure::cost_list, in_all.list.to_usd());
}

}  // namespace stockout
