// Orchestrators that come before each attempt of a job, and end it. Times in seconds.

#include <memory>
#include <string>

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

/// Each attempt waits for five seconds and then may use one leg, the first at first. A job without a leg
/// left begins another.
class Turnstile final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] bool may_try(const JobView& job, Clerk& clerk) override {
    waits_ = job.ticket;
    is_gone_ = false;
    clerk.wake(clerk.now() + 5s, Token{});
    return false;
  }
  void heard(const News& news, Clerk& /*clerk*/) override {
    if (news.kind == News::Kind::final) is_gone_ = true;
  }
  [[nodiscard]] bool tries_again(const JobView& /*job*/, Clerk& /*clerk*/) override { return leg_ <= 2; }
  void timer(Token /*token*/, Clerk& clerk) override {
    if (is_gone_) return;
    clerk.open_legs(waits_, static_cast<std::uint16_t>(leg_));
    clerk.admit(waits_);
    leg_ *= 2;
  }

 private:
  Ticket waits_;
  unsigned leg_ = 1;
  bool is_gone_ = false;
};

/// A job stops every so often.
class Suspender final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
  void heard(const News& news, Clerk& clerk) override {
    if (news.kind == News::Kind::opened && news.job.job.row == 0) clerk.wake(clerk.now() + 4s, Token{});
    if (news.kind == News::Kind::opened && news.job.job.row == 0) job_ = news.job.ticket;
  }
  void timer(Token /*token*/, Clerk& clerk) override {
    if (--times_ >= 0) clerk.suspend(job_);
  }

 private:
  Ticket job_;
  int times_ = 2;
};

}  // namespace

TEST_CASE("A job may be made to wait before each attempt, and leaves no trace there", "[rules]") {
  WorldBuilder make;
  const PoolId small = make.pool(8);
  make.leg({.policy = on_demand(), .places = {small}});
  make.leg({.policy = on_demand(), .places = {make.pool(8)}});
  make.tenant_leg({.policy = on_demand(), .places = {small}});
  make.tenant({.at = 0s, .work = 1h, .gpus = 8});
  SECTION("and goes on in the legs that are open to it") {
    make.job({.at = 10s, .work = 10s, .gpus = 8});  // the first leg refuses it at 15
    const RunRecord record = run_with(make.build(), [] { return std::make_unique<Turnstile>(); });
    CHECK(job(record, 0) == "begins 10, first granted 20, completed at 30");
    CHECK(record.jobs.at(0).leg == 1);
  }
  SECTION("until its own maximum wait is over") {
    make.job({.at = 10s, .work = 10s, .gpus = 8, .max_wait = 8s});
    const RunRecord record = run_with(make.build(), [] { return std::make_unique<Turnstile>(); });
    CHECK(job(record, 0) == "begins 10, first granted never, expired at 18");
  }
}

TEST_CASE("A job that is suspended withdraws its requests or its leases end, and no restart is used",
          "[rules]") {
  Policy queue = flex();
  queue.restarts = 0;
  queue.notice = 1s;
  WorldBuilder make = pools_of_eight({queue});
  SECTION("from a lease") {
    make.job({.at = 0s, .work = 10s, .gpus = 8});  // stops at 4, and at 9: begins anew at 5 and at 10
    const RunRecord record = run_with(make.build(), [] { return std::make_unique<Suspender>(); });
    CHECK(job(record, 0) == "begins 0, first granted 0, completed at 20");
    CHECK(record.jobs.at(0).preemptions == 2);
  }
  SECTION("from a queue, in which others are before it then") {
    make.job({.at = 1s, .work = 10s, .gpus = 8});
    make.job({.at = 0s, .work = 20s, .gpus = 8});
    make.job({.at = 2s, .work = 10s, .gpus = 8});
    const RunRecord record = run_with(make.build(), [] { return std::make_unique<Suspender>(); });
    CHECK(job(record, 1) == "begins 1, first granted 30, completed at 40");
    CHECK(job(record, 2) == "begins 2, first granted 20, completed at 30");
  }
}
