// Plain jobs: which are, what becomes of them, and how one goes on through the rooms.

#include <functional>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/books/pool_checks.h"
#include "models/simulation/books/pool_totals.h"
#include "models/simulation/lives/flights.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};

// Jobs of 1 or 2 GPUs wait in a pool of 4; machines take 5 s to come up, and 7 s more to begin to work.
WorldBuilder plain() {
  WorldBuilder make;
  make.pool(4, Discipline::fifo);
  make.pool(4);
  make.shape(1);
  make.shape(2);
  Policy queue = flex();
  queue.provisioning = {.a = 5s};
  queue.start_up = {.a = 7s};
  make.leg({.policy = queue, .places = {kPool}});
  return make;
}

World plain_world() { return plain().build(); }

struct Flying : UpToMarket {
  explicit Flying(World made = plain_world(), Logs told = {})
      : UpToMarket{std::move(made), std::move(told)}, flights{lives.flights} {}
  JobSlot come(const JobSpec& spec) { return flights.come(submitted(spec), 0); }
  JobSlot enqueue(const JobSpec& spec) {
    const JobSlot slot = come(spec);
    flights.ask(slot);
    return slot;
  }
  /// The run is over.
  RunRecord finish(std::uint64_t open = 0) {
    return known.recorder.finish(open + requests_ended(known.books.pools()),
                                 totals_of(known.books.pools(), now()));
  }
  Flights& flights;
};

bool is_plain(const std::function<void(World&)>& change, const JobSpec& spec = {.work = 10s}) {
  World world = plain_world();
  change(world);
  Flying floors{std::move(world)};
  return floors.come(spec) != kNoJob;
}

Leg& first_leg(World& world) { return world.strategies.front().legs.front(); }

}  // namespace

TEST_CASE("A job is plain if nothing but its turn decides about it", "[rooms]") {
  CHECK(is_plain([](World&) {}));
  CHECK(is_plain([](World& world) { first_leg(world).policy.run_max = 17s; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.run_max = 16s; }));
  CHECK_FALSE(is_plain([](World&) {}, {.work = 10s, .max_wait = 1h}));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).limit = 1h; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.max_wait = 1h; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.admission = Admission::at_once; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.lease_class = LeaseClass::spot; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.open_max = 9; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.health.takes = 1s; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).policy.lifetime = {.a = 1h}; }));
  CHECK_FALSE(is_plain(
      [](World& world) { first_leg(world).policy.start_up = {.kind = Law::Kind::exponential, .a = 1s}; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).race = Race::first_boot; }));
  CHECK_FALSE(is_plain([](World& world) { first_leg(world).partial = Partial{}; }));
  CHECK_FALSE(is_plain([](World& world) { world.strategies.front().cheapest_first = true; }));
  CHECK_FALSE(is_plain([](World& world) { world.pools[0].hold_for_head = true; }));
  CHECK_FALSE(is_plain([](World& world) { world.pools[0].faults.resize(1); }));
  CHECK_FALSE(is_plain([](World& world) { world.classes[0].parallel = 1; }, {.work = 10s, .group = 1}));
  CHECK_FALSE(is_plain([](World& world) {
    for (auto& places : first_leg(world).candidates) {
      places.push_back(places.front());
      places.back().pool = PoolId{1};
    }
  }));
}

TEST_CASE("A run with logs has no plain jobs: the log hears of every step", "[rooms]") {
  Flying floors{plain_world(), {.on_lease = [](const LeaseRow&) {}}};
  CHECK(floors.come({.work = 10s}) == kNoJob);
}

TEST_CASE("A plain job waits, runs and is done, and the books say so", "[rooms]") {
  Flying floors;
  const JobSlot slot = floors.enqueue({.work = 10s, .gpus = 2});
  CHECK(floors.pool(kPool).first_waiting(GpuCount{2}) == request_of(slot));
  floors.go_to(3s);
  REQUIRE(floors.flights.serve(kPool));
  CHECK(floors.pool(kPool).room(LeaseClass::flex) == GpuCount{2});
  CHECK(floors.pool(kPool).queue.size() == 0);
  CHECK(floors.next_time() == 25s);
  floors.go_to(25s);
  REQUIRE(floors.ground.agenda.is_flight_next());
  CHECK(floors.ground.agenda.take_flight() == slot);
  CHECK(floors.flights.end(slot) == kPool);
  CHECK(floors.pool(kPool).room(LeaseClass::flex) == GpuCount{4});
  CHECK_NOTHROW(check_balance(floors.known.books, floors.now()));
  const RunRecord record = floors.finish();
  CHECK(record.jobs.at(0) == JobOutcome{.state = FinalState::completed,
                                        .first_grant = kStart + 3s,
                                        .finished = kStart + 25s,
                                        .start_delay = 12s,
                                        .leased = 22s});
  const UsageKey key = record.usage.keys().at(0);
  CHECK(record.usage.hours(key).at(0).used == MachineTime{2 * 17'000});  // from machines up on
  CHECK(record.usage.split(key).useful == GpuTime{2 * 10'000});
  CHECK(record.usage.split(key).completed == GpuTime{2 * 10'000});
  CHECK(record.usage.split(key).overhead == GpuTime{2 * 12'000});
  CHECK(record.pools[0].peak_waiting == 1);
}

TEST_CASE("Alone in its instant a plain job starts where there is room, and else waits", "[rooms]") {
  Flying floors;
  const JobSlot first = floors.come({.work = 10s, .gpus = 2});
  CHECK(floors.flights.ask_alone(first));
  const JobSlot second = floors.come({.work = 10s, .gpus = 2});
  CHECK(floors.flights.ask_alone(second));
  const JobSlot third = floors.come({.work = 10s, .gpus = 1});
  CHECK(floors.flights.ask_alone(third));
  CHECK(floors.pool(kPool).first_waiting(GpuCount{4}) == request_of(third));
  CHECK(floors.pool(kPool).of_class(LeaseClass::flex).grants == 2);
  CHECK(floors.pool(kPool).totals.peak_waiting == 1);
}

TEST_CASE("A pool where others have something to decide is left to the market", "[rooms]") {
  Flying floors;
  const JobSlot other = floors.add_job({.work = 10s});
  const JobSlot slot = floors.come({.work = 10s});
  SECTION("a request at once") { floors.pool(kPool).at_once.add(LeaseClass::spot, kNoRequest); }
  SECTION("the head of the queue is not plain") { floors.ask(other); }
  CHECK_FALSE(floors.flights.ask_alone(slot));
  CHECK(floors.pool(kPool).first_waiting(GpuCount{1}) != kNoRequest);
}

TEST_CASE("What is granted machines that others are still leaving goes on through the rooms", "[rooms]") {
  Flying floors;
  const JobSlot leaving = floors.add_job({.work = 10s, .gpus = 2});
  const LeaseSlot lease = floors.start_lease(leaving);
  floors.start_lease(floors.add_job({.work = 10s, .gpus = 2}));
  floors.known.books.leave(lease, floors.now());
  const JobSlot slot = floors.come({.work = 10s, .gpus = 2});
  REQUIRE(!floors.flights.ask_alone(slot));
  const std::vector<Outcome> told = floors.serve(kPool);
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Outcome::Kind::granted);
  CHECK(told[0].job == slot);
  CHECK(floors.lease(floors.job(slot).lease).parts.delayed == 1);
  CHECK(floors.job(slot).work_left == 10s);
  CHECK(floors.job(slot).job.row == 2);
}

TEST_CASE("Plain jobs that are under way when the run ends are unfinished like any other", "[rooms]") {
  Flying floors;
  const JobSlot running = floors.come({.work = 1h, .gpus = 2});
  REQUIRE(floors.flights.ask_alone(running));
  floors.enqueue({.work = 1h, .gpus = 2});
  floors.enqueue({.work = 1h, .gpus = 2});
  floors.go_to(20s);
  CHECK(floors.flights.all_to_rooms() == 2);
  CHECK(floors.pool(kPool).queue.size() == 0);
  const Lease& lease = floors.lease(floors.job(running).lease);
  CHECK(lease.times.granted == kStart);
  CHECK(lease.times.up == kStart + 5s);
  CHECK(lease.times.working == kStart + 12s);
  CHECK(lease.times.ends == kStart + 1h + 12s);
  floors.lives.ends.close_at_end(floors.job(running).lease);
  CHECK(floors.pool(kPool).room(LeaseClass::flex) == GpuCount{4});
}
