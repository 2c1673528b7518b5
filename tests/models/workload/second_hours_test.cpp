// The hour of local time that comes twice when clocks are set back: which of the two a time is of.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/trace.h"
#include "tests/support/read_export.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Lengths = std::vector<SimDuration>;
using Words = std::vector<std::string>;
using Minutes = std::vector<std::int64_t>;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kMidnight = 1'792'879'200'000;  // 2026-10-25 00:00 in Berlin

// The clocks of Berlin go back from 03:00 to 02:00 on 2026-10-25.
Trace read_in_berlin(const std::string& content) {
  TraceOptions options;
  options.zone = "Europe/Berlin";
  return read_export(content, options);
}

// Minutes since that day began, of rows submitted at these times of it; those before it are left out.
Minutes minutes_of(const std::vector<std::string>& submits, int rows_before = 0, int late_rows = 0) {
  std::string csv = "submit,duration,gpus\n";
  for (int row = 0; row < rows_before; ++row) csv += "2026-10-24 12:" + std::to_string(10 + row) + ",60,1\n";
  for (int row = 0; row < late_rows; ++row) csv += "2026-10-24 10:00,60,1\n";
  for (const std::string& submit : submits) csv += "2026-10-25 " + submit + ",60,1\n";
  Minutes minutes;
  for (const std::int64_t at : read_in_berlin(csv).submit_ms) {
    if (at >= kMidnight) minutes.push_back((at - kMidnight) / kMinute);
  }
  return minutes;
}

}  // namespace

TEST_CASE("In the hour that comes twice, rows in order of submission say which it was", "[trace]") {
  CHECK(minutes_of({"01:00", "02:30", "02:45", "02:15", "02:30", "03:00"}) ==
        Minutes{60, 150, 165, 195, 210, 240});
  CHECK(minutes_of({"02:10", "02:50", "02:05", "02:45", "03:00"}) == Minutes{130, 170, 185, 225, 240});
}

TEST_CASE("One row in twenty may be late before the hour that comes twice", "[trace]") {
  const std::vector<std::string> submits{"02:10", "02:50", "02:05", "02:45", "03:00"};
  CHECK(minutes_of(submits, 20, 1) == Minutes{130, 170, 185, 225, 240});
  // Of a file that is out of order elsewhere, nothing is known.
  CHECK(minutes_of(submits, 20, 2) == Minutes{125, 130, 165, 170, 240});
  CHECK(minutes_of({"01:00", "00:30", "02:45", "02:15"}) == Minutes{30, 60, 135, 165});
}

TEST_CASE("A later attempt of the job in the row above says nothing about the order of the file", "[trace]") {
  const auto second_row = [](const std::string& id) {
    const Trace trace = read_in_berlin(
        "submit,start,end,gpus,id\n"
        "2026-10-25 02:50,2026-10-25 04:00,2026-10-25 05:00,1,7\n"
        "2026-10-25 02:30,2026-10-25 04:00,2026-10-25 05:00,1," +
        id + "\n");
    const std::size_t job = trace.row[0] == 1 ? 0 : 1;
    return (trace.submit_ms[job] - kMidnight) / kMinute;
  };
  CHECK(second_row("8") == 210);
  CHECK(second_row("7") == 150);
}

TEST_CASE("A row's own order says which of the two hours its times are of", "[trace]") {
  const Trace record =
      read_in_berlin("submit,start,end,gpus\n2026-10-25 02:30,2026-10-25 02:10,2026-10-25 02:50,1\n");
  CHECK(record.recorded_wait == Lengths{40min});
  CHECK(record.work == Lengths{40min});
  CHECK(record.notes ==
        Words{"1 local time comes twice, as clocks are set back; each was read as the first",
              "2 local times come twice, and were read as the second: only so they are in order"});
  const Trace helios = read_in_berlin(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
      "1,u,v,8,8,1,COMPLETED,2026-10-25 02:30:00,2026-10-25 02:10:00,2026-10-25 02:50:00,2400,2400\n"
      "2,u,v,8,8,1,COMPLETED,2026-10-25 02:20:00,2026-10-25 04:00:00,2026-10-25 05:00:00,3600,0\n");
  CHECK(helios.recorded_wait == Lengths{40min, 100min});
  CHECK(helios.work == Lengths{40min, 1h});
}

TEST_CASE("Of a file with submissions alone, their order says which hour it was", "[trace]") {
  const Trace philly = read_in_berlin(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2026-10-25 02:30:00,60,1,60,a\n"
      "2026-10-25 02:10:00,60,1,60,a\n");
  CHECK(philly.submit_ms == Minutes{kMidnight + 150 * kMinute, kMidnight + 190 * kMinute});
}
