// What is drawn of a run is what the run did.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "models/history/lanes.h"
#include "models/history/timeline.h"
#include "tests/support/worlds/random_world.h"
#include "tests/support/worlds/world_builder.h"
#include "tools/report/run/json_text.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = TimelineSlice::Kind;

struct Drawn {
  Timeline timeline;
  RunRecord record;
  std::vector<LeaseRow> leases;
};

Drawn draw(const World& world, std::size_t strategy, const TimelineOptions& options) {
  Drawn drawn;
  TimelineBook book{world, options};
  Logs logs{.on_lease = [&](const LeaseRow& lease) { drawn.leases.push_back(lease); }};
  book.listen(logs);
  drawn.record = simulate(world, strategy, 0, logs);
  drawn.timeline = book.finish(0, drawn.record);
  return drawn;
}

SimDuration length_of(const Timeline& timeline, std::size_t job, std::initializer_list<Kind> kinds) {
  SimDuration sum{};
  for (const TimelineSlice& slice : timeline.slices) {
    if (slice.job == job && std::ranges::count(kinds, slice.kind) > 0) sum += slice.end - slice.begin;
  }
  return sum;
}

void check_lanes(const Timeline& timeline) {
  std::map<std::pair<TrackNumber, std::uint32_t>, std::vector<std::pair<SimTime, SimTime>>> lanes;
  for (const TimelineSlice& slice : timeline.slices) {
    CHECK(slice.begin < slice.end);
    CHECK(slice.lane < timeline.lanes.at(slice.track));
    lanes[{slice.track, slice.lane}].emplace_back(slice.begin, slice.end);
  }
  for (auto& [_, spans] : lanes) {
    std::ranges::sort(spans);
    for (std::size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].second <= spans[i].first);
  }
  for (const TimelineMoment& moment : timeline.moments) {
    if (moment.lane) CHECK(*moment.lane < timeline.lanes.at(moment.track));
  }
}

// Of a run all of which is drawn.
void check_whole(const Drawn& drawn) {
  const Timeline& timeline = drawn.timeline;
  REQUIRE(timeline.jobs.size() == drawn.record.jobs.size());
  CHECK(!timeline.left_out);
  for (std::size_t job = 0; job < timeline.jobs.size(); ++job) {
    const TimelineJob& of = timeline.jobs[job];
    CHECK(of.number == job);
    SimDuration leased{};
    SimDuration lost{};
    std::set<SimTime> preempted;  // the shares of a gang over zones go together
    for (const LeaseRow& lease : drawn.leases) {
      if (lease.job != job) continue;
      leased += lease.ended - lease.granted;
      lost += lease.lost;
      if (lease.preempted) preempted.insert(lease.ended);
    }
    CHECK(length_of(timeline, job, {Kind::start_up, Kind::run, Kind::lost}) == leased);
    CHECK(length_of(timeline, job, {Kind::lost}) == lost);
    CHECK(length_of(timeline, job, {Kind::held_back}) == of.outcome.released - of.job.submit);
    CHECK(length_of(timeline, job, {Kind::waiting}) ==
          of.outcome.finished - of.outcome.released - of.outcome.leased);
    std::size_t seen = 0;
    std::size_t taken = 0;
    for (const TimelineSlice& slice : timeline.slices) seen += slice.job == job ? 1 : 0;
    for (const TimelineMoment& moment : timeline.moments) {
      seen += moment.job == job ? 1 : 0;
      const bool is_taken =
          moment.kind == TimelineMoment::Kind::preempted || moment.kind == TimelineMoment::Kind::fault;
      if (moment.job == job && is_taken) taken += static_cast<std::size_t>(moment.count);
    }
    CHECK(seen > 0);
    CHECK(taken >= preempted.size());  // and machines of partial leases
  }
}

// What is drawn with less room is the same, up to some job. A lease without length takes room while the run
// goes on, though nothing is drawn of it.
void check_part(const Drawn& all, const Timeline& part, std::size_t most) {
  const Timeline& whole = all.timeline;
  CHECK(part.slices.size() + part.moments.size() <= most);
  REQUIRE(part.jobs.size() <= whole.jobs.size());
  REQUIRE(part.slices.size() <= whole.slices.size());
  REQUIRE(part.moments.size() <= whole.moments.size());
  CHECK(part.left_out.has_value() == (part.jobs.size() < whole.jobs.size()));
  if (part.left_out) CHECK(*part.left_out == part.jobs.size());
  for (std::size_t i = 0; i < part.slices.size(); ++i) {
    CHECK(part.slices[i].begin == whole.slices[i].begin);
    CHECK(part.slices[i].job == whole.slices[i].job);
  }
  const auto size_of = [&whole](std::size_t job) {
    const auto is_of = [job](const auto& drawn) { return drawn.job == job; };
    return static_cast<std::size_t>(std::ranges::count_if(whole.slices, is_of) +
                                    std::ranges::count_if(whole.moments, is_of));
  };
  const auto without_length =
      std::ranges::count_if(all.leases, [](const LeaseRow& lease) { return lease.granted == lease.ended; });
  const std::size_t room_taken = part.slices.size() + part.moments.size() + size_of(part.jobs.size()) +
                                 static_cast<std::size_t>(without_length);
  if (part.left_out) CHECK(room_taken > most);
}

}  // namespace

TEST_CASE("What is drawn of a run is what its jobs did, in any world", "[timeline]") {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    CAPTURE(seed);
    const World world = random_world(seed);
    const Drawn whole = draw(world, world.strategies.size() - 1, {});
    check_whole(whole);
    check_lanes(whole.timeline);
    const std::size_t most = 1 + seed % 20;
    const Drawn part = draw(world, world.strategies.size() - 1, {.most = most});
    check_lanes(part.timeline);
    check_part(whole, part.timeline, most);
  }
}

TEST_CASE("Lanes are as few as spans at one time, and the least that is free is taken", "[timeline]") {
  Lanes lanes;
  CHECK(lanes.add(kStart, kStart + 10s) == 0);
  CHECK(lanes.add(kStart, kStart + 5s) == 1);
  CHECK(lanes.add(kStart + 1s, kStart + 2s) == 2);
  CHECK(lanes.add(kStart + 5s, kStart + 6s) == 1);  // where another ends
  CHECK(lanes.add(kStart + 7s, kStart + 8s) == 1);
  CHECK(lanes.add(kStart + 7s, kStart + 30s) == 2);
  CHECK(lanes.add(kStart + 20s, kStart + 21s) == 0);
  CHECK(lanes.count() == 3);
}

// A Spot job of 40 min is preempted after 25, start-up of 5 min included; refused at once, it tries again 10
// min later and starts from the beginning.
TEST_CASE("A timeline by hand: wait, start-up, run and lost work", "[timeline]") {
  WorldBuilder make;
  const PoolId pool = make.pool(1);
  make.step(pool, 30min, 0);
  make.step(pool, 40min, 1);
  Policy policy = spot();
  policy.start_up = {.a = 5min};
  policy.restarts = kUnlimited;
  policy.retries = 1;
  policy.retry_interval = 10min;
  make.leg({.policy = policy, .places = {pool}});
  make.job({.at = 5min, .work = 40min});
  const Drawn drawn = draw(make.build(), 0, {});
  check_whole(drawn);
  struct Expected {
    Kind kind;
    SimDuration begin;
    SimDuration end;
    TrackNumber track;
  };
  const std::vector<Expected> expected{{Kind::start_up, 5min, 10min, track_of(pool)},
                                       {Kind::lost, 10min, 30min, track_of(pool)},
                                       {Kind::start_up, 40min, 45min, track_of(pool)},
                                       {Kind::run, 45min, 85min, track_of(pool)},
                                       {Kind::waiting, 30min, 40min, kWaitingTrack}};
  REQUIRE(drawn.timeline.slices.size() == expected.size());
  for (const Expected& slice : expected) {
    CHECK(std::ranges::count_if(drawn.timeline.slices, [&](const TimelineSlice& other) {
            return other.kind == slice.kind && other.begin == kStart + slice.begin &&
                   other.end == kStart + slice.end && other.track == slice.track && other.lane == 0;
          }) == 1);
  }
  REQUIRE(drawn.timeline.moments.size() == 2);
  const TimelineMoment& moment = drawn.timeline.moments.front();
  CHECK(moment.kind == TimelineMoment::Kind::preempted);
  CHECK(moment.at == kStart + 30min);
  CHECK(moment.lane == 0);
  CHECK(drawn.timeline.moments.back().kind == TimelineMoment::Kind::refused);
  CHECK(drawn.timeline.moments.back().at == kStart + 30min);
  const LevelHistory& capacity = drawn.timeline.history.pools[0].capacity[0];
  REQUIRE(capacity.steps.has_value());
  CHECK(capacity.steps->size() == 3);

  SECTION("what was over before is not drawn, what was under way is drawn from there on") {
    const Drawn later = draw(make.build(), 0, {.from = kStart + 42min});
    REQUIRE(later.timeline.slices.size() == 2);
    CHECK(later.timeline.slices[0].begin == kStart + 42min);
    CHECK(later.timeline.slices[0].kind == Kind::start_up);
    CHECK(later.timeline.slices[1].kind == Kind::run);
    CHECK(later.timeline.moments.empty());
    const Drawn after = draw(make.build(), 0, {.from = kStart + 86min});
    CHECK(after.timeline.jobs.empty());
    CHECK(after.timeline.over_before == 1);
  }
}

TEST_CASE("What a pool refuses again and again is one moment", "[timeline]") {
  WorldBuilder make;
  const PoolId full = make.pool(2);
  const PoolId other = make.pool(2);
  make.step(full, 0s, 0);
  make.step(full, 2h, 2);
  make.step(other, 0s, 1);
  Policy policy = spot();
  policy.retries = 10;
  policy.retry_interval = 15min;
  make.leg({.policy = policy, .places = {full, other}});
  make.job({.at = 5min, .work = 1h, .gpus = 2});
  const Drawn drawn = draw(make.build(), 0, {});
  REQUIRE(drawn.timeline.moments.size() == 2);  // of two pools
  for (const TimelineMoment& moment : drawn.timeline.moments) {
    CHECK(moment.kind == TimelineMoment::Kind::refused);
    CHECK(moment.at == kStart + 5min);
    CHECK(moment.last == kStart + 110min);
    CHECK(moment.count == 8);
    CHECK(!moment.lane);
  }
}

TEST_CASE("A text in a JSON file has no escapes that readers of traces do not know", "[timeline]") {
  CHECK(json_text("a \"b\" \\ \x01\n\x7f </script>") == R"("a \"b\" \\     </script>")");
  CHECK(json_text("caf\xc3\xa9") == "\"caf\xc3\xa9\"");
  CHECK(json_text("caf\xc3\xa9", 4) == "\"caf...\"");  // never half a character
  CHECK(json_text("\xff") == "\"\xef\xbf\xbd\"");
}
