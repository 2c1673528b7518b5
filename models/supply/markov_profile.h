#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/supply/availability.h"
#include "models/supply/capacity_steps.h"
#include "sim/core/time.h"

namespace stockout {

inline constexpr std::size_t kMostLevels = 64;
inline constexpr SimDuration kLeastTick = std::chrono::seconds{10};
inline constexpr SimDuration kMostTick = std::chrono::hours{24};

/// The capacity of a zone as a Markov chain: fitted to a measured series, or written by hand. What a profile
/// file holds.
///
/// From one tick to the next the chain goes from state i to state j with probability p(i, j). A state is a
/// level, or, in a hidden chain, shows levels at random. With `upward`,
/// in hour h of the day (UTC) that is p(i, j) exp(upward[h] sign(j - i)), divided by the sum of these over j:
/// the odds of a move up, against staying, are exp(upward[h]) times their own, those of a move down are
/// divided by it.
struct MarkovProfile {
  std::string source;                  // where it is from, for people
  std::int32_t cap = 0;                // how many machines were asked for each time; at least 1
  SimDuration tick{};                  // from kLeastTick to kMostTick
  std::vector<std::int32_t> machines;  // of each level: rising, from 0 to the cap, at most kMostLevels
  std::vector<std::vector<double>> transitions;  // a row for each state; each row sums to 1
  std::vector<double> upward;                    // log-odds by hour: 24, or none

  /// Of a hidden chain: for each state the probabilities of the levels that it shows, drawn anew at each
  /// tick; each row sums to 1. None: each state is a level. A hidden chain has no `upward`.
  std::vector<std::vector<double>> shows;

  /// Of a hidden chain, or none: shares of the states after the last value fitted to.
  std::vector<double> now;

  [[nodiscard]] bool is_hidden() const { return !shows.empty(); }
};

/// A chain with its rows worked out for every hour; from state to state. `hours` is 24, or 1 where the hour
/// does not matter.
class MarkovChain {
 public:
  explicit MarkovChain(const MarkovProfile& profile);

  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::size_t hours() const { return rows_.size() / (states_ * states_); }

  /// Probabilities of the next state; `hour` from 0 to 23.
  [[nodiscard]] std::span<const double> row(std::size_t hour, std::size_t from) const;

  /// Shares of the states one tick later.
  [[nodiscard]] std::vector<double> step(std::span<const double> shares, std::size_t hour) const;

  /// Shares of the levels that states of these shares show.
  [[nodiscard]] std::vector<double> shown(std::span<const double> shares) const;

  /// Probability that a state shows a level.
  [[nodiscard]] double shows(std::size_t state, std::size_t level) const;

  /// Shares of the states in the long run, begun from all states alike; without regard to the hour.
  [[nodiscard]] std::vector<double> long_run() const;

  /// The same at a time of day: `since_midnight` UTC, for ticks of this length.
  [[nodiscard]] std::vector<double> long_run_at(SimDuration since_midnight, SimDuration tick) const;

 private:
  std::size_t states_;
  std::vector<double> base_;  // without the hours
  std::vector<double> rows_;  // [hour][from][to]
  std::size_t levels_;
  std::vector<double> shows_;  // [state][level]; none: a state is a level
};

/// Where a path begins.
enum class ChainStart : std::uint8_t {
  long_run,  // as often as in the long run at that hour
  now,       // as the zone was after the last value fitted to
};
inline constexpr std::array<std::string_view, 2> kChainStartNames{"long_run", "now"};

/// Whose draws a path is made of, what it shares with others, and where it begins. See MarkovCapacity.
struct ChainDraws {
  std::string zone;
  std::string group;
  double rho = 0;
  ChainStart start = ChainStart::long_run;  // `now` requires MarkovProfile::now
};

/// The profile as capacity over [span.begin, for ever); `classes` is left to the caller. Levels become GPUs
/// as values of a measured series do; `rules.holes` and `rules.shift` do not matter. Throws InputError,
/// naming `file`, for rules that do not fit.
[[nodiscard]] CapacitySource to_capacity(const MarkovProfile& profile, const std::string& file,
                                         const CapacityRules& rules, const CapacitySpan& span,
                                         const ChainDraws& draws);

}  // namespace stockout
