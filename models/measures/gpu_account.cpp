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

// The one account for which `has` is true; nullptr if there are none or several.
template <typename Has>
const GpuAccount* only_one(const std::vector<GpuAccount>& accounts, Has has) {
  const GpuAccount* found = nullptr;
  for (const GpuAccount& account : accounts) {
    if (!has(account)) continue;
    if (found != nullptr) return nullptr;
    found = &account;
  }
  return found;
}

void set_ratio(Values& values, Measure measure, GpuTime part, GpuTime whole) {
  if (whole > GpuTime{}) {
    values.set(measure, static_cast<double>(part.count()) / static_cast<double>(whole.count()));
  }
}

void fill_leases(Values& values, const TimeSplit& jobs) {
  const GpuTime asked = jobs.useful + jobs.redone + jobs.overhead;
  values.set(Measure::kept, to_hours(jobs.useful));
  values.set(Measure::redone, to_hours(jobs.redone));
  values.set(Measure::overhead, to_hours(jobs.overhead));
  values.set(Measure::unused, to_hours(jobs.unused));
  values.set(Measure::leased, to_hours(jobs.total()));
  set_ratio(values, Measure::goodput, jobs.useful, asked);
  set_ratio(values, Measure::busy_share, jobs.useful + jobs.redone, jobs.total());
}

}  // namespace

const GpuAccount* GpuAccounts::only() const { return only_one(types_, has_any); }

void GpuAccounts::fill_phantom(Values& values) const {
  const GpuAccount* phantom = only_one(types_, has_phantom);
  if (phantom == nullptr && std::ranges::any_of(types_, has_phantom)) return;
  values.set(Measure::phantom_waiting, phantom == nullptr ? 0 : to_hours(phantom->phantom_waiting));
  values.set(Measure::phantom_leased, phantom == nullptr ? 0 : to_hours(phantom->phantom_leased));
}

void GpuAccounts::fill(Values& values) const {
  if (const GpuAccount* leases = only_one(types_, has_leases)) fill_leases(values, leases->jobs);
  if (const GpuAccount* held = only_one(types_, has_held)) {
    values.set(Measure::held, to_hours(held->held));
    values.set(Measure::idle, to_hours(held->idle));
    set_ratio(values, Measure::held_use, held->held - held->idle, held->held);
  }
  if (const GpuAccount* all = only()) {
    values.set(Measure::useful, to_hours(all->useful));
    set_ratio(values, Measure::useful_share, all->useful, all->jobs.total() + all->idle);
  }
}

}  // namespace stockout
