// How a job asks in the leg that it is in, and waits for its orchestrator before.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/desk/asking.h"
#include "tests/models/orchestrators/scripted_orchestrator.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
const PoolId kOther{1};
constexpr std::uint8_t kQueue = 0;
constexpr std::uint8_t kAtOnce = 1;

World two_legs(SimDuration limit) {
  WorldBuilder make;
  make.pool(8);
  make.pool(8);
  make.shape(2);
  make.leg({.policy = flex(), .places = {kPool, kOther}, .limit = limit});
  make.leg({.policy = on_demand(), .places = {kPool, kOther}});
  return make.build();
}

struct Scripted {
  Script script;
};

struct AtLeg : Scripted, UpToDesk {
  explicit AtLeg(SimDuration limit = 20s)
      : UpToDesk{two_legs(limit), {}, [this](const auto&, const auto&) { return play_by({&script}); }},
        of{add_job({.work = 1min, .gpus = 2})},
        asking{desks.asking} {
    known.orchestration.assign(of);
  }
  void enter(std::uint8_t leg, Reply answer) {
    script.answer = answer;
    job(of).asks.leg = leg;
    asking.enter(of);
  }
  /// Where it asks, the latest request first.
  [[nodiscard]] std::vector<PoolId> asks() {
    std::vector<PoolId> at;
    for (RequestSlot r = job(of).asks.first_request; r != kNoRequest;
         r = ground.tables.requests[r].next_of_job) {
      at.push_back(ground.tables.requests[r].candidate->pool);
    }
    return at;
  }
  [[nodiscard]] std::vector<Step> due() {
    std::vector<Due> due;
    ground.agenda.take_due(due);
    std::vector<Step> live;
    for (const Due& each : due) {
      if (ground.tables.is_live(each.stay)) live.push_back(each.step);
    }
    return live;
  }
  JobSlot of;
  Asking& asking;
};

}  // namespace

TEST_CASE("A job asks in all places of a queueing leg, and its patience runs", "[rooms]") {
  AtLeg floors;
  floors.enter(kQueue, Reply::go);
  CHECK(floors.asks() == std::vector{kOther, kPool});
  CHECK(floors.job(floors.of).asks.stage == Stage::queueing);
  CHECK(floors.next_time() == 20s);
  floors.asking.leave(floors.of);
  CHECK(floors.next_time() == kForever);
}

TEST_CASE("A job asks in one place of an at-once leg, and then where it is reported", "[rooms]") {
  AtLeg floors;
  floors.enter(kAtOnce, Reply::go);
  CHECK(floors.asks() == std::vector{kPool});
  CHECK(floors.job(floors.of).asks.stage == Stage::moving);
  CHECK(floors.next_time() == kForever);
  floors.job(floors.of).asks.place = 1;
  floors.asking.ask_place(floors.of);
  CHECK(floors.asks() == std::vector{kOther, kPool});
}

TEST_CASE("A job that entered with kept requests in the leg asks for nothing more", "[rooms]") {
  AtLeg floors;
  floors.ask(floors.of, kQueue);
  floors.enter(kQueue, Reply::refuse);
  CHECK(floors.asks() == std::vector{kPool});
  CHECK(floors.script.asked.empty());
  CHECK(floors.next_time() == 20s);
}

TEST_CASE("A job that is told to wait stands in line, its patience runs, and it asks once admitted",
          "[rooms]") {
  AtLeg floors;
  const std::uint8_t leg = GENERATE(kQueue, kAtOnce);
  floors.enter(leg, Reply::wait);
  CHECK(floors.asks().empty());
  CHECK(floors.job(floors.of).asks.stage == Stage::in_line);
  CHECK(floors.next_time() == (leg == kQueue ? 20s : kForever));
  floors.script.clerk->admit(floors.script.asked.back());
  CHECK(floors.due() == std::vector{Step::admit});
  floors.asking.go_on(floors.of);
  CHECK(floors.asks().size() == (leg == kQueue ? 2 : 1));
  CHECK(floors.job(floors.of).asks.stage == (leg == kQueue ? Stage::queueing : Stage::moving));
}

TEST_CASE("Who leaves the line is no longer expected there", "[rooms]") {
  AtLeg floors;
  floors.enter(kQueue, Reply::wait);
  floors.script.clerk->admit(floors.script.asked.back());
  floors.asking.leave(floors.of);
  CHECK(floors.script.heard == std::vector{News::Kind::left});
  CHECK(floors.due().empty());
  floors.asking.leave(floors.of);
  CHECK(floors.script.heard.size() == 1);
}

TEST_CASE("A job that is refused is turned away in the next round, whatever its patience", "[rooms]") {
  AtLeg floors{GENERATE(0s, 20s)};
  floors.enter(kQueue, Reply::refuse);
  CHECK(floors.asks().empty());
  CHECK(floors.due() == std::vector{Step::turned_away});
  CHECK(floors.next_time() == kForever);
  CHECK(floors.script.heard == std::vector{News::Kind::left});
}
