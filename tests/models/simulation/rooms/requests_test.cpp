// Open requests: in the lists of their job and of their pool, from opening to closing.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/lives/requests.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
const PoolId kOther{1};

// Leg 0 waits in two pools of 4 GPUs, at most 30 s by the model; leg 1 asks one of them at once.
World two_pools(Race race = Race::first_grant) {
  WorldBuilder make;
  make.pool(4);
  make.pool(4);
  make.shape(2);
  Policy queue = flex();
  queue.max_wait = 30s;
  make.leg({.policy = queue, .places = {kPool, kOther}, .race = race});
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make.build();
}

struct Open : UpToLives {
  explicit Open(Race race = Race::first_grant)
      : UpToLives{two_pools(race)}, requests{lives.requests}, of{add_job({.work = 10s, .gpus = 2})} {}
  /// Requests of the job, the latest first.
  [[nodiscard]] std::vector<RequestSlot> open() {
    std::vector<RequestSlot> slots;
    for (RequestSlot r = job(of).asks.first_request; r != kNoRequest;
         r = ground.tables.requests[r].next_of_job) {
      slots.push_back(r);
    }
    return slots;
  }
  Requests& requests;
  JobSlot of;
};

}  // namespace

TEST_CASE("A request that waits is in the queue of its pool and in the list of its job", "[rooms]") {
  Open floors;
  const RequestSlot slot = floors.ask(floors.of);
  PoolState& pool = floors.pool(kPool);
  CHECK(floors.open() == std::vector{slot});
  CHECK(pool.first_waiting(GpuCount{2}) == slot);
  CHECK(pool.first_waiting(GpuCount{1}) == kNoRequest);
  CHECK(pool.counts.waiting_gpus == GpuCount{2});
  CHECK(pool.totals.peak_waiting == 1);
  CHECK(floors.take_touched() == std::vector{kPool});
  floors.go_to(3s);
  const Request closed = floors.requests.close(slot);
  CHECK(closed.job == floors.of);
  CHECK(floors.open().empty());
  CHECK(pool.queue.size() == 0);
  CHECK(pool.counts.waiting_gpus == GpuCount{0});
  CHECK(pool.counts.waited_ms == 3'000);
}

TEST_CASE("A request that is decided at once leaves a gap when it is closed before", "[rooms]") {
  Open floors;
  const RequestSlot first = floors.ask(floors.of, 1);
  const RequestSlot second = floors.ask(floors.add_job({.gpus = 2}), 1);
  PoolState& pool = floors.pool(kPool);
  const auto& at_once = pool.at_once.requests(LeaseClass::on_demand);
  CHECK(at_once == std::vector{first, second});
  CHECK(pool.at_once.has(LeaseClass::on_demand));
  CHECK(pool.queue.size() == 0);
  floors.requests.withdraw(first);
  CHECK(at_once == std::vector{kNoRequest, second});
}

TEST_CASE("What is withdrawn is counted, and its pool is touched", "[rooms]") {
  Open floors;
  const RequestSlot slot = floors.ask(floors.of, 0);
  (void)floors.take_touched();
  floors.requests.withdraw(slot);
  CHECK(floors.pool(kPool).of_class(LeaseClass::flex).withdrawn == 1);
  CHECK(floors.pool(kPool).counts.requests_ended == 1);
  CHECK(floors.take_touched() == std::vector{kPool});
}

TEST_CASE("Requests expire by leg, or all", "[rooms]") {
  Open floors;
  floors.ask(floors.of, 0);
  floors.ask(floors.of, 0, 1);
  const RequestSlot of_second_leg = floors.ask(floors.of, 1);
  CHECK(floors.requests.has_of_leg(floors.job(floors.of), floors.world.strategies[0].legs[0]));
  floors.requests.expire_leg(floors.of, 0);
  CHECK(floors.open() == std::vector{of_second_leg});
  CHECK_FALSE(floors.requests.has_of_leg(floors.job(floors.of), floors.world.strategies[0].legs[0]));
  floors.requests.expire_all(floors.of);
  CHECK(floors.open().empty());
}

TEST_CASE("A kept request ends with the model's own maximum wait", "[rooms]") {
  Open floors;
  const RequestSlot kept = floors.ask(floors.of, 0);
  const RequestSlot of_second_leg = floors.ask(floors.of, 1);
  SECTION("later") {
    floors.go_to(20s);
    floors.requests.keep_leg(floors.of, 0);
    const Event event = floors.next(Phase::timers);
    CHECK(floors.now() == kStart + 30s);
    CHECK(event.kind == EventKind::kept_over);
    CHECK(event.request() == kept);
    CHECK(floors.open() == std::vector{of_second_leg, kept});
  }
  SECTION("now") {
    floors.go_to(30s);
    floors.requests.keep_leg(floors.of, 0);
    CHECK(floors.open() == std::vector{of_second_leg});
  }
  SECTION("unless it is closed before") {
    floors.requests.keep_leg(floors.of, 0);
    floors.requests.withdraw(kept);
    CHECK(floors.next_time() == kForever);
  }
}

TEST_CASE("A grant withdraws the job's other requests, but for rivals in a race to boot", "[rooms]") {
  const Race race = GENERATE(Race::first_grant, Race::first_boot);
  Open floors{race};
  const RequestSlot rival = floors.ask(floors.of, 0, 1);
  floors.ask(floors.of, 1);
  const RequestSlot slot = floors.ask(floors.of, 0);
  floors.go_to(5s);
  floors.requests.withdraw_losers(floors.requests.close(slot));
  if (race == Race::first_boot) {
    CHECK(floors.open() == std::vector{rival});
    floors.requests.lose_all(floors.of);
  }
  CHECK(floors.open().empty());
  CHECK(floors.pool(kOther).totals.phantom_waiting == GpuCount{2} * SimDuration{5s});
}

TEST_CASE("Those who wait at a pool that is over have lost, in order of entry", "[rooms]") {
  Open floors;
  floors.requests.withdraw(floors.ask(floors.add_job({.gpus = 2})));  // so that slots are used again
  std::vector<JobSlot> jobs;
  for (int i = 0; i < 3; ++i) {
    jobs.push_back(floors.add_job({.gpus = 2}));
    floors.ask(jobs.back());
  }
  floors.ask(floors.of, 0, 1);
  const RequestSlot first = floors.job(jobs[0]).asks.first_request;
  floors.requests.withdraw(first);
  floors.ask(jobs[0]);  // it stands behind the others now
  REQUIRE(floors.job(jobs[0]).asks.first_request == first);
  floors.requests.empty_queue(kPool);
  std::vector<JobSlot> lost;
  for (const Outcome& outcome : floors.outcomes()) {
    CHECK(outcome.kind == Outcome::Kind::lost);
    CHECK(outcome.leg == 0);
    CHECK(outcome.generation == floors.job(outcome.job).generation);
    lost.push_back(outcome.job);
  }
  CHECK(lost == std::vector{jobs[1], jobs[2], jobs[0]});
  CHECK(floors.pool(kPool).queue.size() == 0);
  CHECK(floors.open().size() == 1);  // at the other pool
}
