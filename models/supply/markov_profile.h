#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/supply/availability.h"
#include "sim/core/time.h"

namespace stockout {

inline constexpr std::size_t kMostLevels = 64;
inline constexpr SimDuration kLeastTick = std::chrono::seconds{10};
inline constexpr SimDuration kMostTick = std::chrono::hours{24};

/// The capacity of a zone as a Markov chain: fitted to a measured series, or written by hand. What a profile
/// file holds.
///
/// From one tick to the next the chain goes from level i to level j with probability p(i, j). With `upward`,
/// in hour h of the day (UTC) that is p(i, j) exp(upward[h] sign(j - i)), divided by the sum of these over j:
/// the odds of a move up, against staying, are exp(upward[h]) times their own, those of a move down are
/// divided by it.
struct MarkovProfile {
  std::string source;                  // where it is from, for people
  std::int32_t cap = 0;                // how many machines were asked for each time; at least 1
  SimDuration tick{};                  // from kLeastTick to kMostTick
  std::vector<std::int32_t> machines;  // of each level: rising, from 0 to the cap, at most kMostLevels
  std::vector<std::vector<double>> transitions;  // a row for each level; each row sums to 1
  std::vector<double> upward;                    // log-odds by hour: 24, or none
};

/// A chain with its rows worked out for every hour. `hours` is 24, or 1 where the hour does not matter.
class MarkovChain {
 public:
  explicit MarkovChain(const MarkovProfile& profile);

  [[nodiscard]] std::size_t levels() const { return levels_; }
  [[nodiscard]] std::size_t hours() const { return rows_.size() / (levels_ * levels_); }

  /// Probabilities of the next level; `hour` from 0 to 23.
  [[nodiscard]] std::span<const double> row(std::size_t hour, std::size_t from) const;

  /// Shares of the levels one tick later.
  [[nodiscard]] std::vector<double> step(std::span<const double> shares, std::size_t hour) const;

  /// Shares of the levels in the long run, begun from all levels alike; without regard to the hour.
  [[nodiscard]] std::vector<double> long_run() const;

  /// The same at a time of day: `since_midnight` UTC, for ticks of this length.
  [[nodiscard]] std::vector<double> long_run_at(SimDuration since_midnight, SimDuration tick) const;

 private:
  std::size_t levels_;
  std::vector<double> base_;  // without the hours
  std::vector<double> rows_;  // [hour][from][to]
};

/// Whose draws a path is made of, and what it shares with others. See MarkovCapacity.
struct ChainDraws {
  std::string zone;
  std::string group;
  double rho = 0;
};

/// The profile as capacity over [span.begin, for ever); `classes` is left to the caller. Levels become GPUs
/// as values of a measured series do; `rules.holes` and `rules.shift` do not matter. Throws InputError,
/// naming `file`, for rules that do not fit.
[[nodiscard]] CapacitySource to_capacity(const MarkovProfile& profile, const std::string& file,
                                         const CapacityRules& rules, const CapacitySpan& span,
                                         const ChainDraws& draws);

}  // namespace stockout
