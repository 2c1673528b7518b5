#include "models/simulation/books/host_books.h"

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

void HostBooks::enter(const LeasePlacement& placement, SimTime now) {
  open_.take(placement.shares);
  if (!placement.is_spot) solid_.take(placement.shares);
  count(now);
}

bool HostBooks::is_taken(const LeasePlacement& placement) const {
  return std::ranges::any_of(placement.shares, [this](const HostShare& share) {
    return leaving_[at(share)] > open_.free_on(share.host);
  });
}

void HostBooks::start(LeasePlacement& placement) {
  placement.has_started = true;
  for (const HostShare& share : placement.shares) {
    there_[at(share)] += share.gpus;
    STOCKOUT_CHECK(there_[at(share)] <= host_gpus_, "a host holds more than it has");
  }
}

void HostBooks::delay(const LeasePlacement& placement) {
  for (const HostShare& share : placement.shares) delayed_[at(share)] += share.gpus;
}

void HostBooks::end_delay(const LeasePlacement& placement) {
  for (const HostShare& share : placement.shares) delayed_[at(share)] -= share.gpus;
}

void HostBooks::vacate(const LeasePlacement& placement, SimTime now) {
  open_.give(placement.shares);
  if (!placement.is_spot) solid_.give(placement.shares);
  for (const HostShare& share : placement.shares) leaving_[at(share)] += share.gpus;
  count(now);
}

void HostBooks::release(const LeasePlacement& placement) {
  for (const HostShare& share : placement.shares) {
    leaving_[at(share)] -= share.gpus;
    if (placement.has_started) there_[at(share)] -= share.gpus;
  }
}

// GPUs of started leases on a host = its GPUs - what is free on the open map - delayed ones.
bool HostBooks::may_start(const LeasePlacement& placement) {
  const bool may = std::ranges::all_of(placement.shares, [this](const HostShare& share) {
    const std::int32_t started = host_gpus_ - open_.free_on(share.host) - delayed_[at(share)];
    return leaving_[at(share)] + started + ahead_[at(share)] + share.gpus <= host_gpus_;
  });
  for (const HostShare& share : placement.shares) ahead_[at(share)] += share.gpus;
  return may;
}

void HostBooks::turn_over(const LeasePlacement& placement) {
  for (const HostShare& share : placement.shares) ahead_[at(share)] = 0;
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
