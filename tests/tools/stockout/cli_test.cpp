// The commands as a user types them, without a process of their own.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/measures/measure_table.h"
#include "tests/support/answer.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;

namespace {

const std::string kByHand = std::string{STOCKOUT_SCENARIOS_DIR} + "/by-hand.json";
const std::string kQuickstart = std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json";

std::string text_of(const fs::path& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("Help, version and examples go to standard output", "[cli]") {
  const Answer help = stockout_says({"--help"});
  CHECK(help.code == ExitCode::done);
  CHECK_THAT(help.out,
             Catch::Contains("stockout compare scenarios/quickstart.json") && Catch::Contains("Exit codes"));
  CHECK(help.err.empty());
  for (const std::string command : {"compare", "run", "validate", "trace", "catalog"}) {
    CHECK_THAT(help.out, Catch::Contains(command));
    CHECK_THAT(stockout_says({command, "--help"}).out, Catch::Contains("xample"));
  }
  CHECK_THAT(stockout_says({"--version"}).out, Catch::StartsWith("stockout 0."));
}

TEST_CASE("A mistyped command or option is answered with the nearest one", "[cli]") {
  const auto [arguments, message] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"compar", "x.json"}, "there is no command \"compar\", did you mean \"compare\"?"},
      {{"compare", "x.json", "--formt", "csv"}, "there is no option \"--formt\", did you mean \"--format\"?"},
      {{"compare", "--formt=csv", "x.json"}, "there is no option \"--formt\", did you mean \"--format\"?"},
      {{"compare", "x.json", "y.json"}, "\"y.json\" is one argument too many"},
      {{"compare"}, "SCENARIO is required"},
      {std::vector<std::string>{}, "subcommand is required"},
      {{"compare", kByHand, "--by", "clas"}, "--by: there is no grouping \"clas\", did you mean \"class\"?"},
      {{"compare", kByHand, "--format", "jsn"},
       "--format: there is no format \"jsn\", did you mean \"json\"?"},
      {{"compare", kByHand, "--seed", "-1"}, "--seed"},
      {{"compare", kByHand, "--seed", "many"}, "--seed"},
      {{"compare", kByHand, "--replications", "0"}, "--replications"},
      {{"compare", kByHand, "--precision", "2"}, "--precision: must be a share of the mean"},
      {{"compare", kByHand, "--precision", "0%"}, "--precision: must be a share of the mean"},
      {{"compare", kByHand, "--precision", "nan%"}, "--precision: must be a share of the mean"},
      {{"compare", kByHand, "--precision", "1e9%"}, "--precision: must be a share of the mean"},
      {{"compare", kByHand, "--precision", "2%", "--replications", "3"}, "--replications"},
      {{"compare", kByHand, "--precision", "2%", "--most-replications", "9"}, "--most-replications"},
      {{"compare", kByHand, "--most-replications", "50"}, "--most-replications: requires --precision"},
      {{"compare", kByHand, "--precision-of", "cost_usd"}, "--precision-of: requires --precision"},
      {{"compare", kByHand, "--precision", "2%", "--precision-of", "cost_us"}, "did you mean \"cost_usd\"?"},
      {{"compare", kByHand, "--precision", "2%", "--precision-of", "cost_usd,"},
       "--precision-of: there is no"},
      {{"compare", kByHand, "--threads", "-1"}, "--threads"},
      {{"compare", kByHand, "--set", "seed"}, "must be /json/pointer=value"},
      {{"compare", kByHand, "--set", ""}, "--set"},
      {{"compare", kByHand, "--catalog", "/no/such/folder"}, "/no/such/folder"},
      {{"compare", kByHand, "--output", "/no/such/folder/x"}, "/no/such/folder/x"},
      {{"compare", "/no/such.json"}, "/no/such.json"},
      {{"run", kByHand}, "--strategy is required"},
      {{"run", kQuickstart, "--strategy", "spt"}, "there is no strategy \"spt\", did you mean \"spot\"?"},
      {{"compare", kByHand, "--seed", "18446744073709551616"}, "--seed: must be a whole number"},
      {{"compare", kByHand, "--replications", "99999999999"},
       "--replications: must be a whole number from 1 to 10000, but is \"99999999999\""},
      {{"check", kByHand, "--baseline", "b.json", "--replications", "1e3"},
       "--replications: must be a whole number from 1 to 10000, but is \"1e3\""},
      {{"compare", kByHand, "--replications", "1.5"}, "must be a whole number from 1 to 10000"},
      {{"compare", kByHand, "--threads", ""}, "--threads: must be a whole number from 0 to 1024"},
      {{"compare", kByHand, "--threads", "1025"}, "--threads: must be a whole number from 0 to 1024"},
      {{"run", kByHand, "--strategy", "x", "--replication", "-1"}, "--replication: must be a whole number"},
      {{"validate", "/tmp"}, "is a folder"},
      {{"compare", kByHand, "--output", "/tmp"}, "/tmp: cannot be written: it is a folder"},
  }));
  CAPTURE(arguments);
  const Answer answer = stockout_says(arguments);
  CHECK(answer.code == ExitCode::bad_input);
  CHECK(answer.out.empty());
  CHECK_THAT(answer.err, Catch::StartsWith("stockout: error: ") && Catch::Contains(message));
}

TEST_CASE("The option --set changes the scenario, and only takes one value", "[cli]") {
  const Answer answer =
      stockout_says({"validate", "--set", "/seed=77", "--set", "/name=Another name", kByHand});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Catch::Contains("seed 77") && Catch::Contains("Another name"));
}

TEST_CASE("compare answers in every format", "[cli]") {
  CHECK_THAT(stockout_says({"compare", kByHand, "--full"}).out,
             Catch::Contains("Cost, in US dollars") && Catch::Contains("fingerprint"));
  CHECK_THAT(stockout_says({"compare", kByHand, "--format", "markdown"}).out,
             Catch::StartsWith("## ") && Catch::Contains("--:|"));

  const std::string csv = stockout_says({"compare", kByHand, "--format", "csv"}).out;
  CHECK_THAT(csv, Catch::StartsWith("strategy,by,group,replications,jobs,jobs_plus_minus,"));
  CHECK_THAT(csv, Catch::Contains(
                      "wait_p95_h,wait_p95_h_plus_minus,wait_p95_h_replications,wait_p95_h_is_lower_bound,"));

  const auto json = nlohmann::json::parse(stockout_says({"compare", kByHand, "--format", "json"}).out);
  CHECK(json["layout"] == 1);
  CHECK(json["strategies"][0]["total"]["jobs"]["mean"] == 5);
  CHECK(json["strategies"][0]["total"]["wait_p95_h"]["is_lower_bound"] == true);
  CHECK(json["measures"].size() > 40);
}

TEST_CASE("A reservation that came late is reported in every format", "[cli]") {
  // Asked for in the middle of the week: tenants hold the zone, and four machines are not free at once.
  const auto late = [](const std::string& format) {
    return stockout_says({"compare", kQuickstart, "--full", "--set", "/reservations/0/from=2026-08-05",
                          "--format", format})
        .out;
  };
  for (const std::string format : {"table", "markdown"}) {
    CHECK_THAT(late(format),
               Catch::Contains("Held capacity that was not there when it was due") &&
                   Catch::Contains("4 reserved, wait: \"team\" came 41 min late on average in 3 of 5 "
                                   "replications, since its pool had no room."));
  }
  const auto json = nlohmann::json::parse(late("json"));
  CHECK(json["strategies"][5]["held"][0]["pool"] == "team");
  CHECK(json["strategies"][5]["held"][0]["replications_late"] == 3);
  CHECK(json["strategies"][5]["total"]["held_late_h"]["mean"] > 0.3);
  CHECK_THAT(late("csv"), Catch::Contains("held_late_h,held_late_h_plus_minus"));
}

TEST_CASE("A strategy that looks at prices says so, and phantom demand is reported", "[cli]") {
  const std::string scenario = std::string{STOCKOUT_SCENARIOS_DIR} + "/many-zones.json";
  const auto says = [&](const std::string& format) {
    return stockout_says({"compare", scenario, "--full", "--set", "/window=4d", "--format", format}).out;
  };
  for (const std::string format : {"table", "markdown"}) {
    const std::string text = says(format);
    CHECK_THAT(text, Catch::Contains("by price looks at prices: it tries the cheapest leg"));
    CHECK_THAT(text, !Catch::Contains("3 zones looks at prices"));
    CHECK_THAT(text, Catch::Contains("phantom"));
  }
  const auto json = nlohmann::json::parse(says("json"));
  for (const auto& strategy : json["strategies"]) {
    CAPTURE(strategy["name"]);
    CHECK(strategy["looks_at_prices"] == (strategy["name"] == "by price"));
    CHECK(strategy["total"].contains("phantom_waiting_gpu_h"));
    CHECK(strategy["total"].contains("phantom_leased_gpu_h"));
  }
}

TEST_CASE("Every grouping answers, and the CSV has the same number of fields in each row", "[cli]") {
  for (const std::string by : {"class", "user", "gpu", "pool"}) {
    CAPTURE(by);
    CHECK(stockout_says({"compare", kByHand, "--by", by}).code == ExitCode::done);
    const std::string csv = stockout_says({"compare", kByHand, "--by", by, "--format", "csv"}).out;
    std::istringstream lines{csv};
    std::string line;
    std::getline(lines, line);
    const auto commas = std::count(line.begin(), line.end(), ',');
    while (std::getline(lines, line)) CHECK(std::count(line.begin(), line.end(), ',') == commas);
    CHECK(lines_in(csv) >= 3);
  }
}

TEST_CASE("The same bits on one thread and on two", "[cli]") {
  const std::vector<std::string> base{"compare",        kQuickstart, "--format", "json",
                                      "--replications", "3",         "--by",     "class"};
  std::vector<std::string> one = base;
  one.insert(one.end(), {"--threads", "1"});
  std::vector<std::string> two = base;
  two.insert(two.end(), {"--threads", "2"});
  const Answer first = stockout_says(one);
  CHECK(first.code == ExitCode::done);
  CHECK(first.out == stockout_says(two).out);
}

TEST_CASE("Another seed gives other numbers, and the report names it", "[cli]") {
  const std::vector<std::string> base{"compare",  kQuickstart, "--replications", "1",
                                      "--format", "json",      "--seed"};
  const auto with_seed = [&](const std::string& seed) {
    std::vector<std::string> arguments = base;
    arguments.push_back(seed);
    return nlohmann::json::parse(stockout_says(arguments).out);
  };
  CHECK(with_seed("7")["scenario"]["seed"] == 7);
  CHECK(with_seed("7")["fingerprint"] == with_seed("7")["fingerprint"]);
  CHECK(with_seed("7")["fingerprint"] != with_seed("8")["fingerprint"]);
}

TEST_CASE("run gives what compare gives for the same strategy and replication", "[cli]") {
  const auto run = nlohmann::json::parse(
      stockout_says({"run", kQuickstart, "--strategy", "spot", "--format", "json"}).out);
  auto compared = nlohmann::json::parse(
      stockout_says({"compare", kQuickstart, "--replications", "1", "--format", "json"}).out);
  auto& strategies = compared["strategies"];
  const auto spot =
      std::find_if(strategies.begin(), strategies.end(), [](const auto& s) { return s["name"] == "spot"; });
  REQUIRE(spot != strategies.end());
  spot->erase("cost_more");  // a single run has nothing to be compared with
  CHECK(run["strategies"][0] == *spot);
  CHECK(run["verdict"].is_null());
}

TEST_CASE("run writes a line for each job and for each lease", "[cli]") {
  const test::ScratchFolder folder;
  const Answer answer = stockout_says({"run", kByHand, "--strategy", "one way for each job", "--jobs-out",
                                       folder.path("jobs.csv"), "--leases-out", folder.path("leases.csv"),
                                       "--output", folder.path("report.txt")});
  CHECK(answer.code == ExitCode::done);
  CHECK(answer.out.empty());
  CHECK_THAT(text_of(folder.path("report.txt")), Catch::Contains("one way for each job, replication 0"));
  const std::string jobs = text_of(folder.path("jobs.csv"));
  CHECK_THAT(jobs, Catch::StartsWith("job,source,row,class,user,gpus,"));
  CHECK(lines_in(jobs) == 6);
  CHECK_THAT(jobs, Catch::Contains("failed"));
  CHECK(lines_in(text_of(folder.path("leases.csv"))) ==
        6);  // five leases: one job never started, one was preempted
}

TEST_CASE("run counts jobs by the state that their orchestrator names, in tables for people", "[cli]") {
  const test::ScratchFolder folder;
  const std::string scenario = folder.file("s.json", test::kSmallScenario);  // a job a day for two days
  const auto says = [&](const std::string& format) {
    return stockout_says({"run", scenario, "--strategy", "group", "--jobs-out", folder.path("jobs.csv"),
                          "--format", format, "--set", "/end=window", "--set",
                          R"(/workload/0/schedule={"at": "23:30"})", "--set",
                          R"(/strategies/0={"name": "group", "orchestrator": "compute_engine",
                                            "legs": [{"model": "flex_start_mig", "provisioning": "45min"}]})"})
        .out;
  };
  CHECK_THAT(says("table"),
             Catch::Contains("Jobs by the last state that the orchestrator of their last leg") &&
                 Catch::Contains("flex_start_mig  PROVISIONING     1") &&
                 Catch::Contains("flex_start_mig  SUCCEEDED        1"));
  CHECK_THAT(says("markdown"), Catch::Contains("| PROVISIONING | 1 |"));
  CHECK_THAT(says("csv"), !Catch::Contains("PROVISIONING"));
}

TEST_CASE("run counts requests whose machines went before work began", "[cli]") {
  const test::ScratchFolder folder;
  const std::string scenario = folder.file("s.json", test::kSmallScenario);  // a job a day for two days
  const std::string gke = R"(/strategies/0={"name": "queued", "orchestrator": "gke",
      "legs": [{"model": "flex_start_mig", "restarts": 1}], "provisioning_request": {"pods_after": "20min"}})";
  const std::string out = stockout_says({"run", scenario, "--strategy", "queued", "--jobs-out",
                                         folder.path("jobs.csv"), "--set", gke})
                              .out;
  CHECK_THAT(out, Catch::Contains("flex_start_mig  BookingExpired     2"));      // jobs
  CHECK_THAT(out, Catch::Contains("flex_start_mig  BookingExpired         4"));  // requests
  CHECK_THAT(text_of(folder.path("jobs.csv")), Catch::Contains(",2,0,gke,BookingExpired"));
}

TEST_CASE("Help says in words what an option takes", "[cli]") {
  const std::string compare = stockout_says({"compare", "--help"}).out;
  CHECK_THAT(compare, Catch::Contains("--replications NUMBER (1 to 10000), not with --precision\n"));
  CHECK_THAT(compare, Catch::Contains("--most-worlds NUMBER=20 (1 to 1000), only with --worlds\n"));
  CHECK_THAT(compare, Catch::Contains("  SCENARIO, required "));
  const std::string score = stockout_says({"supply", "score", "--help"}).out;
  CHECK_THAT(score, Catch::Contains("--train-days NUMBER (1 to 3660), required\n"));
}

TEST_CASE("Each command's help shows its own examples", "[cli]") {
  for (const std::string command : {"compare", "run", "validate", "trace", "catalog"}) {
    CAPTURE(command);
    const std::string help = stockout_says({command, "--help"}).out;
    CHECK_THAT(help, Catch::Contains("  stockout " + command + " "));
    CHECK_THAT(help,
               !Catch::Contains("  stockout " + std::string{command == "compare" ? "run" : "compare"} + " "));
  }
  CHECK_THAT(stockout_says({"trace", "info", "--help"}).out, Catch::Contains("philly.csv.gz"));
  CHECK_THAT(stockout_says({"trace", "info", "--no"}).err,
             Catch::Contains("See `stockout trace info --help`."));
}

TEST_CASE("What options and commands are for is wrapped in their help", "[cli]") {
  const auto widest = [](const std::vector<std::string>& arguments, std::size_t columns) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err, .out_fits = true, .out_width = columns};
    CHECK(run_cli(arguments, console) == ExitCode::done);
    std::size_t most = 0;
    std::istringstream text{out.str()};
    for (std::string line; std::getline(text, line);) {
      if (line.find('|') == std::string::npos)
        most = std::max(most, line.size());  // a list of words is whole
    }
    return most;
  };
  CHECK(widest({"trace", "--help"}, 100) <= 100);
  CHECK(widest({"trace", "fit", "--help"}, 100) <= 100);
  CHECK(widest({"trace", "fit", "--help"}, 120) > 100);
}

TEST_CASE("An error shows what would steer a terminal as text", "[cli]") {
  const Answer answer = stockout_says({"compare", "\x1b[2J\xff\n.json"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Catch::Contains("error: \\x1b[2J\\xff\\x0a.json: there is no such file"));
}

TEST_CASE("More simulations than anyone would wait for are refused", "[cli]") {
  const Answer answer = stockout_says({"compare", kQuickstart, "--replications", "10000", "--set",
                                       "/window=60d", "--set", "/pools/0/tenants/work=1s"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err,
             Catch::Contains("jobs would be simulated") && Catch::Contains("use fewer replications"));
}

TEST_CASE("A scenario does not depend on the time zone of the machine", "[cli]") {
  const Answer answer = stockout_says({"validate", kQuickstart, "--set", "/time_zone=localtime"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Catch::Contains("--set /time_zone: \"localtime\" is another time zone on another"));
}

TEST_CASE("An unknown place or time zone gets no empty list of known ones", "[cli]") {
  for (const std::string set :
       {"/time_zone=", "/time_zone=Mars", "/pools/0/place=", "/pools/0/place=nowhere"}) {
    CAPTURE(set);
    const Answer answer = stockout_says({"compare", kQuickstart, "--set", set});
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, !Catch::Contains("known") && Catch::Contains("like"));
  }
  CHECK_THAT(stockout_says({"compare", kQuickstart, "--set", "/workload/-/name=x"}).err,
             Catch::Contains("\"-\" stands for a new item, which must be given whole"));
}

TEST_CASE("validate tells what a scenario holds", "[cli]") {
  const Answer answer = stockout_says({"validate", kQuickstart});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Catch::Contains("is valid") && Catch::Contains("Strategies") &&
                             Catch::Contains("tenants") &&
                             Catch::Contains("goal: 95 % of jobs start within 4h"));
}

TEST_CASE("The README of measures names every measure", "[cli]") {
  const std::string readme = text_of(std::string{STOCKOUT_SCENARIOS_DIR} + "/../models/measures/README.md");
  for (const MeasureInfo& measure : measure_table())
    CHECK_THAT(readme, Catch::Contains(fmt::format("`{}`", measure.name)));
}
