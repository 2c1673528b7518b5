// Who may begin to ask: groups of which so many jobs are open at a time, and gates before models that allow
// so many open requests.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/gates.h"
#include "models/simulation/groups.h"
#include "tests/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// Two jobs of a group are open at a time; leg 0 and leg 2 are of a model that allows two open requests.
World bounded_world(std::int32_t most = 2) {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  const PoolId other = make.pool(8);
  make.shape(1);
  make.world.classes[0].parallel = 2;
  Policy bounded = flex();
  bounded.open_max = most;
  make.leg({.policy = bounded, .places = {pool}});
  make.leg({.policy = on_demand(), .places = {pool}});
  make.leg({.policy = bounded, .places = {pool, other}});
  return make.build();
}

struct Bounded : UpToLives {
  explicit Bounded(std::int32_t most = 2)
      : UpToLives{bounded_world(most)},
        groups{world, ground.tables},
        gates{world.strategies[0], ground.tables, known.route, lives.requests} {}
  /// A job that comes to the gate before its leg; whether it makes a request.
  bool comes(JobSlot slot, std::uint8_t leg = 0) {
    job(slot).leg = leg;
    if (!gates.may_pass(slot)) return false;
    ask(slot, leg, gates.before(job(slot)));
    return true;
  }
  Groups groups;
  Gates gates;
};

}  // namespace

TEST_CASE("Of a group only so many jobs are open; the others follow in order of arrival", "[rooms]") {
  Bounded floors;
  std::vector<JobSlot> jobs;
  std::vector<bool> begins;
  for (int i = 0; i < 4; ++i) {
    jobs.push_back(floors.add_job({.group = 7}));
    begins.push_back(floors.groups.join(jobs.back()));
  }
  CHECK(begins == std::vector{true, true, false, false});
  CHECK(floors.groups.join(floors.add_job({.group = 8})));
  CHECK(floors.groups.join(floors.add_job({})));
  CHECK(floors.groups.leave(floors.job(jobs[1])) == jobs[2]);
  CHECK(floors.groups.leave(floors.job(jobs[0])) == jobs[3]);
  CHECK(floors.groups.leave(floors.job(jobs[2])) == kNoJob);
  CHECK(floors.groups.join(floors.add_job({.group = 7})));
  CHECK_FALSE(floors.groups.join(floors.add_job({.group = 7})));
}

TEST_CASE("A job without a group has no part in any", "[rooms]") {
  Bounded floors;
  for (int i = 0; i < 3; ++i) {
    const JobSlot job = floors.add_job({});
    CHECK(floors.groups.join(job));
    CHECK(floors.groups.leave(floors.job(job)) == kNoJob);
  }
}

TEST_CASE("A gate lets so many requests in, and the others by order of coming", "[rooms]") {
  Bounded floors;
  std::vector<JobSlot> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(floors.add_job({}));
  CHECK(floors.comes(jobs[0]));
  CHECK(floors.comes(jobs[1]));
  CHECK_FALSE(floors.comes(jobs[2]));
  CHECK_FALSE(floors.comes(jobs[3]));
  CHECK(floors.job(jobs[2]).stage == Stage::at_gate);
  CHECK_FALSE(floors.gates.is_due());
  CHECK(floors.gates.next() == kNoJob);
  floors.lives.requests.expire_all(jobs[0]);
  CHECK(floors.gates.is_due());
  CHECK(floors.gates.next() == jobs[2]);
}

TEST_CASE("Nobody passes those who stand at the gate, not even where there is room", "[rooms]") {
  Bounded floors{3};
  std::vector<JobSlot> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(floors.add_job({}));
  CHECK(floors.comes(jobs[0]));
  CHECK(floors.comes(jobs[1]));
  CHECK_FALSE(floors.comes(jobs[2], 2));  // asks in two places
  CHECK_FALSE(floors.comes(jobs[3]));     // would fit
}

TEST_CASE("Who has left the line is passed over", "[rooms]") {
  Bounded floors{1};
  std::vector<JobSlot> jobs;
  for (int i = 0; i < 3; ++i) jobs.push_back(floors.add_job({}));
  CHECK(floors.comes(jobs[0]));
  CHECK_FALSE(floors.comes(jobs[1]));
  CHECK_FALSE(floors.comes(jobs[2]));
  ++floors.job(jobs[1]).stay;
  floors.lives.requests.expire_all(jobs[0]);
  CHECK(floors.gates.next() == jobs[2]);
}

TEST_CASE("One gate stands before all legs of a model, and before no other leg, nor tenants", "[rooms]") {
  Bounded floors;
  JobState& job = floors.job(floors.add_job({}));
  CHECK_FALSE(floors.gates.empty());
  CHECK(floors.gates.before(job) == 0);
  job.leg = 2;
  CHECK(floors.gates.before(job) == 0);
  job.leg = 1;
  CHECK(floors.gates.before(job) == kNoGate);
  job.leg = 0;
  job.strategy_number = 1;
  CHECK(floors.gates.before(job) == kNoGate);
  CHECK(Bounded{0}.gates.empty());
}
