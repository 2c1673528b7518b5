#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "models/recommend/purchases.h"
#include "models/recommend/recommendation.h"

namespace stockout {

/// A part of a history: the scenario on its jobs alone, and what can be bought for them.
struct HistoryPart {
  const Scenario& written;  // in the world in the middle, if there are worlds
  const Purchases& purchases;
};

/// Question about an advice on the jobs before a split, paid on those after it. All of it outlives the call.
/// Both parts have the same decisions, strategies and worlds.
struct HindsightQuestion {
  const Scenario& whole;  // of both parts: how long a commitment may oblige follows from it
  HistoryPart before;
  HistoryPart after;
  const Purchases& as_written;  // the part after, with nothing to be decided
  std::size_t baseline = 0;     // the strategy of the world that is bought by as it is written
};

/// Result of a way to buy after the split.
struct PaidWay {
  Estimate cost;                               // USD, with the price of work that is not done
  double obligation = 0;                       // USD, of the whole terms that it begins
  std::vector<std::optional<Estimate>> goals;  // by Recommendation::goals of the part after
  std::vector<std::size_t> missed;             // of these: by more than their tolerance, or known to be
};

/// Worth of an advice on jobs that it did not know.
struct Hindsight {
  enum class Kind : std::uint8_t {
    nothing_advised,      // before the split no way meets the goals, or it is undecided
    not_for_sale,         // the advice is refused after the split
    misses_goal,          // it misses a goal there: no dollars make up for that
    nothing_meets_goals,  // it meets them by no more than the tolerance, and no way is sure to
    regret,               // it is known
  };
  static constexpr std::array<std::string_view, 5> kKindNames{"nothing_advised", "not_for_sale",
                                                              "misses_goal", "nothing_meets_goals", "regret"};

  Kind kind = Kind::nothing_advised;
  Recommendation advice;               // before the split
  std::optional<Recommendation> best;  // after it, in hindsight; none: nothing was advised
  std::optional<PaidWay> paid;         // by the advice; none also if it is not for sale after the split
  std::optional<PaidWay> best_paid;    // none also if nothing meets the goals after the split
  std::optional<PaidWay> baseline_paid;
  std::size_t replications = 0;     // of each of the three, on the same random numbers
  bool is_best = false;             // the advice is the best in hindsight
  std::optional<Estimate> regret;   // USD: the advice less the best; none if either misses a goal
  std::optional<Estimate> to_gain;  // USD: the baseline less the best
  std::optional<Estimate> gained;   // USD: the baseline less the advice; none if the advice misses a goal
  std::optional<Estimate>
      captured;               // the share of what could be gained; none where that may be as good as nothing
  std::size_t simulated = 0;  // runs
};

/// The advice before the split, the best after it, and how far the one is from the other there. `done` hears
/// how many runs were simulated, from any thread. Throws what recommend() throws.
[[nodiscard]] Hindsight look_back(const HindsightQuestion& question, const RecommendationRules& rules,
                                  const std::function<void(std::size_t)>& done = {});

/// The purchase that is the same way to buy among others of the same decisions; none if it is not there.
[[nodiscard]] std::optional<std::size_t> find_same(const Purchase& one, const Purchases& of,
                                                   const Purchases& among);

}  // namespace stockout
