#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/readers/fitting_formats.h"
#include "models/workload/trace.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

using Times = std::vector<std::int64_t>;
using Lengths = std::vector<SimDuration>;
using Counts = std::vector<std::int32_t>;
using Rows = std::vector<std::uint64_t>;

Trace read(std::string_view content, TraceFormat format, const TraceOptions& options = {}) {
  const test::ScratchFolder folder;
  return read_trace(folder.file("t.csv", content), format, options);
}

Trace read_csv(std::string_view content, const TraceOptions& options = {}) {
  return read(content, TraceFormat::csv, options);
}

TraceOptions rounded_to(SimDuration resolution) {
  TraceOptions options;
  options.resolution = resolution;
  return options;
}

TraceOptions in_zone(std::string zone) {
  TraceOptions options;
  options.zone = std::move(zone);
  return options;
}

std::vector<std::string> words(const WordColumn& column) {
  std::vector<std::string> all;
  for (std::size_t job = 0; job < column.codes.size(); ++job) all.push_back(column.at(job));
  return all;
}

}  // namespace

TEST_CASE("Format names are what users write", "[trace]") {
  CHECK(find_trace_format("swf") == TraceFormat::swf);
  CHECK(find_trace_format("gaia_hours") == TraceFormat::gaia_hours);
  CHECK_FALSE(find_trace_format("gaia").has_value());
  CHECK_FALSE(find_trace_format("").has_value());
}

TEST_CASE("Our own CSV: columns by name in any order, plain numbers are seconds", "[trace]") {
  const Trace trace = read_csv("duration,gpus,submit\n90,8,0\n1.5,1,10.25\n30min,2,11\n");
  CHECK_FALSE(trace.absolute);
  CHECK(trace.submit_ms == Times{0, 10'250, 11'000});
  CHECK(trace.work == Lengths{90s, 1500ms, 30min});
  CHECK(trace.gpus == Counts{8, 1, 2});
  CHECK(trace.row == Rows{0, 1, 2});
  CHECK(trace.rows_read == 3);
  CHECK(trace.unsorted_rows == 0);
  CHECK(trace.nodes.empty());
  CHECK(trace.estimate.empty());
  CHECK(trace.user.empty());
  CHECK(trace.dropped.empty());
}

TEST_CASE("Our own CSV: optional columns, and what an empty cell means", "[trace]") {
  const Trace trace = read_csv(
      "id,submit,duration,nodes,gpus_per_node,estimate,max_wait,deadline,user,class,gpu,machine,group\n"
      "a,0,60,4,8,2min,1h,86400,ann,train,H100,a3-highgpu-8g,g7\n"
      "b,5,60,1,1,,,,\"Bob, Jr.\",,,,\n"
      "c,6,60,2,4,30,forever,2h,ann,search,A100,,g7\n"
      "d,7,60,1,2,0,0,0,,search,,,g1\n");
  CHECK(trace.nodes == Counts{4, 1, 2, 1});
  CHECK(trace.gpus == Counts{32, 1, 8, 2});
  CHECK(trace.estimate == Lengths{2min, 60s, 30s, 60s});
  CHECK(trace.max_wait == Lengths{1h, kForever, kForever, 0s});
  CHECK(trace.deadline == Lengths{24h, kForever, 2h, 0s});
  CHECK(words(trace.user) == std::vector<std::string>{"ann", "Bob, Jr.", "ann", ""});
  CHECK(trace.user.names == std::vector<std::string>{"ann", "Bob, Jr.", ""});
  CHECK(words(trace.job_class) == std::vector<std::string>{"train", "", "search", "search"});
  CHECK(words(trace.gpu) == std::vector<std::string>{"H100", "", "A100", ""});
  CHECK(words(trace.machine) == std::vector<std::string>{"a3-highgpu-8g", "", "", ""});
  CHECK(trace.group == std::vector<std::uint32_t>{1, 0, 1, 2});
}

TEST_CASE("Our own CSV: dates instead of seconds, for submissions and deadlines", "[trace]") {
  const Trace trace = read_csv(
      "submit,duration,gpus,deadline\n"
      "2026-08-03 09:00,1h,1,2026-08-03 12:00\n"
      "2026-08-03T09:00:00.5+02:00,1h,1,4h\n");
  CHECK(trace.absolute);
  CHECK(trace.submit_ms == Times{1'785'740'400'500, 1'785'747'600'000});  // sorted: 07:00:00.5 and 09:00 UTC
  CHECK(trace.deadline == Lengths{4h, 3h});
  CHECK(trace.row == Rows{1, 0});
  CHECK(trace.unsorted_rows == 1);

  const Trace local =
      read_csv("submit,duration,gpus\n2026-08-03 09:00,1h,1\n", in_zone("America/Los_Angeles"));
  CHECK(local.submit_ms == Times{1'785'747'600'000 + 7 * 3'600'000});
}

TEST_CASE("Rows in any order are sorted by submission, equal ones as in the file", "[trace]") {
  const Trace trace = read_csv("submit,duration,gpus,user\n5,1,1,a\n3,2,2,b\n5,3,3,c\n3,4,4,d\n9,5,5,e\n");
  CHECK(trace.submit_ms == Times{3'000, 3'000, 5'000, 5'000, 9'000});
  CHECK(trace.work == Lengths{2s, 4s, 1s, 3s, 5s});
  CHECK(trace.gpus == Counts{2, 4, 1, 3, 5});
  CHECK(trace.row == Rows{1, 3, 0, 2, 4});
  CHECK(words(trace.user) == std::vector<std::string>{"b", "d", "a", "c", "e"});
  CHECK(trace.unsorted_rows == 2);
}

TEST_CASE("Rows that are no jobs are dropped, counted and explained; row numbers stay those of the file",
          "[trace]") {
  const Trace trace =
      read_csv("submit,duration,gpus\n0,0,1\n1,10,0\n\n2,10,1\n3,,1\n4,10,\n5,0.0,1\n6,0.0001,1\n");
  CHECK(trace.row == Rows{2, 6});
  CHECK(trace.work == Lengths{10s, 1ms});  // a job that takes some time is never rounded to none
  CHECK(trace.rows_read == 7);
  REQUIRE(trace.dropped.size() == 4);
  CHECK(trace.dropped[0].reason == "run time is zero");
  CHECK(trace.dropped[0].count == 2);
  CHECK(trace.dropped[0].first_line == 2);
  CHECK(trace.dropped[1].reason == "asks for no GPU");
  CHECK(trace.dropped[2].reason == "run time is not known");
  CHECK(trace.dropped[2].first_line == 6);  // empty lines are lines, but no rows
  CHECK(trace.dropped[3].reason == "number of GPUs is not known");
}

TEST_CASE("A resolution rounds from the text to the nearest step, and work to at least one", "[trace]") {
  const Trace trace =
      read_csv("submit,duration,gpus,estimate\n2.5,2.4999,1,3.7\n7.49,0.2,1,90min\n", rounded_to(5s));
  CHECK(trace.submit_ms == Times{5'000, 5'000});
  CHECK(trace.work == Lengths{5s, 5s});
  CHECK(trace.estimate == Lengths{5s, 90min});
  const Trace dated = read_csv("submit,duration,gpus\n2026-08-03 09:00:00.4,1.6s,1\n", rounded_to(1s));
  CHECK(dated.submit_ms == Times{1'785'747'600'000});
  CHECK(dated.work == Lengths{2s});
  CHECK_THROWS_AS(read_csv("submit,duration,gpus\n0,1,1\n", rounded_to(-1ms)), InputError);
  CHECK_THROWS_AS(read_csv("submit,duration,gpus\n0,1,1\n", rounded_to(kForever)), InputError);
}

TEST_CASE("A trace can be cut to some users and to its first jobs", "[trace]") {
  constexpr std::string_view kRows =
      "submit,duration,gpus,user\n9,1,1,ann\n3,1,1,bob\n1,0,1,bob\n5,1,1,ann\n4,1,1,cid\n";
  TraceOptions options;
  options.users = {"ann", "cid"};
  const Trace two = read_csv(kRows, options);
  CHECK(two.row == Rows{4, 3, 0});
  CHECK(two.user.names == std::vector<std::string>{"ann", "cid"});
  REQUIRE(two.dropped.size() == 1);
  CHECK(two.dropped[0].count == 2);

  options.users = {"an"};
  CHECK_THROWS_WITH(read_csv(kRows, options), Contains("has no row of user \"an\", did you mean \"ann\"?"));
  options = {};
  options.first_jobs = 2;
  const Trace first = read_csv(kRows, options);
  CHECK(first.row == Rows{1, 4});
  CHECK(first.notes == std::vector<std::string>{"only the first 2 of 4 jobs were asked for"});
}

namespace {

TraceOptions joining(SimDuration within, std::vector<std::string> after) {
  TraceOptions options;
  options.join = JoinAttempts{.within = within, .after = std::move(after)};
  return options;
}

}  // namespace

TEST_CASE("Attempts are joined to jobs: submitted with the first, as long as the last", "[trace]") {
  const Trace trace = read_csv(
      "submit,duration,gpus,user,outcome,deadline\n"
      "0,0,8,ann,STOCKOUT,1h\n"    // tried again at 600
      "100,,8,bob,STOCKOUT,\n"     // never: another user
      "600,300,8,ann,FAILED,9h\n"  // ends at 900, tried again at 4500
      "700,60,4,ann,DONE,\n"       // another size
      "4500,7200,8,ann,DONE,\n"    // the last
      "4501,50,8,ann,DONE,\n",     // nothing unfinished is left
      joining(1h, {"STOCKOUT", "FAILED"}));
  CHECK(trace.submit_ms == Times{0, 700'000, 4'501'000});
  CHECK(trace.work == Lengths{7200s, 60s, 50s});
  CHECK(trace.row == Rows{0, 3, 5});
  CHECK(trace.deadline == Lengths{1h, kForever, kForever});
  REQUIRE(trace.dropped.size() == 1);
  CHECK(trace.dropped[0].reason == "never started: it was refused");
  CHECK(trace.dropped[0].first_line == 3);
  REQUIRE(trace.notes.size() == 1);
  CHECK_THAT(trace.notes[0], Contains("3 rows were joined to 1 job,"));
}

TEST_CASE("Only rows that became one job count as joined", "[trace]") {
  const Trace trace = read_csv(
      "submit,duration,gpus,user,outcome,job\n"
      "0,60,8,a,done,1\n"
      "10,,8,b,cancelled,2\n"
      "10,,8,c,cancelled,3\n"
      "20,60,8,a,preempted,4\n"
      "90,60,8,a,done,4\n",
      {});
  CHECK(trace.size() == 2);
  CHECK(trace.notes == std::vector<std::string>{"2 rows were joined to 1 job, as attempts"});
  const Trace none = read_csv("submit,duration,gpus,outcome,job\n0,60,8,done,1\n10,,8,cancelled,2\n", {});
  CHECK(none.notes.empty());
}

TEST_CASE("Attempts are joined only within the time given, counted from the end of the earlier", "[trace]") {
  const std::string content = "submit,duration,gpus,outcome\n0,100,8,x\n160,50,8,done\n";
  CHECK(read_csv(content, joining(60s, {"x"})).size() == 1);
  CHECK(read_csv(content, joining(59s, {"x"})).size() == 2);
}

TEST_CASE("Attempts that name their job are joined without a rule", "[trace]") {
  const Trace trace = read_csv("submit,duration,gpus,job\n9,5,8,b\n0,0,8,a\n4,3,8,a\n5,7,8,\n");
  CHECK(trace.submit_ms == Times{0, 5'000, 9'000});
  CHECK(trace.work == Lengths{3s, 7s, 5s});
  CHECK(trace.row == Rows{1, 3, 0});
}

TEST_CASE("Joining needs outcomes that the file has", "[trace]") {
  CHECK_THROWS_WITH(read_csv("submit,duration,gpus\n0,1,1\n", joining(1h, {"x"})),
                    Contains("\"outcome\" is missing"));
  CHECK_THROWS_WITH(read_csv("submit,duration,gpus,outcome\n0,1,1,FAILED\n", joining(1h, {"FAILD"})),
                    Contains("FAILD") && Contains("FAILED"));
}

TEST_CASE("SWF: processors, run time, estimate, user, wait and the file's zero", "[trace]") {
  const Trace trace = read(
      "; Version: 2.2\n; UnixStartTime: 1027839845\n;\n"
      "    1        0 308434  31405   30  31405    -1   30  37980    -1  1   1   1  -1 -1  1 -1 -1\n"
      "    2        8     -1  31039   -1 552.21    -1   16     -1    -1  1   2   1  -1 -1  1 -1 -1\n"
      "    3       12      5     -1    8     -1    -1    8   4000    -1 -1   2   1  -1 -1  1 -1 -1\n"
      "    4       13      5      0    8     -1    -1    8   4000    -1  5   2   1  -1 -1  1 -1 -1\n"
      "    5       14      5     60   -1     -1    -1   -1   4000    -1  1   2   1  -1 -1  1 -1 -1\n"
      "    6       -1      5     60    1     -1    -1   -1   4000    -1  1   2   1  -1 -1  1 -1 -1\n"
      "    7       15      5    600    4     -1    -1   64     60    -1  1   1   1  -1 -1  1 -1 -1",
      TraceFormat::swf);
  CHECK_FALSE(trace.absolute);
  CHECK(trace.zero_ms == 1'027'839'845'000);
  CHECK(trace.submit_ms == Times{0, 8'000, 15'000});
  CHECK(trace.work == Lengths{31'405s, 31'039s, 600s});
  CHECK(trace.gpus == Counts{30, 16, 4});                    // used, else asked
  CHECK(trace.estimate == Lengths{37'980s, 31'039s, 600s});  // never shorter than the run
  CHECK(trace.recorded_wait == Lengths{308'434s, -1ms, 5s});
  CHECK(words(trace.user) == std::vector<std::string>{"1", "2", "1"});
  CHECK(trace.row == Rows{0, 1, 6});
  REQUIRE(trace.dropped.size() == 4);
  CHECK(trace.dropped[0].reason == "run time is not known");
  CHECK(trace.dropped[0].first_line == 6);
  CHECK(trace.dropped[1].reason == "never started: it was cancelled");
  CHECK(trace.dropped[2].reason == "number of GPUs is not known");
  CHECK(trace.dropped[3].reason == "submit time is not known");
  CHECK(trace.unserved.jobs.at(0).waited == 5s);
}

TEST_CASE("SWF: a start time that is no time is not used", "[trace]") {
  constexpr std::string_view kJob = "1 0 -1 9 1 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n";
  for (const char* comment : {"; UnixStartTime: 0\n", "; UnixStartTime: -1\n", "; UnixStartTime: soon\n",
                              "; UnixStartTime:\n", ";\n", "; UnixStartTime: 99999999999999999999\n"}) {
    CHECK_FALSE(read(std::string{comment} + std::string{kJob}, TraceFormat::swf).zero_ms.has_value());
  }
}

TEST_CASE("Philly: local date-times, the virtual cluster is the user", "[trace]") {
  constexpr std::string_view kRows =
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2017-11-05 01:30:00,66.0,1,66.0,11cb48\n"
      "2017-10-09 06:13:03,2951.0,8,23608.0,6214e9\n";
  const Trace trace = read(kRows, TraceFormat::philly);
  CHECK(trace.absolute);
  CHECK(trace.submit_ms == Times{1'507'529'583'000, 1'509'845'400'000});
  CHECK(trace.work == Lengths{2951s, 66s});
  CHECK(trace.gpus == Counts{8, 1});
  CHECK(words(trace.user) == std::vector<std::string>{"6214e9", "11cb48"});
  CHECK(trace.notes.empty());

  const Trace local = read(kRows, TraceFormat::philly, in_zone("America/Los_Angeles"));
  CHECK(local.submit_ms == Times{1'507'529'583'000 + 7 * 3'600'000, 1'509'845'400'000 + 7 * 3'600'000});
  REQUIRE(local.notes.size() == 1);
  CHECK(local.notes[0] == "1 local time comes twice, as clocks are set back; each was read as the first");
}

TEST_CASE("GAIA: one header, two units, and the caller says which", "[trace]") {
  constexpr std::string_view kRows = "arrival_time,length,cpus\n0.5,2,4\n0.0,25.25,1\n";
  const Trace seconds = read(kRows, TraceFormat::gaia_seconds);
  CHECK(seconds.submit_ms == Times{0, 500});
  CHECK(seconds.work == Lengths{25'250ms, 2s});
  const Trace hours = read(kRows, TraceFormat::gaia_hours);
  CHECK(hours.submit_ms == Times{0, 1'800'000});
  CHECK(hours.work == Lengths{25h + 15min, 2h});
  CHECK(hours.gpus == Counts{1, 4});
}

TEST_CASE("A format is recognised where the first lines leave no doubt", "[trace]") {
  const test::ScratchFolder folder;
  const auto fitting = [&](std::string_view content) { return fitting_formats(folder.file("t", content)); };
  using Formats = std::vector<TraceFormat>;
  CHECK(fitting("; comment\n") == Formats{TraceFormat::swf});
  CHECK(fitting("\n 1 0 -1 9 1 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n") == Formats{TraceFormat::swf});
  CHECK(fitting("timestamp,duration,num_gpus,gpu_time,cluster\n") == Formats{TraceFormat::philly});
  CHECK(fitting("duration,submit,gpus\n") == Formats{TraceFormat::csv});
  CHECK(fitting("arrival_time,length,cpus\n0,1,1\n") ==
        Formats{TraceFormat::gaia_seconds, TraceFormat::gaia_hours});
  CHECK(fitting("1 2 3\n").empty());
  CHECK(fitting("name,time\n").empty());
  CHECK(fitting("").empty());
  CHECK(fitting("submit,start,end,outcome\n") == Formats{TraceFormat::csv});
  CHECK(fitting("State|JobID|Submit\n") == Formats{TraceFormat::sacct});
  CHECK(fitting("JobID|Submit|Start\n") == Formats{TraceFormat::sacct});  // without State
  CHECK(fitting("[]").empty());
  CHECK(fitting("\xEF\xBB\xBF[{\"jobSpec\": {}}]") == Formats{TraceFormat::vertex});
  CHECK(fitting("\n\n\n [{\"jobSpec\": {}}]") == Formats{TraceFormat::vertex});
  CHECK(fitting("[{\"jobSpec\": {}}]") == Formats{TraceFormat::vertex});
  CHECK(fitting(test::gzipped("\n{\"items\": [{\"kind\": \"Workload\"}]}")) == Formats{TraceFormat::kueue});
  CHECK(fitting(test::gzipped("duration,submit,gpus\n")) == Formats{TraceFormat::csv});
}

TEST_CASE("A file that fits no format is told what it looks like, and the cure", "[trace][bad_input]") {
  const test::ScratchFolder folder;
  const auto like = [&](std::string_view content) { return like_which_format(folder.file("t", content)); };
  CHECK_THAT(like("[]"), Contains("is an empty list"));
  CHECK_THAT(like(R"({"kind": "List", "items": []})"), Contains("is an empty list"));
  CHECK_THAT(like(R"({"items": [{"kind": "Pod"}]})"),
             Contains("objects of kind \"Pod\", not of jobs: `kubectl"));
  CHECK_THAT(like(R"([{"name": "x"}])"), Contains("without \"jobSpec\""));
  CHECK_THAT(like("[1]"), Contains("not of objects"));
  CHECK_THAT(like("Submit,Start,End,Outcome\n"), Contains("format csv") && Contains("in small letters"));
  CHECK_THAT(like("submit;duration;gpus\n"),
             Contains("format csv") && Contains("its semicolons are replaced"));
  CHECK_THAT(like("submit\tduration\tgpus\n"), Contains("its tabs are replaced"));
  CHECK_THAT(like("submit,gpus\n"), Contains("lacks \"duration\", or else \"start\" and \"end\""));
  CHECK_THAT(like("timestamp,duration,num_gpus\n"), Contains("philly, but lacks the columns cluster"));
  CHECK_THAT(like("JobID,State,Submit,Start,End\n"), Contains("sacct --parsable2"));
  CHECK_THAT(like("JobID State Submit Start End\n"), Contains("sacct --parsable2"));
  CHECK(like("name,time\n").empty());
  CHECK(like("").empty());
  CHECK_THROWS_WITH(like("{\"jobSpec\": {}}\n{\"jobSpec\": {}}\n"),
                    Contains("one a line") && Contains("jq -s"));
}

TEST_CASE("The time from which a job asks may be later than its submission, also in our own CSV", "[trace]") {
  const Trace trace =
      read_csv("submit,eligible,duration,gpus,deadline\n-60,30,60,8,2h\n10,,60,8,\n50,20,60,8,\n");
  CHECK(trace.submit_ms == Times{10'000, 30'000, 50'000});
  CHECK(trace.held == Lengths{0s, 90s, 0s});
  CHECK(trace.deadline == Lengths{kForever, 2h, kForever});
  CHECK_THROWS_WITH(read_csv("submit,eligible,duration,gpus\n-60,,60,8\n"), Contains("must be 0 or more"));
  CHECK_THROWS_WITH(read_csv("submit,duration,gpus\n-60,60,8\n"), Contains("must be 0 or more"));
}
