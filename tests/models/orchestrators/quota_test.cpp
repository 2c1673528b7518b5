// Quotas of a planner. No engine: jobs, places and clerk are made up.

#include <list>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/quota.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/made_up_clerk.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Slots = std::vector<std::uint32_t>;

/// A place that asks for so many machines of 8 GPUs and 208 vCPUs.
Candidate machines(std::int32_t count, PoolId pool = PoolId{0}) {
  Candidate place{.pool = pool, .gpus = GpuCount{8 * count}};
  place.parts[0].machines = count;
  place.parts[0].gpus = 8;
  return place;
}

/// Two pools. 32 GPUs in the first, and 416 vCPUs in both.
World two_quotas() {
  World world;
  world.pools.resize(2);
  world.machines.resize(1);
  for (const auto& [limit, units] : {std::pair{32, 8}, {416, 208}}) {
    QuotaBucket& quota = world.quotas.emplace_back();
    quota.pools.fill({true, units != 8});
    quota.units = {units};
    quota.steps = {{.at = kStart, .limit = limit}};
  }
  return world;
}

struct UnderQuota {
  explicit UnderQuota(QuotaRule rule = {.when_short = WhenShort::wait}, World with = two_quotas())
      : world{std::move(with)}, strategy{make_strategy(rule)}, quota{world, strategy} {}

  static Strategy make_strategy(QuotaRule rule) {
    Strategy made;
    made.legs.resize(2);
    made.legs[0].policy = flex();
    made.legs[1].policy = on_demand();
    made.quota = rule;
    return made;
  }
  MadeUpJob job() { return {.slot = jobs++}; }
  LegView leg(std::uint8_t number, const std::vector<const Candidate*>& of) {
    return {.leg = strategy.legs[number], .number = number, .waits = number == 0, .places = of};
  }
  Reply comes(const MadeUpJob& of, const Candidate& place, std::uint8_t number = 0) {
    places.push_back({&place});
    return quota.may_ask(of.view(), leg(number, places.back()), clerk);
  }
  void hears(News::Kind kind, const MadeUpJob& of, const Candidate& place, std::int64_t count = 0,
             std::uint8_t number = 0) {
    News news = of.news(kind, number);
    news.asked = &place;
    news.machines = count;
    quota.heard(news, clerk);
  }
  Slots turn() {
    quota.turn(clerk);
    return clerk.take();
  }

  World world;
  Strategy strategy;
  MadeUpClerk clerk;
  std::list<std::vector<const Candidate*>> places;
  std::uint32_t jobs = 0;
  Quota quota;
};

}  // namespace

TEST_CASE("All quotas that cover a machine must have room: vCPUs have a quota of their own",
          "[orchestrators]") {
  UnderQuota under{{.when_short = WhenShort::refuse}};
  CHECK(under.comes(under.job(), machines(2)) == Reply::go);
  CHECK(under.comes(under.job(), machines(3)) == Reply::refuse);             // 24 GPUs, but 624 vCPUs
  CHECK(under.comes(under.job(), machines(3, PoolId{1})) == Reply::refuse);  // these count there too
  CHECK(under.comes(under.job(), machines(5, PoolId{2})) == Reply::go);      // held, or none of theirs
}

TEST_CASE("Quota is taken by requests and leases, and given back machine by machine", "[orchestrators]") {
  UnderQuota under;
  const Candidate two = machines(2);
  const Candidate one = machines(1);
  const MadeUpJob first = under.job();
  const MadeUpJob second = under.job();
  CHECK(under.comes(first, two) == Reply::go);
  under.hears(News::Kind::opened, first, two);
  CHECK(under.comes(second, one) == Reply::wait);
  under.hears(News::Kind::closed, first, two);
  under.hears(News::Kind::granted, first, two, 2);
  CHECK(under.turn().empty());
  CHECK_FALSE(under.quota.is_due());
  under.hears(News::Kind::fewer, first, two, 1);
  CHECK(under.quota.is_due());
  CHECK(under.turn() == Slots{1});
  CHECK_THROWS_AS(under.quota.check(), InvariantError);
  under.hears(News::Kind::ended, first, two, 1);
  CHECK_NOTHROW(under.quota.check());
}

TEST_CASE(
    "Where the start takes the quota, a request that waits holds none, one that is decided at once does",
    "[orchestrators]") {
  UnderQuota under{{.when_short = WhenShort::wait, .taken_at = QuotaTaken::start}};
  const Candidate two = machines(2);
  const MadeUpJob first = under.job();
  const MadeUpJob second = under.job();
  const std::vector<const Candidate*> places{&two};
  under.hears(News::Kind::opened, first, two);
  CHECK(under.comes(second, two) == Reply::go);
  CHECK(under.quota.may_start(first.view(), under.leg(0, places), two, under.clerk));
  under.hears(News::Kind::granted, first, two, 2);
  CHECK_FALSE(under.quota.may_start(second.view(), under.leg(0, places), two, under.clerk));
  under.hears(News::Kind::ended, first, two, 2);
  under.hears(News::Kind::opened, second, two, 0, 1);
  CHECK_FALSE(under.quota.may_ask_in(first.view(), under.leg(1, places), two, under.clerk));
}

TEST_CASE("Where the start takes the quota, one job goes on, and the next is looked for a round later",
          "[orchestrators]") {
  World world = two_quotas();
  world.quotas[0].steps.push_back({.at = kStart + 1h, .limit = 64});
  world.quotas[1].steps.push_back({.at = kStart + 1h, .limit = 4'160});
  const bool at_start = GENERATE(false, true);
  const QuotaTaken taken_at = at_start ? QuotaTaken::start : QuotaTaken::request;
  UnderQuota under{{.when_short = WhenShort::wait, .taken_at = taken_at}, world};
  const Candidate three = machines(3);
  CHECK(under.comes(under.job(), three) == Reply::wait);
  CHECK(under.comes(under.job(), three) == Reply::wait);
  under.clerk.time = kStart + 1h;
  under.quota.timer(Token{0}, under.clerk);
  CHECK(under.turn() == Slots{0});
  CHECK(under.quota.is_due() == !at_start);
  CHECK(under.clerk.woken.size() == (at_start ? 1 : 0));
  under.quota.timer(Token{2}, under.clerk);
  CHECK(under.turn() == Slots{1});
}

TEST_CASE("It would let a job ask where there is quota, and nobody else waits for it", "[orchestrators]") {
  UnderQuota under;
  const Candidate two = machines(2);
  const Candidate three = machines(3);
  const std::vector<const Candidate*> places{&three, &two};
  const MadeUpJob job = under.job();
  const auto would_let = [&](const Candidate& place) {
    return under.quota.would_let_ask(job.view(), under.leg(1, places), place, under.clerk);
  };
  CHECK(would_let(two));
  CHECK_FALSE(would_let(three));
  CHECK(under.comes(job, three) == Reply::wait);
  CHECK(would_let(two));  // it is the only one who waits
  CHECK(under.comes(under.job(), three) == Reply::wait);
  CHECK_FALSE(would_let(two));
}

TEST_CASE("It wakes at each step of a limit, and lets in who waits for it", "[orchestrators]") {
  World world = two_quotas();
  world.quotas[0].steps.push_back({.at = kStart + 1h, .limit = 64});
  world.quotas[1].steps.push_back({.at = kStart + 2h, .limit = 4'160});
  UnderQuota under{{.when_short = WhenShort::wait}, world};
  const Candidate five = machines(5);
  under.quota.begins(under.clerk);
  CHECK(under.comes(under.job(), five) == Reply::wait);
  under.clerk.time = kStart + 1h;
  under.quota.timer(Token{0}, under.clerk);
  CHECK(under.turn().empty());
  under.clerk.time = kStart + 2h;
  under.quota.timer(Token{0}, under.clerk);
  CHECK(under.turn() == Slots{0});
  CHECK(under.clerk.woken == std::vector<SimTime>{kStart + 1h, kStart + 2h});
}

TEST_CASE("It tells the record how long a job waited before its first grant, and how often it was refused",
          "[orchestrators]") {
  UnderQuota under{{.when_short = WhenShort::refuse}};
  const Candidate three = machines(3);
  MadeUpJob job = under.job();
  CHECK(under.comes(job, three) == Reply::refuse);
  under.hears(News::Kind::left, job, three);  // it stood nowhere, and waits on
  under.clerk.time = kStart + 4min;
  CHECK(under.comes(job, three) == Reply::refuse);
  under.clerk.time = kStart + 6min;
  under.hears(News::Kind::granted, job, machines(0), 0);
  job.was_granted = true;
  CHECK(under.comes(job, three) == Reply::refuse);
  RunRecord record;
  record.end = kStart + 1h;
  (void)record.jobs.add();
  record.jobs.set(0, {});
  under.quota.write(record);
  CHECK(record.jobs.at(0).quota == QuotaOutcome{.wait = 6min, .refusals = 3});
}

TEST_CASE("Machines that are held have taken their quota, but for those that were booked",
          "[orchestrators]") {
  World world = two_quotas();
  HeldPool& held = world.held.emplace_back();
  held.from = kStart + 1h;
  held.until = kStart + 2h;
  held.machines = MachineCount{1};
  const bool is_booked = GENERATE(false, true);
  if (is_booked) held.booking = Booking{};
  Strategy strategy = UnderQuota::make_strategy({});
  strategy.held = {PoolId{2}};
  const QuotaBooks books{world, strategy};
  const Candidate two = machines(2);
  const auto has_room = [&](SimTime at) { return books.has_room(two, LeaseClass::flex, at); };
  CHECK(has_room(kStart));
  CHECK(has_room(kStart + 1h) == is_booked);
  CHECK(has_room(kStart + 2h));
}
