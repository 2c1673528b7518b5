// Which rules of Slurm (models/simulation/README.md, section 18) random worlds reach, and how often at least.

#include <cstdint>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/reference/reference.h"
#include "tests/support/worlds/random_world.h"

using namespace stockout;
using namespace stockout::test;

TEST_CASE("Random worlds reach the rules of Slurm", "[second_implementation]") {
  std::map<std::string, std::int64_t> happened;
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    const World world = random_world(seed);
    if (!world.slurm) continue;
    for (const auto& [what, times] :
         reference::reference_simulate(world, world.strategies.size() - 1, 0).happened)
      happened[what] += times;
  }
  for (const char* what :
       {"slurm: came back", "slurm: configures", "slurm: no machines", "slurm: started",
        "slurm: static nodes lost", "slurm: submitted", "slurm: time limit", "slurm: waits for back_off",
        "slurm: waits for capacity", "slurm: waits for held_back", "slurm: waits for priority"}) {
    CAPTURE(what);
    CHECK(happened[what] >= 40);
  }
  for (const char* what :
       {"slurm: a node returns", "slurm: cancelled while configuring", "slurm: elastic nodes lost",
        "slurm: nodes up", "slurm: not up in time", "slurm: stopped"}) {
    CAPTURE(what);
    CHECK(happened[what] >= 5);
  }
}
