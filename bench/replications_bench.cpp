// replications_bench SCENARIO [REPLICATIONS]: how many times fewer replications the paired differences of
// `compare` need than independent runs would, for intervals of the same width. The width of an interval falls
// with the square root of the replications, so this is the ratio of the variances of the differences: of one
// strategy's cost less another's with the same random numbers, and with random numbers of their own (another
// seed).

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "models/experiment/comparison.h"
#include "models/experiment/verdict.h"
#include "models/scenario/scenario.h"
#include "sim/core/error.h"
#include "sim/stats/controlled.h"
#include "sim/stats/interval.h"

namespace stockout {
namespace {

constexpr std::uint64_t kOtherSeeds = 1'000'003;  // what is added to the seed for random numbers of their own

Comparison run(const Scenario& scenario, std::size_t replications, std::uint64_t more_seed) {
  World world = scenario.world;
  world.seed += more_seed;
  CompareOptions options;
  options.replications = replications;
  options.goal = scenario.goal;
  options.between = scenario.between();
  options.terms = &scenario.terms;
  options.control_variates = true;
  return compare(world, options);
}

std::vector<double> costs_of(const StrategyResult& strategy, std::size_t replications) {
  return strategy.drew ? strategy.costs : std::vector<double>(replications, strategy.costs.front());
}

double squared(double value) { return value * value; }

void print_ratios(const Scenario& scenario, std::size_t replications) {
  const Comparison one = run(scenario, replications, 0);
  const Comparison other = run(scenario, replications, kOtherSeeds);
  const std::size_t best = judge(one, scenario.goal, "the goal").strategy;
  const auto reference = costs_of(one.strategies[best], replications);
  fmt::print(
      "{} replications, cost against \"{}\": ± of the mean difference in dollars, and how many times\n",
      replications, one.strategies[best].name);
  fmt::print("fewer replications the same width takes than with random numbers of their own\n");
  fmt::print("{:<42} {:>12} {:>10} {:>10} {:>8} {:>14}\n", "strategy", "independent", "paired", "adjusted",
             "paired", "and adjusted");
  for (std::size_t i = 0; i < one.strategies.size(); ++i) {
    if (i == best) continue;
    const auto paired_costs = costs_of(one.strategies[i], replications);
    const auto other_costs = costs_of(other.strategies[i], replications);
    const double independent = *estimate_difference(other_costs, reference).half_width;
    const double paired = *estimate_difference(paired_costs, reference).half_width;
    const double adjusted = *adjusted_difference(paired_costs, reference, one.controls->surplus).half_width;
    const auto times = [&](double width) {
      return width > 0 ? fmt::format("{:.1f}", squared(independent / width)) : "no noise";
    };
    fmt::print("{:<42} {:>12.0f} {:>10.1f} {:>10.1f} {:>8} {:>14}\n", one.strategies[i].name, independent,
               paired, adjusted, times(paired), times(adjusted));
  }
}

}  // namespace
}  // namespace stockout

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "Usage: replications_bench SCENARIO [REPLICATIONS]\n");
    return 2;
  }
  const long replications = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 200;
  if (replications < 10 || replications > 10'000) {
    fmt::print(stderr, "REPLICATIONS must be 10 to 10000\n");
    return 2;
  }
  try {
    stockout::print_ratios(stockout::load_scenario(argv[1]), static_cast<std::size_t>(replications));
  } catch (const stockout::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
