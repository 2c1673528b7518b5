#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/time_stamp.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

std::string utc(std::string_view text, std::string_view zone = "UTC") {
  const auto at = TimeStampReader{zone, {.file = "t"}}.parse(text);
  return at.has_value() ? format_unix_ms(*at) : "no stamp";
}

}  // namespace

TEST_CASE("Dates and times are read with and without offset", "[time]") {
  CHECK(utc("1970-01-01") == "1970-01-01 00:00:00 UTC");
  CHECK(utc("2025-10-03 17:10") == "2025-10-03 17:10:00 UTC");
  CHECK(utc("2025-10-03T17:10:05") == "2025-10-03 17:10:05 UTC");
  CHECK(utc("2025-10-03T17:10:00.002281-07:00") == "2025-10-04 00:10:00.002 UTC");
  CHECK(utc("2025-10-03T17:10:00Z") == "2025-10-03 17:10:00 UTC");
  CHECK(utc("2025-10-03T17:10:00+0530") == "2025-10-03 11:40:00 UTC");
  CHECK(utc("2025-10-03T17:10:00-07") == "2025-10-04 00:10:00 UTC");
  CHECK(utc("2024-02-29 23:59:59.9996") == "2024-03-01 00:00:00 UTC");
  CHECK(utc("2025-10-03 17:10:00", "-07:00") == "2025-10-04 00:10:00 UTC");
  CHECK(utc("2025-10-03T17:10:00Z", "-07:00") == "2025-10-03 17:10:00 UTC");
}

TEST_CASE("What is no date and time is not read in part", "[time]") {
  for (const char* text : {"",
                           "2025",
                           "2025-10",
                           "2025-13-01",
                           "2025-02-29",
                           "2025-00-10",
                           "2025-10-32",
                           "1969-12-31",
                           "25-10-03",
                           "2025-10-03T",
                           "2025-10-03T17",
                           "2025-10-03T17:60",
                           "2025-10-03T24:00:00",
                           "2025-10-03T17:10:60",
                           "2025-10-03T17:10:00.",
                           "2025-10-03T17:10:00+",
                           "2025-10-03T17:10:00+7",
                           "2025-10-03T17:10:00+24:00",
                           "2025-10-03T17:10:00+07:60",
                           "2025-10-03 17:10:00 UTC",
                           " 2025-10-03",
                           "2025-10-03 ",
                           "2025/10/03",
                           "-025-10-03",
                           "03.10.2025",
                           "1507532515",
                           "2025-10-03T17:10:00Zx",
                           "now"}) {
    CAPTURE(text);
    CHECK(utc(text) == "no stamp");
  }
}

TEST_CASE("Local times follow the clock of their zone", "[time]") {
  const char* pacific = "America/Los_Angeles";
  CHECK(utc("2017-10-09 07:01:55", pacific) == "2017-10-09 14:01:55 UTC");  // summer time
  CHECK(utc("2017-12-09 07:01:55", pacific) == "2017-12-09 15:01:55 UTC");
}

TEST_CASE("Local times that come twice or never are settled by rule and counted", "[time]") {
  TimeStampReader pacific{"America/Los_Angeles", {.file = "t"}};
  // Clocks were set back on 2017-11-05 at 02:00 PDT = 09:00 UTC.
  CHECK(format_unix_ms(pacific.parse("2017-11-05 00:59:59").value()) == "2017-11-05 07:59:59 UTC");
  CHECK(pacific.repeated() == 0);
  CHECK(format_unix_ms(pacific.parse("2017-11-05 01:30:00").value()) == "2017-11-05 08:30:00 UTC");
  CHECK(pacific.repeated() == 1);
  CHECK(format_unix_ms(pacific.parse("2017-11-05 02:00:00").value()) == "2017-11-05 10:00:00 UTC");
  CHECK(pacific.repeated() == 1);
  // And forward on 2017-03-12 at 02:00 PST = 10:00 UTC.
  CHECK(format_unix_ms(pacific.parse("2017-03-12 02:30:00").value()) == "2017-03-12 10:00:00 UTC");
  CHECK(pacific.skipped() == 1);
  CHECK(format_unix_ms(pacific.parse("2017-03-12 03:30:00").value()) == "2017-03-12 10:30:00 UTC");
  CHECK(pacific.skipped() == 1);
}

TEST_CASE("The second instant of a local time that comes twice", "[time]") {
  TimeStampReader reader{"America/Los_Angeles", {}};
  CHECK(*reader.parse_second("2025-11-02T01:10:00") == *reader.parse("2025-11-02T01:10:00") + 3'600'000);
  CHECK_FALSE(reader.parse_second("2025-11-02T02:10:00"));
  CHECK_FALSE(reader.parse_second("2025-11-02T01:10:00Z"));
  CHECK_FALSE(reader.parse_second("soon"));
}

TEST_CASE("An unknown time zone is an error with a suggestion", "[time]") {
  CHECK_THROWS_WITH(utc("2025-10-03", "America/Los_Angelos"),
                    Contains("did you mean \"America/Los_Angeles\"?"));
  for (const char* zone : {"", "PDT+", "../../etc/passwd", "+25:00", "/etc/localtime"}) {
    CAPTURE(zone);
    CHECK_THROWS_AS(utc("2025-10-03", zone), InputError);
  }
}
