// Feeds bytes to the scenario reader: whatever they are, it returns a scenario or throws InputError. A small
// scenario that it returns is simulated and measured, up to a bound on the work; what breaks an invariant
// there is a find, too. tests/fuzz/CMakeLists.txt says how to build the fuzzer; replay_scenario runs the
// files of the corpus once (CTest: fuzz.scenario). Files that a scenario names are in tests/corpus/files.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/catalog/catalog.h"
#include "models/measures/measures.h"
#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr double kMostJobs = 2'000;
constexpr std::uint64_t kFewSteps = 20'000;
constexpr std::size_t kFewStrategies = 4;

void run_strategy(const Scenario& scenario, std::size_t strategy) {
  try {
    const RunRecord record = simulate(scenario.world, strategy, 0);
    static_cast<void>(measure(scenario.world, strategy, 0, record,
                              {.by = GroupBy::pool,
                               .goal = scenario.goal,
                               .between = scenario.between(),
                               .terms = &scenario.terms}));
  } catch (const TooManySteps&) {
    return;
  }
}

void run_if_small(Scenario scenario) {
  if (scenario.most_jobs > kMostJobs) return;
  scenario.world.most_steps = kFewSteps;
  const std::size_t strategies = std::min(kFewStrategies, scenario.world.strategies.size());
  for (std::size_t strategy = 0; strategy < strategies; ++strategy) run_strategy(scenario, strategy);
}

void read_and_run(std::string_view text) {
  static const Catalog kCatalog = Catalog::embedded();
  try {
    run_if_small(parse_scenario(text, STOCKOUT_CORPUS_DIR "/scenario/s.json", kCatalog));
  } catch (const InputError&) {
    return;
  }
}

}  // namespace
}  // namespace stockout

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stockout::read_and_run({reinterpret_cast<const char*>(data), size});
  return 0;
}
