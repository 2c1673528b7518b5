// `run --against`: which jobs are compared, the same table in every format, and records that tell no waits.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

// Two machines. The second job of `big` waits an hour, and waited half of one.
constexpr const char* kRecord =
    "submit,start,end,outcome,gpus,class\n"
    "0,0,3600,done,2,big\n"
    "0,1800,5400,done,2,big\n"
    "7200,7200,9000,done,1,small\n"
    "7300,,7400,stockout,1,small\n";

std::string scenario_of(const std::string& source) {
  return R"({"name": "two machines", "start": "2026-08-03", "window": "1d", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}], "replications": 3, "workload": [)" +
         source + R"(],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "machines": 2, "machine": "generic"}],
 "models": {"all": {"start_up": "0s"}},
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start"}]}]})";
}

const std::string kReplay = R"({"name": "jobs", "machine": "generic",
 "trace": {"file": "record.csv", "format": "csv"}})";
const std::string kRandom = R"({"name": "small", "poisson": {"per_hour": 3}, "machine": "generic",
 "work": {"exponential": "30min"}})";

struct Files {
  ScratchFolder folder;
  std::string record = folder.file("record.csv", kRecord);

  [[nodiscard]] Answer against(const std::string& source, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{
        "run", folder.file("s.json", scenario_of(source)), "--strategy", "queued", "--against", record};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
};

}  // namespace

TEST_CASE("A replayed record is set beside its own jobs", "[cli]") {
  const Files files;
  const Answer text = files.against(kReplay);
  CHECK(text.code == ExitCode::done);
  CHECK_THAT(text.out, Contains("two machines: queued, 1 replication, against"));
  CHECK_THAT(text.out,
             Contains("Matched job by job: 3 jobs of source \"jobs\", which reads " + files.record));
  CHECK_THAT(text.out, Contains("Not matched: none."));
  CHECK_THAT(text.out, Contains("nobody knows their length"));

  const Json json = Json::parse(files.against(kReplay, {"--format", "json"}).out);
  CHECK(json["matched"]["jobs"] == 3);
  CHECK(json["waits"].size() == 9);
  const Json& recorded = json["waits"][0];
  CHECK(recorded["class"] == "big");
  CHECK(recorded["side"] == "recorded");
  CHECK(recorded["wait_mean_h"]["mean"] == 0.25);
  CHECK(json["waits"][1]["wait_mean_h"]["mean"] == 0.5);
  CHECK(json["waits"][2]["side"] == "difference");
  CHECK(json["waits"][2]["wait_p95_h"]["mean"] == 0.5);
  CHECK(json["waits"][3]["refused"]["mean"] == 1);
  CHECK(json["waits"][6]["class"] == nullptr);

  const std::string csv = files.against(kReplay, {"--format", "csv"}).out;
  CHECK_THAT(csv, Contains("class,side,started,started_plus_minus,wait_mean_h,wait_mean_h_plus_minus"));
  CHECK_THAT(csv, Contains("big,simulated,2,,0.5,,"));
  CHECK_THAT(files.against(kReplay, {"--format", "markdown"}).out, Contains("| big "));
}

TEST_CASE("Other jobs are set beside a record by class, with half-widths over replications", "[cli]") {
  const Files files;
  const Json json = Json::parse(files.against(kRandom, {"--format", "json"}).out);
  CHECK(json["matched"].is_null());
  CHECK(json["replications"] == 3);
  const Json& simulated = json["waits"][2];
  CHECK(simulated["class"] == "small");
  CHECK(simulated["side"] == "simulated");
  CHECK(simulated["wait_mean_h"]["half_width_95"] > 0);
  CHECK(Json::parse(
            files.against(kRandom, {"--format", "json", "--replications", "2"}).out)["replications"] == 2);
  CHECK_THAT(files.against(kRandom).out,
             Contains("Compared by class, no job is matched") && Contains("Only recorded: big."));
  const std::string blocks = R"({"name": "jobs", "machine": "generic", "trace": {"file": "record.csv",
   "format": "csv", "resample": {"block": "1h", "step": "1h"}}})";
  CHECK_THAT(files.against(blocks).out, Contains("no job is matched"));
  const std::string more =
      R"({"name": "jobs", "machine": "generic", "demand": 2, "trace": {"file": "record.csv",
   "format": "csv"}})";
  CHECK_THAT(files.against(more).out, Contains("no job is matched"));
}

TEST_CASE("A file without recorded waits is no record to set runs against", "[cli]") {
  const Files files;
  const std::string jobs = files.folder.file("jobs.csv", "submit,duration,gpus\n0,60,1\n");
  const auto says = [&](std::vector<std::string> arguments) {
    std::vector<std::string> all{"run", files.folder.file("s.json", scenario_of(kRandom)), "--strategy",
                                 "queued"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Answer answer = stockout_says(all);
    CHECK(answer.code == ExitCode::bad_input);
    return answer.err;
  };
  CHECK_THAT(says({"--against", jobs}), Contains("jobs.csv") && Contains("records no waits"));
  CHECK_THAT(says({"--against", files.folder.file("x.txt", "hello\n")}),
             Contains("say so with --against-format"));
  CHECK_THAT(says({"--against", jobs, "--against-format", "slurm"}), Contains("--against-format"));
  CHECK_THAT(says({"--replications", "2"}), Contains("--against"));
  CHECK_THAT(says({"--against", jobs, "--jobs-out", "x.csv"}), Contains("--jobs-out"));
  CHECK_THAT(files.against(kReplay, {"--against-format", "csv"}).err,
             Contains("--against-format: ") && Contains("is read by the source \"jobs\" of the scenario"));
  CHECK_THAT(files.against(kReplay, {"--against-zone", "Europe/Berlin"}).err,
             Contains("--against-zone: ") && Contains("is read by the source \"jobs\" of the scenario"));
}

TEST_CASE("Expiries stand side by side, and broken rows of a record are told of", "[cli]") {
  const Files files;
  const std::string record = files.folder.file(
      "dirty.csv",
      "submit,start,end,outcome,gpus,class\n0,60,3660,done,1,small\n5,,3605,expired,1,small\n9,soon,99,done,1,small\n");
  const Answer answer = stockout_says({"run", files.folder.file("s.json", scenario_of(kRandom)), "--strategy",
                                       "queued", "--against", record, "--format", "json"});
  REQUIRE(answer.code == ExitCode::done);
  const Json json = Json::parse(answer.out);
  CHECK(json["waits"][0]["expired"]["mean"] == 1);
  CHECK(json["waits"][0]["refused"]["mean"] == 0);
  CHECK_THAT(json["notes"].back().get<std::string>(), Contains("dirty.csv as broken: column \"start\"") &&
                                                          Contains("(1 row, first in line 4: \"soon\")"));
}

TEST_CASE("A record of refusals alone is compared by how many never started", "[cli]") {
  const Files files;
  const std::string refused = files.folder.file(
      "refused.csv", "submit,start,end,outcome,gpus,class\n0,,5,refused,8,small\n9,,10,cancelled,8,small\n");
  const Answer answer = stockout_says({"run", files.folder.file("s.json", scenario_of(kRandom)), "--strategy",
                                       "queued", "--against", refused});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("No recorded wait is known, so waits cannot be compared"));
  CHECK_THAT(answer.out, Contains("recorded") && Contains("simulated"));
}

TEST_CASE("Recorded waits of a real cluster are set beside simulated ones", "[cli]") {
  const auto trace = shared_path("traces/workloads/swf/hpc2n.swf");
  if (!trace) return;
  const ScratchFolder folder;
  const std::string scenario = folder.file("seth.json", R"({"name": "Seth", "start": "2002-07-28",
 "prices_as_of": "2026-07-30", "prices": [{"machine": "generic", "usd_per_hour": 1}], "replications": 1,
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": ")" +
                                                            *trace +
                                                            R"(", "format": "swf"}}],
 "pools": [{"name": "seth", "family": "generic", "place": "generic", "machines": 240, "machine": "generic"}],
 "models": {"all": {"start_up": "0s"}},
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever", "run_max": "forever"}]}]})");
  const Answer answer =
      stockout_says({"run", scenario, "--strategy", "queued", "--against", *trace, "--format", "json"});
  INFO(answer.err);
  const Json json = Json::parse(answer.out);
  const std::int64_t matched = json["matched"]["jobs"];
  CHECK(matched == json["waits"][0]["started"]["mean"]);
  CHECK(json["waits"][0]["wait_p50_h"]["mean"] > 0.5);
}
