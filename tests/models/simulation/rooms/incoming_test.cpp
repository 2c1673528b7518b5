// Which jobs come, in which order, and the strategy that each follows.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/incoming.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

struct Came {
  SimDuration at;
  std::uint32_t strategy;
  friend bool operator==(const Came&, const Came&) = default;
};

}  // namespace

TEST_CASE("Recorded jobs come in the window, tenants from the begin of the run on", "[rooms]") {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  make.leg({.policy = on_demand(), .places = {pool}});
  make.tenant_leg({.policy = on_demand(), .places = {pool}});
  for (const SimDuration at : {SimDuration{-30s}, SimDuration{5s}, SimDuration{2h}}) {
    make.job({.at = at, .work = 10s});
    make.tenant({.at = at, .work = 10s});
  }
  make.world.begin = kStart - 20s;
  make.world.window_end = kStart + 1h;
  UpToBooks floors{make.build()};
  Incoming incoming{floors.world, 0, floors.known.route, floors.known.draws};
  std::vector<Came> came;
  for (; incoming.next() != nullptr; incoming.pop()) {
    CHECK(incoming.next_time() == incoming.next()->submit);
    came.push_back({.at = incoming.next_time() - kStart, .strategy = incoming.strategy_of(*incoming.next())});
  }
  CHECK(incoming.next_time() == kNever);
  CHECK(came == std::vector<Came>{{5s, 0}, {5s, 1}, {2h, 1}});
}
