#include "models/orchestrators/quota_books.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {
namespace {

std::int64_t limit_at(const std::vector<QuotaStep>& steps, SimTime now) {
  return std::prev(std::ranges::upper_bound(steps, now, {}, &QuotaStep::at))->limit;
}

// There is a step at `at`; the limit stays what it was.
void split_at(std::vector<QuotaStep>& steps, SimTime at) {
  const auto after = std::ranges::upper_bound(steps, at, {}, &QuotaStep::at);
  if (after == steps.begin() || std::prev(after)->at == at || at == kNever) return;
  steps.insert(after, {.at = at, .limit = std::prev(after)->limit});
}

}  // namespace

QuotaBooks::QuotaBooks(const World& world, const Strategy& strategy) {
  for (const QuotaBucket& bucket : world.quotas) {
    quotas_.push_back({.bucket = &bucket, .steps = bucket.steps});
  }
  for (const PoolId id : strategy.held) set_aside(world.held_pool(id));
  for (Quota& quota : quotas_) {
    quota.most = std::ranges::max_element(quota.steps, {}, &QuotaStep::limit)->limit;
  }
}

// What was promised beforehand, or comes on top of what the provider sells, takes no quota.
void QuotaBooks::set_aside(const HeldPool& held) {
  if (held.booking || held.added_supply) return;
  const LeaseClass lease_class = held.scaling ? held.scaling->lease_class : LeaseClass::reserved;
  for (Quota& quota : quotas_) {
    if (!quota.bucket->counts(held.landlord, lease_class)) continue;
    const std::int64_t units = held.machines.count() * quota.bucket->units[index(held.machine)];
    split_at(quota.steps, held.from);
    split_at(quota.steps, held.until);
    for (QuotaStep& step : quota.steps) {
      if (step.at >= held.from && step.at < held.until) step.limit -= units;
    }
  }
}

bool QuotaBooks::could_ever_have_room(const Candidate& place, LeaseClass lease_class) const {
  return std::ranges::all_of(quotas_, [&](const Quota& quota) {
    const std::int64_t units = units_of(*quota.bucket, place, lease_class, place.machines());
    return units == 0 || units <= quota.most;
  });
}

bool QuotaBooks::has_room(const Candidate& place, LeaseClass lease_class, SimTime now) const {
  return std::ranges::all_of(quotas_, [&](const Quota& quota) {
    const std::int64_t units = units_of(*quota.bucket, place, lease_class, place.machines());
    return units == 0 || quota.taken + units <= limit_at(quota.steps, now);
  });
}

void QuotaBooks::add(const Candidate& place, LeaseClass lease_class, std::int64_t machines,
                     std::int64_t sign) {
  for (Quota& quota : quotas_) {
    quota.taken += sign * units_of(*quota.bucket, place, lease_class, machines);
  }
}

std::vector<std::size_t> QuotaBooks::quotas_of(std::span<const Candidate* const> places,
                                               LeaseClass lease_class) const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < quotas_.size(); ++i) {
    const auto takes = [&](const Candidate* place) {
      return units_of(*quotas_[i].bucket, *place, lease_class, place->machines()) > 0;
    };
    if (std::ranges::any_of(places, takes)) numbers.push_back(i);
  }
  return numbers;
}

SimTime QuotaBooks::next_step(SimTime now) const {
  SimTime next = kNever;
  for (const Quota& quota : quotas_) {
    const auto after = std::ranges::upper_bound(quota.steps, now, {}, &QuotaStep::at);
    if (after != quota.steps.end()) next = std::min(next, after->at);
  }
  return next;
}

void QuotaBooks::check_empty() const {
  for (const Quota& quota : quotas_) {
    STOCKOUT_CHECK(quota.taken == 0, fmt::format("quota {}: {} units are taken when all is over",
                                                 quota.bucket->name, quota.taken));
  }
}

}  // namespace stockout
