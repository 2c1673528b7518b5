#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Capacity while the chain is at a level.
struct CapacityLevel {
  GpuCount gpus{};
  bool censored = false;  // the level is the cap of the probe, which means "at least"
};

/// Capacity that moves at random between levels, ready to be played: a Markov chain in ticks of one length,
/// whose odds of going up may depend on the hour of the day (UTC). Its states are the levels, or are hidden
/// and show a level that is drawn anew at each tick. Tick k is [k, k + 1) ticks after kStart. A path is a
/// function of (seed, replication, entity, group) alone: it is the same under every strategy, and adding a
/// zone changes no other's.
struct MarkovCapacity {
  std::vector<CapacityLevel> levels;  // rising, at least one
  SimDuration tick{};                 // greater than 0
  SimDuration day_phase{};            // UTC time of day at kStart
  std::vector<double> start;          // cumulative: the share of the states up to this one at the begin
  std::vector<double> rows;           // cumulative rows [hour][from][to] of 1 or 24 hours
  std::vector<double> shows;          // cumulative rows [state][level]; none: a state is a level
  std::uint64_t entity = 0;           // whose draws they are: entity_of() of the zone
  std::uint64_t group = 0;            // of the factor it shares with others; not used if rho is 0
  double rho = 0;                     // from 0 to 1: correlation, between zones of the group, of the normal
                                      // numbers behind their draws (a Gaussian copula)

  [[nodiscard]] std::span<const double> row(std::size_t hour, std::size_t from) const;
  [[nodiscard]] std::size_t states() const { return start.size(); }
  [[nodiscard]] std::size_t hours() const { return rows.size() / (states() * states()); }
};

/// The hour of the day, from 0 to 23, of which a time is `since_midnight` away (any number of days).
[[nodiscard]] std::size_t hour_of_day(SimDuration since_midnight);

/// The number of a name in the key of a draw: 64-bit FNV-1a. (G. Fowler, L. C. Noll, K.-P. Vo, 1991.)
[[nodiscard]] std::uint64_t entity_of(std::string_view name);

}  // namespace stockout
