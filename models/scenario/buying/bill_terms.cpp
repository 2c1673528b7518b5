#include "models/scenario/buying/bill_terms.h"

// Commitments that exist already, and costs beside the machines: what is on the bill whatever jobs do.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/catalog/explain.h"
#include "models/measures/number_text.h"
#include "models/scenario/buying/prices.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"

namespace stockout {
namespace {

constexpr std::chrono::days kLongestTerm{3'660};
constexpr double kHoursOfMonth = 730;  // as in the provider's monthly prices
constexpr double kNanosOfUsd = 1e9;

struct UnitKey {
  std::string_view key;
  CostUnit unit;
  std::string_view text;
  double share = 1;  // of the amount, for one unit
};
constexpr std::array kUnitKeys{
    UnitKey{"usd_per_hour", CostUnit::hour, "an hour of the window"},
    UnitKey{"usd_per_month", CostUnit::hour, "a month of the window (730 h)", 1 / kHoursOfMonth},
    UnitKey{"usd_once", CostUnit::once, "once"}, UnitKey{"usd_per_job", CostUnit::job, "a job that started"},
    UnitKey{"usd_per_gpu_hour", CostUnit::gpu_hour, "a GPU-hour leased by jobs"}};

const Place& find_region(const Draft& draft, const Node& node) {
  const Place& place = find_place(draft, node);
  if (place.name != place.region) node.fail(fmt::format("is a zone; its region is \"{}\"", place.region));
  return place;
}

Date end_of_term(const Node& node) {
  const Date start = node.date("start");
  const bool is_long = node.has("plan") && node.text("plan") == "3y";
  const Date end = node.has("end") ? node.date("end") : years_after(start, is_long ? 3 : 1);
  if (end <= start)
    node.at("end").fail(
        fmt::format("must be later than the start, {}, but is {}", to_text(start), to_text(end)));
  if (end - start > kLongestTerm)
    node.at("end").fail(fmt::format("must be at most {} days after the start", kLongestTerm.count()));
  return end;
}

MachineHourPrice nanos(double usd) { return MachineHourPrice{std::llround(usd * kNanosOfUsd)}; }

void read_price(const Draft& draft, const Node& node, Commitment& commitment) {
  if (node.has("usd_per_hour")) {
    commitment.list = commitment.contracted = nanos(node.number("usd_per_hour"));
    return;
  }
  const PriceModel model = node.text("plan") == "3y" ? PriceModel::cud_3y : PriceModel::cud_1y;
  commitment.plan = model;
  const PriceLine line = region_price_line(draft, node.at("plan"), commitment.region, commitment.machine,
                                           model, PriceUse::existing);
  const PriceStep& price = price_at(line, 0);
  commitment.list = price.list;
  commitment.contracted = price.contracted;
  commitment.as_of = line.as_of;
}

Commitment read_commitment(const Draft& draft, const Node& node) {
  Commitment commitment;
  commitment.name = node.text("name");
  commitment.machine = find_machine(draft, node.at("machine"), node.text("machine"));
  const Place& region = find_region(draft, node.at("region"));
  const std::string& family = draft.catalog.machine(commitment.machine).family;
  if (const std::string why = why_not(draft.catalog, region, family); !why.empty())
    node.at("region").fail(why);
  commitment.region = region.name;
  commitment.machines = MachineCount{node.integer("count")};
  commitment.start = draft.calendar.time(node.date("start"), {});
  commitment.end = draft.calendar.time(end_of_term(node), {});
  read_price(draft, node, commitment);
  return commitment;
}

bool is_same(const Commitment& a, const Commitment& b) {
  return a.machine == b.machine && a.region == b.region;
}

// Lines at the on-demand price: reservations first, which is what a commitment to GPUs is attached to, then
// machines leased one by one. Not a persistent resource, which Vertex AI bills.
std::vector<PriceLineId> lines_covered(const Draft& draft, const Commitment& commitment) {
  const World& world = draft.scenario.world;
  std::vector<PriceLineId> lines;
  for (const Charge charge : {Charge::held, Charge::direct}) {
    for (std::size_t i = 0; i < world.price_lines.size(); ++i) {
      const PriceLine& line = world.price_lines[i];
      if (line.charge != charge || line.model != PriceModel::on_demand ||
          line.machine != commitment.machine || region_of(draft, world.pool(line.pool)) != commitment.region)
        continue;
      if (charge == Charge::held && world.held_pool(line.pool).is_persistent_resource()) continue;
      lines.push_back(PriceLineId{static_cast<std::uint32_t>(i)});
    }
  }
  return lines;
}

void add_coverage(const Draft& draft, BillTerms& terms, std::size_t number) {
  const Commitment& commitment = terms.commitments[number];
  for (Coverage& known : terms.coverage) {
    if (!is_same(terms.commitments[known.commitments.front()], commitment)) continue;
    known.commitments.push_back(number);
    return;
  }
  terms.coverage.push_back({.commitments = {number}, .lines = lines_covered(draft, commitment)});
}

bool has_reservation(const Draft& draft, const Commitment& commitment) {
  const World& world = draft.scenario.world;
  return std::ranges::any_of(world.strategies, [&](const Strategy& strategy) {
    return std::ranges::any_of(strategy.held, [&](PoolId id) {
      const HeldPool& held = world.held_pool(id);
      return held.machine == commitment.machine && !held.scaling &&
             region_of(draft, held.pool) == commitment.region;
    });
  });
}

void warn_of(Draft& draft, const Commitment& commitment) {
  if (has_reservation(draft, commitment)) return;
  draft.warn(fmt::format(
      "commitment \"{}\": a commitment to GPUs needs a reservation of the same machine attached, and no "
      "strategy has one of {} in {}",
      commitment.name, draft.catalog.machine(commitment.machine).name, commitment.region));
}

void assume(Draft& draft, const Commitment& commitment) {
  const SimTime window_end = draft.world().window_end;
  const auto usd = [](const Cost& cost) { return dollar_text(cost.contracted.to_usd()); };
  const auto day = [&](SimTime at) { return to_text(draft.calendar.local_day(at)); };
  draft.assume(fmt::format(
      "Commitment \"{}\", {} x {} in {} from {} until {}: sunk, {} in the window under every strategy and {} "
      "after it. It pays for machines at the on-demand price, hour by hour, reservations first",
      commitment.name, commitment.machines.count(), draft.catalog.machine(commitment.machine).name,
      commitment.region, day(commitment.start), day(commitment.end),
      usd(cost_between(commitment, kStart, window_end)), usd(cost_between(commitment, window_end, kNever))));
}

// Which of the names are in the list; all of them if there is no list.
std::vector<bool> chosen(const Node& node, std::string_view key, const std::vector<std::string>& names,
                         std::string_view what) {
  if (!node.has(key)) return {};
  std::vector<bool> chosen(names.size());
  for (const Node& item : node.list(key)) {
    chosen[find_name(item, what, names)] = true;
  }
  return chosen;
}

OtherCost read_other(Draft& draft, const Node& node, const std::vector<std::string>& strategies) {
  const auto unit =
      std::ranges::find_if(kUnitKeys, [&](const UnitKey& known) { return node.has(known.key); });
  OtherCost cost;
  cost.name = node.text("name");
  cost.unit = unit->unit;
  const double usd = node.number(unit->key);
  cost.price = nanos(usd * unit->share);
  if (usd != 0 && cost.price == MachineHourPrice{})
    node.at(unit->key).fail("must be 0, or at least 0.000001 from it");
  cost.strategies = chosen(node, "strategies", strategies, "strategy");
  cost.classes = chosen(node, "classes", draft.classes.names(), "job class");
  std::string whose;
  if (node.has("classes")) {
    std::vector<std::string> names;
    for (const Node& item : node.list("classes")) names.push_back(item.as_text());
    whose = fmt::format(", jobs of {}", fmt::join(names, ", "));
  }
  draft.assume(fmt::format("{} \"{}\": ${:.10g} {}{}; {}", usd < 0 ? "Credit" : "Other cost", cost.name,
                           std::abs(usd), unit->text, whose,
                           node.has("strategies") ? "some strategies" : "every strategy"));
  return cost;
}

void check_name(const Node& node, std::set<std::string>& names) {
  if (!names.insert(node.text("name")).second)
    node.at("name").fail(fmt::format("there is a \"{}\" already", node.text("name")));
}

}  // namespace

void build_bill_terms(Draft& draft) {
  BillTerms& terms = draft.scenario.terms;
  std::set<std::string> names;
  for (const Node& node : draft.root.list("commitments")) {
    check_name(node, names);
    terms.commitments.push_back(read_commitment(draft, node));
    add_coverage(draft, terms, terms.commitments.size() - 1);
    assume(draft, terms.commitments.back());
    warn_of(draft, terms.commitments.back());
  }
  std::vector<std::string> strategies;
  for (const Strategy& strategy : draft.world().strategies) strategies.push_back(strategy.name);
  for (const Node& node : draft.root.list("other_costs")) {
    check_name(node, names);
    terms.other.push_back(read_other(draft, node, strategies));
  }
}

}  // namespace stockout
