#include "tests/support/worlds/random_bill.h"

#include <chrono>

namespace stockout::test {

using namespace std::chrono_literals;

namespace {

void add_commitment(BillTerms& terms, const World& world, Choice& choice) {
  Commitment commitment;
  commitment.name = "old";
  commitment.machines = MachineCount{choice.number(1, 3)};
  commitment.start = kStart - choice.number(0, 3) * 20min;
  commitment.end = kStart + choice.number(1, 30) * 10min;
  commitment.list = commitment.contracted = MachineHourPrice{choice.number(0, 5) * 1'000'000'000};
  Coverage coverage;
  coverage.commitments = {terms.commitments.size()};
  for (std::size_t i = 0; i < world.price_lines.size(); ++i) {
    const PriceLine& line = world.price_lines[i];
    if (line.charge != Charge::sublet && line.model != PriceModel::management_fee && choice.chance(40))
      coverage.lines.push_back(PriceLineId{static_cast<std::uint32_t>(i)});
  }
  terms.commitments.push_back(commitment);
  terms.coverage.push_back(coverage);
}

void add_fee(World& world, std::size_t line, Charge charge, MachineHourPrice price) {
  PriceLine fee = world.price_lines[line];
  fee.model = PriceModel::management_fee;
  fee.charge = charge;
  fee.fee.reset();
  fee.steps = {{.from = fee.steps.front().from, .list = price, .contracted = price}};
  world.price_lines[line].fee = PriceLineId{static_cast<std::uint32_t>(world.price_lines.size())};
  world.price_lines.push_back(std::move(fee));
}

}  // namespace

void add_prices(World& world, Choice& choice) {
  for (PriceLine& line : world.price_lines) {
    line.steps.clear();
    SimTime from = world.begin - 1h;
    for (std::int64_t steps = choice.number(1, 3); steps > 0; --steps) {
      const MachineHourPrice price{choice.number(0, 20) * 500'000'000};
      line.steps.push_back({.from = from, .list = price, .contracted = price});
      from = kStart + choice.number(steps == 3 ? 0 : 4, steps == 3 ? 3 : 8) * 1h;
    }
  }
  for (const HeldPool& held : world.held)
    world.price_lines[index(held.sublet)].steps = world.price_lines[index(held.line)].steps;
  const std::size_t lines = world.price_lines.size();
  for (std::size_t i = 0; i < lines; ++i) {
    if (world.price_lines[i].charge != Charge::held && choice.chance(30))
      add_fee(world, i, Charge::direct, MachineHourPrice{choice.number(0, 9) * 300'000'000});
  }
  for (const HeldPool& held : world.held) {
    if (!held.scaling || !choice.chance(70)) continue;  // then used or not
    const MachineHourPrice price{choice.number(0, 9) * 300'000'000};
    add_fee(world, index(held.line), Charge::held, price);
    add_fee(world, index(held.sublet), Charge::sublet, price);
  }
}

BillTerms random_terms(const World& world, Choice& choice) {
  BillTerms terms;
  if (choice.chance(30)) add_commitment(terms, world, choice);
  for (const CostUnit unit : {CostUnit::hour, CostUnit::once, CostUnit::job, CostUnit::gpu_hour}) {
    if (!choice.chance(20)) continue;
    OtherCost cost;
    cost.unit = unit;
    cost.price = MachineHourPrice{choice.number(1, 9) * 100'000'000};
    for (std::size_t i = 0; i < world.strategies.size(); ++i) cost.strategies.push_back(choice.chance(80));
    for (std::size_t i = 0; i < world.classes.size(); ++i) cost.classes.push_back(choice.chance(70));
    terms.other.push_back(cost);
  }
  return terms;
}

}  // namespace stockout::test
