#include <catch2/catch.hpp>

#include "models/record/run_record.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

WaitTimes waits_for(WaitCause cause, SimDuration length) {
  WaitTimes times;
  times[cause] = length;
  return times;
}

}  // namespace

TEST_CASE("A job's row gives back what was put in", "[record]") {
  JobRecord record{kStart - 24h};
  record.set(record.add(), {.released = kStart, .finished = kStart});
  const std::uint64_t job = record.add();
  const JobOutcome outcome{.state = FinalState::cut_off,
                           .leg = 14,
                           .released = kStart + 5s,
                           .first_grant = kStart - 23h,
                           .finished = kStart + 24h * 365 * 30,
                           .start_delay = 7min,
                           .leased = 54h,
                           .lost = 1ms,
                           .preemptions = 65'535,
                           .exits = 9,
                           .quota = {.wait = 3h, .refusals = 7},
                           .kueue = {.wait = 2h, .evictions = 1},
                           .pending_for = waits_for(WaitCause::priority, 2h)};
  record.set(job, outcome);
  const JobOutcome back = record.at(job);
  CHECK(back.state == outcome.state);
  CHECK(back.leg == outcome.leg);
  CHECK(back.released == outcome.released);
  CHECK(back.first_grant == outcome.first_grant);
  CHECK(back.finished == outcome.finished);
  CHECK(back.start_delay == outcome.start_delay);
  CHECK(back.leased == outcome.leased);
  CHECK(back.lost == outcome.lost);
  CHECK(back.preemptions == outcome.preemptions);
  CHECK(back.exits == outcome.exits);
  CHECK(back.quota == outcome.quota);
  CHECK(back.kueue == outcome.kueue);
  CHECK(back.pending_for == outcome.pending_for);
  CHECK(record.at(0).pending_for == WaitTimes{});
  CHECK(record.size() == 2);
}

TEST_CASE("Long start delays and many preemptions are kept as they are", "[record]") {
  JobRecord record;
  for (const auto& [delay, preemptions] :
       {std::pair{SimDuration{50 * 24h}, 254U}, std::pair{SimDuration{kLongestRun}, 255U},
        std::pair{SimDuration{24h * 365 * 20 + 1ms}, 4'000'000'000U}}) {
    const std::uint64_t job = record.add();
    record.set(job, {.finished = kStart + delay, .start_delay = delay, .preemptions = preemptions});
    CHECK(record.at(job).start_delay == delay);
    CHECK(record.at(job).preemptions == preemptions);
  }
}

TEST_CASE("A job that never started says so", "[record]") {
  JobRecord record;
  const std::uint64_t job = record.add();
  record.set(job, {.state = FinalState::expired, .released = kStart, .finished = kStart + 1h});
  CHECK(record.at(job).first_grant == kNever);
}

TEST_CASE("Times that do not fit five bytes are refused, not cut", "[record]") {
  JobRecord record;
  const std::uint64_t job = record.add();
  record.set(job, {.finished = kStart + kLongestRun, .leased = kLongestRun, .lost = kLongestRun - 1ms});
  CHECK(record.at(job).finished == kStart + kLongestRun);
  CHECK(record.at(job).leased == kLongestRun);
  CHECK(record.at(job).lost == kLongestRun - 1ms);
  CHECK_THROWS_AS(record.set(job, {.leased = kLongestRun + 1ms}), InvariantError);
  CHECK_THROWS_AS(record.set(job, {.finished = kStart - 1ms}), InvariantError);
}

TEST_CASE("Time by cause adds up, from submission to the first work", "[record]") {
  JobOutcome outcome{.released = kStart + 3h,
                     .first_grant = kStart + 13h,
                     .finished = kStart + 20h,
                     .start_delay = 30min,
                     .quota = {.wait = 2h},
                     .pending_for = waits_for(WaitCause::borrowing, 4h)};
  outcome.pending_for[WaitCause::quota] = 1h;
  const WaitTimes times = wait_times(kStart + 1h, outcome);
  CHECK(times[WaitCause::held_back] == 2h);
  CHECK(times[WaitCause::quota] == 3h);
  CHECK(times[WaitCause::borrowing] == 4h);
  CHECK(times[WaitCause::capacity] == 3h);
  CHECK(times[WaitCause::start_up] == 30min);
  CHECK(times.sum() == 12h + 30min);
  CHECK(times.main_cause() == WaitCause::borrowing);
}

TEST_CASE("A job that never started waited until its end, and one that was never released was held back",
          "[record]") {
  const JobOutcome expired{.state = FinalState::expired, .released = kStart + 1h, .finished = kStart + 5h};
  CHECK(wait_times(kStart, expired).main_cause() == WaitCause::capacity);
  CHECK(wait_times(kStart, expired).sum() == 5h);
  const JobOutcome held{.released = kStart + 9h, .finished = kStart + 9h};
  CHECK(wait_times(kStart + 2h, held) == waits_for(WaitCause::held_back, 7h));
  CHECK_FALSE(wait_times(kStart, {.released = kStart, .finished = kStart}).main_cause());
}

TEST_CASE("Of equal causes the first in the list is the main one", "[record]") {
  WaitTimes times = waits_for(WaitCause::start_up, 1h);
  times[WaitCause::priority] = 1h;
  CHECK(times.main_cause() == WaitCause::priority);
}

TEST_CASE("A job may give way to several", "[record]") {
  const GaveWayTo by_job =
      gave_way_by_job({{.at = kStart, .job = 4, .to = 9}, {.job = 2, .to = 9}, {.job = 4, .to = 7}});
  CHECK(by_job.size() == 2);
  CHECK(by_job.at(4) == std::vector<std::uint64_t>{9, 7});
}
