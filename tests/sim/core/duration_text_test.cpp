#include <chrono>

#include <catch2/catch.hpp>

#include "sim/core/duration_text.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("A duration is read with its unit", "[duration]") {
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("30s") == 30s);
  CHECK(parse_duration("10min") == 10min);
  CHECK(parse_duration("2h") == 2h);
  CHECK(parse_duration("7d") == 168h);
  CHECK(parse_duration("1w") == 168h);
  CHECK(parse_duration("1h 30min") == 90min);
  CHECK(parse_duration("1h30min") == 90min);
  CHECK(parse_duration("1.5h") == 90min);
  CHECK(parse_duration("0.1h") == 6min);
  CHECK(parse_duration("0.001s") == 1ms);
  CHECK(parse_duration("2.50h") == 150min);
  CHECK(parse_duration("0s") == 0ms);
  CHECK(parse_duration("forever") == kForever);
}

TEST_CASE("Units may be words, and stand behind a blank", "[duration]") {
  CHECK(parse_duration("2 weeks") == 336h);
  CHECK(parse_duration("1 week") == 168h);
  CHECK(parse_duration("3 hours") == 3h);
  CHECK(parse_duration("1 hour 30 minutes") == 90min);
  CHECK(parse_duration("2days") == 48h);
  CHECK(parse_duration("1.5 seconds") == 1500ms);
  CHECK(parse_duration("1 h 30 min") == 90min);
  for (const char* text : {"2 months", "2 ws", "hours", "2  hours", "2 hour s", "2 hourss", "2 Hours"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("A duration without a unit, or with anything else about it, is none", "[duration]") {
  for (const char* text :
       {"",    "30",  "h",        "1 ",   "1.h",  ".5h", "-1h", "+1h",       "1hs",     "1H",
        "1h ", " 1h", "1h,30min", "1e3s", "0x1h", "inf", "nan", "1h  30min", "0.0001s", "1.5ms"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("A duration that does not fit is none", "[duration]") {
  CHECK(parse_duration("9223372036854775806ms"));
  CHECK_FALSE(parse_duration("9223372036854775807ms"));
  CHECK_FALSE(parse_duration("9223372036854775808ms"));
  CHECK_FALSE(parse_duration("15250284453w"));
  CHECK_FALSE(parse_duration("9223372036854775806ms 9223372036854775806ms"));
}

TEST_CASE("A duration is written so that it reads back", "[duration]") {
  CHECK(format_duration(90min) == "1h 30min");
  CHECK(format_duration(14 * 24h) == "14d");
  CHECK(format_duration(24h + 1ms) == "1d 1ms");
  CHECK(format_duration(0ms) == "0s");
  CHECK(format_duration(-90s) == "-1min 30s");
  CHECK(format_duration(kForever) == "forever");
  CHECK(format_duration(SimDuration::min()).front() == '-');
  for (const SimDuration length : {SimDuration{1}, SimDuration{86'399'999}, SimDuration{123'456'789'012}}) {
    CHECK(parse_duration(format_duration(length)) == length);
  }
}
