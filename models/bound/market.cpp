#include "models/bound/market.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/billing/cost.h"
#include "models/billing/hour.h"
#include "models/measures/grouping.h"

namespace stockout {
namespace {

constexpr double kMsPerHourD = 3.6e6;

double usd_per_ms(MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9 / kMsPerHourD; }

double price_in_force(const PriceLine& line, SimTime at) {
  const auto after = std::ranges::upper_bound(line.steps, at, {}, &PriceStep::from);
  return usd_per_ms((after == line.steps.begin() ? after : std::prev(after))->contracted);
}

/// Machines of one line.
struct PricedPart {
  const PriceLine* line = nullptr;
  double machines = 0;
};

// What the parts cost together for each ms, plus a fee.
std::vector<PricePiece> prices_of(const std::vector<PricedPart>& parts, double fee) {
  std::set<SimTime> times{SimTime{SimDuration::min()}};
  for (const PricedPart& part : parts) {
    for (std::size_t i = 1; i < part.line->steps.size(); ++i) times.insert(part.line->steps[i].from);
  }
  std::vector<PricePiece> prices;
  for (const SimTime at : times) {
    double usd = fee;
    for (const PricedPart& part : parts) usd += part.machines * price_in_force(*part.line, at);
    if (prices.empty() || prices.back().usd != usd) prices.push_back({.from = at, .usd = usd});
  }
  return prices;
}

double cheapest(const std::vector<PricePiece>& prices) {
  return std::ranges::min_element(prices, {}, &PricePiece::usd)->usd;
}

bool is_chosen(const std::vector<bool>& chosen, std::size_t i) {
  return chosen.empty() || (i < chosen.size() && chosen[i]);
}

// Whether fewer machines may do the work.
bool is_partial(const Leg& leg, const Candidate& candidate) {
  return candidate.least > 0 && (leg.partial || leg.spreads(candidate));
}

// Those with fewer nodes with which Kueue may admit its jobs.
std::vector<ShapeId> reduced_shapes(const World& world, ShapeId shape) {
  std::vector<ShapeId> shapes;
  if (!world.kueue) return shapes;
  const auto& reduced = world.kueue->reduced;
  for (auto each = reduced.lower_bound({shape, 0}); each != reduced.end() && each->first.first == shape;
       ++each)
    shapes.push_back(each->second);
  return shapes;
}

// No draw of the law is shorter.
SimDuration shortest(const Law& law) {
  const bool has_least = law.kind == Law::Kind::constant || law.kind == Law::Kind::uniform;
  return has_least ? std::min(law.a, law.most) : SimDuration::zero();
}

}  // namespace

/// Fills a market.
class MarketBuilder {
 public:
  MarketBuilder(BoundMarket& market, const World& world, const BillTerms* terms, std::uint64_t replication,
                const MarketScope& scope, const std::vector<JobKind>& kinds)
      : market_{market},
        world_{world},
        terms_{terms},
        replication_{replication},
        scope_{scope},
        job_kinds_{kinds},
        places_{line_places(world)},
        covered_by_(world.price_lines.size(), Way::kUnlimited) {}

  void build() {
    add_coverage();
    add_fixed();
    for (const JobKind& kind : job_kinds_) market_.kinds_.push_back(kind_of(kind));
  }

 private:
  void add_coverage();
  void add_fixed();
  void add_held_as_in_run();
  [[nodiscard]] KindOffers kind_of(const JobKind& job_kind);
  void add_leg(KindOffers& kind, const Leg& leg, const JobKind& job_kind);
  void add_ways(KindOffers& kind, const Leg& leg, const Candidate& candidate, double fee);
  [[nodiscard]] std::vector<Way> ways_of(const Leg& leg, const Candidate& candidate, double per_unit,
                                         double fee);
  [[nodiscard]] std::vector<PricedPart> parts_of(const Candidate& candidate) const;
  void add_part(std::vector<PricedPart>& parts, PriceLineId line, double machines) const;
  [[nodiscard]] double fee_of(ClassId job_class, const Candidate& candidate) const;
  [[nodiscard]] bool is_paid_as_a_whole(PoolId pool) const;
  [[nodiscard]] bool is_possible(const Leg& leg, const Candidate& candidate) const;
  [[nodiscard]] std::size_t resource_of(const Leg& leg, PoolId pool);
  [[nodiscard]] std::size_t held_resource(PoolId pool);
  [[nodiscard]] SimDuration longest_overstay(PoolId pool, const CapacitySource& source) const;
  [[nodiscard]] bool all_pay(const OtherCost& cost) const {
    return std::ranges::all_of(scope_.strategies,
                               [&](std::size_t s) { return is_chosen(cost.strategies, s); });
  }
  BoundMarket& market_;
  const World& world_;
  const BillTerms* terms_;
  std::uint64_t replication_;
  const MarketScope& scope_;
  const std::vector<JobKind>& job_kinds_;
  std::vector<LinePlace> places_;
  std::vector<std::size_t> covered_by_;                                  // by price line: the resource
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> resource_;  // by pool and source
};

void MarketBuilder::add_coverage() {
  if (terms_ == nullptr) return;
  for (const Coverage& coverage : terms_->coverage) {
    for (const PriceLineId line : coverage.lines) covered_by_[index(line)] = market_.resources_.size();
    market_.resources_.push_back(Resource::of_coverage(*terms_, coverage));
  }
}

void MarketBuilder::add_fixed() {
  if (scope_.run != nullptr) add_held_as_in_run();
  if (terms_ == nullptr) return;
  for (const Commitment& commitment : terms_->commitments)
    market_.fixed_usd_ += cost_between(commitment, kStart, world_.window_end).contracted.to_usd();
  for (const OtherCost& cost : terms_->other) {
    if (!all_pay(cost)) continue;
    const double usd = usd_per_ms(cost.price) * kMsPerHourD;
    if (cost.unit == CostUnit::once) market_.fixed_usd_ += usd;
    if (cost.unit == CostUnit::hour)
      market_.fixed_usd_ +=
          usd_per_ms(cost.price) * static_cast<double>((world_.window_end - kStart).count());
  }
}

void MarketBuilder::add_held_as_in_run() {
  for (const UsageKey& key : scope_.run->usage.keys()) {
    const PriceLine& line = world_.price_lines[index(key.line)];
    if (line.charge == Charge::held && is_paid_as_a_whole(places_[index(key.line)].pool))
      market_.fixed_usd_ += cost_of(line, scope_.run->usage.hours(key)).contracted.to_usd();
  }
}

// What grows and shrinks is paid by use, and what commitments cover is not paid at all.
bool MarketBuilder::is_paid_as_a_whole(PoolId pool) const {
  const HeldPool& held = world_.held_pool(pool);
  return scope_.run != nullptr && !held.scaling && covered_by_[index(held.line)] == Way::kUnlimited;
}

KindOffers MarketBuilder::kind_of(const JobKind& job_kind) {
  KindOffers kind{.ways = {},
                  .gpus = static_cast<double>(world_.shapes[index(job_kind.shape)].gpus().count())};
  for (const std::size_t strategy : scope_.strategies) {
    for (const Leg& leg : world_.strategies[strategy].legs) {
      add_leg(kind, leg, job_kind);
      for (const ShapeId fewer : reduced_shapes(world_, job_kind.shape))
        add_leg(kind, leg, {.shape = fewer, .job_class = job_kind.job_class});
    }
  }
  if (terms_ == nullptr) return kind;
  for (const OtherCost& cost : terms_->other) {
    if (cost.unit == CostUnit::job && all_pay(cost) && is_chosen(cost.classes, index(job_kind.job_class)))
      kind.fee_usd += usd_per_ms(cost.price) * kMsPerHourD;
  }
  return kind;
}

void MarketBuilder::add_leg(KindOffers& kind, const Leg& leg, const JobKind& job_kind) {
  if (!leg.open_to(job_kind.job_class) || index(job_kind.shape) >= leg.candidates.size()) return;
  for (const Candidate& candidate : leg.candidates[index(job_kind.shape)]) {
    if (is_possible(leg, candidate)) add_ways(kind, leg, candidate, fee_of(job_kind.job_class, candidate));
  }
}

bool MarketBuilder::is_possible(const Leg& leg, const Candidate& candidate) const {
  if (!is_partial(leg, candidate) && leg.policy.machines_max > 0 &&
      candidate.machines() > leg.policy.machines_max && !leg.policy.held)
    return false;
  if (!world_.is_held(candidate.pool)) return true;
  if (candidate.gpus > world_.held_pool(candidate.pool).gpus) return false;
  return scope_.run == nullptr ||
         scope_.run->held_since[index(candidate.pool) - world_.pools.size()] != kNever;
}

double MarketBuilder::fee_of(ClassId job_class, const Candidate& candidate) const {
  if (terms_ == nullptr) return 0;
  double gpus = 0;
  for (const Part& part : candidate.parts) {
    if (part.machines > 0) gpus += static_cast<double>(part.gpus) * part.machines;
  }
  double fee = 0;
  for (const OtherCost& cost : terms_->other) {
    if (cost.unit == CostUnit::gpu_hour && all_pay(cost) && is_chosen(cost.classes, index(job_class)))
      fee += gpus * usd_per_ms(cost.price);
  }
  return fee;
}

// The machines, unless they are held anyway, and the management fee for their use.
void MarketBuilder::add_part(std::vector<PricedPart>& parts, PriceLineId id, double machines) const {
  const auto add = [&](const PriceLine& line) {
    if (line.charge != Charge::sublet) parts.push_back({.line = &line, .machines = machines});
  };
  const PriceLine& line = world_.price_lines[index(id)];
  add(line);
  if (line.fee) add(world_.price_lines[index(*line.fee)]);
}

// A job's share of held machines is paid at the price of the machines, unless they are paid as a whole.
std::vector<PricedPart> MarketBuilder::parts_of(const Candidate& candidate) const {
  std::vector<PricedPart> parts;
  if (world_.is_held(candidate.pool) && !is_paid_as_a_whole(candidate.pool)) {
    const HeldPool& held = world_.held_pool(candidate.pool);
    add_part(parts, held.line,
             static_cast<double>(candidate.gpus.count()) / static_cast<double>(held.machine_gpus().count()));
  }
  for (const Part& part : candidate.parts) {
    if (part.machines > 0) add_part(parts, part.line.value(), static_cast<double>(part.machines));
  }
  return parts;
}

void MarketBuilder::add_ways(KindOffers& kind, const Leg& leg, const Candidate& candidate, double fee) {
  const bool partial = is_partial(leg, candidate);
  // The rate of a part of n machines is rounded down, but never to nothing: one may do more than its share.
  const double rate = partial
                          ? std::max<double>(candidate.rate_ppm, static_cast<double>(candidate.machines()))
                          : static_cast<double>(candidate.rate_ppm);
  const double speed = rate / kReferenceRate;
  const double per_unit = 1 / (kind.gpus * speed);  // ms on all of its machines
  std::vector<Way> ways = ways_of(leg, candidate, per_unit, fee);

  const SimDuration start = shortest(leg.policy.start_up) + leg.policy.health.takes;
  const double start_ms = partial ? 0 : static_cast<double>(start.count());
  double start_usd = kind.ways.empty() ? std::numeric_limits<double>::infinity() : kind.start_usd;
  for (Way& way : ways) {
    start_usd = std::min(start_usd, cheapest(way.price) * start_ms);
    for (PricePiece& piece : way.price) piece.usd *= per_unit;
  }
  kind.start_usd = start_usd;
  kind.speed = std::max(kind.speed, speed);
  for (Way& way : ways) {
    if (std::ranges::find(kind.ways, way) == kind.ways.end()) kind.ways.push_back(std::move(way));
  }
}

// With what each ms on all machines costs.
std::vector<Way> MarketBuilder::ways_of(const Leg& leg, const Candidate& candidate, double per_unit,
                                        double fee) {
  const auto coverage_of = [&](const PricedPart& part) {
    return covered_by_[static_cast<std::size_t>(part.line - world_.price_lines.data())];
  };
  const std::vector<PricedPart> parts = parts_of(candidate);
  std::vector<PricedPart> paid = parts;
  std::erase_if(paid, [&](const PricedPart& part) { return coverage_of(part) != Way::kUnlimited; });

  const std::size_t resource = resource_of(leg, candidate.pool);
  const bool may_be_less = is_partial(leg, candidate) || leg.spreads(candidate);  // than all of it, there
  const std::int64_t least = candidate.gpus.count() / (may_be_less ? candidate.machines() : 1);
  const bool always = resource == Way::kUnlimited || market_.resources_[resource].least_if_any() >= least;
  std::vector<Way> ways{{.resource = resource,
                         .takes = static_cast<double>(candidate.gpus.count()) * per_unit,
                         .least = always ? 0 : least,
                         .price = prices_of(parts, fee)}};
  if (world_.is_held(candidate.pool) && world_.hold_end == HoldEnd::last_start) {
    std::vector<PricePiece>& price = ways.front().price;
    std::erase_if(price, [&](const PricePiece& piece) { return piece.from >= scope_.last_submit; });
    price.push_back({.from = scope_.last_submit, .usd = fee});
  }
  for (const PricedPart& part : parts) {
    if (coverage_of(part) == Way::kUnlimited) continue;
    ways.push_back({.resource = coverage_of(part),
                    .takes = part.machines * per_unit,
                    .least = 0,
                    .price = prices_of(paid, fee)});
  }
  return ways;
}

std::size_t MarketBuilder::resource_of(const Leg& leg, PoolId id) {
  if (world_.is_held(id)) return held_resource(id);
  const Pool& pool = world_.pool(id);
  const auto lease_class = static_cast<std::size_t>(leg.policy.lease_class);
  const auto source = std::ranges::find_if(
      pool.capacity, [&](const CapacitySource& capacity) { return capacity.classes[lease_class]; });
  if (source == pool.capacity.end()) return Way::kUnlimited;
  const auto number = static_cast<std::size_t>(source - pool.capacity.begin());
  const auto [place, is_new] = resource_.try_emplace({index(id), number}, market_.resources_.size());
  if (is_new)
    market_.resources_.push_back(
        Resource::of_source(world_, *source, replication_, longest_overstay(id, *source)));
  return place->second;
}

std::size_t MarketBuilder::held_resource(PoolId id) {
  const auto [place, is_new] = resource_.try_emplace({index(id), 0}, market_.resources_.size());
  if (!is_new) return place->second;
  const HeldPool& held = world_.held_pool(id);
  const SimTime since =
      scope_.run == nullptr ? held.from : scope_.run->held_since[index(id) - world_.pools.size()];
  // Payment as a whole ends with the run, and so does what was paid for.
  const SimTime until = is_paid_as_a_whole(id) ? std::min(held.until, scope_.run->end) : held.until;
  market_.resources_.push_back(Resource::between(since, until, held.gpus.count()));
  return place->second;
}

// How long leases of recorded jobs may go on after the capacity of the source has fallen: only Spot yields,
// after its notice.
SimDuration MarketBuilder::longest_overstay(PoolId id, const CapacitySource& source) const {
  SimDuration longest{};
  for (const FaultRule& rule : world_.pool(id).faults) longest = std::max(longest, rule.notice);
  for (const std::size_t strategy : scope_.strategies) {
    for (const Leg& leg : world_.strategies[strategy].legs) {
      const bool here = std::ranges::any_of(leg.candidates, [&](const std::vector<Candidate>& candidates) {
        return std::ranges::find(candidates, id, &Candidate::pool) != candidates.end();
      });
      if (!here) continue;
      const LeaseClass lease_class = leg.policy.lease_class;
      const bool runs_on =
          lease_class != LeaseClass::spot && source.classes[static_cast<std::size_t>(lease_class)];
      longest = std::max(longest, runs_on ? kForever : leg.policy.notice);
    }
  }
  return longest;
}

BoundMarket::BoundMarket(const World& world, const BillTerms* terms, std::uint64_t replication,
                         const MarketScope& scope, const std::vector<JobKind>& kinds) {
  MarketBuilder{*this, world, terms, replication, scope, kinds}.build();
}

}  // namespace stockout
