// Random scenarios that the reader accepts, one a line. Usage: print_scenarios COUNT FOLDER; the folder is
// there, and is given the files that they name.

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "sim/core/error.h"
#include "tests/support/scenarios/random_scenario.h"
#include "tests/support/scenarios/scenario_reader.h"

int main(int, char** arguments) {
  const std::uint64_t count = std::strtoull(arguments[1], nullptr, 10);
  stockout::test::ScenarioReader reader{arguments[2]};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto file = stockout::test::random_scenario(seed, reader.catalog());
    try {
      static_cast<void>(reader.read(file));
      std::cout << file.dump() << '\n';
    } catch (const stockout::InputError&) {
      continue;
    }
  }
}
