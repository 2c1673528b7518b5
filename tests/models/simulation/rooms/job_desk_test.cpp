// A job between its leases. Outcomes are handed to the desk by hand, as the loop would.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/desk/job_desk.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = Outcome::Kind;

const PoolId kPool{0};
const PoolId kOther{1};

// Two pools of 8 GPUs, for jobs of one.
WorldBuilder two_pools() {
  WorldBuilder make;
  make.pool(8);
  make.pool(8);
  make.shape(1);
  return make;
}

Policy with_retries(Tries retries) {
  Policy policy = on_demand();
  policy.retries = retries;
  policy.retry_interval = 10s;
  return policy;
}

struct Desk : UpToDesk {
  explicit Desk(const WorldBuilder& make) : UpToDesk{make.build()}, jobs{desks.jobs} {}
  JobSlot submit(const JobSpec& spec) {
    jobs.submit(submitted(spec), 0);
    return JobSlot{submitted_jobs++};
  }
  /// Where the job asks, the latest request first.
  [[nodiscard]] std::vector<PoolId> asks(JobSlot slot) {
    std::vector<PoolId> at;
    for (RequestSlot r = job(slot).asks.first_request; r != kNoRequest;
         r = ground.tables.requests[r].next_of_job) {
      at.push_back(ground.tables.requests[r].candidate->pool);
    }
    return at;
  }
  void refuse(JobSlot slot) {
    lives.requests.close(job(slot).asks.first_request);
    jobs.hear({.kind = Kind::refused, .job = slot});
  }
  LeaseSlot grant(JobSlot slot) {
    const Request request = lives.requests.close(job(slot).asks.first_request);
    lives.requests.withdraw_losers(request);
    const LeaseSlot granted = start_lease(slot, request.leg_number);
    jobs.hear({.kind = Kind::granted, .leg = request.leg_number, .job = slot, .lease = granted});
    return granted;
  }
  /// The job's lease ends when it would by itself, or now if it is taken; the desk hears of it.
  void end_lease() {
    lives.ends.play_release(next(Phase::releases));
    for (const Outcome& outcome : outcomes()) jobs.hear(outcome);
  }
  void preempt(JobSlot slot) {
    lives.leases.take(job(slot).lease);
    end_lease();
  }
  /// The steps that are due in the next round.
  void play_due() {
    ground.agenda.begin_round(10);
    std::vector<Due> due;
    ground.agenda.take_due(due);
    for (const Due& step : due) jobs.play(step);
  }
  /// Plays the turns of orchestrators after a timer phase.
  void play_turns() {
    for (Due due{}; known.orchestration.turns().take(due);) jobs.play(due);
  }
  /// The next timer of a job, as a step.
  void play_timer(Step step) {
    jobs.play({.stay = ground.tables.stay_of(next(Phase::timers).job()), .step = step});
  }
  /// The patience that ends next.
  void play_patience() {
    go_to(next_time());
    JobStay stay;
    REQUIRE(ground.agenda.take_patience(stay));
    jobs.patience_over(stay.job);
  }
  /// How a job ended; the run is over.
  [[nodiscard]] JobOutcome outcome_of(std::uint64_t number) {
    std::uint64_t requests = 0;
    for (PoolState& each : known.books.pools()) {
      for (const ClassTotals& of_class : each.totals.classes) requests += of_class.requests;
    }
    return known.recorder.finish(requests, {}).jobs.at(number);
  }
  JobDesk& jobs;
  std::uint32_t submitted_jobs = 0;
};

}  // namespace

TEST_CASE("A job that is refused asks the next place, then retries, then passes on", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = with_retries(1), .places = {kPool, kOther}});
  make.leg({.policy = flex(), .places = {kOther}, .limit = 30s});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.refuse(job);
  CHECK(floors.asks(job).empty());
  floors.play_due();
  CHECK(floors.asks(job) == std::vector{kOther});
  floors.refuse(job);
  floors.play_timer(Step::attempt);
  CHECK(floors.now() == kStart + 10s);
  CHECK(floors.job(job).asks.attempt == 2);
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.refuse(job);
  floors.play_due();
  floors.refuse(job);
  floors.play_due();
  CHECK(floors.job(job).asks.leg == 1);
  CHECK(floors.job(job).asks.stage == Stage::queueing);
  CHECK(floors.asks(job) == std::vector{kOther});
  floors.play_patience();
  CHECK(floors.now() == kStart + 40s);
  CHECK(floors.outcome_of(0).state == FinalState::expired);
}

TEST_CASE("A job without further legs ends as its last leg did", "[rooms]") {
  WorldBuilder make = two_pools();
  const Tries retries = GENERATE(0, 1);
  make.leg({.policy = with_retries(retries), .places = {kPool}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.refuse(job);
  if (retries > 0) {
    floors.play_timer(Step::attempt);
    floors.refuse(job);
  }
  CHECK(floors.outcome_of(0).state == (retries > 0 ? FinalState::failed : FinalState::refused));
}

TEST_CASE("A job that could never be held anywhere is refused at once", "[rooms]") {
  WorldBuilder make = two_pools();
  make.shape(9);
  make.leg({.policy = flex(), .places = {kPool}});
  Desk floors{make};
  floors.submit({.work = 1min, .gpus = 9});
  CHECK(floors.outcome_of(0).state == FinalState::refused);
}

TEST_CASE("A job that is granted and done is completed", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = flex(), .places = {kPool, kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  CHECK(floors.asks(job) == std::vector{kOther, kPool});  // in all places at the same time
  floors.go_to(5s);
  floors.grant(job);
  CHECK(floors.asks(job).empty());
  floors.end_lease();
  const JobOutcome outcome = floors.outcome_of(0);
  CHECK(outcome.state == FinalState::completed);
  CHECK(outcome.first_grant == kStart + 5s);
  CHECK(outcome.finished == kStart + 65s);
}

TEST_CASE("A job that is preempted begins anew at its first leg, as often as it may", "[rooms]") {
  WorldBuilder make = two_pools();
  Policy policy = spot();
  policy.restarts = 1;
  make.leg({.policy = policy, .places = {kPool}});
  make.leg({.policy = on_demand(), .places = {kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.grant(job);
  floors.preempt(job);
  floors.play_due();
  CHECK(floors.job(job).asks.attempt == 2);
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.grant(job);
  floors.preempt(job);
  floors.play_due();
  CHECK(floors.job(job).asks.attempt == 3);
  CHECK(floors.asks(job) == std::vector{kOther});
  floors.grant(job);
  floors.end_lease();
  const JobOutcome outcome = floors.outcome_of(0);
  CHECK(outcome.state == FinalState::completed);
  CHECK(outcome.leg == 1);
  CHECK(outcome.preemptions == 2);
}

TEST_CASE("Kept requests wait on while the job passes on, and after its last leg", "[rooms]") {
  WorldBuilder make = two_pools();
  Policy queue = flex();
  queue.max_wait = 1min;
  make.leg({.policy = queue, .places = {kPool}, .limit = 20s, .keep = true});
  make.leg({.policy = on_demand(), .places = {kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.play_patience();
  CHECK(floors.now() == kStart + 20s);
  floors.play_due();
  CHECK(floors.asks(job) == std::vector{kOther, kPool});
  floors.refuse(job);
  CHECK(floors.job(job).asks.stage == Stage::past_legs);
  CHECK(floors.asks(job) == std::vector{kPool});
  const Event kept = floors.next(Phase::timers);
  CHECK(floors.now() == kStart + 1min);
  floors.jobs.kept_over(kept.request());
  CHECK(floors.outcome_of(0).state == FinalState::expired);
}

TEST_CASE("A job's own maximum wait ends it in whatever leg it is, unless it was granted", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = flex(), .places = {kPool}});
  make.leg({.policy = flex(), .places = {kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min, .max_wait = 7s});
  const bool is_granted = GENERATE(false, true);
  if (is_granted) {
    floors.grant(job);
    floors.end_lease();
    CHECK(floors.next_time() == kForever);
  } else {
    floors.jobs.own_wait_over(floors.next(Phase::timers).job());
    CHECK(floors.now() == kStart + 7s);
  }
  CHECK(floors.outcome_of(0).state == (is_granted ? FinalState::completed : FinalState::expired));
}

TEST_CASE("A job whose requests are lost since a pool is over passes on", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = flex(), .places = {kPool, kOther}});
  make.leg({.policy = on_demand(), .places = {kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.lives.requests.empty_queue(kPool);
  floors.jobs.hear(floors.only_outcome());
  CHECK(floors.asks(job) == std::vector{kOther});  // the other place is enough
  floors.lives.requests.empty_queue(kOther);
  Outcome lost = floors.only_outcome();
  ++lost.generation;
  floors.jobs.hear(lost);  // of a job that had the slot before
  CHECK_FALSE(floors.ground.agenda.has_more());
  --lost.generation;
  floors.jobs.hear(lost);
  floors.play_due();
  CHECK(floors.job(job).asks.leg == 1);
}

TEST_CASE("A job that failed is submitted again by a person who notices", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = on_demand(), .places = {kPool}});
  make.world.strategies[0].resubmission = Resubmission{.after = 1h, .give_up_after = 2h - SimDuration{1}};
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.refuse(job);
  floors.play_timer(Step::attempt);
  CHECK(floors.now() == kStart + 1h);
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.refuse(job);  // the next time would be too late
  CHECK(floors.outcome_of(0).state == FinalState::refused);
}

TEST_CASE("A job of a full group begins when another of it is final", "[rooms]") {
  WorldBuilder make = two_pools();
  make.world.classes[0].parallel = 1;
  make.leg({.policy = on_demand(), .places = {kPool}});
  Desk floors{make};
  const JobSlot first = floors.submit({.work = 1min, .group = 1});
  const JobSlot second = floors.submit({.work = 1min, .group = 1});
  CHECK_FALSE(floors.job(second).orchestrators.is_released);
  floors.go_to(9s);
  floors.refuse(first);
  floors.play_due();
  CHECK(floors.job(second).history.released == kStart + 9s);
  CHECK(floors.asks(second) == std::vector{kPool});
}

TEST_CASE("Jobs stand at an admission limit until it has room", "[rooms]") {
  WorldBuilder make = two_pools();
  Policy bounded = flex();
  bounded.open_max = 1;
  make.leg({.policy = bounded, .places = {kPool}});
  Desk floors{make};
  const JobSlot first = floors.submit({.work = 1min});
  const JobSlot second = floors.submit({.work = 1min});
  floors.play_turns();
  CHECK(floors.asks(second).empty());
  floors.grant(first);
  floors.play_turns();
  CHECK(floors.asks(second) == std::vector{kPool});
  CHECK(floors.job(second).asks.stage == Stage::queueing);
}

TEST_CASE("The first lease of a race to begin its work ends all that its rivals have", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = flex(), .places = {kPool, kOther}, .race = Race::first_boot});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  const LeaseSlot granted = floors.grant(job);
  CHECK(floors.asks(job) == std::vector{kPool});  // the rival waits on
  floors.jobs.hear({.kind = Kind::began, .job = job, .lease = granted});
  CHECK(floors.asks(job).empty());
  CHECK(floors.job(job).lease == granted);
}

TEST_CASE("Under a deadline rule a job decides at once, after refusals, and at every tick", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = spot(), .places = {kPool}});
  make.leg({.policy = on_demand(), .places = {kOther}});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 1min, .overhead = 1min};
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1h, .deadline = 3h});
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.refuse(job);
  floors.play_due();
  CHECK(floors.asks(job).empty());  // it is not behind yet
  floors.play_timer(Step::tick);
  CHECK(floors.now() == kStart + 1min);
  CHECK(floors.asks(job) == std::vector{kPool});
  floors.refuse(job);
  floors.play_due();
  CHECK(floors.asks(job) == std::vector{kOther});
  CHECK(floors.next_time() == 2min);
}

TEST_CASE("A job that is cut off is final, one that leaves its lease tries again", "[rooms]") {
  WorldBuilder make = two_pools();
  Policy policy = on_demand();
  policy.run_max = 10s;
  policy.chains = GENERATE(false, true);
  make.world.classes[0].checkpoint_every = 1s;
  make.leg({.policy = policy, .places = {kPool}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 15s});
  floors.grant(job);
  floors.end_lease();
  if (policy.chains) {
    floors.play_due();
    floors.grant(job);
    floors.end_lease();
  }
  const JobOutcome outcome = floors.outcome_of(0);
  CHECK(outcome.state == (policy.chains ? FinalState::completed : FinalState::cut_off));
  CHECK(outcome.finished == kStart + (policy.chains ? 15s : 10s));
}

TEST_CASE("A job that is open when the run ends is unfinished", "[rooms]") {
  WorldBuilder make = two_pools();
  make.leg({.policy = flex(), .places = {kPool, kOther}});
  Desk floors{make};
  const JobSlot job = floors.submit({.work = 1min});
  floors.go_to(30s);
  CHECK(floors.jobs.close(job) == 2);
  CHECK(floors.outcome_of(0).state == FinalState::unfinished);
}
