// Dirty exports: what becomes of broken rows, of columns under other names, and of times since 1970.

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

}  // namespace

TEST_CASE("sacct: all that a header lacks is named at once, with the command", "[trace][bad_input]") {
  CHECK_THAT(export_error("JobID|State|Submit|Start|End\n"),
             Contains("t:1: column \"AllocTRES\" is missing. Export again with TZ=UTC sacct -a"));
  CHECK_THAT(export_error("JobID|State\n"),
             Contains("t:1: columns \"Submit\", \"Start\", \"End\", \"AllocTRES\" are missing. Export"));
}

TEST_CASE("sacct: a file without its header is told so", "[trace][bad_input]") {
  const std::string row =
      "7|ann|COMPLETED|2026-03-02T00:00:00|2026-03-02T01:00:00|2026-03-02T02:00:00|gres/gpu=8\n";
  const ScratchFolder folder;
  const std::string path = folder.file("t", row);
  CHECK(fitting_formats(path).empty());
  CHECK_THAT(like_which_format(path), Contains("leave out --noheader (-n)"));
  CHECK_THROWS_WITH(read_trace(path, TraceFormat::sacct), Contains("t:1: begins with a row of sacct"));
}

TEST_CASE("sacct: jobs that began anew and have their last record only are told of", "[trace]") {
  const std::string head = "JobID|User|State|Submit|Start|End|AllocTRES|Restarts\n";
  const auto record = [](const char* hour, int restarts) {
    return std::string{"5|ann|COMPLETED|2026-03-02T"} + hour + ":00:00|2026-03-02T" + hour +
           ":10:00|2026-03-02T" + hour + ":50:00|gres/gpu=8|" + std::to_string(restarts) + "\n";
  };
  const Trace lacking = read_export(head + record("03", 2));
  REQUIRE(lacking.notes.size() == 1);
  CHECK_THAT(lacking.notes[0], Contains("1 job began anew (Restarts)") && Contains("with -D"));
  CHECK(read_export(head + record("03", 0)).notes.empty());
  CHECK(read_export(head + record("03", 0) + record("04", 1)).notes ==
        Words{"2 rows were joined to 1 job, as attempts"});
}

TEST_CASE("A broken row of any format is dropped with its reason, its line and what stood there",
          "[trace][bad_input]") {
  const Trace csv = read_export(
      "submit,start,end,outcome,gpus,gpu,user\n"
      "2026-07-01 10:00,2026-07-01 10:30,2026-07-01 12:00,done,8,H100,ann\n"
      "2026-07-01 11:00,n/a,2026-07-01 12:00,done,8,H100,bob\n"
      "2026-07-01 11:00,soon,2026-07-01 12:00,done,8,H100,bob\n"
      "2026-07-01 11:00,2026-07-01 11:30,2026-07-01 12:00,done,8,H100|,bob\n"
      "2026-07-01 11:00,2026-07-01 11:30,2026-07-01 12:00,done,8,H100|,bob\n"
      "2026-07-01 11:00,2026-07-01 11:30,2026-07-01 12:00,done,8,5\" disk,bob\n"
      "2026-07-01 11:00,2026-07-01 11:30,2026-07-01 12:00,done,8\n"
      "2026-07-01 13:00,2026-07-01 13:30,2026-07-01 14:00,done,4,L4,cid\n"
      "2026-07-01 13:00,2026-07-01 13:30,2026-07-01 14:00,done,4,L4,cid\n"
      "2026-07-01 13:00,2026-07-01 13:30,2026-07-01 14:00,done,4,L4,cid\n"
      "2026-07-01 13:00,2026-07-01 13:30,2026-07-01 14:00,done,4,L4,cid\n"
      "2026-07-01 13:00,2026-07-01 13:30,2026-07-01 14:00,done,4,L4,cid\n");
  CHECK(csv.gpus == Counts{8, 4, 4, 4, 4, 4});
  CHECK(csv.user.names == Words{"ann", "cid"});  // nothing of a broken row is kept
  CHECK(csv.gpu.names == Words{"H100", "L4"});
  CHECK(csv.rows_read == 12);
  REQUIRE(csv.dropped.size() == 4);
  CHECK_THAT(csv.dropped[0].reason, Contains("column \"start\": must be a date and time"));
  CHECK(csv.dropped[0].count == 2);
  CHECK(first_of(csv.dropped[0]) == "line 3: \"n/a\"");
  CHECK(csv.dropped[1].count == 2);
  CHECK(first_of(csv.dropped[1]) == "line 5: \"H100|\"");
  CHECK_THAT(csv.dropped[2].reason, Contains("a quote in the middle of a field"));
  CHECK(csv.dropped[2].first_line == 7);
  CHECK_THAT(csv.dropped[3].reason, Contains("number of fields: must be 7"));
  for (const DroppedRows& rows : csv.dropped) CHECK(rows.is_broken);

  const Trace helios = read_export(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
      "1,u,v,x,8,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:10:00,2020-04-01 01:10:00,3600,600\n"
      "2,u,v,8,8,1,COMPLETED,bad,2020-04-01 00:10:00,2020-04-01 01:10:00,3600,600\n"
      "3,u,v,8,8,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:10:00,2020-04-01 01:10:00,3600,600\n"
      "4,u,v,8,8,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:10:00,2020-04-01 01:10:00,3600,600\n");
  CHECK(helios.row == std::vector<std::uint64_t>{2, 3});
  CHECK(first_of(helios.dropped.at(0)) == "line 2: \"x\"");
  CHECK(first_of(helios.dropped.at(1)) == "line 3: \"bad\"");

  const Trace pai =
      read_export("j1,t,1,Terminated,abc,200,600,29,50,T4\nj1,t,1,Terminated,100,200,600,29,50,T4\n");
  CHECK(pai.size() == 1);
  CHECK(first_of(pai.dropped.at(0)) == "line 1: \"abc\"");
}

TEST_CASE(
    "A broken CSV record of several lines is an error: a quote left open swallows the rows up to the next",
    "[trace][bad_input]") {
  const std::string head = "submit,duration,gpus,user\n0,60,1,ann\n";
  const std::string open = "1,60,1,\"ann\n2,60,1,ann\n";
  const std::string sound = "4,60,1,ann\n5,60,1,ann\n";
  constexpr const char* kError = "t:3: breaks its format and goes on to line 5: is a quote not closed?";
  CHECK(export_error(head + open + "3,60,1,\"bob, jr\"\n" + sound) == kError);  // goes on behind the quote
  CHECK(export_error(head + open + "3,60,1,bob\"\n" + sound) == kError);        // no name of a user
  CHECK(export_error(head + open + "3,60,1,\",bob\n" + sound) == kError);       // a field too many
  const Trace pai =
      read_export("j1,t,1,Terminated,100,200,600,29,50,T4\nj1,t,1,Terminated,x,200,600,29,50,T4\n");
  CHECK(pai.dropped.at(0).first_line == 2);
  CHECK(export_error("j1,t,1,Terminated,100,200,600,29,50,\"T4\nj1,t,1,Terminated,1,2,600,29,50,T4\"\n"
                     "j1,t,1,Terminated,100,200,600,29,50,T4\n") ==
        "t:1: breaks its format and goes on to line 2: is a quote not closed?");
  // A sound one may have a text of several lines.
  const Trace noted = read_export("submit,start,end,gpus,comment\n0,1,2,8,\"two\nlines\"\n1,2,3,4,\n");
  CHECK(noted.gpus == Counts{8, 4});
  CHECK(noted.dropped.empty());
}

TEST_CASE("One reason for quotes out of place, whatever the field", "[trace][bad_input]") {
  const Trace trace = read_export(
      "submit,start,end,gpus,user,team\n0,1,2,8,5\" disk,a\n0,1,2,8,a,5\" disk\n0,1,2,8,a,b\n0,1,2,8,a,b\n");
  REQUIRE(trace.dropped.size() == 1);
  CHECK(trace.dropped[0].count == 2);
}

TEST_CASE("A file that is another one is an error: most of its rows are broken, or most of the first",
          "[trace][bad_input]") {
  const std::string head = "submit,duration,gpus\n";
  const std::string sound = "0,60,1\n";
  const std::string broken = "soon,60,1\n";
  CHECK_THAT(export_error(head + broken + broken),
             Contains("t:2: column \"submit\": must be a number of seconds") &&
                 EndsWith("but is \"soon\"; 2 of 2 rows are not as the format csv has them"));
  std::string half = head;
  for (int i = 0; i < 50; ++i) half += sound + broken;
  CHECK(read_export(half).size() == 50);
  CHECK(read_export(half + sound + sound + broken + broken).dropped.at(0).count == 52);
  CHECK(read_export(head + sound + broken).size() == 1);
  CHECK_THAT(
      export_error(half + sound + sound + broken + broken + broken),
      Contains("t:3: column \"submit\"") && EndsWith("; 53 of 105 rows are not as the format csv has them"));
  std::string few = head + sound + sound + sound;
  for (int i = 0; i < 10; ++i) few += broken;
  CHECK(read_export(few).size() == 3);
  CHECK_THAT(export_error(few + broken), EndsWith("; 11 of 14 rows are not as the format csv has them"));
  CHECK_THAT(export_error(head + broken + broken + half.substr(head.size())),
             Contains("t:2: ") && Contains("51 of the first 100"));
}

TEST_CASE("Columns of our own CSV may have the plain names that others give them", "[trace]") {
  const Trace trace = read_export(
      "submit,start,end,state,gpu_count,machine_type,accelerator\n"
      "2026-06-01 00:00,2026-06-01 00:10,2026-06-01 02:10,done,16,a3-highgpu-8g,H100-80GB\n");
  CHECK(trace.gpus == Counts{16});
  CHECK(words_of(trace.machine) == Words{"a3-highgpu-8g"});
  CHECK(words_of(trace.gpu) == Words{"H100-80GB"});
  CHECK(words_of(trace.outcome) == Words{"done"});
  CHECK(
      trace.notes ==
      Words{
          "columns of other names: gpu_count as gpus, accelerator as gpu, machine_type as machine, state as outcome"});
  CHECK(read_export("submit,duration,num_gpus\n0,60,8\n").gpus == Counts{8});
  // The own name counts, and two others for one column are a question.
  CHECK(read_export("submit,start,end,outcome,state,gpus\n0,1,2,done,x,8\n").notes ==
        Words{"columns that were not used: state"});
  CHECK_THAT(export_error("submit,start,end,state,status,gpus\n0,1,2,done,x,8\n"),
             Contains("columns \"state\" and \"status\" may both be \"outcome\""));
  CHECK(export_error("submit,start,end,gpu_count,gpu_count\n0,1,2,8,1\n") ==
        "t:1: column \"gpu_count\" comes twice");
}

TEST_CASE("Where no column counts GPUs, a number among the GPU types is no type of one GPU",
          "[trace][bad_input]") {
  for (const std::string name : {"gpu", "accelerator"}) {
    CHECK(
        export_error("submit,start,end," + name + "\n0,1,2,8\n") ==
        "t:2: column \"gpu\": must be a GPU type (a number of GPUs belongs in a column \"gpus\"), but is \"8\"");
  }
  CHECK(read_export("submit,start,end,gpu\n0,1,2,H100\n0,1,2,\n").gpus == Counts{1, 1});
  CHECK(words_of(read_export("submit,start,end,gpu,gpus\n0,1,2,4090,8\n").gpu) == Words{"4090"});
}

TEST_CASE("A column about GPUs or machines that is not known is no column to pass over",
          "[trace][bad_input]") {
  const auto header = [](const std::string& more) {
    return export_error("submit,start,end" + more + "\n0,1,2,8\n");
  };
  CHECK_THAT(header(",GPU"), Contains("column \"GPU\", did you mean \"gpu\"?"));
  CHECK_THAT(header(",used_gpus"),
             Contains("column \"used_gpus\" is none of the format csv") && Contains("\"gpus\" if it does"));
  CHECK_THAT(header(",gpu_hours"), Contains("column \"gpu_hours\""));
  CHECK_THAT(header(",accelerators_used"), Contains("column \"accelerators_used\""));
  CHECK_THAT(header(",machine_kind"), Contains("call it \"machine\""));
  CHECK(read_export("submit,start,end,gpus,gpu_hours\n0,1,2,8,3\n").gpus == Counts{8});
}

TEST_CASE("Times since 1970 are told from a zero of the file's own", "[trace]") {
  const Trace seconds = read_export("submit,start,end,gpus\n1772409600.5,1772409660,1772413260,8\n");
  CHECK(seconds.absolute);
  CHECK_FALSE(seconds.has_local_times);
  CHECK(seconds.submit_ms == std::vector<std::int64_t>{kMonday + 500});
  CHECK(seconds.work == Lengths{1h});
  CHECK(seconds.notes == Words{"times are seconds since 1970"});
  const Trace milliseconds = read_export("submit,duration,gpus\n1772409600000,60,8\n1772409601000,60,8\n");
  CHECK(milliseconds.submit_ms == std::vector<std::int64_t>{kMonday, kMonday + 1000});
  CHECK_FALSE(read_export("submit,duration,gpus\n999999999,60,8\n").absolute);
}

TEST_CASE("Times since 1970 in another unit, or behind a time that is none, are told what they must be",
          "[trace][bad_input]") {
  constexpr const char* kWanted =
      "column \"submit\": must be at most 34.8 years since the file's zero, for the first time is no UNIX time: "
      "give seconds or milliseconds since 1970, or dates such as 2026-08-03 09:00";
  for (const std::string time : {"1772409600000000", "1772409600000000000", "1e300"}) {
    CHECK_THAT(export_error("submit,duration,gpus\n" + time + ",60,8\n"),
               Contains(kWanted) && EndsWith("but is \"" + time + "\""));
  }
  const Trace zero = read_export("submit,duration,gpus\n0,60,8\n1772409600,60,8\n");
  CHECK(zero.dropped.at(0).reason == kWanted);
}

TEST_CASE("Texts of several lines or with tabs are told by their column", "[trace][bad_input]") {
  for (const std::string name : {"gpu", "speed", "gpu_memory"}) {
    CHECK_THAT(export_error("submit,duration,gpus," + name + "\n0,60,8,a\tb\n"),
               Contains("its column \"" + name + "\" must be one line without tabs"));
  }
}
