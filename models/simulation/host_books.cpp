#include "models/simulation/host_books.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {
namespace {

std::size_t at(const HostShare& share) { return static_cast<std::size_t>(share.host); }

}  // namespace

Footprint footprint_of(const HeldPool& held, MachineCount machines) {
  Footprint footprint;
  footprint.groups[0] = {.machines = static_cast<std::int32_t>(machines.count()),
                         .gpus = static_cast<std::int32_t>(held.machine_gpus().count())};
  return footprint;
}

HostBooks::HostBooks(const Placement& placement, SimTime begin)
    : host_gpus_{placement.host_gpus}, open_{placement}, solid_{placement} {
  const auto hosts = static_cast<std::size_t>(placement.hosts);
  for (auto* of_hosts : {&leaving_, &delayed_, &there_, &ahead_}) of_hosts->resize(hosts);
  count(begin);
}

void HostBooks::enter(const Stand& stand, SimTime now) {
  open_.take(stand.shares);
  if (!stand.is_spot) solid_.take(stand.shares);
  count(now);
}

bool HostBooks::is_taken(const Stand& stand) const {
  return std::ranges::any_of(stand.shares, [this](const HostShare& share) {
    return leaving_[at(share)] > open_.free_on(share.host);
  });
}

void HostBooks::start(Stand& stand) {
  stand.has_started = true;
  for (const HostShare& share : stand.shares) {
    there_[at(share)] += share.gpus;
    STOCKOUT_CHECK(there_[at(share)] <= host_gpus_, "a host holds more than it has");
  }
}

void HostBooks::delay(const Stand& stand) {
  for (const HostShare& share : stand.shares) delayed_[at(share)] += share.gpus;
}

void HostBooks::end_delay(const Stand& stand) {
  for (const HostShare& share : stand.shares) delayed_[at(share)] -= share.gpus;
}

void HostBooks::vacate(const Stand& stand, SimTime now) {
  open_.give(stand.shares);
  if (!stand.is_spot) solid_.give(stand.shares);
  for (const HostShare& share : stand.shares) leaving_[at(share)] += share.gpus;
  count(now);
}

void HostBooks::release(const Stand& stand) {
  for (const HostShare& share : stand.shares) {
    leaving_[at(share)] -= share.gpus;
    if (stand.has_started) there_[at(share)] -= share.gpus;
  }
}

// GPUs of started leases on a host = its GPUs - what is free on the open map - delayed ones.
bool HostBooks::may_start(const Stand& stand) {
  const bool may = std::ranges::all_of(stand.shares, [this](const HostShare& share) {
    const std::int32_t started = host_gpus_ - open_.free_on(share.host) - delayed_[at(share)];
    return leaving_[at(share)] + started + ahead_[at(share)] + share.gpus <= host_gpus_;
  });
  for (const HostShare& share : stand.shares) ahead_[at(share)] += share.gpus;
  return may;
}

void HostBooks::turn_over(const Stand& stand) {
  for (const HostShare& share : stand.shares) ahead_[at(share)] = 0;
}

std::uint64_t HostBooks::kind_of(const Footprint& footprint) {
  return kinds_.try_emplace(footprint, kinds_.size()).first->second;
}

void HostBooks::check(GpuCount capacity, GpuCount all, GpuCount solid) const {
  STOCKOUT_CHECK(open_.free_gpus() == capacity - all,
                 "what is free on hosts is not what is free in the pool");
  STOCKOUT_CHECK(solid_.free_gpus() == capacity - solid,
                 "what hosts have free of spot is not what the pool has");
}

void HostBooks::check_empty() const {
  for (const auto* of_hosts : {&leaving_, &delayed_, &there_, &ahead_}) {
    STOCKOUT_CHECK(std::ranges::all_of(*of_hosts, [](std::int32_t gpus) { return gpus == 0; }),
                   "somebody is left on a host");
  }
  STOCKOUT_CHECK(open_.stranded_gpus() == GpuCount{0} && solid_.stranded_gpus() == GpuCount{0});
}

void HostBooks::count(SimTime now) {
  free_area_.add(open_.free_gpus().count() - free_area_.level(), now);
  stranded_area_.add(open_.stranded_gpus().count() - stranded_area_.level(), now);
}

}  // namespace stockout
