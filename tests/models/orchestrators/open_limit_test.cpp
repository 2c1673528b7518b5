// Models that allow so many open requests at a time. No engine: jobs and clerk are made up.

#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/open_limit.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/made_up_clerk.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;

namespace {

using Slots = std::vector<std::uint32_t>;

constexpr std::uint8_t kTwoPlaces = 2;  // a leg

// Legs 0 and 2 are of a model that allows so many open requests.
Strategy bounded_strategy(std::int32_t most) {
  Strategy strategy;
  strategy.legs.resize(3);
  strategy.legs[0].policy = flex();
  strategy.legs[1].policy = on_demand();
  strategy.legs[2].policy = flex();
  for (const std::size_t leg : {0U, 2U}) strategy.legs[leg].policy.open_max = most;
  return strategy;
}

struct Bounded {
  explicit Bounded(std::int32_t most = 2) : strategy{bounded_strategy(most)}, limit{strategy} {}
  MadeUpJob job() { return {.slot = jobs++}; }
  /// The job enters a leg, and if it may asks in all its places.
  Reply comes(const MadeUpJob& of, std::uint8_t leg = 0, bool waits = true) {
    const std::vector<const Candidate*> places(leg == kTwoPlaces ? 2 : 1);
    const Reply answer = limit.may_ask(
        of.view(), {.leg = strategy.legs[leg], .number = leg, .waits = waits, .places = places}, clerk);
    for (std::size_t i = 0; answer == Reply::go && i < places.size(); ++i) opens(of, leg);
    return answer;
  }
  void opens(const MadeUpJob& of, std::uint8_t leg = 0) {
    limit.heard(of.news(News::Kind::opened, leg), clerk);
  }
  void closes(const MadeUpJob& of, std::uint8_t leg = 0) {
    limit.heard(of.news(News::Kind::closed, leg), clerk);
  }
  void leaves(const MadeUpJob& of, std::uint8_t leg = 0) {
    limit.heard(of.news(News::Kind::left, leg), clerk);
  }
  /// Who is admitted in its next turn; it is due.
  Slots turn() {
    REQUIRE(limit.is_due());
    limit.turn(clerk);
    return clerk.take();
  }

  Strategy strategy;
  OpenLimit limit;
  MadeUpClerk clerk;
  std::uint32_t jobs = 0;
};

}  // namespace

TEST_CASE("A limit lets so many requests in, and the others by order of coming", "[orchestrators]") {
  Bounded bounded;
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(bounded.job());
  CHECK(bounded.comes(jobs[0]) == Reply::go);
  CHECK(bounded.comes(jobs[1]) == Reply::go);
  CHECK(bounded.comes(jobs[2]) == Reply::wait);
  CHECK(bounded.comes(jobs[3]) == Reply::wait);
  CHECK_FALSE(bounded.limit.is_due());
  bounded.closes(jobs[0]);
  CHECK(bounded.turn() == Slots{2});
  bounded.opens(jobs[2]);
  CHECK_FALSE(bounded.limit.is_due());
}

TEST_CASE("Nobody passes those who stand at the limit, not even where there is room", "[orchestrators]") {
  Bounded bounded{3};
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(bounded.job());
  CHECK(bounded.comes(jobs[0]) == Reply::go);
  CHECK(bounded.comes(jobs[1]) == Reply::go);
  CHECK(bounded.comes(jobs[2], kTwoPlaces) == Reply::wait);
  CHECK(bounded.comes(jobs[3]) == Reply::wait);  // would fit
}

TEST_CASE("Who leaves the line is passed over", "[orchestrators]") {
  Bounded bounded{1};
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 3; ++i) jobs.push_back(bounded.job());
  CHECK(bounded.comes(jobs[0]) == Reply::go);
  CHECK(bounded.comes(jobs[1]) == Reply::wait);
  CHECK(bounded.comes(jobs[2]) == Reply::wait);
  bounded.leaves(jobs[1]);
  bounded.leaves(jobs[0]);  // did not stand there
  CHECK_FALSE(bounded.limit.is_due());
  bounded.closes(jobs[0]);
  CHECK(bounded.turn() == Slots{2});
}

TEST_CASE("One limit stands before all legs of a model, and before no other leg, nor tenants",
          "[orchestrators]") {
  Bounded bounded{1};
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 3; ++i) jobs.push_back(bounded.job());
  CHECK(bounded.comes(jobs[0]) == Reply::go);
  CHECK(bounded.comes(jobs[1], 1) == Reply::go);
  CHECK(bounded.comes(jobs[1], 0, /*waits=*/false) == Reply::go);
  CHECK(bounded.comes(jobs[2], kTwoPlaces) == Reply::wait);
  jobs[0].is_tenant = true;
  CHECK_FALSE(bounded.limit.concerns(jobs[0].view()));
  CHECK(bounded.limit.concerns(jobs[1].view()));
}

TEST_CASE("A strategy without a bound requires no limit", "[orchestrators]") {
  CHECK(OpenLimit::is_asked_for(bounded_strategy(1)));
  CHECK_FALSE(OpenLimit::is_asked_for(bounded_strategy(0)));
  Strategy held = bounded_strategy(1);
  for (Leg& leg : held.legs) leg.policy.held = true;
  CHECK_FALSE(OpenLimit::is_asked_for(held));
}

TEST_CASE("A limit that counts a request too many or too few when all are closed has wrong books",
          "[orchestrators]") {
  Bounded bounded;
  const MadeUpJob job = bounded.job();
  CHECK_NOTHROW(bounded.limit.check());
  CHECK(bounded.comes(job) == Reply::go);
  CHECK_THROWS_AS(bounded.limit.check(), InvariantError);
  bounded.closes(job);
  CHECK_NOTHROW(bounded.limit.check());
  bounded.closes(job);
  CHECK_THROWS_AS(bounded.limit.check(), InvariantError);
}
