#include "models/bound/lower_bound.h"

#include <algorithm>
#include <limits>
#include <set>

#include "models/bound/flow_bound.h"

namespace stockout {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The rounding of doubles: that share is taken off, so that it cannot lift a bound above what it bounds.
constexpr double kRounding = 1e-9;

double price_at(const Way& way, SimTime at) {
  const auto after = std::ranges::upper_bound(way.price, at, {}, &PricePiece::from);
  return (after == way.price.begin() ? after : std::prev(after))->usd;
}

/// The least price of all ways of a kind, over time.
class CheapestPrice {
 public:
  explicit CheapestPrice(const KindOffers& kind) {
    std::set<SimTime> times;
    for (const Way& way : kind.ways)
      for (const PricePiece& piece : way.price) times.insert(piece.from);
    for (const SimTime at : times) {
      double usd = kInfinity;
      for (const Way& way : kind.ways) usd = std::min(usd, price_at(way, at));
      pieces_.push_back({.from = at, .usd = usd});
    }
    from_here_.resize(pieces_.size(), kInfinity);
    double least = kInfinity;
    for (std::size_t i = pieces_.size(); i-- > 0;) from_here_[i] = least = std::min(least, pieces_[i].usd);
  }

  [[nodiscard]] double between(SimTime from, SimTime to) const {
    const auto after = std::ranges::upper_bound(pieces_, from, {}, &PricePiece::from);
    std::size_t i = after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
    if (to == kNever) return from_here_[i];
    double least = pieces_[i].usd;
    for (++i; i < pieces_.size() && pieces_[i].from < to; ++i) least = std::min(least, pieces_[i].usd);
    return least;
  }

 private:
  std::vector<PricePiece> pieces_;
  std::vector<double> from_here_;  // the least from there on
};

// Nothing that there is only so much of is cheaper, and no time is cheaper than another.
bool is_always_cheapest(const KindOffers& kind) {
  double least = kInfinity;
  double most = 0;
  double unlimited = kInfinity;
  for (const Way& way : kind.ways) {
    for (const PricePiece& piece : way.price) {
      least = std::min(least, piece.usd);
      most = std::max(most, piece.usd);
    }
    if (way.resource == Way::kUnlimited && way.price.size() == 1)
      unlimited = std::min(unlimited, way.price.front().usd);
  }
  return unlimited <= least || most <= least;
}

}  // namespace

LowerBound lower_bound(const BoundMarket& market, const WorkToDo& work, SimTime horizon) {
  LowerBound bound{.usd = market.fixed_usd()};
  std::vector<CheapestPrice> cheapest;
  for (const KindOffers& kind : market.kinds()) cheapest.emplace_back(kind);
  double alone = 0;
  std::vector<bool> used(market.kinds().size());
  for (const JobToDo& job : work.jobs) {
    const KindOffers& kind = market.kinds()[job.kind];
    if (kind.ways.empty()) return {.usd = 0, .possible = false};
    used[job.kind] = true;
    bound.usd += kind.start_usd + kind.fee_usd;
    alone +=
        kind.gpus * static_cast<double>(job.work.count()) * cheapest[job.kind].between(job.submit, job.due);
  }
  bool is_simple = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    is_simple = is_simple && (!used[i] || is_always_cheapest(market.kinds()[i]));
  if (!is_simple) {
    const FlowBound flow = flow_bound(market, work, std::min(horizon, kStart + 2 * kLongestRun));
    if (!flow.possible) return {.usd = 0, .possible = false};
    alone = std::max(alone, flow.usd);
    bound.cell = flow.cell;
  }
  bound.usd = (bound.usd + alone) * (1 - kRounding);
  return bound;
}

}  // namespace stockout
