#include <catch2/catch.hpp>

#include "models/simulation/ground/area.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("An area is level times length, with the warm-up kept apart", "[area]") {
  Area area;
  area.add(3, kStart - 10ms);
  area.add(2, kStart - 4ms);
  CHECK(area.total(kStart - 2ms) == 3 * 6 + 5 * 2);
  CHECK(area.in_window(kStart - 2ms) == 0);
  area.add(-4, kStart + 7ms);
  CHECK(area.level() == 1);
  CHECK(area.total(kStart + 10ms) == 3 * 6 + 5 * 11 + 1 * 3);
  CHECK(area.in_window(kStart + 10ms) == 5 * 7 + 1 * 3);
}

TEST_CASE("The largest pool over the longest run is counted exactly, whatever comes and goes", "[area]") {
  constexpr std::int64_t kGpus = 4'000'000;
  Area area;
  area.add(kGpus, kStart);
  for (int i = 0; i < 1'000; ++i) {
    area.add(kGpus, kStart + kLongestRun - 2ms);
    area.add(-kGpus, kStart + kLongestRun - 1ms);
  }
  CHECK(area.total(kStart + kLongestRun) == kGpus * kLongestRun.count() + 1'000 * kGpus);
}

TEST_CASE("An area beyond 64 bits is an error, not a number", "[area]") {
  Area area;
  area.add(std::int64_t{1} << 30, kStart);
  CHECK(area.total(kStart + SimDuration{std::int64_t{1} << 32}) == std::int64_t{1} << 62);
  CHECK_THROWS_AS(area.total(kStart + SimDuration{std::int64_t{1} << 33}), InvariantError);
  CHECK_THROWS_AS(area.in_window(kStart + SimDuration{std::int64_t{1} << 34}), InvariantError);
}
