// Jobs of a set work together or not at all. No engine: jobs and clerk are made up.

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/job_sets.h"
#include "tests/models/orchestrators/made_up_clerk.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Slots = std::vector<std::uint32_t>;

std::vector<Source> with_rule(JobSetRule rule) {
  std::vector<Source> sources(3);  // the last has no sets
  sources[0].set = SetMember{.first = SourceId{0}, .rule = rule};
  sources[1].set = SetMember{.first = SourceId{0}, .rule = {}};
  return sources;
}

/// One set of two jobs, which have come.
struct OneSet {
  explicit OneSet(JobSetRule rule = {}) : sources{with_rule(rule)} {
    for (const MadeUpJob& job : {first, second}) {
      REQUIRE(sets.concerns(job.view()));
      CHECK(sets.may_begin(job.view(), clerk));
    }
  }
  void is_ready(const MadeUpJob& job, SimDuration up, SimDuration ready) {
    CHECK_FALSE(sets.may_work(job.view(), kStart + up, kStart + ready, clerk));
  }
  void hears(const MadeUpJob& job, News::Kind kind, FinalState state = {}) {
    News news = job.news(kind);
    news.state = state;
    sets.heard(news, clerk);
  }
  /// All that it has to say at that time.
  void looks(SimDuration at) {
    clerk.time = kStart + at;
    sets.timer(Token{}, clerk);
    while (sets.is_due()) sets.turn(clerk);
  }
  Slots take(std::vector<std::uint32_t>& said) { return std::exchange(said, {}); }

  std::vector<Source> sources;
  JobSets sets{sources};
  MadeUpClerk clerk;
  MadeUpJob first{.slot = 1, .job = {.source = SourceId{0}, .row = 4}};
  MadeUpJob second{.slot = 2, .job = {.source = SourceId{1}, .row = 4}};
};

}  // namespace

TEST_CASE("A set begins its work when the last of its jobs is ready", "[orchestrators]") {
  OneSet one;
  one.is_ready(one.first, 2s, 5s);
  one.looks(1s);
  CHECK(one.clerk.woken.empty());
  one.is_ready(one.second, 3s, 9s);
  one.looks(2s);
  CHECK(one.clerk.working.empty());
  CHECK(one.clerk.woken == std::vector{kStart + 9s});
  one.looks(9s);
  CHECK(one.take(one.clerk.working) == Slots{1, 2});
}

TEST_CASE("Jobs without sets are none of their business", "[orchestrators]") {
  OneSet one;
  CHECK_FALSE(one.sets.concerns(MadeUpJob{.job = {.source = SourceId{2}}}.view()));
  CHECK_FALSE(one.sets.concerns(MadeUpJob{.job = {.source = SourceId{0}}, .is_tenant = true}.view()));
}

TEST_CASE("Machines that wait too long are given back, and nobody asks for a while", "[orchestrators]") {
  OneSet one{{.hold = 10min, .again = 1min}};
  one.is_ready(one.first, 30s, 40s);
  one.looks(1s);
  CHECK(one.clerk.woken == std::vector{kStart + 30s + 10min});
  one.looks(30s + 10min);
  CHECK(one.take(one.clerk.given_back) == Slots{1, 2});
  one.hears(one.first, News::Kind::ended);
  const Leg leg{};
  CHECK(one.sets.may_ask(one.first.view(), {.leg = leg, .places = {}}, one.clerk) == Reply::wait);
  one.looks(30s + 10min);
  CHECK(one.clerk.given_back.empty());
  one.looks(30s + 11min);
  CHECK(one.take(one.clerk.given_back) == Slots{1});
  CHECK(one.sets.may_ask(one.second.view(), {.leg = leg, .places = {}}, one.clerk) == Reply::go);
  RunRecord record;
  one.sets.write(record);
  CHECK(record.sets.given_back == 1);
}

TEST_CASE("A job that has left its leg meanwhile is not let go on", "[orchestrators]") {
  OneSet one{{.hold = 0s, .again = 1min}};
  one.is_ready(one.first, 0s, 0s);
  one.looks(0s);
  const Leg leg{};
  CHECK(one.sets.may_ask(one.first.view(), {.leg = leg, .places = {}}, one.clerk) == Reply::wait);
  one.take(one.clerk.given_back);
  one.hears(one.first, News::Kind::left);
  one.looks(1min);
  CHECK(one.clerk.given_back.empty());
}

TEST_CASE("Who works begins anew when another has lost its machines, as often as it may", "[orchestrators]") {
  OneSet one{{.restarts = 1}};
  const auto both_work = [&](SimDuration at) {
    one.is_ready(one.first, at, at);
    one.is_ready(one.second, at, at);
    one.looks(at);
    CHECK(one.take(one.clerk.working) == Slots{1, 2});
  };
  both_work(1s);
  one.hears(one.second, News::Kind::ended);
  one.looks(2s);
  CHECK(one.take(one.clerk.anew) == Slots{1});
  both_work(3s);
  one.hears(one.first, News::Kind::ended);
  one.looks(4s);
  CHECK(one.clerk.anew.empty());
  CHECK(one.take(one.clerk.failed) == Slots{1, 2});
}

TEST_CASE("A set fails with any of its jobs, and one that is completed is missed by nobody",
          "[orchestrators]") {
  OneSet one;
  one.hears(one.first, News::Kind::final, FinalState::completed);
  one.is_ready(one.second, 1s, 1s);
  one.looks(1s);
  CHECK(one.take(one.clerk.working) == Slots{2});
  CHECK(one.clerk.failed.empty());

  OneSet other;
  other.hears(other.second, News::Kind::final, FinalState::expired);
  other.looks(1s);
  CHECK(other.take(other.clerk.failed) == Slots{1});
}

TEST_CASE("A set whose jobs are suspended stops without a restart, and begins when all are ready again",
          "[orchestrators]") {
  OneSet one{{.restarts = 0}};
  one.is_ready(one.first, 0s, 0s);
  one.is_ready(one.second, 0s, 0s);
  one.looks(0s);
  CHECK(one.take(one.clerk.working) == Slots{1, 2});
  one.hears(one.first, News::Kind::suspended);
  one.hears(one.second, News::Kind::suspended);
  one.is_ready(one.second, 5s, 5s);  // of a lease that is leaving
  one.looks(5s);
  one.hears(one.first, News::Kind::ended);
  one.hears(one.second, News::Kind::ended);
  one.looks(6s);
  CHECK(one.clerk.failed.empty());
  CHECK(one.clerk.working.empty());
  const Leg leg{};
  for (const MadeUpJob& job : {one.first, one.second})
    CHECK(one.sets.may_ask(job.view(), {.leg = leg, .places = {}}, one.clerk) == Reply::go);
  one.is_ready(one.first, 8s, 8s);
  one.is_ready(one.second, 8s, 8s);
  one.looks(8s);
  CHECK(one.take(one.clerk.working) == Slots{1, 2});
}
