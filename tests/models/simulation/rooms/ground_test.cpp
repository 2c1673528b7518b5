// The ground floor, which knows no rule: the clock with what is set for later, the pools that were touched,
// the tables, and outcomes on their way.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/ground/touched_pools.h"
#include "sim/core/check.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

Event end_of(std::uint32_t lease) { return Event::of(EventKind::lease_ends, LeaseSlot{lease}); }

// One event of each phase at one instant: the phases in which the agenda gives them away.
std::vector<Phase> order_of_phases(Ties ties) {
  Agenda agenda{kStart, ties};
  for (std::size_t phase = kPhases; phase-- > 0;) {
    agenda.at(kStart + 1s, static_cast<Phase>(phase), Event::of(EventKind::tick, JobSlot{0}));
  }
  agenda.begin_instant(kStart + 1s);
  agenda.begin_round(1);
  std::vector<Phase> order;
  Event event{};
  for (std::size_t pass = 0; pass < kPhases; ++pass) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      if (agenda.take(static_cast<Phase>(phase), event)) order.push_back(static_cast<Phase>(phase));
    }
  }
  return order;
}

// An agenda in the first round of an instant at one second.
Agenda in_first_round() {
  Agenda agenda{kStart, Ties::releases_first};
  agenda.begin_instant(kStart + 1s);
  agenda.begin_round(10);
  return agenda;
}

}  // namespace

TEST_CASE("Events of one instant come by phase, in either order of ties", "[rooms]") {
  using enum Phase;
  CHECK(order_of_phases(Ties::releases_first) ==
        std::vector{releases, capacity, repairs, held, lifetimes, timers, wakes});
  CHECK(order_of_phases(Ties::starts_first) ==
        std::vector{timers, wakes, releases, capacity, repairs, held, lifetimes});
}

TEST_CASE("An event comes at its time, in the order of setting, unless it is cancelled", "[rooms]") {
  Agenda agenda{kStart, Ties::releases_first};
  agenda.at(kStart + 2s, Phase::timers, Event::of(EventKind::tick, JobSlot{1}));
  const EventHandle cancelled = agenda.at(kStart + 1s, Phase::timers, Event::of(EventKind::tick, JobSlot{2}));
  agenda.at(kStart + 2s, Phase::timers, Event::of(EventKind::tick, JobSlot{3}));
  agenda.cancel(cancelled);
  CHECK(agenda.next_event() == kStart + 2s);
  agenda.begin_instant(kStart + 2s);
  Event event{};
  REQUIRE(agenda.take(Phase::timers, event));
  CHECK(event.job() == JobSlot{1});
  REQUIRE(agenda.take(Phase::timers, event));
  CHECK(event.job() == JobSlot{3});
  CHECK_FALSE(agenda.take(Phase::timers, event));
  CHECK(agenda.taken() == 2);
}

TEST_CASE("The end of a lease that is set for now comes in the next round", "[rooms]") {
  Agenda agenda = in_first_round();
  agenda.at_end(kStart + 1s, end_of(7));
  Event event{};
  CHECK_FALSE(agenda.take(Phase::releases, event));
  REQUIRE(agenda.has_more());
  agenda.begin_round(10);
  REQUIRE(agenda.take(Phase::releases, event));
  CHECK(event.lease() == LeaseSlot{7});
  CHECK_FALSE(agenda.take(Phase::releases, event));
  CHECK_FALSE(agenda.has_more());
}

TEST_CASE("The end of a lease that was set for now can be cancelled", "[rooms]") {
  Agenda agenda = in_first_round();
  agenda.at_end(kStart + 1s, end_of(7));
  agenda.at_end(kStart + 1s, Event::of(EventKind::work_begins, LeaseSlot{7}));
  agenda.at_end(kStart + 1s, end_of(8));
  agenda.unset_ending(LeaseSlot{7});
  agenda.begin_round(10);
  Event event{};
  REQUIRE(agenda.take(Phase::releases, event));
  CHECK(event.kind == EventKind::work_begins);
  agenda.unset_ending(LeaseSlot{8});  // in its round, too
  CHECK_FALSE(agenda.take(Phase::releases, event));
}

TEST_CASE("An event for now or later comes in the next round or at its time", "[rooms]") {
  Agenda agenda = in_first_round();
  agenda.at_or_soon(kStart + 1s, Phase::held, Event::of(EventKind::held_asks, PoolId{1}));
  agenda.at_or_soon(kStart + 3s, Phase::held, Event::of(EventKind::held_asks, PoolId{2}));
  Event event{};
  CHECK_FALSE(agenda.take(Phase::held, event));
  agenda.begin_round(10);
  REQUIRE(agenda.take(Phase::held, event));
  CHECK(event.pool() == PoolId{1});
  CHECK(agenda.next_event() == kStart + 3s);
}

TEST_CASE("Before the first instant an event may be set for the begin of the run", "[rooms]") {
  Agenda agenda{kStart, Ties::releases_first};
  agenda.at_or_soon(kStart, Phase::held, Event::of(EventKind::held_asks, PoolId{1}));
  CHECK(agenda.next_event() == kStart);
  CHECK_FALSE(agenda.has_more());
}

TEST_CASE("Steps are due in the round after the one that plans them", "[rooms]") {
  Agenda agenda = in_first_round();
  agenda.plan({.stay = {.job = JobSlot{1}}, .step = Step::attempt});
  CHECK(agenda.has_more());
  std::vector<Due> due;
  agenda.take_due(due);
  REQUIRE(due.size() == 1);
  agenda.plan({.stay = {.job = JobSlot{2}}, .step = Step::attempt});
  CHECK(due.size() == 1);
  CHECK(agenda.has_more());
}

TEST_CASE("The patience of a stay that is over sets no instant", "[rooms]") {
  Agenda agenda = in_first_round();
  Tables tables;
  const JobSlot job = tables.jobs.add({.generation = 1});
  agenda.wait(5s, tables.stay_of(job));
  const auto is_live = [&](const JobStay& stay) { return tables.is_live(stay); };
  CHECK(agenda.next_patience(is_live) == kStart + 6s);
  ++tables.jobs[job].asks.stay;
  CHECK(agenda.next_patience(is_live) == kNever);
}

TEST_CASE("An instant without end is a mistake of ours, told with its time", "[rooms]") {
  Agenda agenda{kStart, Ties::releases_first};
  agenda.begin_instant(kStart + 5s);
  agenda.begin_round(2);
  agenda.begin_round(2);
  agenda.note_progress();
  agenda.begin_round(2);
  agenda.plan({.stay = {}, .step = Step::attempt});
  agenda.begin_round(2);
  CHECK_THROWS_AS(agenda.begin_round(2), InvariantError);
  CHECK_THROWS_WITH(agenda.begin_round(2), Catch::Contains("at 5000 ms") && Catch::Contains("1 steps due"));
  agenda.begin_instant(kStart + 6s);
  CHECK_NOTHROW(agenda.begin_round(2));
}

TEST_CASE("Touched pools are taken in pool order, once each", "[rooms]") {
  TouchedPools touched{4, 1s};
  for (const PoolId pool : {PoolId{3}, PoolId{0}, PoolId{3}, PoolId{2}}) touched.touch(pool, kStart);
  const auto taken = touched.take(kStart);
  CHECK(std::vector(taken.begin(), taken.end()) == std::vector{PoolId{0}, PoolId{2}, PoolId{3}});
  CHECK(touched.empty());
  touched.touch(PoolId{2}, kStart);  // during its dispatch
  CHECK(touched.take(kStart).size() == 1);
}

TEST_CASE("With starts first what is freed is granted at the next instant, and not before", "[rooms]") {
  TouchedPools touched{2, 1s};
  touched.set_frees_later(true);
  touched.touch(PoolId{1}, kStart);
  touched.set_frees_later(false);
  CHECK(touched.empty());
  CHECK(touched.next_time() == kStart + 1s);
  touched.touch(PoolId{0}, kStart);
  touched.touch(PoolId{1}, kStart);  // in a later round of the same instant
  const auto taken = touched.take(kStart);
  CHECK(std::vector(taken.begin(), taken.end()) == std::vector{PoolId{0}});
  touched.begin_instant(kStart + 1s);
  CHECK(touched.next_time() == kNever);
  CHECK(touched.take(kStart + 1s).front() == PoolId{1});
}

TEST_CASE("A stay is over once the job has moved on, or another has its slot", "[rooms]") {
  Tables tables;
  const JobSlot slot = tables.jobs.add({.generation = 1, .asks = {.stay = 3}});
  const JobStay stay = tables.stay_of(slot);
  CHECK(tables.is_live(stay));
  ++tables.jobs[slot].asks.stay;
  CHECK_FALSE(tables.is_live(stay));
  tables.jobs.remove(slot);
  REQUIRE(tables.jobs.add({.generation = 2, .asks = {.stay = 3}}) == slot);
  CHECK_FALSE(tables.is_live(stay));
}

TEST_CASE("Outcomes are heard in the order in which they happened, while others happen", "[rooms]") {
  Outcomes outcomes;
  outcomes.add({.kind = Outcome::Kind::granted, .job = JobSlot{1}});
  outcomes.add({.kind = Outcome::Kind::refused, .job = JobSlot{2}});
  Outcome outcome;
  REQUIRE(outcomes.take(outcome));
  CHECK(outcome.job == JobSlot{1});
  outcomes.add({.kind = Outcome::Kind::completed, .job = JobSlot{3}});
  REQUIRE(outcomes.take(outcome));
  CHECK(outcome.job == JobSlot{2});
  REQUIRE(outcomes.take(outcome));
  CHECK(outcome.job == JobSlot{3});
  CHECK_FALSE(outcomes.take(outcome));
}
