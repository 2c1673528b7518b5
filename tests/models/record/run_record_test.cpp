#include <catch2/catch.hpp>

#include "models/record/run_record.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("A job's row gives back what was put in", "[record]") {
  JobRecord record{kStart - 24h};
  record.add();
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
                           .quota = {.wait = 3h, .refusals = 7}};
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
  CHECK(back.quota == outcome.quota);
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
