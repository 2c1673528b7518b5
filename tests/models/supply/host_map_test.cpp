// Where machines go: HostMap against the rule of models/simulation/README.md (section 4), said as plainly as
// possible; and by hand.

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/supply/host_map.h"

using namespace stockout;

namespace {

using Free = std::vector<std::int32_t>;  // by host

struct Hosts {
  std::int32_t first;
  std::int32_t end;
};

std::optional<std::int32_t> host_by_rule(const Free& free, Hosts hosts, std::int32_t gpus, Fill fill) {
  std::optional<std::int32_t> best;
  for (std::int32_t host = hosts.first; host < hosts.end; ++host) {
    const std::int32_t here = free[static_cast<std::size_t>(host)];
    if (here < gpus) continue;
    const std::int32_t there = best ? free[static_cast<std::size_t>(*best)] : 0;
    if (!best || (fill == Fill::best_fit && here < there) || (fill == Fill::worst_fit && here > there))
      best = host;
  }
  return best;
}

std::optional<Free> put_by_rule(Free free, Hosts hosts, const Footprint& footprint, Fill fill) {
  for (const MachineGroup& group : footprint.groups) {
    for (std::int32_t i = 0; i < group.machines; ++i) {
      const auto host = host_by_rule(free, hosts, group.gpus, fill);
      if (!host) return std::nullopt;
      free[static_cast<std::size_t>(*host)] -= group.gpus;
    }
  }
  return free;
}

std::optional<Free> place_in_blocks(const Free& free, const Footprint& footprint, const Placement& rule,
                                    std::int32_t blocks) {
  std::optional<Free> placed;
  std::int32_t least = 0;
  for (std::int32_t first = 0; first < rule.hosts; first += rule.block_hosts) {
    if (first > 0 && first + (blocks - 1) * rule.block_hosts >= rule.hosts) break;
    const Hosts hosts{.first = first, .end = std::min(rule.hosts, first + blocks * rule.block_hosts)};
    const std::int32_t in_all = std::accumulate(free.begin() + hosts.first, free.begin() + hosts.end, 0);
    const auto here = put_by_rule(free, hosts, footprint, rule.fill);
    if (here && (!placed || in_all < least)) {
      placed = here;
      least = in_all;
    }
  }
  return placed;
}

/// Free room afterwards, or nothing if it does not fit.
std::optional<Free> place_by_rule(const Free& free, const Footprint& footprint, const Placement& rule) {
  if (footprint.compact == Compact::no) {
    return put_by_rule(free, {.first = 0, .end = rule.hosts}, footprint, rule.fill);
  }
  auto placed = place_in_blocks(free, footprint, rule, 1);
  if (placed || footprint.compact == Compact::block) return placed;
  return place_in_blocks(free, footprint, rule, 2);
}

Free free_of(const HostMap& map, const Placement& rule) {
  Free free;
  for (std::int32_t host = 0; host < rule.hosts; ++host) free.push_back(map.free_on(host));
  return free;
}

Footprint machines(std::int32_t count, std::int32_t gpus, Compact compact = Compact::no) {
  return {.groups = {MachineGroup{.machines = count, .gpus = gpus}, MachineGroup{}}, .compact = compact};
}

std::vector<HostShare> placed(HostMap& map, const Footprint& footprint) {
  std::vector<HostShare> shares;
  if (map.place(footprint, shares)) map.take(shares);
  return shares;
}

}  // namespace

TEST_CASE("Machines go where the rule says, on maps at random", "[supply]") {
  const auto fill = GENERATE(Fill::best_fit, Fill::first_fit, Fill::worst_fit);
  const auto seed = GENERATE(range(0U, 40U));
  std::mt19937 random{seed * 3 + static_cast<unsigned>(fill)};
  const auto up_to = [&](unsigned most) { return static_cast<std::int32_t>(random() % most) + 1; };
  const Placement rule{.hosts = up_to(100), .host_gpus = up_to(16), .block_hosts = up_to(12), .fill = fill};
  HostMap map{rule};
  std::vector<std::vector<HostShare>> leases;
  for (int step = 0; step < 150; ++step) {
    if (!leases.empty() && random() % 3 == 0) {
      std::swap(leases[random() % leases.size()], leases.back());
      map.give(leases.back());
      leases.pop_back();
      continue;
    }
    Footprint footprint = machines(up_to(9), up_to(16), static_cast<Compact>(random() % 3));
    if (random() % 3 == 0) footprint.groups[1] = {.machines = up_to(3), .gpus = up_to(16)};
    const Free before = free_of(map, rule);
    const auto expected = place_by_rule(before, footprint, rule);
    std::vector<HostShare> shares;
    REQUIRE(map.fits(footprint) == expected.has_value());
    REQUIRE(map.place(footprint, shares) == expected.has_value());
    REQUIRE(free_of(map, rule) == before);
    if (!expected) continue;
    REQUIRE(std::ranges::is_sorted(shares, std::ranges::less{}, &HostShare::host));
    map.take(shares);
    REQUIRE(free_of(map, rule) == *expected);
    leases.push_back(shares);
    REQUIRE(map.free_gpus().count() == std::accumulate(expected->begin(), expected->end(), 0));
    const auto on_used = [&](std::int32_t sum, std::int32_t free) {
      return free < rule.host_gpus ? sum + free : sum;
    };
    REQUIRE(map.stranded_gpus().count() == std::accumulate(expected->begin(), expected->end(), 0, on_used));
  }
}

TEST_CASE("Best fit fills the fullest host, worst fit the emptiest, ties the lowest number", "[supply]") {
  const auto fill = GENERATE(Fill::best_fit, Fill::first_fit, Fill::worst_fit);
  HostMap map{{.hosts = 3, .host_gpus = 8, .block_hosts = 3, .fill = fill}};
  std::vector<std::int32_t> went;
  // Then 2, 3 and 8 are free (best and first fit), or 6, 4 and 3 (worst fit).
  for (const std::int32_t gpus : {2, 4, 5}) went.push_back(placed(map, machines(1, gpus)).front().host);
  if (fill == Fill::best_fit) CHECK(went == std::vector{0, 0, 1});
  if (fill == Fill::first_fit) CHECK(went == std::vector{0, 0, 1});
  if (fill == Fill::worst_fit) CHECK(went == std::vector{0, 1, 2});
  const std::int32_t last = placed(map, machines(1, 3)).front().host;
  if (fill == Fill::best_fit) CHECK(last == 1);   // exactly 3 free there
  if (fill == Fill::first_fit) CHECK(last == 1);  // 2 free on host 0
  if (fill == Fill::worst_fit) CHECK(last == 0);  // 6 free there
}

TEST_CASE("A compact gang is placed in the fullest block in which it fits", "[supply]") {
  HostMap map{{.hosts = 6, .host_gpus = 8, .block_hosts = 2, .fill = Fill::best_fit}};
  CHECK(placed(map, machines(1, 8)) == std::vector<HostShare>{{.host = 0, .gpus = 8}});
  CHECK(placed(map, machines(1, 8, Compact::block)) == std::vector<HostShare>{{.host = 1, .gpus = 8}});
  map.give(std::vector<HostShare>{{.host = 1, .gpus = 8}});
  // Free: 1 host in block 0, 2 in each of the others.
  CHECK(placed(map, machines(2, 8, Compact::block)) ==
        std::vector<HostShare>{{.host = 2, .gpus = 8}, {.host = 3, .gpus = 8}});
  map.give(std::vector<HostShare>{{.host = 3, .gpus = 8}});
  // Now 1, 1 and 2: three machines fit no block; blocks 0 and 1 hold only two, 1 and 2 three.
  CHECK_FALSE(map.fits(machines(3, 8, Compact::block)));
  CHECK(placed(map, machines(3, 8, Compact::neighbours)) ==
        std::vector<HostShare>{{.host = 3, .gpus = 8}, {.host = 4, .gpus = 8}, {.host = 5, .gpus = 8}});
}

TEST_CASE("A set of numbers finds the next one, across all its levels", "[supply]") {
  NumberSet set{300'000};
  CHECK(set.next(0) == NumberSet::kNone);
  for (const std::size_t number : {5U, 63U, 64U, 4'096U, 299'999U}) set.insert(number);
  CHECK(set.next(0) == 5);
  CHECK(set.next(6) == 63);
  CHECK(set.next(64) == 64);
  CHECK(set.next(65) == 4'096);
  CHECK(set.next(4'097) == 299'999);
  CHECK(set.next(300'000) == NumberSet::kNone);
  set.erase(4'096);
  CHECK(set.next(65) == 299'999);
  set.erase(299'999);
  CHECK(set.next(65) == NumberSet::kNone);
  set.insert(4'096);
  CHECK(set.next(65) == 4'096);
}
