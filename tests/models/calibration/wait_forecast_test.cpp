// Laws of waits out of what was recorded under like conditions.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/calibration/wait_forecast.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

std::vector<HistoryJob> waiting(const std::vector<SimDuration>& waits, std::uint16_t job_class = 0) {
  std::vector<HistoryJob> jobs;
  for (const SimDuration wait : waits) jobs.push_back({.wait = wait, .job_class = job_class});
  return jobs;
}

}  // namespace

TEST_CASE("A law is that of the jobs whose simulated waits were alike", "[calibration]") {
  // Simulated: at once, or an hour. Recorded: a minute, or two hours.
  std::vector<SimDuration> recorded;
  std::vector<SimDuration> simulated;
  for (int i = 0; i < 200; ++i) {
    simulated.push_back(i % 2 == 0 ? 0ms : SimDuration{1h});
    recorded.push_back(i % 2 == 0 ? SimDuration{1min} : SimDuration{2h});
  }
  const WaitForecast forecast{waiting(recorded), simulated};
  CHECK(law_quantile(forecast.law(0, 0ms), 0.9) == 1min);
  CHECK(law_quantile(forecast.law(0, 59min), 0.9) == 1min);
  CHECK(law_quantile(forecast.law(0, 1h), 0.1) == 2h);
  CHECK(law_quantile(forecast.law(0, 9h), 0.1) == 2h);
}

TEST_CASE("A class with enough jobs has laws of its own, another has those of all", "[calibration]") {
  std::vector<HistoryJob> recorded = waiting(std::vector<SimDuration>(300, 1h), 0);
  const std::vector<HistoryJob> few = waiting(std::vector<SimDuration>(10, 5h), 1);
  const std::vector<HistoryJob> many = waiting(std::vector<SimDuration>(300, 9h), 2);
  recorded.insert(recorded.end(), few.begin(), few.end());
  recorded.insert(recorded.end(), many.begin(), many.end());
  const WaitForecast forecast{recorded, std::vector<SimDuration>(recorded.size(), 0ms)};
  CHECK(forecast.law(0, 0ms).size() == 300);
  CHECK(law_quantile(forecast.law(2, 0ms), 0.01) == 9h);
  CHECK(forecast.law(1, 0ms).size() == 610);
  CHECK(forecast.law(7, 0ms).size() == 610);
}

TEST_CASE("A place in a law is uniform, also where waits are alike", "[calibration]") {
  const std::vector<SimDuration> law{0ms, 0ms, 0ms, 1h};
  // Below an hour lie three of five places, at 0 none: a fifth part belongs to what is longer than any.
  CHECK(place_in_law(law, 0ms, 0) == 0);
  CHECK(place_in_law(law, 0ms, 0.999) < 0.8);
  CHECK(place_in_law(law, 1h, 0) == Approx(0.6));
  CHECK(place_in_law(law, 2h, 0.5) == Approx(0.9));
}

TEST_CASE("A job that still waits counts as one that waits longer", "[calibration]") {
  std::vector<HistoryJob> jobs = waiting({1h, 3h, 5h, 9h, kForever});
  jobs.push_back({.wait = kForever, .waited = 2h});
  jobs.push_back({.wait = kForever, .waited = 10h});
  CHECK(waits_in_the_end(jobs) ==
        std::vector<SimDuration>{1h, 3h, 5h, 9h, kForever, SimDuration{5h}, SimDuration{10h}});
}
