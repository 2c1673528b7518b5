#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/house.h"
#include "tests/support/worlds/world_builder.h"

namespace stockout::test {

// A hand-made world and the lower floors of a run on it, one struct a floor: a test takes the floor of its
// room and hands it by hand what the floors above would.

/// The first instant has begun, at the start of the window.
struct UpToGround {
  explicit UpToGround(World made) : world{std::move(made)}, ground{world} { go_to({}); }
  UpToGround(const UpToGround&) = delete;
  UpToGround& operator=(const UpToGround&) = delete;

  [[nodiscard]] SimTime now() const { return ground.agenda.now(); }
  /// The clock moves on; nothing that was set for meanwhile is played.
  void go_to(SimDuration at) {
    ground.agenda.begin_instant(kStart + at);
    ground.touched.begin_instant(kStart + at);
  }
  /// When the next event comes, in time since the start; kForever: never.
  [[nodiscard]] SimDuration next_time() {
    const SimTime next = std::min(
        ground.agenda.next_event(),
        ground.agenda.next_patience([this](const JobStay& stay) { return ground.tables.is_live(stay); }));
    return next == kNever ? kForever : next - kStart;
  }
  /// The clock moves on to the next event, which is of that phase, and takes it.
  [[nodiscard]] Event next(Phase phase) {
    Event event{};
    if (ground.agenda.take(phase, event)) return event;
    if (!ground.agenda.has_more()) go_to(next_time());
    ground.agenda.begin_round(1'000);
    REQUIRE(ground.agenda.take(phase, event));
    return event;
  }
  /// Outcomes that nobody has heard yet.
  [[nodiscard]] std::vector<Outcome> outcomes() {
    std::vector<Outcome> taken;
    for (Outcome outcome; ground.outcomes.take(outcome);) taken.push_back(outcome);
    return taken;
  }
  [[nodiscard]] Outcome only_outcome() {
    const std::vector<Outcome> taken = outcomes();
    REQUIRE(taken.size() == 1);
    return taken.front();
  }
  [[nodiscard]] std::vector<PoolId> take_touched() {
    const auto taken = ground.touched.take(now());
    return {taken.begin(), taken.end()};
  }
  [[nodiscard]] JobState& job(JobSlot slot) { return ground.tables.jobs[slot]; }

  World world;
  GroundFloor ground;
};

/// Zone pools have what they have at first.
struct UpToBooks : UpToGround {
  explicit UpToBooks(World made, Logs told = {}, const Roster& orchestrators = roster)
      : UpToGround{std::move(made)}, logs{std::move(told)}, known{world,  world.strategies.front(),
                                                                  0,      logs,
                                                                  ground, orchestrators} {
    for (std::size_t pool = 0; pool < world.pools.size(); ++pool) {
      const std::vector<CapacitySource>& sources = world.pools[pool].capacity;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        known.books.resize(PoolId{static_cast<std::uint16_t>(pool)}, i, sources[i].steps.front().gpus, now());
      }
    }
  }

  /// The job as a source would submit it now; its shape is one of the world.
  [[nodiscard]] Job submitted(const JobSpec& spec) {
    const auto shape = std::ranges::find(world.shapes, spec.gpus, &Shape::gpus_per_node);
    REQUIRE(shape != world.shapes.end());
    return {.submit = now(),
            .work = spec.work,
            .estimate = spec.estimate == kForever ? spec.work : spec.estimate,
            .max_wait = spec.max_wait,
            .deadline = spec.deadline,
            .shape = ShapeId{static_cast<std::uint32_t>(shape - world.shapes.begin())},
            .job_class = ClassId{static_cast<std::uint16_t>(spec.job_class)},
            .group = spec.group,
            .row = rows++};
  }
  /// A recorded job that is under way, without a desk: in its first leg, with nothing asked for.
  JobSlot add_job(const JobSpec& spec) {
    const JobSlot slot = ground.tables.jobs.add();
    JobState& state = job(slot);
    state.job = submitted(spec);
    state.work_left = spec.work;
    state.generation = static_cast<std::uint32_t>(rows);
    state.asks.attempt = 1;
    state.history.released = now();
    state.orchestrators.is_released = true;
    known.route.assign(state, 0);
    state.record = known.recorder.job_came(true);
    known.recorder.job_released(state);
    return slot;
  }
  /// Where the job would ask in that leg.
  [[nodiscard]] const Candidate& candidate(JobSlot slot, std::size_t leg = 0, std::size_t place = 0) {
    return *known.route.usable(job(slot), leg).at(place);
  }
  [[nodiscard]] Lease& lease(LeaseSlot slot) { return known.books.leases()[slot]; }
  [[nodiscard]] PoolState& pool(PoolId id) { return known.books.pool(id); }

  Logs logs;
  std::uint64_t rows = 0;
  BooksFloor known;
};

struct UpToLives : UpToBooks {
  explicit UpToLives(World made, Logs told = {}, const Roster& orchestrators = roster)
      : UpToBooks{std::move(made), std::move(told), orchestrators}, lives{world, ground, known} {}

  /// The job has a lease in one of its legs, of all that it asks for or of `gpus`; it has not started.
  LeaseSlot enter_lease(JobSlot slot, std::size_t leg = 0, GpuCount gpus = {}) {
    JobState& of = job(slot);
    const Candidate& asked = candidate(slot, leg);
    const Leg& in = of.route.strategy->legs[leg];
    of.lease =
        known.books.grant({.job = slot,
                           .pool = asked.pool,
                           .lease_class = in.policy.lease_class,
                           .gpus = gpus == GpuCount{} ? asked.gpus : gpus,
                           .links = {.next_of_job = of.lease},
                           .asked = {.candidate = &asked, .leg = &in, .attempt = of.asks.attempt},
                           .times = {.granted = now(), .up = kNever, .working = kNever, .ends = kNever}});
    if (in.partial) lives.gangs.begin(of.lease);
    return of.lease;
  }
  /// The same, and its machines start.
  LeaseSlot start_lease(JobSlot slot, std::size_t leg = 0, GpuCount gpus = {}) {
    const LeaseSlot entered = enter_lease(slot, leg, gpus);
    lives.starts.start(entered, lease(entered).gpus);
    return entered;
  }
  /// The job, in that leg, asks for its first place there.
  RequestSlot ask(JobSlot slot, std::uint8_t leg = 0, std::size_t place = 0) {
    JobState& of = job(slot);
    of.asks.leg = leg;
    const Policy& policy = of.route.strategy->legs[leg].policy;
    const bool waits = policy.waits();
    lives.requests.open(slot, candidate(slot, leg, place), waits);
    return of.asks.first_request;
  }

  LivesFloor lives;
};

struct UpToMarket : UpToLives {
  explicit UpToMarket(World made, Logs told = {}, const Roster& orchestrators = roster)
      : UpToLives{std::move(made), std::move(told), orchestrators},
        pools{world, world.strategies.front(), ground, known, lives} {}

  /// A dispatch in which nobody hears anything before it is over.
  [[nodiscard]] std::vector<Outcome> serve(PoolId id) {
    pools.market.begin_dispatch(id);
    while (pools.market.decide()) {
    }
    return outcomes();
  }

  MarketFloor pools;
};

struct UpToDesk : UpToMarket {
  explicit UpToDesk(World made, Logs told = {}, const Roster& orchestrators = roster)
      : UpToMarket{std::move(made), std::move(told), orchestrators},
        desks{world, ground, known, lives, pools} {}

  DeskFloor desks;
};

}  // namespace stockout::test
