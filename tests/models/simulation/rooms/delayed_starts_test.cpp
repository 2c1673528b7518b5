// Leases that wait for machines which others still take, in order of grant.

#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/books/delayed_starts.h"
#include "tests/models/simulation/rooms/one_lease.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// A pool of 8 GPUs; two leases of 4 have got notice, and two others were granted their machines.
struct TwoWait : UpToLives {
  TwoWait() : UpToLives{spot_world(with_notice(10s)).build()} {
    for (LeaseSlot& slot : leaving) slot = lease_now();
    for (const LeaseSlot slot : leaving) known.books.leave(slot, now());
    for (LeaseSlot& slot : waiting) {
      slot = lease_now();
      REQUIRE(delayed().add_if_taken(pool(kLeasePool), slot, GpuCount{4}));
    }
  }
  LeaseSlot lease_now() { return enter_lease(add_job({.work = 20s, .gpus = 4})); }
  void release(LeaseSlot slot) { known.books.release(slot, now(), GpuTime{}); }
  [[nodiscard]] DelayedStarts& delayed() { return known.books.delayed(); }
  [[nodiscard]] std::vector<LeaseSlot> take_ready() {
    std::vector<LeaseSlot> ready;
    for (const DelayedBatch& batch : delayed().take_ready(pool(kLeasePool), pool(kLeasePool).sources[0])) {
      ready.push_back(batch.lease);
    }
    return ready;
  }
  std::array<LeaseSlot, 2> leaving{};
  std::array<LeaseSlot, 2> waiting{};
};

}  // namespace

TEST_CASE("Delayed leases start in order of grant, as machines become free", "[rooms]") {
  TwoWait floors;
  CHECK(floors.take_ready().empty());
  floors.release(floors.leaving[1]);
  CHECK(floors.take_ready() == std::vector{floors.waiting[0]});
  CHECK(floors.lease(floors.waiting[0]).parts.delayed == 0);
  CHECK(floors.take_ready().empty());
  floors.release(floors.leaving[0]);
  CHECK(floors.take_ready() == std::vector{floors.waiting[1]});
}

TEST_CASE("A delayed lease that is leaving waits no more", "[rooms]") {
  TwoWait floors;
  floors.known.books.leave(floors.waiting[0], floors.now());
  CHECK(floors.lease(floors.waiting[0]).parts.delayed == 0);
  floors.release(floors.waiting[0]);
  floors.release(floors.leaving[0]);
  CHECK(floors.take_ready() == std::vector{floors.waiting[1]});
}

TEST_CASE("Machines that nobody takes are free at once", "[rooms]") {
  UpToLives floors{spot_world(spot()).build()};
  const LeaseSlot slot = floors.enter_lease(floors.add_job({.work = 20s, .gpus = 4}));
  CHECK_FALSE(floors.known.books.delayed().add_if_taken(floors.pool(kLeasePool), slot, GpuCount{4}));
  CHECK(floors.lease(slot).parts.delayed == 0);
}
