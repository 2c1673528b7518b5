// Records of jobs as clusters write them: what becomes of each row, and of each column.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/trace.h"
#include "tests/support/read_export.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

using Lengths = std::vector<SimDuration>;
using Counts = std::vector<std::int32_t>;
using Words = std::vector<std::string>;

// 2026-03-02 00:00:00 UTC.
constexpr std::int64_t kMonday = 1'772'409'600'000;

// "2: reason (line 3)" of each.
Words dropped(const Trace& trace) {
  Words all;
  for (const DroppedRows& rows : trace.dropped) {
    all.push_back(std::to_string(rows.count) + ": " + rows.reason + " (line " +
                  std::to_string(rows.first_line) + ")");
  }
  return all;
}

std::int64_t hours(double count) { return static_cast<std::int64_t>(count * 3'600'000); }

constexpr std::string_view kSacctHead =
    "JobIDRaw|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|Restarts|"
    "NNodes|ReqTRES|AllocTRES|JobName\n";

std::string sacct(std::string_view rows) { return std::string{kSacctHead} + std::string{rows}; }

}  // namespace

TEST_CASE("sacct: columns of a job, waits from when it could start, steps folded into jobs", "[trace]") {
  const Trace trace = read_export(sacct(
      "7|ann|ml|h100|high|COMPLETED|2026-03-02T00:00:00|2026-03-02T01:00:00|2026-03-02T03:00:00|"
      "2026-03-02T13:00:00|32400|720|0|2|cpu=16,gres/gpu=16|billing=9,cpu=16,gres/gpu:h100=16,gres/gpu=16,"
      "gres/gpumem=1.50T,mem=64G|train\n"
      "7.batch|||||COMPLETED|2026-03-02T03:00:00|2026-03-02T03:00:00|2026-03-02T03:00:00|"
      "2026-03-02T13:00:00|36000||0|1||cpu=8,gres/gpu=8|batch\n"
      "8.0|||||COMPLETED|2026-03-02T03:00:00||2026-03-02T03:00:00|2026-03-02T13:00:00|1||0|1||cpu=8|x\n"
      "9|bob|ml|cpu|low|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|"
      "2026-03-02T01:00:00|3600|UNLIMITED|0|1|cpu=1|cpu=1|host\n"
      "10|bob|ml|h100|low|TIMEOUT|2026-03-02T02:00:00|2026-03-02T02:00:00|2026-03-02T02:00:30|"
      "2026-03-02T03:00:30|3600|60|0|1|gres/gpu:h100=4|gres/gpu:h100=4|a|b|c\n"));
  CHECK(trace.absolute);
  CHECK(trace.submit_ms == std::vector<std::int64_t>{kMonday + hours(1), kMonday + hours(2)});
  CHECK(trace.held == Lengths{1h, 0s});
  CHECK(trace.recorded_wait == Lengths{2h, 30s});
  CHECK(trace.start_ms == std::vector<std::int64_t>{kMonday + hours(3), kMonday + hours(2) + 30'000});
  CHECK(trace.end_ms == std::vector<std::int64_t>{kMonday + hours(13), kMonday + hours(3) + 30'000});
  CHECK(trace.work == Lengths{9h, 1h});  // without an hour of suspension
  CHECK(trace.estimate == Lengths{12h, 1h});
  CHECK(trace.gpus == Counts{16, 4});
  CHECK(trace.nodes == Counts{2, 1});
  CHECK(trace.attempts == std::vector<std::uint32_t>{1, 1});
  CHECK(words_of(trace.user) == Words{"ann", "bob"});
  CHECK(words_of(trace.team) == Words{"ml", "ml"});
  CHECK(words_of(trace.partition) == Words{"h100", "h100"});
  CHECK(words_of(trace.job_class) == Words{"high", "low"});
  CHECK(words_of(trace.outcome) == Words{"COMPLETED", "TIMEOUT"});
  CHECK(words_of(trace.gpu) == Words{"h100", "h100"});
  CHECK(dropped(trace) == Words{"1: a step of the job above it (line 3)",
                                "1: a step whose job is not above it (line 4)",
                                "1: asks for no GPU (line 5)"});
}

TEST_CASE("sacct: each size of a job that was resized is a job, and none of its work is lost", "[trace]") {
  const Trace trace = read_export(
      "JobID|User|State|Submit|Start|End|AllocTRES\n"
      "5|ann|RESIZING|2026-03-02T00:00:00|2026-03-02T01:00:00|2026-03-02T21:00:00|gres/gpu=32\n"
      "5|ann|COMPLETED|2026-03-02T21:00:00|2026-03-02T21:00:00|2026-03-02T22:00:00|gres/gpu=8\n");
  CHECK(trace.work == Lengths{20h, 1h});
  CHECK(trace.gpus == Counts{32, 8});
  CHECK(trace.recorded_wait == Lengths{1h, -1ms});
  CHECK_THAT(trace.notes.front(), Contains("1 job changed size while running (RESIZING)"));
}

TEST_CASE("sacct: in the hour that comes twice, the counted run time says which it was", "[trace]") {
  TraceOptions options;
  options.zone = "America/Los_Angeles";
  const Trace trace = read_export(
      "JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES\n"
      "1|a|COMPLETED|2025-11-02T00:30:00|2025-11-02T01:50:00|2025-11-02T01:10:00|1200|gres/gpu=8\n"
      "2|a|COMPLETED|2025-11-02T00:40:00|2025-11-02T00:50:00|2025-11-02T01:10:00|4800|gres/gpu=8\n"
      "3|a|COMPLETED|2025-11-02T00:50:00|2025-11-02T01:05:00|2025-11-02T03:05:00|7200|gres/gpu=8\n",
      options);
  CHECK(trace.work == Lengths{20min, 80min, 2h});
  CHECK(trace.recorded_wait == Lengths{80min, 10min, 75min});
  CHECK_THAT(trace.notes.front(), Contains("1 local time comes twice") && Contains("read as the first"));
}

TEST_CASE("SWF: parts of a job that was swapped out are in the row before them", "[trace]") {
  const Trace trace = read_export(
      "; UnixStartTime: 1772323200\n"
      "1 0 10 3600 4 -1 -1 4 7200 -1 1 1 1 -1 1 1 -1 -1\n"
      "1 0 10 1800 4 -1 -1 4 7200 -1 2 1 1 -1 1 1 -1 -1\n"
      "1 -1 1000 1800 4 -1 -1 4 7200 -1 3 1 1 -1 1 1 -1 -1\n"
      "2 9000 10 3600 4 -1 -1 4 7200 -1 1 1 1 -1 1 1 -1 -1\n"
      "3 9000 10 600 4 -1 -1 4 7200 -1 2 1 1 -1 1 1 -1 -1\n");
  CHECK(trace.work == Lengths{1h, 1h, 10min});
  CHECK_THAT(trace.notes.front(), Contains("2 rows are parts of jobs that were swapped out (status 2 to 4)"));
}

TEST_CASE("A column that is one of ours but for its case is an error, not a column left out", "[trace]") {
  CHECK_THAT(export_error("submit,start,end,GPUS\n2026-03-02,2026-03-02,2026-03-03,8\n"),
             Contains("column \"GPUS\", did you mean \"gpus\"?"));
}

TEST_CASE("sacct: requeues of one id are attempts, the id used again much later is another job", "[trace]") {
  const std::string head = "JobID|User|State|Submit|Start|End|AllocTRES\n";
  const Trace trace = read_export(
      head +
      "5_1|ann|PREEMPTED|2026-03-02T00:00:00|2026-03-02T01:00:00|2026-03-02T02:00:00|gres/gpu=8\n"
      "5_1|ann|NODE_FAIL|2026-03-02T02:00:00|2026-03-02T02:10:00|2026-03-02T03:00:00|gres/gpu=8\n"
      "5_1|ann|COMPLETED|2026-03-02T03:00:00|2026-03-02T03:05:00|2026-03-02T09:05:00|gres/gpu=8\n"
      "5_2|ann|COMPLETED|2026-03-02T00:00:00|2026-03-02T04:00:00|2026-03-02T05:00:00|gres/gpu=8\n"
      "5_2|ann|COMPLETED|2026-03-09T00:00:00|2026-03-09T00:00:00|2026-03-09T00:30:00|gres/gpu=1\n"
      "5_3|bob|COMPLETED|2026-03-02T00:00:00|2026-03-02T04:00:00|2026-03-02T05:00:00|gres/gpu=8\n"
      "5_3|ann|COMPLETED|2026-03-02T05:00:00|2026-03-02T05:00:00|2026-03-02T06:00:00|gres/gpu=8\n");
  CHECK(trace.submit_ms ==
        std::vector<std::int64_t>{kMonday, kMonday, kMonday, kMonday + hours(5), kMonday + hours(7 * 24)});
  CHECK(trace.work == Lengths{6h, 1h, 1h, 1h, 30min});
  CHECK(trace.attempts == std::vector<std::uint32_t>{3, 1, 1, 1, 1});
  CHECK(trace.recorded_wait == Lengths{1h, 4h, 4h, 0s, 0s});  // to the first start
  CHECK(trace.start_ms.front() == kMonday + hours(3) + 5 * 60'000);
  REQUIRE(trace.notes.size() == 1);
  CHECK_THAT(trace.notes[0], Contains("3 rows were joined to 1 job,"));
}

TEST_CASE("sacct: a wait is not known where only the last of several records is there", "[trace]") {
  const Trace trace =
      read_export(sacct("5|ann|ml|p|q|COMPLETED|2026-03-02T03:00:00|2026-03-02T03:02:00|2026-03-02T03:05:00|"
                        "2026-03-02T09:05:00|21600|720|2|1|gres/gpu=8|gres/gpu=8|x\n"));
  CHECK(trace.attempts == std::vector<std::uint32_t>{3});
  CHECK(trace.recorded_wait == Lengths{-1ms});
}

TEST_CASE("sacct: what never ran, still runs, or has no start, each with its reason", "[trace]") {
  const Trace trace = read_export(sacct(
      "1|ann|ml|p|q|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|"
      "2026-03-02T01:00:00|3600|60|0|1|gres/gpu=8|gres/gpu=8|x\n"
      "2|ann|ml|p|q|CANCELLED by 1003|2026-03-02T00:00:00|2026-03-02T00:00:00|None|2026-03-02T02:00:00|0|"
      "60|0|1|gres/gpu=8||x\n"
      "3|ann|ml|p|q|CANCELLED by 1003|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T03:00:00|"
      "2026-03-02T03:00:00|0|60|0|1|gres/gpu=8||x\n"
      "4|ann|ml|p|q|DEADLINE|2026-03-02T00:00:00|2026-03-02T00:00:00|Unknown|2026-03-02T04:00:00|0|60|0|1|"
      "gres/gpu=8||x\n"
      "5_[6-9%2]|ann|ml|p|q|PENDING|2026-03-02T00:00:00|Unknown|Unknown|Unknown|0|Partition_Limit|0|1|"
      "gres/gpu:a100=8||x\n"
      "6|ann|ml|p|q|RUNNING|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|Unknown|3600|60|0|1|"
      "gres/gpu=8|gres/gpu=8|x\n"
      "7|ann|ml|p|q|FAILED|2026-03-02T00:00:00\n"));
  CHECK(trace.size() == 1);
  CHECK(dropped(trace) == Words{"1: has fewer fields than the header (a line end in a name?) (line 8)",
                                "2: never started: it was cancelled (line 3)",
                                "1: never started: its time to wait was over (line 5)",
                                "1: still waited when the file was written (line 6)",
                                "1: still ran when the file was written (line 7)"});
  CHECK(trace.dropped[0].is_broken);
  REQUIRE(trace.unserved.jobs.size() == 4);
  CHECK(trace.unserved.jobs[0].waited == 2h);
  CHECK(trace.unserved.jobs[1].waited == 3h);
  CHECK(trace.unserved.jobs[2].outcome == RecordedOutcome::expired);
  CHECK(trace.unserved.jobs[3].waited == -1ms);
  CHECK(trace.unserved.gpus[trace.unserved.jobs[3].gpu] == "a100");
}

TEST_CASE("sacct: local times, UNIX times, a trailing separator, and a second header", "[trace]") {
  const std::string head = "JobID|State|Submit|Start|End|Elapsed|Timelimit|ReqTRES|\n";
  const std::string row =
      "1|COMPLETED|2026-03-02T09:00:00|2026-03-02T09:00:00|2026-03-03T11:03:04|1-02:03:04|"
      "2-00:00:00|gres/gpu=2|\n";
  TraceOptions options;
  options.zone = "America/New_York";
  const Trace trace = read_export(
      head + row + head + "2|FAILED|1772409600|1772409600|1772413200|01:00:00|UNLIMITED|gres/gpu=1|\n",
      options);
  CHECK(trace.submit_ms == std::vector<std::int64_t>{kMonday, kMonday + hours(14)});
  CHECK(trace.work == Lengths{1h, 26h + 3min + 4s});
  CHECK(trace.estimate == Lengths{1h, 48h});
  CHECK(dropped(trace) == Words{"1: the header again (line 3)"});
}

TEST_CASE("sacct: a row with a cell that cannot be read is dropped with its reason", "[trace][bad_input]") {
  const auto row = [](const std::string& submit, const std::string& elapsed, const std::string& limit,
                      const std::string& tres, const std::string& user = "ann") {
    return "1|" + user + "|ml|p|q|COMPLETED|" + submit + "|" + submit +
           "|2026-03-02T03:00:00|2026-03-02T04:00:00|" + elapsed + "|" + limit + "|0|1||" + tres + "|x\n";
  };
  const std::string noon = "2026-03-02T00:00:00";
  const std::string sound = row(noon, "3600", "60", "gres/gpu=8");
  const Trace trace = read_export(
      sacct(sound + row("garbage:00:00", "3600", "60", "gres/gpu=8") +
            row("2026-02-30T00:00:00", "3600", "60", "gres/gpu=8") +
            row("1960-03-02T00:00:00", "3600", "60", "gres/gpu=8") + row(noon, "-5", "60", "gres/gpu=8") +
            row(noon, "9e99", "60", "gres/gpu=8") + row(noon, "3600", "an hour", "gres/gpu=8") +
            row(noon, "3600", "60", "gres/gpu=1e308") + row(noon, "3600", "60", "gres/gpu:a=9999999999") +
            row(noon, "3600", "60", "gres/gpu=8", "a\tb")));
  CHECK(trace.size() == 1);
  CHECK(trace.rows_read == 10);
  CHECK(
      dropped(trace) ==
      Words{
          "3: column \"Submit\": must be a date and time from 1970 on, such as 2026-08-03T09:00:00, or "
          "Unknown (line 3)",
          "2: column \"ElapsedRaw\": must be a number of seconds from 0 to 34.8 years (line 6)",
          "1: column \"TimelimitRaw\": must be a number of minutes (line 8)",
          "2: column \"AllocTRES\": must be a list such as cpu=8,gres/gpu:h100=8, of at most 1048576 GPUs (line 9)",
          "1: its user must be one line without tabs (line 11)"});
  CHECK(first_of(trace.dropped.front()) == "line 3: \"garbage:00:00\"");
  for (const DroppedRows& rows : trace.dropped) CHECK(rows.is_broken);
  // Nothing of a broken row is kept, and a file of such rows alone is none.
  CHECK(read_export(sacct(row(noon, "x", "60", "gres/gpu=8") + sound)).user.names == Words{"ann"});
  CHECK_THAT(export_error(sacct(row(noon, "x", "60", "gres/gpu=8"))),
             Contains("t:2: column \"ElapsedRaw\": must be a number of seconds"));
}

TEST_CASE("A CSV of starts and ends: waits, refusals, and columns of the planner's own", "[trace]") {
  const Trace trace = read_export(
      "submit,start,end,outcome,gpus,user,team,class,partition,machine,gpu,cost_centre\n"
      "2026-03-02 00:00,2026-03-02 00:30,2026-03-02 02:30,succeeded,8,ann,vision,train,eu,a3-highgpu-8g,,x\n"
      "2026-03-02 01:00,,2026-03-02 01:05,stockout,8,ann,vision,train,eu,a3-highgpu-8g,H100-80GB,x\n"
      "2026-03-02 02:00,,,pending,8,bob,vision,train,eu,,,x\n"
      "2026-03-02 03:00,2026-03-02 03:00,,running,8,bob,vision,train,eu,,,x\n"
      "2026-03-02 04:00,2026-03-02 05:00,2026-03-02 04:30,failed,8,bob,vision,train,eu,,,x\n"
      ",2026-03-02 05:00,2026-03-02 06:00,failed,8,bob,vision,train,eu,,,x\n");
  CHECK(trace.format == TraceFormat::csv);
  CHECK(trace.size() == 1);
  CHECK(trace.work == Lengths{2h});
  CHECK(trace.recorded_wait == Lengths{30min});
  CHECK(words_of(trace.team) == Words{"vision"});
  CHECK(words_of(trace.partition) == Words{"eu"});
  CHECK(dropped(trace) == Words{"1: never started: it was refused (line 3)",
                                "1: still waited when the file was written (line 4)",
                                "1: still ran when the file was written (line 5)",
                                "1: ends before it starts (line 6)", "1: submit time is not known (line 7)"});
  REQUIRE(trace.unserved.jobs.size() == 2);
  CHECK(trace.unserved.jobs[0].waited == 5min);
  CHECK(trace.notes == Words{"columns that were not used: cost_centre"});
}

TEST_CASE("A CSV of starts and ends alone has jobs of one GPU, and says so", "[trace]") {
  const Trace trace = read_export("submit,start,end,outcome\n0,60,120,done\n");
  CHECK_FALSE(trace.absolute);
  CHECK(trace.gpus == Counts{1});
  CHECK(trace.notes == Words{"no column says how many GPUs: each job counts as one"});
  CHECK_THAT(export_error("submit,start,end,outcom\n0,60,120,done\n"), Contains("did you mean \"outcome\"?"));
}

TEST_CASE("SWF: more fields, UNIX submissions and garbage are taken as they are meant", "[trace]") {
  const std::string tail = " -1 -1 -1 60 -1 1 7 3 -1 2 -1 -1 -1";
  const Trace trace = read_export("1 1772409600 30 600 4" + tail +
                                  " extra 9\n"
                                  "2 1772409700 0 NaN 4" +
                                  tail +
                                  "\n"
                                  "3 nonsense\n"
                                  "4 17 0 60 4" +
                                  tail +
                                  "\n"
                                  "5 1772409800 5 60 99999999" +
                                  tail + "\n");
  CHECK(trace.absolute);
  CHECK(trace.submit_ms == std::vector<std::int64_t>{kMonday});
  CHECK(trace.recorded_wait == Lengths{30s});
  CHECK(words_of(trace.partition) == Words{"2"});
  CHECK(words_of(trace.team) == Words{"3"});
  CHECK(dropped(trace) == Words{"1: a field is not a number (line 2)", "1: has fewer than 18 fields (line 3)",
                                "1: submit time does not count from where the first one does (line 4)",
                                "1: a number is out of range (line 5)"});
  CHECK(trace.notes == Words{"1 row has more than 18 fields; the others were not used"});
}

TEST_CASE("Helios: virtual clusters are teams, times are local ones", "[trace]") {
  TraceOptions options;
  options.zone = "Asia/Shanghai";
  const Trace trace = read_export(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
      "1,u1,vcA,16,32,2,COMPLETED,2026-03-02 08:00:00,2026-03-02 08:01:00,2026-03-02 09:01:00,3600,60\n"
      "2,u1,vcA,0,32,1,COMPLETED,2026-03-02 08:00:00,2026-03-02 08:01:00,2026-03-02 09:01:00,3600,60\n"
      "3,u2,vcB,1,4,1,CANCELLED,2026-03-02 08:00:00,None,2026-03-02 08:10:00,0,600\n",
      options);
  CHECK(trace.submit_ms == std::vector<std::int64_t>{kMonday});
  CHECK(trace.recorded_wait == Lengths{60s});
  CHECK(trace.nodes == Counts{2});
  CHECK(words_of(trace.team) == Words{"vcA"});
  CHECK(trace.unserved.jobs.size() == 1);
  CHECK_THAT(export_error("time,total_job_num,running_job_num,pending_job_num\n"), Contains("holds no jobs"));
}

TEST_CASE("openb and PAI: parts of GPUs count as whole ones, and what never ran is told", "[trace]") {
  const Trace openb = read_export(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
      "scheduled_time\n"
      "a,1,1,1,460,V100M16|V100M32|V100M32,LS,Running,10,100,20\n"
      "b,1,1,8,1000,,BE,Pending,11,50,\n");
  CHECK(openb.gpus == Counts{1});
  CHECK(openb.recorded_wait == Lengths{10s});
  CHECK(words_of(openb.job_class) == Words{"LS"});
  CHECK(words_of(openb.gpu) == Words{"V100M16|V100M32"});
  CHECK(openb.unserved.jobs.at(0).waited == 39s);
  CHECK(openb.notes == Words{"1 row asks for a part of a GPU, which counts as a whole one"});

  const std::string rows =
      "j1,worker,5,Terminated,100,400,600,29,50,T4\n"
      "j2,ps,1,Terminated,100,400,600,29,,\n"
      "j3,tf,1,Waiting,,,600,29,100,V100\n";
  for (const std::string& header :
       {std::string{}, std::string{"job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,"
                                   "plan_gpu,gpu_type\n"}}) {
    const Trace pai = read_export(header + rows);
    CHECK(pai.gpus == Counts{3});  // five halves
    CHECK(pai.recorded_wait == Lengths{-1ms});
    CHECK(words_of(pai.job_class) == Words{"worker"});
    CHECK(pai.rows_read == 3);
  }
  CHECK_THAT(export_error("j1,i1,u1,Terminated,1,2\n"), Contains("pai_task_table.csv has them"));
}

TEST_CASE("Attempts that a rule joins keep the wait to the first start, and their number", "[trace]") {
  const ScratchFolder folder;
  const Trace trace = read_trace(folder.file("t",
                                             "submit,start,end,outcome,gpus,job\n"
                                             "0,,10,stockout,8,a\n20,50,80,failed,8,a\n90,95,195,done,8,a\n"
                                             "0,,30,refused,8,b\n40,,100,refused,8,b\n"),
                                 TraceFormat::csv);
  CHECK(trace.submit_ms == std::vector<std::int64_t>{0});
  CHECK(trace.attempts == std::vector<std::uint32_t>{3});
  CHECK(trace.recorded_wait == Lengths{50s});
  CHECK(trace.work == Lengths{100s});
  REQUIRE(trace.unserved.jobs.size() == 1);  // one job, however often it was refused
  CHECK(trace.unserved.jobs[0].waited == 100s);
}
