// Over random small worlds, with random prices, commitments and other costs: charges add up to the bill to
// the last digit, whatever the period and the rule for what is idle, and so they do in nano-dollars; no rule
// moves what was used; and by user they are what the measures say, which go another way.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <catch2/catch.hpp>

#include "models/billing/bill.h"
#include "models/measures/measures.h"
#include "models/showback/charges.h"
#include "models/simulation/simulate.h"
#include "tests/support/fewer.h"
#include "tests/support/random_choice.h"
#include "tests/support/worlds/random_bill.h"
#include "tests/support/worlds/random_world.h"
#include "tools/report/focus/focus_costs.h"

using namespace stockout;
using namespace stockout::test;

namespace {

constexpr std::uint64_t kShowbackWorlds = fewer(1'500);

Money sum_of(const std::vector<Money>& amounts) {
  Money sum;
  for (const Money amount : amounts) sum += amount;
  return sum;
}

Money rounded(Money amount) {
  const Money rest = amount.below_nano_dollar();
  return rest + rest >= kNanoDollar ? amount - rest + kNanoDollar : amount - rest;
}

struct Run {
  World world;
  BillTerms terms;
  RunRecord record;
  std::size_t strategy = 0;
  std::uint64_t replication = 0;
};

Run random_run(std::uint64_t seed) {
  Run run;
  run.world = random_world(seed);
  run.world.gpu_types = {"any"};
  Choice choice{seed + 99'000'000};
  add_prices(run.world, choice);
  run.terms = random_terms(run.world, choice);
  run.strategy = run.world.strategies.size() - 1;
  run.replication = seed % 3;
  run.record = simulate(run.world, run.strategy, run.replication);
  return run;
}

Measures measured(const Run& run, const BillTerms* terms) {
  MeasureOptions options;
  options.by = GroupBy::user;
  options.terms = terms;
  return measure(run.world, run.strategy, run.replication, run.record, options);
}

// To the nano-dollar: what a commitment's fees are, its use and idle time carry.
void check_commitments(const World& world, const std::vector<ChargeRow>& rows, const FocusCosts& costs) {
  std::map<std::pair<std::optional<std::size_t>, std::optional<PriceLineId>>, std::pair<Money, Money>> sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ChargeSubject& subject = rows[i].subject;
    if (subject.use != ChargeUse::purchase && !is_committed(world, subject)) continue;
    auto& [paid, borne] = sums[{subject.commitment, subject.commitment ? std::nullopt : subject.line}];
    paid += costs.billed[i];
    borne += costs.effective[i];
  }
  for (const auto& [commitment, sum] : sums) CHECK(sum.first == sum.second);
}

void check_sums(const Run& run, const ShowbackOptions& options, Cost in_all) {
  const auto rows = charges_of(run.world, run.strategy, run.replication, run.record, run.terms,
                               measured(run, &run.terms).bill, options);
  const FocusCosts costs = focus_costs(run.world, rows);
  Money list;
  Money contracted;
  Money nano_list;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(rows[i].billed >= rows[i].used);
    REQUIRE(rows[i].used >= MachineTime{});
    if (rows[i].subject.use == ChargeUse::purchase) continue;
    list += rows[i].list_cost();
    contracted += rows[i].contracted_cost();
    nano_list += costs.list[i];
  }
  check_commitments(run.world, rows, costs);
  CHECK(list == in_all.list);
  CHECK(contracted == in_all.contracted);
  CHECK(nano_list == rounded(in_all.list));
  CHECK(sum_of(costs.effective) == rounded(in_all.contracted));
  CHECK(sum_of(costs.billed) == rounded(in_all.contracted));
}

// Without terms, since measures by user know none.
void check_users(const Run& run) {
  const Measures measures = measured(run, nullptr);
  std::vector<double> users(run.world.users.size());
  for (const ChargeRow& row :
       charges_of(run.world, run.strategy, run.replication, run.record, {}, measures.bill))
    if (row.subject.user) users[index(*row.subject.user)] += effective_cost(row).to_usd();
  for (std::size_t i = 0; i < users.size(); ++i)
    CHECK(users[i] == Approx(measures.groups[i][Measure::cost].value).margin(1e-9));
}

bool is_paid_whole(const World& world) {
  if (world.hold_end == HoldEnd::last_start) return false;
  for (const HeldPool& held : world.held)
    if (held.share) return false;  // a GPU's price is rounded down
  return true;
}

}  // namespace

TEST_CASE("Charges of a random world add up to its bill", "[showback]") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= kShowbackWorlds; ++seed) {
    const Run run = random_run(seed);
    CAPTURE(seed);
    const Measures measures = measured(run, &run.terms);
    const Cost in_all =
        bill_of(measures.use, run.world.price_lines, run.terms, run.world.window_end).in_all();
    CHECK(in_all.contracted.to_usd() == measures.total[Measure::cost].value);
    const auto rule = static_cast<IdleRule>(seed % 3);
    const auto period = static_cast<PeriodLength>(seed / 3 % 3);
    check_sums(run, {.period = period, .idle = rule}, in_all);
    if (!is_paid_whole(run.world)) continue;
    check_users(run);
    ++compared;
  }
  CHECK(compared > static_cast<int>(kShowbackWorlds / 3));
}
