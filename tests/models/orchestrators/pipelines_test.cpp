// A step of a pipeline begins when those before it have completed. No engine: jobs and clerk are made up.

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/pipelines.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/made_up_clerk.h"

using namespace stockout;
using namespace stockout::test;

namespace {

using Slots = std::vector<std::uint32_t>;

PipelineStep behind(const std::vector<std::uint16_t>& before) {
  PipelineStep step{.first = SourceId{0}, .after = {}};
  for (const std::uint16_t source : before) step.after.push_back(SourceId{source});
  return step;
}

// Source 0 begins, 1 and 2 are behind it, 3 is behind both; 4 belongs to no pipeline.
std::vector<Source> diamond() {
  std::vector<Source> sources(5);
  sources[0].step = behind({});
  sources[1].step = behind({0});
  sources[2].step = behind({0});
  sources[3].step = behind({1, 2});
  return sources;
}

MadeUpJob job_of(std::uint16_t source, std::uint64_t pipeline) {
  return {.slot = source, .job = {.source = SourceId{source}, .row = pipeline}};
}

struct Played {
  explicit Played(const std::vector<Source>& sources) : pipelines{sources} {}

  /// The four jobs of a pipeline have come; the first begins.
  void come(std::uint64_t pipeline = 7) {
    for (std::uint16_t source = 0; source < 4; ++source) {
      const MadeUpJob job = job_of(source, pipeline);
      REQUIRE(pipelines.concerns(job.view()));
      CHECK(pipelines.may_begin(job.view(), clerk) == (source == 0));
    }
  }
  /// The job of a step is final; who is admitted then.
  Slots ends(std::uint16_t source, FinalState state = FinalState::completed, std::uint64_t pipeline = 7) {
    clerk.skipped.clear();
    const MadeUpJob job = job_of(source, pipeline);
    News news = job.news(News::Kind::final);
    news.state = state;
    pipelines.heard(news, clerk);
    return clerk.take();
  }

  Pipelines pipelines;
  MadeUpClerk clerk;
};

}  // namespace

TEST_CASE("A step begins when all steps before it have completed", "[orchestrators]") {
  Played run{diamond()};
  run.come();
  CHECK(run.ends(0) == Slots{1, 2});
  CHECK(run.ends(2).empty());
  CHECK(run.ends(1) == Slots{3});
  CHECK(run.ends(3).empty());
  CHECK_NOTHROW(run.pipelines.check());
}

TEST_CASE("Pipelines of one source do not wait for one another", "[orchestrators]") {
  Played run{diamond()};
  run.come(7);
  run.come(8);
  CHECK(run.ends(0, FinalState::completed, 8) == Slots{1, 2});
  CHECK(run.ends(1, FinalState::completed, 8).empty());
  CHECK(run.ends(0, FinalState::failed, 7).empty());
  CHECK(run.clerk.skipped == Slots{1, 2});
  CHECK(run.ends(2, FinalState::completed, 8) == Slots{3});
}

TEST_CASE("Steps behind one that did not complete are skipped, the others go on", "[orchestrators]") {
  Played run{diamond()};
  run.come();
  CHECK(run.ends(0) == Slots{1, 2});
  CHECK(run.ends(1, FinalState::expired).empty());
  CHECK(run.clerk.skipped == Slots{3});
  CHECK(run.ends(3, FinalState::skipped).empty());
  CHECK(run.ends(2).empty());
  CHECK_NOTHROW(run.pipelines.check());
}

TEST_CASE("What is skipped counts as not completed for the steps behind it", "[orchestrators]") {
  std::vector<Source> sources = diamond();
  sources[3].step = behind({1});
  Played run{sources};
  run.come();
  CHECK(run.ends(0, FinalState::refused).empty());
  CHECK(run.clerk.skipped == Slots{1, 2});
  CHECK(run.ends(1, FinalState::skipped).empty());
  CHECK(run.clerk.skipped == Slots{3});
}

TEST_CASE("A step that begins anyway waits until those before it are final", "[orchestrators]") {
  std::vector<Source> sources = diamond();
  sources[3].step->begins_anyway = true;
  Played run{sources};
  run.come();
  CHECK(run.ends(0) == Slots{1, 2});
  CHECK(run.ends(1, FinalState::failed).empty());
  CHECK(run.clerk.skipped.empty());
  CHECK(run.ends(2) == Slots{3});
}

TEST_CASE("With the first failure a pipeline may end: no further step begins", "[orchestrators]") {
  std::vector<Source> sources = diamond();
  sources[0].step->ends_with_failure = true;
  sources[2].step = behind({1});
  sources[3].step = behind({0});
  sources[3].step->after = {SourceId{2}};
  Played run{sources};
  run.come();
  CHECK(run.ends(0) == Slots{1});
  CHECK(run.ends(1, FinalState::failed).empty());
  CHECK(run.clerk.skipped == Slots{2, 3});
  CHECK(run.ends(2, FinalState::skipped).empty());
  CHECK(run.clerk.skipped.empty());
}

TEST_CASE("Behind a group a step begins when the whole group has completed", "[orchestrators]") {
  std::vector<Source> sources(2);
  sources[0].step = behind({});
  sources[0].step->by_group = true;
  sources[1].step = behind({0});
  Played run{sources};
  std::vector<MadeUpJob> trials;
  for (std::uint32_t i = 0; i < 3; ++i) {
    trials.push_back({.slot = i, .job = {.group = 5, .source = SourceId{0}, .row = 40 + i}});
    CHECK(run.pipelines.may_begin(trials.back().view(), run.clerk));
  }
  const MadeUpJob last{.slot = 9, .job = {.source = SourceId{1}, .row = 5}};
  CHECK_FALSE(run.pipelines.may_begin(last.view(), run.clerk));
  for (std::uint32_t i = 0; i < 3; ++i) {
    run.pipelines.heard(trials[i].news(News::Kind::final), run.clerk);
    CHECK(run.clerk.take() == (i == 2 ? Slots{9} : Slots{}));
  }
}

TEST_CASE("Tenants and sources without steps belong to no pipeline", "[orchestrators]") {
  Played run{diamond()};
  CHECK_FALSE(run.pipelines.concerns(job_of(4, 7).view()));
  MadeUpJob tenant = job_of(0, 7);
  tenant.is_tenant = true;
  CHECK_FALSE(run.pipelines.concerns(tenant.view()));
}

TEST_CASE("A step that is final before it came has wrong books", "[orchestrators]") {
  Played run{diamond()};
  CHECK_THROWS_AS(run.ends(0), InvariantError);
}
