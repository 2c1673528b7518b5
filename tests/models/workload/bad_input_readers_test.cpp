// Whatever a trace file or an availability file holds, the readers answer with an InputError that names the
// place, or with a checked result: never with a crash, a hang or another exception.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/supply/availability.h"
#include "models/workload/trace.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::ScratchFolder;

namespace {

constexpr std::array kFormats{TraceFormat::csv,          TraceFormat::swf,        TraceFormat::philly,
                              TraceFormat::gaia_seconds, TraceFormat::gaia_hours, TraceFormat::sacct,
                              TraceFormat::helios,       TraceFormat::openb,      TraceFormat::pai,
                              TraceFormat::eagle};
constexpr std::array kJsonFormats{TraceFormat::vertex, TraceFormat::kueue, TraceFormat::kubernetes};

std::vector<TraceFormat> all_formats() {
  std::vector<TraceFormat> all;
  for (std::size_t i = 0; i < kTraceFormatNames.size(); ++i) all.push_back(static_cast<TraceFormat>(i));
  return all;
}

// A sound file of each format.
std::string sound(TraceFormat format) {
  switch (format) {
    case TraceFormat::csv:
      return "submit,duration,gpus\n0,60,1\n5,60,8\n";
    case TraceFormat::swf:
      return "; Version: 2.2\n1 0 -1 9 1 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n";
    case TraceFormat::philly:
      return "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,11cb48\n";
    case TraceFormat::gaia_seconds:
    case TraceFormat::gaia_hours:
      return "arrival_time,length,cpus\n0.5,2,4\n";
    case TraceFormat::sacct:
      return "JobIDRaw|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|Restarts|NNodes|AllocTRES\n"
             "1|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:01:00|2026-03-02T01:00:00|3540|60|0|2|"
             "gres/gpu:h100=8,gres/gpu=8\n";
    case TraceFormat::helios:
      return "job_id,user,vc,gpu_num,node_num,state,submit_time,start_time,end_time\n"
             "1,u,v,8,1,COMPLETED,2020-05-01 00:00:00,2020-05-01 00:00:01,2020-05-01 00:10:00\n";
    case TraceFormat::openb:
      return "name,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
             "p,1,500,,LS,Failed,0,90,5\n";
    case TraceFormat::pai:
      return "j,worker,5,Terminated,100,400,600,29,50,T4\n";
    case TraceFormat::eagle:
      return "job_id,user,account,partition,qos,wallclock_req,nodes_req,gpus_req,submit_time,start_time,end_time,state\n"
             "1,u,a,p,q,60.0,1,2,2019-01-01 "
             "08:55:55,2019-01-01 08:55:56,2019-01-02 12:39:41,COMPLETED\n";
    case TraceFormat::vertex:
      return R"([{"name": "projects/1/locations/r/customJobs/2", "createTime": "2026-03-02T00:00:00.5Z",
 "startTime": "2026-03-02T00:00:01Z", "endTime": "2026-03-02T00:10:01Z", "state": "JOB_STATE_SUCCEEDED",
 "jobSpec": {"workerPoolSpecs": [{"replicaCount": "2", "machineSpec": {"acceleratorCount": 8}}]}}])";
    case TraceFormat::kueue:
      return R"({"items": [{"kind": "Workload", "metadata": {"creationTimestamp": "2026-03-02T00:00:00Z"},
 "spec": {"podSets": [{"count": 2, "template": {"spec": {"containers": [{"resources":
  {"requests": {"nvidia.com/gpu": "8"}}}]}}}]}, "status": {"conditions": [{"type": "Admitted", "status": "True",
  "lastTransitionTime": "2026-03-02T00:00:01Z"}, {"type": "Finished", "status": "True", "reason": "Succeeded",
  "lastTransitionTime": "2026-03-02T00:10:01Z"}]}}]})";
    case TraceFormat::kubernetes:
      return R"({"items": [{"kind": "Job", "metadata": {"creationTimestamp": "2026-03-02T00:00:00Z"},
 "spec": {"template": {"spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 8}}}]}}},
 "status": {"startTime": "2026-03-02T00:00:01Z", "completionTime": "2026-03-02T00:10:01Z"}}]})";
  }
  return {};
}

// The error; else what is told of the first row that was passed over because it is broken.
std::string error_of(std::string_view content, TraceFormat format) {
  static const ScratchFolder folder;  // one for all: thousands of folders take their time
  try {
    const Trace trace = read_trace(folder.file("t", content), format);
    for (const DroppedRows& rows : trace.dropped) {
      if (!rows.is_broken) continue;
      return "t:" + std::to_string(rows.first_line) + ": " + rows.reason +
             (rows.first_text.empty() ? "" : ", but is " + rows.first_text);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string csv_error(std::string_view rows) {
  return error_of("submit,duration,gpus,deadline\n" + std::string{rows}, TraceFormat::csv);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("Every trace reader refuses files that cannot be read, each with its reason", "[bad_input]") {
  const ScratchFolder folder;
  for (const TraceFormat format : all_formats()) {
    CHECK_THROWS_WITH(read_trace(folder.path("missing"), format), EndsWith("missing: there is no such file"));
    CHECK_THROWS_WITH(read_trace(folder.path(), format), Contains("is a folder, not a file"));
    CHECK_THROWS_WITH(read_trace("/dev/zero", format), Contains("is a pipe or a device"));
  }
}

TEST_CASE("Every trace reader refuses empty and binary files", "[bad_input]") {
  for (const TraceFormat format : kFormats) {
    CHECK_THAT(error_of("", format), EndsWith("t: holds no rows"));
    CHECK_THAT(error_of("\n \n\t\n", format), EndsWith("t: holds no rows"));
    CHECK_THAT(error_of(test::gzipped(""), format), EndsWith("t: holds no rows"));
    CHECK_THAT(error_of(sound(format) + std::string("\0\0\0", 3), format),
               Contains("is not text: byte 0x00"));
    CHECK_THAT(error_of(sound(format) + "\xC3\x28", format), Contains("is not UTF-8"));
    CHECK_THAT(error_of("\x89PNG\r\n\x1a\n", format), Contains("t:1: is not"));
    CHECK_THAT(error_of(std::string(5 << 20, 'x'), format), Contains("t:1: a line of more than"));
    CHECK(error_of(sound(format), format) == "no error");
  }
  for (const TraceFormat format : kJsonFormats) {
    CHECK_THAT(error_of("", format), EndsWith("t: holds no rows"));
    CHECK_THAT(error_of(test::gzipped(" \n"), format), EndsWith("t: holds no rows"));
    CHECK_THAT(error_of(sound(format) + std::string("\0", 1), format), Contains("is not text: byte 0x00"));
    CHECK_THAT(error_of("[\n\"\xC3\x28\"]", format), Contains("t:2: this is not valid JSON"));
    CHECK(error_of(sound(format), format) == "no error");
  }
}

TEST_CASE("Every trace reader refuses truncated files or reads the rows that are whole", "[bad_input]") {
  for (const TraceFormat format : all_formats()) {
    const std::string whole = sound(format);
    for (std::size_t size = 0; size < whole.size(); ++size)
      CHECK_NOTHROW(error_of(whole.substr(0, size), format));
    const std::string packed = test::gzipped(whole);
    for (std::size_t size = 2; size < packed.size(); ++size) {
      CHECK_THAT(error_of(packed.substr(0, size), format), Contains("gzip data"));
    }
  }
}

TEST_CASE("Every trace reader survives any single changed byte", "[bad_input]") {
  for (const TraceFormat format : all_formats()) {
    const std::string whole = sound(format);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const char byte : {'\0', '"', ',', '\n', '9', '-', 'e', '\xff', ' '}) {
        std::string changed = whole;
        changed[at] = byte;
        CHECK_NOTHROW(error_of(changed, format));
      }
    }
  }
}

TEST_CASE("Numbers that are none, too large or negative are named with line and column", "[bad_input]") {
  CHECK_THAT(
      csv_error("0,60,1,\nabc,60,1,\n"),
      EndsWith("t:3: column \"submit\": must be a number of seconds, such as 90 or 1.5, but is \"abc\""));
  CHECK_THAT(csv_error("0,nan,1,\n"), Contains("t:2: column \"duration\": must be a number of seconds"));
  CHECK_THAT(csv_error("0,inf,1,\n"), Contains("column \"duration\": must be"));
  CHECK_THAT(csv_error("0,1e999,1,\n"),
             Contains("column \"duration\": must be at most 34.8 years, but is \"1e999\""));
  CHECK_THAT(csv_error("0,99999999999999999999999,1,\n"), Contains("must be at most 34.8 years"));
  CHECK_THAT(csv_error("0,1099511627775,1,\n"), Contains("must be at most 34.8 years"));
  CHECK(csv_error("1507532515000,60,1,\n") == "no error");  // milliseconds since 1970
  CHECK_THAT(csv_error("0,60,1,\n1507532515000,60,1,\n"),
             Contains("t:3: column \"submit\": must be at most"));
  CHECK_THAT(csv_error("1507532515,60,1,\n60,60,1,\n"),
             Contains("milliseconds since 1970 as in the rows before"));
  CHECK_THAT(csv_error("0,-5,1,\n"), EndsWith("column \"duration\": must be 0 or more, but is \"-5\""));
  CHECK_THAT(csv_error("-1,5,1,\n"), EndsWith("column \"submit\": must be 0 or more, but is \"-1\""));
  CHECK_THAT(csv_error("-1359980917,5,1,\n"), EndsWith("must be 0 or more, but is \"-1359980917\""));
  CHECK_THAT(csv_error("0,5,-1359980917,\n"), EndsWith("must be 0 or more, but is \"-1359980917\""));
  CHECK_THAT(csv_error("0,5,-1,\n"), EndsWith("column \"gpus\": must be 0 or more, but is \"-1\""));
  CHECK_THAT(csv_error("0,5,1.5,\n"), EndsWith("column \"gpus\": must be a whole number, but is \"1.5\""));
  CHECK_THAT(csv_error("0,5,99999999999999999999,\n"), Contains("column \"gpus\": must be at most 1048576"));
  CHECK_THAT(csv_error("0,forever,1,\n"), EndsWith("column \"duration\": a job must end at some time"));
  CHECK_THAT(csv_error("0,5 parsecs,1,\n"),
             Contains("with a unit, such as 30min or 2h, but is \"5 parsecs\""));
  CHECK_THAT(csv_error("0,5,1,99999999999w\n"), Contains("column \"deadline\": must be"));
  CHECK_THAT(csv_error(std::string(100, '7') + ",5,1,\n"), Contains("7...\""));  // long texts are cut
}

TEST_CASE("Broken rows and headers of our own CSV are named", "[bad_input]") {
  CHECK_THAT(csv_error("0,5,1\n"), EndsWith("t:2: number of fields: must be 4, as in the header, but is 3"));
  CHECK_THAT(csv_error("0,5,1,,\n"),
             EndsWith("t:2: number of fields: must be 4, as in the header, but is 5"));
  CHECK_THAT(
      csv_error(",5,1,\n"),
      EndsWith("t:2: column \"submit\": must be a number of seconds, such as 90 or 1.5, but is empty"));
  CHECK_THAT(csv_error("0,5,1,\n2026-08-03,5,1,\n"),
             Contains("t:3: column \"submit\": must be a number of seconds, or in all rows a date"));
  CHECK_THAT(csv_error("2026-02-30,5,1,\n"),
             Contains("t:2: column \"submit\"") && Contains("in all rows a date from"));
  CHECK_THAT(csv_error("2026-08-03,5,1,\n7,5,1,\n"),
             Contains("t:3: column \"submit\": must be a date and time"));
  CHECK_THAT(csv_error("2026-08-03,5,1,2026-08-02\n"),
             Contains("column \"deadline\": must be no earlier than the submission"));
  CHECK_THAT(csv_error("2026-08-03,5,1,\n2076-08-03,5,1,\n"),
             Contains("submits must span at most 34.8 years"));
  const auto header = [](std::string text) { return error_of(text + "\n0,5,1\n", TraceFormat::csv); };
  CHECK_THAT(header("submit,duration,gpu"), Contains("t:1: either column \"gpus\" or columns \"nodes\""));
  CHECK_THAT(header("submit,duration,nodes"), Contains("t:1: either column \"gpus\" or columns \"nodes\""));
  CHECK_THAT(header("submit,gpus,user"), Contains("t:1: column \"duration\" is missing"));
  CHECK_THAT(header("submit,duratoin,gpus"),
             EndsWith("t:1: the format csv has no column \"duratoin\", did you mean \"duration\"?"));
  CHECK_THAT(header("; Version: 2.2"),
             EndsWith("t:1: begins as the Standard Workload Format does, whose name here is swf"));
  CHECK_THAT(header("submit,submit,gpus"), EndsWith("t:1: column \"submit\" comes twice"));
  CHECK_THAT(error_of("submit,duration,nodes,gpus_per_node\n0,5,1048576,1048576\n", TraceFormat::csv),
             Contains("nodes times gpus_per_node must be at most 1048576, but is 1099511627776"));
}

TEST_CASE("Broken rows of the published formats are named", "[bad_input]") {
  CHECK_THAT(error_of("1 0 -1 9 1\n", TraceFormat::swf), EndsWith("t:1: has fewer than 18 fields"));
  std::string swf = sound(TraceFormat::swf);
  replace(swf, " 9 ", " NaN ");
  CHECK_THAT(error_of(swf, TraceFormat::swf), EndsWith("t:2: a field is not a number"));
  swf = sound(TraceFormat::swf);
  replace(swf, " 9 ", " -1359980917 ");
  CHECK_THAT(error_of(swf, TraceFormat::swf), EndsWith("t:2: a number is out of range"));
  std::string philly = sound(TraceFormat::philly);
  replace(philly, "2017-10-09 07:01:55", "09.10.2017 07:01");
  CHECK_THAT(error_of(philly, TraceFormat::philly),
             EndsWith("t:2: column \"timestamp\": must be a date and time from 1970 on, such as 2017-10-09 "
                      "07:01:55, but is \"09.10.2017 07:01\""));
  CHECK_THAT(error_of("timestamp,duration,num_gpus\n", TraceFormat::philly),
             EndsWith("column \"cluster\" is missing"));
  CHECK_THAT(error_of("arrival_time,length\n", TraceFormat::gaia_hours),
             EndsWith("column \"cpus\" is missing"));
  CHECK_THAT(
      error_of("arrival_time,length,cpus\n0,1 h,1\n", TraceFormat::gaia_hours),
      EndsWith("t:2: column \"length\": must be a number of hours, such as 12 or 0.25, but is \"1 h\""));
  CHECK_THAT(error_of("arrival_time,length,cpus\n0,306000,1\n", TraceFormat::gaia_hours),
             Contains("must be at most 34.8 years"));
}

TEST_CASE("A trace of which nothing is left says why", "[bad_input]") {
  CHECK_THAT(
      error_of("submit,duration,gpus\n0,0,1\n1,0,1\n2,5,0\n", TraceFormat::csv),
      EndsWith(
          "t: holds no job; all rows were dropped: run time is zero (2 rows, first in line 2); asks for no GPU "
          "(1 row, first in line 4)"));
  CHECK_THAT(error_of("submit,duration,gpus\n", TraceFormat::csv), EndsWith("t: holds no rows"));
}

TEST_CASE("The availability reader survives any single changed byte and any cut", "[bad_input]") {
  const ScratchFolder folder;
  const std::vector<std::string> files{
      "scheduled_at,zone,instances_requested,instances_created\n2025-10-03T17:10:00-07:00,z,16,3\n"
      "2025-10-03T17:20:00-07:00,z,16,16\n",
      "date,availability\n2023-02-15 22:08:16,0\n2023-02-15 22:11:31,1\n",
      R"({"metadata":{"gap_seconds":600,"start_time":"2025-10-04T00:10:00+00:00"},"data":[0,1,1]})"};
  const auto survives = [&](const std::string& content) {
    for (const char* zone : {"z", ""}) {
      try {
        (void)read_availability(folder.file("a", content), {.zone = zone, .inverted = true});
      } catch (const InputError&) {
        continue;
      }
    }
  };
  for (const std::string& whole : files) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      CHECK_NOTHROW(survives(whole.substr(0, at)));
      for (const char byte : {'\0', '"', ',', '\n', '9', '-', 'e', '\xff', ']'}) {
        std::string changed = whole;
        changed[at] = byte;
        CHECK_NOTHROW(survives(changed));
      }
    }
  }
}

TEST_CASE("A name with a tab or a line end, which quotes let through, is refused with its line", "[trace]") {
  const std::string head = "submit,duration,gpus,user\n0,60,1,ann\n";
  CHECK_THAT(error_of(head + "5,60,1,\"b\nob\"\n", TraceFormat::csv),
             Contains("t:3: breaks its format and goes on to line 4: is a quote not closed?"));
  CHECK_THAT(error_of(head + "5,60,1,a\tb\n", TraceFormat::csv), Contains("t:3: its user must be one line"));
  CHECK_THAT(error_of("timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,v\tc\n",
                      TraceFormat::philly),
             Contains("must be one line without tabs"));
}

TEST_CASE("What a row says of GPU types and speeds is checked where it stands", "[trace][bad]") {
  const auto error = [](std::string_view cells) {
    return error_of("submit,duration,gpus,gpu,speed,gpu_memory\n0,5,1,,,\n0,5,1," + std::string{cells} + "\n",
                    TraceFormat::csv);
  };
  CHECK(error("L4|A100-80GB,A100-80GB=4|L4=1,22.5") == "no error");
  CHECK_THAT(error("L4|,,"), EndsWith("t:3: column \"gpu\": must be a GPU type, or several such as "
                                      "H100-80GB|A100-80GB, but is \"L4|\""));
  CHECK_THAT(error("L4|L4,,"), Contains("column \"gpu\": must be a GPU type, or several"));
  for (const char* speed : {"2", "L4", "L4=", "=2", "L4=0", "L4=-1", "L4=1e9", "L4=1e-9", "L4=nan", "L4=inf",
                            "L4=1|L4=2", "L4=2|", "|"}) {
    CAPTURE(speed);
    CHECK_THAT(error(std::string{","} + speed + ","),
               Contains("t:3: column \"speed\": must be speeds of GPU types"));
  }
  for (const char* memory : {"0", "-4", "40GB", "1e30", "nan", "1e-9"}) {
    CAPTURE(memory);
    CHECK_THAT(error(std::string{",,"} + memory),
               Contains("t:3: column \"gpu_memory\": must be GB of each GPU"));
  }
}
