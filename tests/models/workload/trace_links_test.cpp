// Which jobs of a file depend on others, and which are tasks of arrays.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/readers/submit_line.h"
#include "models/workload/trace.h"
#include "models/workload/trace_links.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

using Kind = JobLink::Kind;
using Links = std::vector<JobLink>;

Trace read(std::string_view content, TraceFormat format = TraceFormat::csv) {
  const test::ScratchFolder folder;
  return read_trace(folder.file("t.csv", content), format);
}

}  // namespace

TEST_CASE("Conditions of sbatch name jobs and what is awaited of them", "[trace]") {
  const auto read = parse_dependencies("afterok:12:13_1,14,after:x");
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 4);
  CHECK((*read)[1].kind == Kind::after_ok);
  CHECK((*read)[1].on == "13_1");
  CHECK((*read)[2].kind == Kind::after_any);
  CHECK((*read)[3].kind == Kind::after);
  for (const char* text : {"singleton", "aftercorr:12", "afterok:12?afterok:13", "after:12+5",
                           "afterok:", "afterok", "afterok:12,", "12 13", "soon:12"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_dependencies(text).has_value());
  }
}

// Row 1 has no run time. Rows are numbered as in the file, which is not in order of time.
TEST_CASE("CSV: dependencies on jobs and arrays, by row of the file", "[trace]") {
  const Trace trace = read(
      "id,submit,duration,gpus,dependency,array,array_limit\n"
      "a,50,10,1,,,\n"
      "b,0,0,1,,,\n"
      "t1,1,10,1,,sweep,2\n"
      "t2,1,10,1,afternotok:a,sweep,2\n"
      "c,2,10,1,\"afterok:sweep,afterany:b:a\",,\n");
  CHECK(trace.links == Links{{.row = 2, .on = 2, .kind = Kind::task_of, .at_once = 2},
                             {.row = 3, .on = 2, .kind = Kind::task_of, .at_once = 2},
                             {.row = 3, .on = 0, .kind = Kind::after_not},
                             {.row = 4, .on = 2, .kind = Kind::after_ok},
                             {.row = 4, .on = 3, .kind = Kind::after_ok},
                             {.row = 4, .on = 0, .kind = Kind::after_any}});
  REQUIRE(trace.notes.size() == 1);
  CHECK_THAT(trace.notes[0], Contains("1 dependency on jobs that the file does not have hold"));
}

TEST_CASE("CSV: mistakes in dependencies are named with line and column", "[trace][bad_input]") {
  CHECK_THROWS_WITH(read("id,submit,duration,gpus,dependency\nb,0,1,1,singleton\n"),
                    Contains("t.csv:2: column \"dependency\"") && Contains("afterok:12:13,afterany:14"));
  CHECK_THROWS_WITH(read("submit,duration,gpus,dependency\n0,1,1,a\n"),
                    Contains("column \"id\" is missing, by which \"dependency\" names other jobs"));
  CHECK_THROWS_WITH(read("submit,duration,gpus,array_limit\n0,1,1,2\n"),
                    Contains("column \"array\" is missing"));
  CHECK_THROWS_WITH(read("submit,duration,gpus,array,array_limit\n0,1,1,x,two\n"),
                    Contains("t.csv:2: column \"array_limit\""));
}

TEST_CASE("Command lines of sbatch tell dependencies and limits of arrays", "[trace]") {
  const auto dependency = [](std::string_view line) { return parse_submit_line(line).dependency; };
  CHECK(dependency("sbatch --dependency=afterok:7 run.sh") == "afterok:7");
  CHECK(dependency("sbatch -N 2 --dependency afterok:7 run.sh") == "afterok:7");
  CHECK(dependency("sbatch -d afterany:7 run.sh") == "afterany:7");
  CHECK(dependency("sbatch run.sh -d 3").empty());
  CHECK(dependency("sbatch run.sh -d").empty());
  CHECK(parse_submit_line("sbatch --array=0-9%4 run.sh").tasks_at_once == 4);
  CHECK(parse_submit_line("sbatch -a 0-9%3 run.sh").tasks_at_once == 3);
  CHECK(parse_submit_line("sbatch --array=0-9 run.sh").tasks_at_once == 0);
  CHECK(parse_submit_line("sbatch --array=0-9%x run.sh").tasks_at_once == 0);
}

TEST_CASE("sacct: tasks of arrays, and dependencies of command lines", "[trace]") {
  const std::string rest =
      "COMPLETED|2026-03-02T00:00:00|2026-03-02T01:00:00|2026-03-02T02:00:00|gres/gpu=8|sbatch ";
  const Trace trace = read(
      "JobIDRaw|JobID|State|Submit|Start|End|AllocTRES|SubmitLine\n"
      "6|5_1|" +
          rest +
          "--array=1-2%1 a.sh\n"
          "5|5_2|" +
          rest +
          "--array=1-2%1 a.sh\n"
          "7|7|" +
          rest +
          "--dependency=afterok:5,after:5_2 b.sh\n"
          "8|8|" +
          rest + "--dependency=singleton b.sh\n",
      TraceFormat::sacct);
  CHECK(trace.links == Links{{.row = 0, .on = 0, .kind = Kind::task_of, .at_once = 1},
                             {.row = 1, .on = 0, .kind = Kind::task_of, .at_once = 1},
                             {.row = 2, .on = 0, .kind = Kind::after_ok},
                             {.row = 2, .on = 1, .kind = Kind::after_ok},
                             {.row = 2, .on = 1, .kind = Kind::after}});
  REQUIRE(trace.notes.size() == 1);
  CHECK_THAT(trace.notes[0], Contains("1 dependency of a kind that is not modelled"));
}
