#include "models/supply/host_map.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {
namespace {

std::int64_t gpus_of(const MachineGroup& group) { return std::int64_t{group.machines} * group.gpus; }

}  // namespace

HostMap::HostMap(const Placement& placement) : placement_{placement} {
  STOCKOUT_CHECK(placement.hosts > 0 && placement.block_hosts > 0);
  STOCKOUT_CHECK(placement.host_gpus > 0 && placement.host_gpus <= 255);
  const auto hosts = static_cast<std::size_t>(placement.hosts);
  const auto gpus = static_cast<std::size_t>(placement.host_gpus);
  free_.assign(hosts, static_cast<std::uint8_t>(placement.host_gpus));
  with_free_.assign(gpus + 1, NumberSet{hosts});
  for (std::size_t host = 0; host < hosts; ++host) with_free_[gpus].insert(host);
  hosts_with_.assign(gpus + 1, 0);
  hosts_with_[gpus] = placement.hosts;
  block_free_.resize((hosts - 1) / static_cast<std::size_t>(placement.block_hosts) + 1);
  for (std::size_t block = 0; block < block_free_.size(); ++block) {
    const Range range = range_of(static_cast<std::int32_t>(block), 1);
    block_free_[block] = std::int64_t{range.end - range.first} * placement.host_gpus;
  }
  free_gpus_ = std::int64_t{placement.hosts} * placement.host_gpus;
}

void HostMap::take(std::span<const HostShare> shares) {
  for (const HostShare& share : shares) set_free(share.host, free_on(share.host) - share.gpus);
}

void HostMap::give(std::span<const HostShare> shares) {
  for (const HostShare& share : shares) set_free(share.host, free_on(share.host) + share.gpus);
}

bool HostMap::place(const Footprint& footprint, std::vector<HostShare>& shares) {
  shares.clear();
  const std::optional<Range> range = find_range(footprint);
  if (!range) return false;
  STOCKOUT_CHECK(put(*range, footprint));
  shares = trial_;
  take_off();
  std::ranges::sort(shares, {}, &HostShare::host);
  std::size_t last = 0;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (shares[i].host == shares[last].host) {
      shares[last].gpus += shares[i].gpus;
    } else {
      shares[++last] = shares[i];
    }
  }
  if (!shares.empty()) shares.resize(last + 1);
  return true;
}

// The hosts among which the machines go, if they fit there.
std::optional<HostMap::Range> HostMap::find_range(const Footprint& footprint) {
  if (footprint.compact == Compact::no) {
    const Range all{.first = 0, .end = placement_.hosts, .free = free_gpus_};
    return fits_in(all, footprint) ? std::optional{all} : std::nullopt;
  }
  const std::optional<Range> block = fullest_range(footprint, 1);
  return block || footprint.compact == Compact::block ? block : fullest_range(footprint, 2);
}

// Of the ranges of so many blocks in which the machines fit, the one with the least GPUs free.
std::optional<HostMap::Range> HostMap::fullest_range(const Footprint& footprint, std::int32_t blocks) {
  std::optional<Range> fullest;
  const auto last = static_cast<std::int32_t>(block_free_.size()) - blocks;
  for (std::int32_t block = 0; block <= last; ++block) {
    const Range range = range_of(block, blocks);
    if ((!fullest || range.free < fullest->free) && fits_in(range, footprint)) fullest = range;
  }
  return fullest;
}

HostMap::Range HostMap::range_of(std::int32_t block, std::int32_t blocks) const {
  Range range{.first = block * placement_.block_hosts};
  range.end = static_cast<std::int32_t>(
      std::min<std::int64_t>(placement_.hosts, std::int64_t{block + blocks} * placement_.block_hosts));
  for (std::int32_t i = block; i < block + blocks; ++i)
    range.free += block_free_[static_cast<std::size_t>(i)];
  return range;
}

// Equal machines fit where there are as many places of their size, in whatever order they are put.
bool HostMap::fits_in(const Range& range, const Footprint& footprint) {
  const auto& [first, second] = footprint.groups;
  if (gpus_of(first) + gpus_of(second) > range.free) return false;
  for (const MachineGroup& group : footprint.groups) {
    if (group.machines > 0 && slots_in(range, group.gpus) < group.machines) return false;
  }
  if (first.machines == 0 || second.machines == 0) return true;
  const bool fit = put(range, footprint);
  take_off();
  return fit;
}

// How many machines of that size could stand there.
std::int64_t HostMap::slots_in(const Range& range, std::int32_t gpus) const {
  STOCKOUT_CHECK(gpus > 0, "a machine without GPUs on a host");
  std::int64_t slots = 0;
  if (range.end - range.first == placement_.hosts) {
    for (std::int32_t free = gpus; free <= placement_.host_gpus; ++free) {
      slots += hosts_with_[static_cast<std::size_t>(free)] * (free / gpus);
    }
    return slots;
  }
  for (std::int32_t host = range.first; host < range.end; ++host) slots += free_on(host) / gpus;
  return slots;
}

// Puts the machines on the map, one by one; trial_ says where. False if one finds no host.
bool HostMap::put(const Range& range, const Footprint& footprint) {
  trial_.clear();
  for (const MachineGroup& group : footprint.groups) {
    for (std::int32_t i = 0; i < group.machines; ++i) {
      const std::int32_t host = find_host(range, group.gpus);
      if (host < 0) return false;
      set_free(host, free_on(host) - group.gpus);
      trial_.push_back({.host = host, .gpus = group.gpus});
    }
  }
  return true;
}

void HostMap::take_off() { give(trial_); }

// The host for a machine of that size; -1 if there is none.
std::int32_t HostMap::find_host(const Range& range, std::int32_t gpus) const {
  const auto first_with = [&](std::int32_t free) {
    const std::size_t host =
        with_free_[static_cast<std::size_t>(free)].next(static_cast<std::size_t>(range.first));
    return host < static_cast<std::size_t>(range.end) ? static_cast<std::int32_t>(host) : -1;
  };
  const bool most_first = placement_.fill == Fill::worst_fit;
  std::int32_t found = -1;
  for (std::int32_t i = 0; i <= placement_.host_gpus - gpus; ++i) {
    const std::int32_t host = first_with(most_first ? placement_.host_gpus - i : gpus + i);
    if (host < 0) continue;
    if (placement_.fill != Fill::first_fit) return host;
    if (found < 0 || host < found) found = host;
  }
  return found;
}

void HostMap::set_free(std::int32_t host, std::int32_t gpus) {
  STOCKOUT_CHECK(gpus >= 0 && gpus <= placement_.host_gpus,
                 "more on a host than it holds, or less than nothing");
  const auto number = static_cast<std::size_t>(host);
  const std::int32_t before = free_[number];
  with_free_[static_cast<std::size_t>(before)].erase(number);
  with_free_[static_cast<std::size_t>(gpus)].insert(number);
  --hosts_with_[static_cast<std::size_t>(before)];
  ++hosts_with_[static_cast<std::size_t>(gpus)];
  free_[number] = static_cast<std::uint8_t>(gpus);
  free_gpus_ += gpus - before;
  block_free_[static_cast<std::size_t>(host / placement_.block_hosts)] += gpus - before;
  const auto stranded = [&](std::int32_t free) { return free < placement_.host_gpus ? free : 0; };
  stranded_ += stranded(gpus) - stranded(before);
}

}  // namespace stockout
