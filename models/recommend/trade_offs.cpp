#include "models/recommend/trade_offs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stockout {

namespace {

bool may_flip(const Recommendation& found, const PurchaseStanding& other) {
  return other.standing.kind == CandidateStanding::Kind::dearer && other.more && meets_all(found, other);
}

}  // namespace

std::vector<PurchaseFlip> price_flips(const Recommendation& found) {
  std::vector<PurchaseFlip> flips;
  const auto size = [](const PurchaseFlip& flip) { return std::abs(std::log(flip.factor)); };
  for (std::size_t model = 0; model < kWaysToBuy.size(); ++model) {
    std::optional<PurchaseFlip> nearest;
    for (std::size_t i = 0; i < found.standings.size(); ++i) {
      const PurchaseStanding& other = found.standings[i];
      if (!may_flip(found, other) || other.more->by_model[model] == 0) continue;
      const PurchaseFlip flip{.model = static_cast<PriceModel>(model),
                              .factor = 1 - other.more->in_all.mean / other.more->by_model[model],
                              .standing = i};
      const bool is_near = flip.factor >= 1 / kFarthestFlip && flip.factor <= kFarthestFlip;
      if (is_near && (!nearest || size(flip) < size(*nearest))) nearest = flip;
    }
    if (nearest) flips.push_back(*nearest);
  }
  std::ranges::sort(flips, {}, size);
  return flips;
}

std::optional<double> months_to_break_even(const Recommendation& found, const Purchases& purchases,
                                           const PurchaseStanding& one) {
  const auto commits = [&](const PurchaseStanding& of) {
    return purchases.all()[of.purchase].term > SimDuration::zero();
  };
  if (!commits(one)) return std::nullopt;
  const PurchaseStanding* other = nullptr;
  for (const PurchaseStanding& of : found.standings) {
    if (commits(of) || !meets_all(found, of)) continue;
    if (other == nullptr || of.cost.mean < other->cost.mean) other = &of;
  }
  if (other == nullptr) return std::nullopt;
  const World& world = purchases.scenario(purchases.all()[one.purchase]).world;
  constexpr double kMonthMs = 365.0 / 12 * 86'400'000;
  const double months = static_cast<double>((world.window_end - kStart).count()) / kMonthMs;
  const double committed = one.means[Measure::cost_cud_1y].mean + one.means[Measure::cost_cud_3y].mean;
  const double saved_a_month = (other->cost.mean - (one.cost.mean - committed)) / months;
  if (saved_a_month <= 0) return std::numeric_limits<double>::infinity();
  return one.means[Measure::commitment].mean / saved_a_month;
}

bool is_on_front(const Recommendation& found, const PurchaseStanding& one) {
  const auto margin = [&](const PurchaseStanding& of, std::size_t goal) {
    return of.goals[goal] ? found.goals[goal].goal.margin(of.goals[goal]->mean) : 0;
  };
  return std::ranges::none_of(found.standings, [&](const PurchaseStanding& other) {
    bool is_better = other.cost.mean < one.cost.mean;
    bool is_as_good = other.cost.mean <= one.cost.mean;
    for (std::size_t i = 0; i < found.goals.size(); ++i) {
      is_as_good = is_as_good && margin(other, i) >= margin(one, i);
      is_better = is_better || margin(other, i) > margin(one, i);
    }
    return is_as_good && is_better;
  });
}

bool is_as_good(const Recommendation& found, const PurchaseStanding& one) {
  return one.standing.meets_all && one.more && one.more->in_all.high() <= found.indifference_usd;
}

void call_as_good(Recommendation& found) {
  if (found.kind != Recommendation::Kind::recommended) return;
  for (PurchaseStanding& one : found.standings) {
    CandidateStanding::Kind& kind = one.standing.kind;
    if (kind == CandidateStanding::Kind::dearer && is_as_good(found, one))
      kind = CandidateStanding::Kind::as_good;
  }
}

bool meets_all(const Recommendation& found, const PurchaseStanding& one) {
  for (std::size_t i = 0; i < found.goals.size(); ++i) {
    if (one.goals[i] && found.goals[i].goal.margin(one.goals[i]->mean) < 0) return false;
  }
  return true;
}

}  // namespace stockout
