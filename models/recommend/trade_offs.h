#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/recommend/recommendation.h"

namespace stockout {

inline constexpr double kFarthestFlip = 100;

/// A price at which a dearer purchase that meets the goals costs what the best does.
struct PurchaseFlip {
  PriceModel model{};
  double factor = 1;         // times that price; all others, waits and use stay as they are
  std::size_t standing = 0;  // place in Recommendation::standings
};

/// For each price model the least change after which the best is the cheapest no more, the nearest first. The
/// size of a change is |ln factor|. Models of which no change does that are left out, as are changes to more
/// than kFarthestFlip times, or less than that part, of the price. The other meets the goals, on average if
/// CandidateStanding::meets_all does not say that it is sure. Purchases within the indifference count as
/// equal already, and change nothing.
[[nodiscard]] std::vector<PurchaseFlip> price_flips(const Recommendation& found);

/// How many months of the window's demand it takes until what a purchase is obliged to is less than what it
/// saves against the cheapest purchase without a commitment that meets the goals. None without a commitment
/// or without such another; infinite if it never is.
[[nodiscard]] std::optional<double> months_to_break_even(const Recommendation& found,
                                                         const Purchases& purchases,
                                                         const PurchaseStanding& one);

/// Whether no other purchase is as cheap, and as far above each goal, and better in one of them.
[[nodiscard]] bool is_on_front(const Recommendation& found, const PurchaseStanding& one);

/// Whether a purchase is known to be as good as the best: it meets all goals, and costs at most the
/// indifference more, by a 95 % interval of the difference.
[[nodiscard]] bool is_as_good(const Recommendation& found, const PurchaseStanding& one);

/// Calls dearer purchases as good that are known to be: what is surely no cheaper may cost the same.
void call_as_good(Recommendation& found);

/// Whether each goal is met on average over the purchase's own replications.
[[nodiscard]] bool meets_all(const Recommendation& found, const PurchaseStanding& one);

}  // namespace stockout
