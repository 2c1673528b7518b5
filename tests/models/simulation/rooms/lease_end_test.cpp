// The end of a lease, and what becomes of its job by it.

#include <catch2/catch.hpp>

#include "models/simulation/books/pool_checks.h"
#include "models/simulation/lives/lease_end.h"
#include "tests/models/simulation/rooms/one_lease.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("The model's maximum run cuts a job off, unless its leases are chained", "[rooms]") {
  Policy policy = spot();
  policy.run_max = 6s;
  policy.chains = GENERATE(false, true);
  OneLease floors{spot_world(policy, kSaves)};
  CHECK(floors.next_release().kind == (policy.chains ? Outcome::Kind::left : Outcome::Kind::cut_off));
  CHECK(floors.now() == kStart + 6s);
  CHECK(floors.job(floors.of).work_left == 16s);
}

TEST_CASE("A partial lease goes on with the machines that are left to it", "[rooms]") {
  World world = spot_world(with_notice(2s)).build();
  world.strategies[0].legs[0].partial = Partial{};
  world.strategies[0].legs[0].candidates[0][0].least = 2;
  OneLease floors{world};
  floors.go_to(8s);
  floors.lives.leases.take(floors.slot, GpuCount{2});
  floors.lives.ends.play_release(floors.next(Phase::releases));
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.outcomes().empty());
  CHECK(floors.lease(floors.slot).gpus == GpuCount{2});
  CHECK(floors.job(floors.of).history.lost == 10s);  // no checkpoints
  CHECK(floors.next_release().kind == Outcome::Kind::completed);
  CHECK(floors.now() == kStart + 50s);  // on half of its machines
}

TEST_CASE("A lease that was to be taken when the run ends was not preempted", "[rooms]") {
  OneLease floors{spot_world(with_notice(10s))};
  floors.lives.leases.take(floors.slot);
  floors.go_to(5s);
  floors.lives.ends.close_at_end(floors.slot);
  CHECK(floors.pool(kLeasePool).of_class(LeaseClass::spot).preemptions == 0);
}

TEST_CASE("What runs when the run ends has done useful work, and nobody hears of it", "[rooms]") {
  OneLease floors{spot_world(spot())};
  floors.go_to(12s);
  floors.lives.ends.close_at_end(floors.slot);
  CHECK(floors.outcomes().empty());
  CHECK(floors.job(floors.of).lease == kNoLease);
  CHECK(floors.job(floors.of).history.lost == 0s);
  CHECK_NOTHROW(check_balance(floors.known.books, floors.now()));
}
