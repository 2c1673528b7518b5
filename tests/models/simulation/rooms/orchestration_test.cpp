// The orchestrators of a run: who is asked, who hears, and what the clerk makes of what it is told.

#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/books/orchestration.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/scripted_orchestrator.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kinds = std::vector<News::Kind>;

const PoolId kPool{0};

World one_pool() {
  WorldBuilder make;
  make.pool(8);
  make.shape(2);
  make.leg({.policy = flex(), .places = {kPool}});
  return make.build();
}

struct Scripts {
  Script first;
  Script second;
};

// Two made-up orchestrators.
struct Two : Scripts, UpToLives {
  Two()
      : UpToLives{one_pool(),
                  {},
                  [this](const auto&, const auto&) {
                    return play_by({&first, &second});
                  }},
        orchestration{known.orchestration} {}
  /// A job that has not begun.
  JobSlot comes() {
    const JobSlot slot = add_job({.work = 1min, .gpus = 2});
    job(slot).orchestrators.is_released = false;
    orchestration.assign(slot);
    return slot;
  }
  /// The first orchestrator tells its clerk to admit the job.
  void admit(JobSlot slot) {
    const JobState& state = job(slot);
    first.clerk->admit({.slot = static_cast<std::uint32_t>(slot), .generation = state.generation});
  }
  [[nodiscard]] std::vector<Due> due() {
    std::vector<Due> steps;
    ground.agenda.take_due(steps);
    return steps;
  }
  Orchestration& orchestration;
};

}  // namespace

TEST_CASE("Those are asked, in their order, whom the job concerns", "[rooms]") {
  Two floors;
  SECTION("both") {
    CHECK(floors.orchestration.may_begin(floors.comes()));
    CHECK(floors.first.asked.size() == 1);
    CHECK(floors.second.asked.size() == 1);
  }
  SECTION("one") {
    floors.first.concerns = false;
    CHECK(floors.orchestration.may_begin(floors.comes()));
    CHECK(floors.first.asked.empty());
    CHECK(floors.second.asked.size() == 1);
  }
  SECTION("none") {
    floors.first.concerns = floors.second.concerns = false;
    const JobSlot job = floors.comes();
    CHECK_FALSE(floors.job(job).orchestrators.any());
    CHECK(floors.orchestration.may_begin(job));
    CHECK(floors.orchestration.may_ask(job, true) == Reply::go);
    floors.ask(job);
    floors.orchestration.job_final(job, FinalState::completed);
    CHECK(floors.second.asked.empty());
    CHECK(floors.second.heard.empty());
  }
}

TEST_CASE("Who said wait is passed over once the job is admitted", "[rooms]") {
  Two floors;
  floors.first.lets_begin = false;
  const JobSlot job = floors.comes();
  CHECK_FALSE(floors.orchestration.may_begin(job));
  CHECK(floors.second.asked.empty());
  floors.admit(job);
  const std::vector<Due> due = floors.due();
  REQUIRE(due.size() == 1);
  CHECK(due[0].step == Step::admit);
  CHECK(due[0].stay.job == job);
  CHECK(floors.orchestration.may_begin(job));
  CHECK(floors.first.asked.size() == 1);
  CHECK(floors.second.asked.size() == 1);
}

TEST_CASE("The first who does not say go has the last word", "[rooms]") {
  Two floors;
  const JobSlot job = floors.comes();
  floors.first.answer = GENERATE(Reply::wait, Reply::refuse);
  CHECK(floors.orchestration.may_ask(job, true) == floors.first.answer);
  CHECK(floors.second.asked.empty());
}

TEST_CASE("What is reported in a turn is played at once, and then the next who is due has its turn",
          "[rooms]") {
  Two floors;
  CHECK_FALSE(floors.orchestration.turns().is_due());
  const JobSlot job = floors.comes();
  floors.first.lets_begin = false;
  CHECK_FALSE(floors.orchestration.may_begin(job));
  floors.first.is_due = true;
  CHECK(floors.orchestration.turns().is_due());
  Due due{};
  REQUIRE(floors.orchestration.turns().take(due));
  CHECK(due.step == Step::admit);
  CHECK(due.stay.job == job);
  CHECK_FALSE(floors.orchestration.turns().take(due));
  CHECK(floors.due().empty());
}

TEST_CASE("Orchestrators hear of requests, leases and the end of a job", "[rooms]") {
  Two floors;
  floors.second.concerns = false;
  const JobSlot job = floors.comes();
  floors.lives.requests.close(floors.ask(job));
  floors.orchestration.refused(job, floors.world.strategies[0].legs[0].candidates[0][0]);
  const LeaseSlot lease = floors.start_lease(job);
  floors.orchestration.granted(lease);
  floors.lives.leases.evict(job);
  floors.lives.ends.play_release(floors.next(Phase::releases));
  floors.orchestration.happened(News::Kind::left, job);
  floors.orchestration.job_final(job, FinalState::completed);
  using enum News::Kind;
  CHECK(floors.first.heard == Kinds{opened, closed, refused, starts, granted, ended, left, final});
  CHECK(floors.second.heard.empty());
}

TEST_CASE("A refused job tries again when the first of its orchestrators says, else after the usual time",
          "[rooms]") {
  Two floors;
  const JobSlot job = floors.comes();
  const SimTime usual = kStart + 9s;
  CHECK(floors.orchestration.next_try(job, usual) == usual);
  floors.first.next_try = kStart + 30s;
  CHECK(floors.orchestration.next_try(job, usual) == kStart + 30s);
  floors.second.next_try = kStart + 7s;
  CHECK(floors.orchestration.next_try(job, usual) == kStart + 7s);
  floors.first.concerns = floors.second.concerns = false;
  CHECK(floors.orchestration.next_try(floors.comes(), usual) == usual);
}

TEST_CASE("A clerk wakes its own orchestrator, now or later", "[rooms]") {
  Two floors;
  CHECK(floors.orchestration.may_begin(floors.comes()));
  const SimDuration after = GENERATE(SimDuration{0s}, SimDuration{5s});
  floors.second.clerk->wake(floors.now() + after, Token{9});
  const Event event = floors.next(Phase::wakes);
  CHECK(event.kind == EventKind::wake);
  CHECK(floors.now() == kStart + after);
  floors.orchestration.turns().play_timer(event);
  CHECK(floors.first.timers.empty());
  CHECK(floors.second.timers == std::vector{Token{9}});
}

TEST_CASE("A clerk shows pools as they are", "[rooms]") {
  Two floors;
  const JobSlot job = floors.comes();
  CHECK(floors.orchestration.may_begin(job));
  floors.start_lease(job);
  floors.ask(job);
  const PoolView view = floors.first.clerk->view(kPool, LeaseClass::on_demand);
  CHECK(view.room == GpuCount{6});
  CHECK(view.waiting == 1);
  CHECK(view.waiting_gpus == GpuCount{2});
}

TEST_CASE("A clerk takes no word for a job that is gone, does not wait, or is not as said", "[rooms]") {
  Two floors;
  const JobSlot job = floors.comes();
  CHECK(floors.orchestration.may_begin(job));
  CHECK_THROWS_AS(floors.admit(job), InvariantError);
  const Ticket ticket = floors.first.asked.back();
  CHECK_THROWS_AS(floors.first.clerk->evict(ticket), InvariantError);
  CHECK_THROWS_AS(floors.first.clerk->work(ticket), InvariantError);
  CHECK_THROWS_AS(floors.first.clerk->begin_anew(ticket, /*in_place=*/true), InvariantError);
  floors.start_lease(job);
  CHECK_THROWS_AS(floors.first.clerk->wake(floors.now() - 1s, Token{}), InvariantError);
  CHECK_NOTHROW(floors.first.clerk->evict(ticket));
  floors.job(job).generation = 0;
  CHECK_THROWS_AS(floors.first.clerk->evict(ticket), InvariantError);
}
