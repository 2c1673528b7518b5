// What an orchestrator may do beside holding jobs back: places, starts, machines, the begin and end of a run.
// Times in seconds.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/models/orchestrators/run_with.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

std::string seconds(SimTime at) {
  return at == kNever ? "never" : fmt::format("{}", (at - kStart) / SimDuration{1s});
}

/// "begins 0, first granted 0, completed at 10".
std::string job(const RunRecord& record, std::uint64_t number) {
  const JobOutcome outcome = record.jobs.at(number);
  return fmt::format("begins {}, first granted {}, {} at {}", seconds(outcome.released),
                     seconds(outcome.first_grant), kFinalStateNames[static_cast<std::size_t>(outcome.state)],
                     seconds(outcome.finished));
}

/// Lets nobody ask in one pool.
class Barrier final : public Orchestrator {
 public:
  explicit Barrier(PoolId pool, SimDuration opens = kForever) : pool_{pool}, opens_{later(kStart, opens)} {}
  [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) override {
    const bool is_anew = std::exchange(asked_, clerk.now()) == clerk.now();
    if (!is_anew || clerk.now() >= opens_) return Reply::go;
    waits_ = job.ticket;
    clerk.wake(opens_, Token{});
    return Reply::wait;
  }
  [[nodiscard]] bool may_ask_in(const JobView& /*job*/, const LegView& /*leg*/, const Candidate& place,
                                Clerk& clerk) override {
    return place.pool != pool_ || clerk.now() >= opens_;
  }
  void timer(Token /*token*/, Clerk& clerk) override { clerk.admit(waits_); }

 private:
  PoolId pool_;
  SimTime opens_;
  SimTime asked_ = kNever;
  Ticket waits_;
};

/// Lets one job start at a time, of those that wait.
class OneStart final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) override {
    if (running_ == 0 || clerk.now() != turned_away_) return Reply::go;
    waiting_.push_back(job.ticket);
    return Reply::wait;
  }
  [[nodiscard]] bool may_start(const JobView& /*job*/, const LegView& /*leg*/, const Candidate& /*place*/,
                               Clerk& clerk) override {
    if (running_ > 0) turned_away_ = clerk.now();
    return running_ == 0;
  }
  void heard(const News& news, Clerk& clerk) override {
    running_ += news.kind == News::Kind::granted ? 1 : news.kind == News::Kind::ended ? -1 : 0;
    if (news.kind == News::Kind::left) std::erase(waiting_, news.job.ticket);
    if (news.kind != News::Kind::ended) return;
    for (const Ticket each : std::exchange(waiting_, {})) clerk.admit(each);
  }

 private:
  int running_ = 0;
  SimTime turned_away_ = kNever;
  std::vector<Ticket> waiting_;
};

}  // namespace

TEST_CASE("A place in which a job may not ask is passed over, in a race and one after the other", "[rules]") {
  const Policy policy = GENERATE(flex(), on_demand());
  WorldBuilder make;
  const PoolId one = make.pool(8);
  const PoolId two = make.pool(8);
  make.leg({.policy = policy, .places = {one, two}});
  make.job({.at = 0s, .work = 10s});
  const bool is_first = GENERATE(false, true);
  const RunRecord record =
      run_with(make.build(), [&] { return std::make_unique<Barrier>(is_first ? one : two); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 10");
  const auto requests = [&](PoolId pool) {
    return record.pools[index(pool)].classes[static_cast<std::size_t>(policy.lease_class)].requests;
  };
  CHECK(requests(is_first ? one : two) == 0);
  CHECK(requests(is_first ? two : one) == 1);
}

TEST_CASE("A job that may ask in no place of its leg is asked about it anew, or turned away", "[rules]") {
  const bool waits = GENERATE(false, true);
  WorldBuilder make = pools_of_eight({waits ? flex() : on_demand()});
  make.job({.at = 0s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Barrier>(PoolId{0}, 30s); });
  CHECK(job(record, 0) == (waits ? "begins 0, first granted 30, completed at 40"
                                 : "begins 0, first granted never, refused at 0"));
}

TEST_CASE("A waiting request that may not start is withdrawn, and its job asks again", "[rules]") {
  WorldBuilder make = pools_of_eight({flex()});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s});
  make.job({.at = 2s, .work = 10s, .max_wait = 5s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<OneStart>(); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 10");
  CHECK(job(record, 1) == "begins 1, first granted 10, completed at 20");
  CHECK(job(record, 2) == "begins 2, first granted never, expired at 7");
  const ClassTotals& flex_requests = record.pools[0].classes[static_cast<std::size_t>(LeaseClass::flex)];
  CHECK(flex_requests.requests == 4);
  CHECK(flex_requests.withdrawn == 2);
}

TEST_CASE("Orchestrators hear of the machines of a gang: granted, missing, lost, and there at its end",
          "[rules]") {
  /// Writes down how many.
  class Counter final : public Orchestrator {
   public:
    explicit Counter(std::vector<std::string>& heard) : heard_{heard} {}
    [[nodiscard]] bool concerns(const JobView& job) const override { return job.job.row == 0; }
    void heard(const News& news, Clerk& clerk) override {
      using enum News::Kind;
      if (news.kind != granted && news.kind != fewer && news.kind != ended) return;
      heard_.push_back(fmt::format("{} {} at {}", names_.at(news.kind), news.machines, seconds(clerk.now())));
    }

   private:
    std::vector<std::string>& heard_;
    std::map<News::Kind, std::string> names_{
        {News::Kind::granted, "granted"}, {News::Kind::fewer, "fewer"}, {News::Kind::ended, "ended"}};
  };
  const bool gathers = GENERATE(false, true);
  const Partial rule{.gather = gathers ? 20s : 0s, .interval = 10s};
  WorldBuilder make;
  const PoolId pool = make.pool(6);
  make.step(pool, 40s, 3);
  make.leg({.policy = spot(), .places = {pool}, .partial = rule, .least = 2});
  make.job({.at = 0s, .work = 100s, .gpus = 8});
  std::vector<std::string> heard;
  (void)run_with(make.build(), [&] { return std::make_unique<Counter>(heard); });
  using Lines = std::vector<std::string>;
  CHECK(heard == (gathers ? Lines{"granted 8 at 0", "fewer 2 at 20", "fewer 3 at 40", "ended 3 at 306"}
                          : Lines{"granted 6 at 0", "fewer 3 at 40", "ended 3 at 306"}));
}

TEST_CASE("An orchestrator is reported of the begin of a run, and adds to its record at the end", "[rules]") {
  /// Is woken at a time that it asks for before anything else.
  class Clock final : public Orchestrator {
   public:
    [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return false; }
    void begins(Clerk& clerk) override {
      CHECK(clerk.now() == kStart - 10s);
      clerk.wake(kStart + 5s, Token{});
    }
    void timer(Token /*token*/, Clerk& clerk) override { woken_ = clerk.now(); }
    void write(RunRecord& record) const override {
      CHECK(woken_ == kStart + 5s);
      CHECK(record.jobs.size() == 1);
      record.arrivals = 42;
    }

   private:
    SimTime woken_ = kNever;
  };
  WorldBuilder make = pools_of_eight({on_demand()});
  make.world.begin = kStart - 10s;
  make.job({.at = 0s, .work = 10s});
  CHECK(run_with(make.build(), [] { return std::make_unique<Clock>(); }).arrivals == 42);
}
