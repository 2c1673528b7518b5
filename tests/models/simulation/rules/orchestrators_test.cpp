// Orchestrators of one's own before the pools of a run. Times in seconds.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/models/orchestrators/run_with.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// One job of a user at a time; the others begin in order of arrival.
class OneJobAUser final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] bool may_begin(const JobView& job, Clerk& /*clerk*/) override {
    std::vector<Ticket>& jobs = jobs_[job.job.user];
    jobs.push_back(job.ticket);
    return jobs.size() == 1;
  }
  void heard(const News& news, Clerk& clerk) override {
    if (news.kind != News::Kind::final) return;
    std::vector<Ticket>& jobs = jobs_[news.job.job.user];
    jobs.erase(jobs.begin());
    if (!jobs.empty()) clerk.admit(jobs.front());
  }

 private:
  std::map<UserId, std::vector<Ticket>> jobs_;  // the first has begun
};

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

/// Nobody asks before a time. Woken then, all do.
class OpensLater final : public Orchestrator {
 public:
  explicit OpensLater(SimDuration opens) : opens_{kStart + opens} {}
  [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) override {
    if (clerk.now() >= opens_) return Reply::go;
    if (waiting_.empty()) clerk.wake(opens_, Token{7});
    waiting_.push_back(job.ticket);
    return Reply::wait;
  }
  [[nodiscard]] bool would_let_ask(const JobView& /*job*/, const LegView& /*leg*/, const Candidate& /*place*/,
                                   const Clerk& clerk) const override {
    return clerk.now() >= opens_;
  }
  void heard(const News& news, Clerk& /*clerk*/) override {
    if (news.kind == News::Kind::left) std::erase(waiting_, news.job.ticket);
  }
  void timer(Token token, Clerk& clerk) override {
    REQUIRE(token == Token{7});
    for (const Ticket each : waiting_) clerk.admit(each);
    waiting_.clear();
  }

 private:
  SimTime opens_;
  std::vector<Ticket> waiting_;
};

/// Refuses one leg.
class Refuser final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] Reply may_ask(const JobView& /*job*/, const LegView& leg, Clerk& /*clerk*/) override {
    return leg.number == 0 ? Reply::refuse : Reply::go;
  }
};

/// A lease ends at the latest so long after its grant.
class Evictor final : public Orchestrator {
 public:
  explicit Evictor(SimDuration after) : after_{after} {}
  [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
  void heard(const News& news, Clerk& clerk) override {
    if (news.kind == News::Kind::granted) {
      const Token token{static_cast<std::uint32_t>(granted_.size())};
      granted_.push_back(news.job.ticket);
      clerk.wake(clerk.now() + after_, token);
    } else if (news.kind == News::Kind::ended) {
      std::ranges::replace(granted_, news.job.ticket, kNobody);
    }
  }
  void timer(Token token, Clerk& clerk) override {
    const Ticket of = granted_[static_cast<std::size_t>(token)];
    if (of != kNobody) clerk.evict(of);
  }

 private:
  static constexpr Ticket kNobody{};  // generations count from 1
  SimDuration after_;
  std::vector<Ticket> granted_;
};

/// Admits who fits into the room of the pool, in order of coming, one at a time.
class Backfill final : public Orchestrator {
 public:
  [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& leg, Clerk& /*clerk*/) override {
    waiting_.push_back({job.ticket, leg.places.front()});
    is_due_ = true;
    return Reply::wait;
  }
  void heard(const News& news, Clerk& /*clerk*/) override {
    if (news.kind == News::Kind::granted || news.kind == News::Kind::ended) is_due_ = true;
    if (news.kind == News::Kind::granted) under_way_ = GpuCount{};
  }
  [[nodiscard]] bool is_due() const override { return is_due_; }
  void turn(Clerk& clerk) override {
    is_due_ = false;
    const auto next = std::ranges::find_if(waiting_, [&](const Waiting& each) {
      const GpuCount room = clerk.view(each.asks->pool, LeaseClass::on_demand).room;
      return each.asks->gpus + under_way_ <= room;
    });
    if (next == waiting_.end()) return;
    under_way_ = under_way_ + next->asks->gpus;
    clerk.admit(next->job);
    waiting_.erase(next);
  }

 private:
  struct Waiting {
    Ticket job;
    const Candidate* asks;
  };
  std::vector<Waiting> waiting_;
  GpuCount under_way_{};  // admitted, not granted yet
  bool is_due_ = false;
};

}  // namespace

TEST_CASE("A rule of one's own holds jobs back and lets them begin", "[rules]") {
  WorldBuilder make = pools_of_eight({on_demand()});
  make.world.users.push_back("user 1");
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s});
  make.job({.at = 2s, .work = 10s, .user = 1});
  make.job({.at = 3s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<OneJobAUser>(); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 10");
  CHECK(job(record, 1) == "begins 10, first granted 10, completed at 20");
  CHECK(job(record, 2) == "begins 2, first granted 2, completed at 12");
  CHECK(job(record, 3) == "begins 20, first granted 20, completed at 30");
}

TEST_CASE("A job begins when all of its orchestrators have let it", "[rules]") {
  WorldBuilder make = pools_of_eight({on_demand()});
  make.world.users.push_back("user 1");
  make.world.classes[0].parallel = 1;
  make.job({.at = 0s, .work = 10s, .group = 1});
  make.job({.at = 0s, .work = 30s, .user = 1});
  make.job(
      {.at = 1s, .work = 10s, .group = 1, .user = 1});  // its group lets it at 10, its user's other job at 30
  make.job({.at = 2s, .work = 10s, .group = 1});        // its user's other jobs have ended before
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<OneJobAUser>(); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 10");
  CHECK(job(record, 2) == "begins 30, first granted 30, completed at 40");
  CHECK(job(record, 3) == "begins 40, first granted 40, completed at 50");
}

TEST_CASE("A job that waits for its orchestrator leaves its leg like any other", "[rules]") {
  Policy queue = flex();
  queue.max_wait = 20s;
  WorldBuilder make = pools_of_eight({queue, on_demand()});
  make.job({.at = 0s, .work = 10s, .max_wait = 15s});  // its own wait ends first
  make.job({.at = 0s, .work = 10s});                   // waits in the next leg too
  make.job({.at = 25s, .work = 10s});
  make.job({.at = 31s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<OpensLater>(30s); });
  CHECK(job(record, 0) == "begins 0, first granted never, expired at 15");
  CHECK(job(record, 1) == "begins 0, first granted 30, completed at 40");
  CHECK(record.jobs.at(1).leg == 1);
  CHECK(job(record, 2) == "begins 25, first granted 30, completed at 40");
  CHECK(record.jobs.at(2).leg == 0);
  CHECK(job(record, 3) == "begins 31, first granted 31, completed at 41");
}

TEST_CASE("A leg that is refused is left, after its retries", "[rules]") {
  Policy retried = on_demand();
  retried.retries = 2;
  retried.retry_interval = 10s;
  const bool is_retried = GENERATE(false, true);
  const bool is_last = GENERATE(false, true);
  std::vector<Policy> legs{is_retried ? retried : flex()};
  if (!is_last) legs.push_back(on_demand());
  WorldBuilder make = pools_of_eight(legs);
  make.job({.at = 0s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Refuser>(); });
  if (is_last) {
    CHECK(job(record, 0) == (is_retried ? "begins 0, first granted never, failed at 20"
                                        : "begins 0, first granted never, refused at 0"));
  } else {
    CHECK(job(record, 0) == (is_retried ? "begins 0, first granted 20, completed at 30"
                                        : "begins 0, first granted 0, completed at 10"));
  }
}

TEST_CASE("A leg under a deadline rule that is refused is barred, and the job decides again", "[rules]") {
  WorldBuilder make = pools_of_eight({spot(), on_demand()});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 1min, .overhead = 1s};
  make.job({.at = 0s, .work = 10min, .deadline = 20min});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Refuser>(); });
  CHECK(record.jobs.at(0).leg == 1);
  CHECK(record.jobs.at(0).state == FinalState::completed);
}

TEST_CASE("A job that is behind under a deadline rule waits for its safe leg, from tick to tick", "[rules]") {
  WorldBuilder make = pools_of_eight({spot(), on_demand()});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 1min, .overhead = 1s};
  make.job({.at = 0s, .work = 10min, .deadline = 60min});
  std::vector<std::uint32_t> attempts;
  const Logs logs{.on_lease = [&](const LeaseRow& lease) { attempts.push_back(lease.attempt); }};
  const RunRecord record = run_with(
      make.build(), [] { return std::make_unique<OpensLater>(290s); }, logs);
  CHECK(job(record, 0) == "begins 0, first granted 290, completed at 890");
  CHECK(record.jobs.at(0).leg == 1);
  CHECK(attempts == std::vector{1U});  // it asked for nothing at 0, and for the safe leg at 60
}

TEST_CASE("A job that is evicted starts anew under its restart rule", "[rules]") {
  Policy restarted = on_demand();
  restarted.restarts = 1;
  restarted.notice = 2s;
  WorldBuilder make = pools_of_eight({restarted});
  make.job({.at = 0s, .work = 5s});
  make.job({.at = 0s, .work = 12s});  // is done in its notice
  make.job({.at = 1s, .work = 1min});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Evictor>(10s); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 5");
  CHECK(job(record, 1) == "begins 0, first granted 0, completed at 12");
  CHECK(job(record, 2) == "begins 1, first granted 1, failed at 25");
  CHECK(record.jobs.at(2).preemptions == 2);
}

TEST_CASE("What an evicted job leaves is granted at once", "[rules]") {
  Policy queue = flex();
  queue.restarts = 0;
  queue.notice = 5s;
  WorldBuilder make = pools_of_eight({queue});
  make.job({.at = 0s, .work = 1min, .gpus = 8});
  make.job({.at = 1s, .work = 3s, .gpus = 8});  // its machines are free when the notice is over
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Evictor>(10s); });
  CHECK(job(record, 0) == "begins 0, first granted 0, failed at 15");
  CHECK(job(record, 1) == "begins 1, first granted 10, completed at 18");
}

TEST_CASE("In its turns an orchestrator admits who fits into the pool", "[rules]") {
  WorldBuilder make = pools_of_eight({on_demand()});
  make.job({.at = 0s, .work = 10s, .gpus = 6});
  make.job({.at = 0s, .work = 10s, .gpus = 6});
  make.job({.at = 0s, .work = 10s, .gpus = 2});
  make.job({.at = 5s, .work = 10s, .gpus = 8});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Backfill>(); });
  CHECK(job(record, 0) == "begins 0, first granted 0, completed at 10");
  CHECK(job(record, 1) == "begins 0, first granted 10, completed at 20");
  CHECK(job(record, 2) == "begins 0, first granted 0, completed at 10");
  CHECK(job(record, 3) == "begins 5, first granted 20, completed at 30");
  CHECK(record.pools[0].classes[static_cast<std::size_t>(LeaseClass::on_demand)].refusals == 0);
}

TEST_CASE("A job that its orchestrator fails is submitted again where its user does so", "[rules]") {
  /// Lets jobs wait for ten seconds and fails them.
  class Impatient final : public Orchestrator {
   public:
    [[nodiscard]] bool concerns(const JobView& job) const override { return job.job.row == 0; }
    [[nodiscard]] Reply may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) override {
      if (clerk.now() > kStart + 30s) return Reply::go;
      waits_ = job.ticket;
      clerk.wake(clerk.now() + 10s, Token{});
      return Reply::wait;
    }
    void timer(Token /*token*/, Clerk& clerk) override { clerk.fail(waits_); }

   private:
    Ticket waits_;
  };
  WorldBuilder make = pools_of_eight({on_demand()});
  const bool is_resubmitted = GENERATE(false, true);
  if (is_resubmitted) make.world.strategies[0].resubmission = Resubmission{.after = 1min};
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 0s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Impatient>(); });
  CHECK(job(record, 0) == (is_resubmitted ? "begins 0, first granted 70, completed at 80"
                                          : "begins 0, first granted never, failed at 10"));
  CHECK(job(record, 1) == "begins 0, first granted 0, completed at 10");
}

TEST_CASE("A job that is failed before it has begun is final", "[rules]") {
  /// Lets nobody begin.
  class Closed final : public Orchestrator {
   public:
    [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
    [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override {
      clerk.fail(job.ticket);
      return false;
    }
  };
  WorldBuilder make = pools_of_eight({on_demand()});
  make.world.strategies[0].resubmission = Resubmission{.after = 1min};
  make.job({.at = 5s, .work = 10s});
  const RunRecord record = run_with(make.build(), [] { return std::make_unique<Closed>(); });
  CHECK(job(record, 0) == "begins 5, first granted never, failed at 5");
}
