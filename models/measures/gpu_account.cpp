#include "models/measures/gpu_account.h"

#include <algorithm>

#include "sim/core/hours.h"

namespace stockout {
namespace {

bool has_leases(const GpuAccount& account) { return account.jobs.total() > GpuTime{}; }
bool has_held(const GpuAccount& account) { return account.held > GpuTime{}; }
bool has_phantom(const GpuAccount& account) {
  return account.phantom_waiting > GpuTime{} || account.phantom_leased > GpuTime{};
}
bool has_any(const GpuAccount& account) {
  return has_leases(account) || has_held(account) || account.useful > GpuTime{};
}

// The one account for which `has` is true, an empty one if there is none; nullptr if there are several.
template <typename Has>
const GpuAccount* only_one(const std::vector<GpuAccount>& accounts, Has has) {
  static constexpr GpuAccount kNone{};
  const auto found = std::ranges::find_if(accounts, has);
  if (found == accounts.end()) return &kNone;
  return std::any_of(std::next(found), accounts.end(), has) ? nullptr : &*found;
}

void set_ratio(Values& values, Measure measure, GpuTime part, GpuTime whole) {
  if (whole > GpuTime{}) {
    values.set(measure, static_cast<double>(part.count()) / static_cast<double>(whole.count()));
  }
}

}  // namespace

void GpuAccounts::fill_leased(Values& values) const {
  if (const GpuAccount* leased = only_one(types_, has_leases)) {
    const TimeSplit& jobs = leased->jobs;
    values.set(Measure::kept, to_hours(jobs.useful));
    values.set(Measure::redone, to_hours(jobs.redone));
    values.set(Measure::overhead, to_hours(jobs.overhead));
    values.set(Measure::unused, to_hours(jobs.unused));
    values.set(Measure::leased, to_hours(jobs.total()));
    set_ratio(values, Measure::goodput, jobs.useful, jobs.useful + jobs.redone + jobs.overhead);
    set_ratio(values, Measure::busy_share, jobs.useful + jobs.redone, jobs.total());
  }
  if (const GpuAccount* all = only_one(types_, has_any)) {
    values.set(Measure::useful, to_hours(all->useful));
    set_ratio(values, Measure::useful_share, all->useful, all->jobs.total() + all->idle);
  }
}

void GpuAccounts::fill_held(Values& values) const {
  const GpuAccount* held = only_one(types_, has_held);
  if (held == nullptr) return;
  values.set(Measure::held, to_hours(held->held));
  values.set(Measure::idle, to_hours(held->idle));
  set_ratio(values, Measure::held_use, held->held - held->idle, held->held);
}

void GpuAccounts::fill_phantom(Values& values) const {
  const GpuAccount* phantom = only_one(types_, has_phantom);
  if (phantom == nullptr) return;
  values.set(Measure::phantom_waiting, to_hours(phantom->phantom_waiting));
  values.set(Measure::phantom_leased, to_hours(phantom->phantom_leased));
}

}  // namespace stockout
