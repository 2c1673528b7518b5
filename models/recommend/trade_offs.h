#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/recommend/recommendation.h"

namespace stockout {

/// A price at which a dearer purchase that meets the goals costs what the best does.
struct PurchaseFlip {
  PriceModel model{};
  double factor = 1;         // times that price; all others, waits and use stay as they are
  std::size_t standing = 0;  // place in Recommendation::standings
};

/// For each price model the least change after which the best is the cheapest no more, the nearest first. The
/// size of a change is |ln factor|. Models of which no change does that are left out. Purchases within the
/// indifference count as equal already, and change nothing.
[[nodiscard]] std::vector<PurchaseFlip> price_flips(const Recommendation& found);

/// How many months of the window's demand it takes until what a purchase is obliged to is less than what it
/// saves against the cheapest purchase without a commitment that meets the goals. None without a commitment
/// or without such another; infinite if it never is.
[[nodiscard]] std::optional<double> months_to_break_even(const Recommendation& found,
                                                         const Purchases& purchases,
                                                         const PurchaseStanding& one);

/// Whether no other purchase is as cheap, and as far above each goal, and better in one of them.
[[nodiscard]] bool is_on_front(const Recommendation& found, const PurchaseStanding& one);

/// Whether each goal is met on average over the purchase's own replications.
[[nodiscard]] bool meets_all(const Recommendation& found, const PurchaseStanding& one);

}  // namespace stockout
