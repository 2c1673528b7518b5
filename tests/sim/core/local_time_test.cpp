#include <array>

#include <catch2/catch.hpp>

#include "sim/core/local_time.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("A clock that is never set shows a time when so much has passed", "[local_time]") {
  CHECK(when_clock_shows(48h, {}) == kStart + 48h);
  CHECK(when_clock_shows(-24h, std::array{OffsetStep{.at = kStart - 100h, .offset = 2h}}) == kStart - 24h);
}

TEST_CASE("Days after clocks were set forward begin an hour early, and before that as ever", "[local_time]") {
  const std::array forward{OffsetStep{.at = kStart - 100h, .offset = 1h},
                           OffsetStep{.at = kStart + 26h, .offset = 2h}};
  CHECK(when_clock_shows(24h, forward) == kStart + 24h);
  CHECK(when_clock_shows(48h, forward) == kStart + 47h);
  CHECK(when_clock_shows(26h + 30min, forward) == kStart + 26h);  // no such reading: the change
  CHECK(when_clock_shows(-48h, forward) == kStart - 48h);
}

TEST_CASE("Days after clocks were set back begin an hour late; of two readings the first counts",
          "[local_time]") {
  const std::array back{OffsetStep{.at = kStart - 100h, .offset = 2h},
                        OffsetStep{.at = kStart + 27h, .offset = 1h}};
  CHECK(when_clock_shows(48h, back) == kStart + 49h);
  CHECK(when_clock_shows(26h + 30min, back) == kStart + 26h + 30min);
  CHECK(when_clock_shows(27h, back) == kStart + 28h);
}

TEST_CASE("Days before kStart are those of the clock as it was then", "[local_time]") {
  const std::array back{OffsetStep{.at = kStart - 200h, .offset = 2h},
                        OffsetStep{.at = kStart - 30h, .offset = 1h}};
  CHECK(when_clock_shows(-48h, back) == kStart - 49h);
  CHECK(when_clock_shows(24h, back) == kStart + 24h);
}
