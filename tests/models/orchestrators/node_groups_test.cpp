// Node groups that back off. No engine: jobs and clerk are made up.

#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/node_groups.h"
#include "tests/models/orchestrators/made_up_clerk.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint8_t kAgain = 1;  // the same groups as leg 0
constexpr std::uint8_t kSpot = 2;
constexpr std::uint8_t kPlain = 3;  // none

Strategy strategy_of_groups() {
  Strategy strategy;
  strategy.legs.resize(4);
  for (Leg& leg : strategy.legs) {
    leg.policy = on_demand();
    leg.policy.retry_interval = 5min;
    leg.node_group = NodeGroupRule{};
  }
  strategy.legs[kSpot].policy.name = "spot";
  strategy.legs[kPlain].node_group.reset();
  return strategy;
}

Candidate place(std::uint16_t pool, std::uint16_t machine = 0) {
  Candidate candidate;
  candidate.pool = PoolId{pool};
  candidate.parts[0] = {.line = {}, .machines = 1, .gpus = 1, .machine = MachineId{machine}};
  return candidate;
}

struct Groups {
  void fails(SimDuration at, const Candidate& where, std::uint8_t leg = 0) {
    clerk.time = kStart + at;
    News news = MadeUpJob{}.news(News::Kind::refused, leg);
    news.asked = &where;
    groups.heard(news, clerk);
  }
  [[nodiscard]] bool lets_ask(SimDuration at, const Candidate& where, std::uint8_t leg = 0) {
    clerk.time = kStart + at;
    const LegView view{.leg = strategy.legs[leg], .number = leg, .places = {}};
    const bool lets = groups.may_ask_in(MadeUpJob{}.view(), view, where, clerk);
    CHECK(groups.would_let_ask(MadeUpJob{}.view(), view, where, clerk) == lets);
    return lets;
  }
  /// From `at` on: for how long it backs off.
  [[nodiscard]] SimDuration pause(SimDuration at, const Candidate& where, std::uint8_t leg = 0) {
    clerk.time = kStart + at;
    const std::vector<const Candidate*> places{&where};
    const SimTime next = groups.next_try({.leg = strategy.legs[leg], .number = leg, .places = places}, clerk);
    return next == kNever ? kForever : next - clerk.time;
  }

  Strategy strategy = strategy_of_groups();
  NodeGroups groups{strategy};
  MadeUpClerk clerk;
};

const Candidate kOne = place(0);
const Candidate kTwo = place(1);

}  // namespace

TEST_CASE("A node group that fails again and again backs off for 5, 10, 20, 30 and 30 minutes",
          "[orchestrators]") {
  Groups all;
  SimDuration at = 0s;
  for (const SimDuration pause : {5min, 10min, 20min, 30min, 30min}) {
    all.fails(at, kOne);
    CHECK(all.pause(at, kOne) == pause);
    CHECK_FALSE(all.lets_ask(at + pause - 1ms, kOne));
    at += pause;
    CHECK(all.lets_ask(at, kOne));
    CHECK(all.pause(at, kOne) == kForever);
  }
}

TEST_CASE("A failure while a group backs off begins the same back-off anew", "[orchestrators]") {
  Groups all;
  all.fails(0s, kOne);
  all.fails(4min, kOne);
  CHECK(all.pause(4min, kOne) == 5min);
  all.fails(9min, kOne);  // it does not back off any more
  CHECK(all.pause(9min, kOne) == 10min);
}

TEST_CASE("A group that is passed over fails if quotas back off, and not otherwise", "[orchestrators]") {
  Groups all;
  const auto passed_over = [&] {
    News news = MadeUpJob{}.news(News::Kind::passed_over, 0);
    news.asked = &kOne;
    all.groups.heard(news, all.clerk);
    return all.pause(0s, kOne);
  };
  all.strategy.quota.when_short = WhenShort::refuse;
  CHECK(passed_over() == kForever);
  all.strategy.quota.when_short = WhenShort::back_off;
  CHECK(passed_over() == 5min);
}

TEST_CASE("A group remembers its failures for three hours after the last", "[orchestrators]") {
  Groups all;
  all.fails(0s, kOne);
  all.fails(3h, kOne);
  CHECK(all.pause(3h, kOne) == 10min);
  all.fails(6h + 1ms, kOne);
  CHECK(all.pause(6h + 1ms, kOne) == 5min);
}

TEST_CASE("A group is one for all legs of a model, and another for each model, pool and machine type",
          "[orchestrators]") {
  Groups all;
  all.fails(0s, kOne);
  CHECK_FALSE(all.lets_ask(1min, kOne, kAgain));
  CHECK(all.lets_ask(1min, kOne, kSpot));
  CHECK(all.lets_ask(1min, kOne, kPlain));
  CHECK(all.pause(1min, kOne, kPlain) == kForever);
  CHECK(all.lets_ask(1min, kTwo));
  CHECK(all.lets_ask(1min, place(0, 1)));
  all.fails(2min, kTwo, kPlain);
  CHECK(all.lets_ask(2min, kTwo));
}

TEST_CASE("A leg is worth asking again at the first end of a back-off of its places", "[orchestrators]") {
  Groups all;
  all.fails(0s, kOne);
  all.fails(2min, kTwo);
  const std::vector<const Candidate*> places{&kTwo, &kOne};
  CHECK(all.groups.next_try({.leg = all.strategy.legs[0], .places = places}, all.clerk) == kStart + 5min);
}

TEST_CASE("Node groups are asked for by any leg that has them, and tenants have none", "[orchestrators]") {
  Strategy strategy = strategy_of_groups();
  CHECK(NodeGroups::is_asked_for(strategy));
  for (Leg& leg : strategy.legs) leg.node_group.reset();
  CHECK_FALSE(NodeGroups::is_asked_for(strategy));
  const Groups all;
  CHECK(all.groups.concerns(MadeUpJob{}.view()));
  CHECK_FALSE(all.groups.concerns(MadeUpJob{.is_tenant = true}.view()));
}
