#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include <CLI/CLI.hpp>

#include "models/workload/recorded_types.h"
#include "models/workload/trace.h"
#include "models/workload/trace_summary.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"
#include "tools/stockout/commands.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr std::string_view kJobs =
    "submit,duration,gpus,user\n"
    "0,3600,8,ann\n"
    "1800,1800,3,bob\n"
    "3599,60,1,ann\n"
    "3600,7200,16,cid\n"
    "5000,0,1,cid\n"
    "7200,10,2,bob\n";

constexpr std::string_view kRecord =
    "submit,start,end,outcome,gpus,class,gpu\n"
    "0,60,3600,done,8,train,H100-80GB\n"
    "0,180,3600,done,8,train,L4\n"
    "0,0,3600,failed,1,tune,L4\n"
    "10,,20,stockout,8,train,H100-80GB\n"
    "10,,3610,expired,8,train,H100-80GB\n"
    "10,,20,cancelled,8,batch,L4\n"
    "10,,,pending,8,batch,L4\n";

std::string trace_says(const std::string& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  CLI::App app;
  add_trace_command(app, console);
  app.parse("trace " + arguments);
  return out.str();
}

std::string info(const std::string& arguments) { return trace_says("info " + arguments); }

}  // namespace

TEST_CASE("A summary counts jobs, sizes, work, load and users", "[trace]") {
  const test::ScratchFolder folder;
  const TraceSummary summary = summarize(read_trace(folder.file("t", kJobs), TraceFormat::csv));
  CHECK(summary.jobs == 5);
  CHECK(summary.span == 2h);
  CHECK(summary.gpu_hours == Approx(8 + 1.5 + 1.0 / 60 + 32 + 20.0 / 3600));
  CHECK(summary.offered_gpus == Approx(summary.gpu_hours / 2));
  CHECK(summary.work.mean_ms == Approx((3600 + 1800 + 60 + 7200 + 10) * 1000 / 5.0));
  CHECK(summary.work.p10 == 10s);
  CHECK(summary.work.p50 == 1800s);
  CHECK(summary.work.p90 == 2h);
  CHECK(summary.work.most == 2h);
  CHECK(summary.recorded.known == 0);
  // At 3,600 s the 8 and 3 GPUs that end then are gone, the one of 3,599 s is not.
  CHECK(summary.most_gpus_at_once == 18);
  CHECK(summary.peak_hour_ms == 0);
  CHECK(summary.peak_hour_jobs == 3);
  REQUIRE(summary.sizes.size() == 5);
  CHECK(summary.sizes[0].most == 1);
  CHECK(summary.sizes[2].least == 3);
  CHECK(summary.sizes[2].most == 4);
  CHECK(summary.sizes[3].jobs == 1);
  REQUIRE(summary.users.size() == 3);
  CHECK(summary.users[0].name == "cid");
  CHECK(summary.users[0].jobs == 1);
  CHECK(summary.users[2].name == "bob");
}

TEST_CASE("A summary of one job has no load, for it has no span", "[trace]") {
  const test::ScratchFolder folder;
  const TraceSummary summary =
      summarize(read_trace(folder.file("t", "submit,duration,gpus\n7200,60,1\n"), TraceFormat::csv));
  CHECK(summary.offered_gpus == 0);
  CHECK(summary.span == 0s);
  CHECK(summary.peak_hour_ms == 7'200'000);
  CHECK(summary.work.p99 == 60s);
  CHECK(summary.users.empty());
}

TEST_CASE("trace info prints what the file holds and what was dropped", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string text = info(folder.file("jobs.csv", kJobs));
  CHECK_THAT(text, Contains("format              csv"));
  CHECK_THAT(text, Contains("6 read, 5 jobs, 0 out of order"));
  CHECK_THAT(text, Contains("dropped           run time is zero (1 row, first in line 6)"));
  CHECK_THAT(text, Contains("18 GPUs, if no job ever waited"));
  CHECK_THAT(text, Contains("3 users"));
  CHECK_THAT(info(folder.file("packed", test::gzipped(kJobs))), Contains("6 read, 5 jobs"));
}

TEST_CASE("trace info tells the submission from the moment that a held job asks", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string held = folder.file(
      "t",
      "JobID|State|Submit|Eligible|Start|End|AllocTRES\n"
      "1|COMPLETED|2026-07-06T09:00:00|2026-07-06T09:10:00|2026-07-06T10:00:00|2026-07-06T11:00:00|gres/gpu=8\n"
      "2|COMPLETED|2026-07-06T09:05:00|2026-07-06T09:05:00|2026-07-06T10:00:00|2026-07-06T11:00:00|gres/gpu=8\n");
  const std::string text = info(held);
  CHECK_THAT(text, Contains("first submission    2026-07-06 09:00:00"));
  CHECK_THAT(text, Contains("last submission     2026-07-06 09:05:00"));
  CHECK_THAT(text, Contains("1 job asked later than submitted"));
  CHECK_THAT(text, Contains("first asked         2026-07-06 09:05:00"));
  CHECK_THAT(text, Contains("span                5.0 min"));
  CHECK_THAT(info(folder.file("jobs.csv", kJobs)), !Contains("first asked"));
}

TEST_CASE("trace info and audit say what is broken, and that users are not in the file", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string path =
      folder.file("t", "submit,start,end,outcome,gpus\n0,1,60,done,8\n5,soon,60,done,8\n9,10,70,done,8\n");
  CHECK_THAT(info(path), Contains("must be a number of seconds") && Contains("line 3: \"soon\")"));
  CHECK_THAT(info(path), Contains("users               not in the file"));
  const std::string vertex = folder.file("v", R"([{"createTime": "2026-03-02T00:00:00Z",
 "startTime": "2026-03-02T00:00:01Z", "endTime": "2026-03-02T00:10:01Z", "state": "JOB_STATE_SUCCEEDED",
 "jobSpec": {"workerPoolSpecs": [{"replicaCount": "2", "machineSpec": {"acceleratorCount": 8}}]}}])");
  CHECK_THAT(info(vertex), Contains("users               not in the file") && !Contains("(none)"));
}

TEST_CASE("No line of trace info, audit and fit is wider than a page, in a pipe too", "[trace][command]") {
  const test::ScratchFolder folder;
  std::string rows = "submit,start,end,outcome,gpus,machine_kinds_of_old,machine,class\n";
  for (int job = 0; job < 400; ++job) {
    const int at = job * 600;
    rows += std::to_string(at) + "," + std::to_string(at) + "," + std::to_string(at + 600 + job) +
            ",done,8,x,our-own-name-of-a-machine-that-is-long,train\n";
  }
  rows += "0,soon,60,done,8,x,y,z\n";
  const std::string path = folder.file("t", rows);
  for (const std::string command : {"info", "audit"}) {
    std::istringstream text{trace_says(command + " " + path)};
    for (std::string line; std::getline(text, line);) {
      CAPTURE(command, line);
      CHECK(line.size() <= 120);
    }
  }
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .out_fits = true, .out_width = 100};
  CLI::App app;
  add_trace_command(app, console);
  app.parse("trace fit " + path + " --out " + folder.path("fit.json"));
  std::istringstream text{out.str()};
  for (std::string line; std::getline(text, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("trace info asks for the format where the file does not tell", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string path = folder.file("pai.csv", "arrival_time,length,cpus\n0,1,1\n3600,2,4\n");
  CHECK_THROWS_WITH(info(path), Contains("may be gaia_seconds or gaia_hours, and nothing in it tells which"));
  CHECK_THROWS_WITH(info(path + " --format gaia_hour"), Contains("did you mean \"gaia_hours\"?"));
  CHECK_THAT(info(path + " --format gaia_hours"), Contains("9 GPU-hours"));
  CHECK_THROWS_WITH(info(folder.file("x.csv", "name,time\n")),
                    Contains("begins like none of the formats csv, swf"));
  CHECK_THROWS_AS(info(folder.path("missing")), InputError);
}

TEST_CASE("Recorded waits are kept by class and by GPU type, with those that never started", "[trace]") {
  const test::ScratchFolder folder;
  const TraceSummary summary = summarize(read_trace(folder.file("t", kRecord), TraceFormat::csv));
  CHECK(summary.recorded.known == 3);
  CHECK(summary.recorded.wait.mean_ms == 80'000);
  CHECK(summary.recorded.unserved() == 4);
  REQUIRE(summary.by_class.size() == 3);
  const RecordedWaits& batch = summary.by_class[0];
  CHECK(batch.name == "batch");
  CHECK((batch.jobs == 0 && batch.known == 0 && batch.cancelled == 1 && batch.unstarted == 1));
  const RecordedWaits& train = summary.by_class[1];
  CHECK((train.jobs == 2 && train.known == 2 && train.refused == 1 && train.expired == 1));
  CHECK(train.wait.p50 == 60s);
  CHECK(train.wait.p95 == 180s);
  REQUIRE(summary.by_gpu.size() == 2);
  CHECK(summary.by_gpu[0].name == "H100-80GB");
  CHECK(summary.by_gpu[0].refused == 1);
  CHECK(summary.by_gpu[1].wait.most == 180s);
}

TEST_CASE("trace info shows recorded waits, refusals and expiries, where the file has them",
          "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string text = info(folder.file("t.csv", kRecord));
  CHECK_THAT(text, Contains("recorded wait       mean 80 s"));
  CHECK_THAT(text, Contains("Recorded wait by class") && Contains("Recorded wait by GPU type"));
  CHECK_THAT(text, Contains("refused") && Contains("expired") && Contains("H100-80GB"));
  CHECK_THAT(text,
             Contains("dropped           never started: its time to wait was over (1 row, first in line 6)"));
  CHECK_THAT(info(folder.file("jobs.csv", kJobs)), !Contains("Recorded wait by"));
}

TEST_CASE("Types that jobs name are listed with whether the catalogue has them", "[trace]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("t.csv",
                                       "submit,duration,gpus,machine,gpu\n"
                                       "0,60,8,,h100\n1,60,8,,L4|h100\n2,60,8,a3-highgpu-8g,\n3,60,8,,\n");
  const auto types = recorded_types(read_trace(file, TraceFormat::csv), Catalog::embedded());
  REQUIRE(types.size() == 3);
  CHECK((types[0].name == "h100" && types[0].jobs == 2 && !types[0].is_in_catalog && !types[0].is_machine));
  CHECK((types[1].name == "L4" && types[1].jobs == 1 && types[1].is_in_catalog));
  CHECK((types[2].name == "a3-highgpu-8g" && types[2].jobs == 1 && types[2].is_in_catalog &&
         types[2].is_machine));
  for (const char* command : {"info ", "audit "}) {
    const std::string text = trace_says(command + file);
    CHECK_THAT(text, Contains("GPU and machine types that jobs name"));
    CHECK_THAT(text, Contains("\"names\": {\"h100\": \"...\"}"));
  }
}
