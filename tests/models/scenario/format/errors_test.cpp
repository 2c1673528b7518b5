#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;

namespace {

// What is said when `value` stands at `pointer` of the small scenario.
std::string error_of(const std::string& pointer, const std::string& value) {
  const test::ScenarioLoader loader;
  return test::error_in([&] { static_cast<void>(loader.small({{pointer, value}})); });
}

// The same for a text of its own.
std::string error_in(const std::string& text) {
  const test::ScenarioLoader loader;
  return test::error_in([&] { static_cast<void>(loader.load(text)); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("A name that begins others is told them, and never one that only looks alike", "[scenario]") {
  const std::string both = "there is no GPU type \"H100\", did you mean \"H100-80GB\" or \"H100-MEGA-80GB\"?";
  CHECK_THAT(
      error_of("/workload/0", R"({"name": "jobs", "schedule": {}, "gpu": "H100", "gpus": 1, "work": "1h"})"),
      Catch::Contains("/workload/0/gpu: " + both));
  CHECK_THAT(error_of("/pools/0", R"({"gpu": "H100", "place": "us-central1-a", "gpus": 8})"),
             Catch::Contains("/pools/0/gpu: " + both));
  CHECK_THAT(error_of("/prices/-", R"({"gpu": "h100", "factor": 1})"),
             Catch::Contains("there is no GPU type \"h100\", did you mean \"H100-80GB\" or"));
  CHECK_THAT(error_of("/strategies/0/legs/0/gpus", R"(["A100"])"),
             Catch::Contains("did you mean \"A100-40GB\" or \"A100-80GB\"?"));
  CHECK_THAT(error_of("/workload/0/machine", "\"a3-highgpu\""),
             Catch::Contains("there is no machine type \"a3-highgpu\", did you mean \"a3-highgpu-1g\", "));
  CHECK_THAT(error_of("/workload/0/machine", "\"a3-highgpu-8\""),
             Catch::Contains("did you mean \"a3-highgpu-8g\"?"));
}

TEST_CASE("The small scenario loads", "[scenario]") { CHECK(error_in(test::kSmallScenario).empty()); }

TEST_CASE("A wrong value is named by file, line and JSON pointer", "[scenario]") {
  CHECK(error_in(replaced(test::kSmallScenario, "\"gpus\": 8", "\"gpus\": -8")) ==
        "s.json:11: /pools/0/gpus: must be at least 0, but is -8");
  CHECK(error_in(replaced(test::kSmallScenario, "\"2d\"", "30")) ==
        "s.json:4: /window: needs a unit, as in \"30min\", but is 30");
  CHECK(error_in(replaced(test::kSmallScenario, " \"name\": \"small\",\n", "")) ==
        "s.json:1: \"name\" is missing: in a few words; heads every report");
  CHECK(error_in(replaced(test::kSmallScenario, "\"machine\": \"generic\", \"place\"",
                          "\"machin\": \"generic\", \"place\"")) ==
        "s.json:15: /reservations/0/machin: there is no key \"machin\", did you mean \"machine\"?");
}

TEST_CASE("A name that would break a table is refused", "[scenario]") {
  CHECK(error_in(replaced(test::kSmallScenario, "\"small\"", R"("sma\nll")")) ==
        R"(s.json:2: /name: must be one line of text, but has a control character (byte 4 is 0x0a))");
  CHECK_THAT(error_in(replaced(test::kSmallScenario, "\"small\"", R"("\u001b[31m")")),
             Catch::Contains("byte 1 is 0x1b"));
}

TEST_CASE("Hostile text is refused with its place", "[scenario]") {
  CHECK(error_in("") == "s.json:1: is empty");
  CHECK(error_in("[]") == "s.json:1: must be an object (scenario), but is []");
  CHECK(error_in("null") == "s.json:1: must be an object (scenario), but is null");
  CHECK(error_in(test::kSmallScenario.substr(0, 200)).find("this is not valid JSON") != std::string::npos);
  CHECK(error_in(replaced(test::kSmallScenario, "8}", "7E888}")) ==
        "s.json:11: 7E888 does not fit into a number");
  CHECK(error_in(replaced(test::kSmallScenario, "8}", "NaN}"))
            .starts_with("s.json:11: this is not valid JSON"));
  CHECK(error_in(replaced(test::kSmallScenario, "8}", "8, \"gpus\": 9}")) ==
        "s.json:11: the key \"gpus\" is already on line 11");
  CHECK(error_in(replaced(test::kSmallScenario, "8}", std::string(200, '[') + "}")) ==
        "s.json:11: nested deeper than 100 levels");
  CHECK(error_in(replaced(test::kSmallScenario, "small", "\xff")) == "s.json:2: not UTF-8 text: byte 0xff");
  CHECK(error_in(replaced(test::kSmallScenario, "8}", "1e300}")) ==
        "s.json:11: /pools/0/gpus: must be at most 4000000, but is 1e+300");
}

TEST_CASE("A missing scenario and a folder are told apart", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string folder = loader.folder().path();
  CHECK_THROWS_WITH(load_scenario(folder + "none.json"), folder + "none.json: there is no such file");
  CHECK_THROWS_WITH(load_scenario(folder), folder + ": is a folder, not a file");
}

TEST_CASE("A value from the command line is named as such", "[scenario]") {
  CHECK(error_of("/pools/0/gpus", "-8") ==
        "command line: --set /pools/0/gpus: must be at least 0, but is -8");
  CHECK(error_of("/pools/0", "{\"family\": \"generic\", \"place\": \"generic\", \"gpus\": -8}") ==
        "command line: --set /pools/0: /pools/0/gpus: must be at least 0, but is -8");
  CHECK(error_of("/pools/0/gpu_count", "8")
            .starts_with("command line: --set /pools/0/gpu_count: there is no key \"gpu_count\""));
  CHECK(error_of("pools", "8") == "command line: --set pools: must be a JSON pointer such as /pools/0/gpus");
  CHECK(error_of("/pools/7/gpus", "8") ==
        "command line: --set /pools/7/gpus: there is no item \"7\": the list has 1 (\"-\" adds one)");
  CHECK(error_of("/pool/0/gpus", "8") ==
        "command line: --set /pool/0/gpus: there is no key \"pool\", did you mean \"pools\"?");
  CHECK(error_of("/name/x", "8") == "command line: --set /name/x: \"x\" leads nowhere: there is \"small\"");
  CHECK(error_of("/a~2", "8") ==
        "command line: --set /a~2: \"~\" must be written \"~0\", \"/\" in a key \"~1\"");
}

TEST_CASE("A value from the command line replaces, adds a key, or adds an item", "[scenario]") {
  const test::ScenarioLoader loader;
  CHECK(loader.small({{"/seed", "7"}}).world.seed == 7);
  CHECK(loader.small({{"/name", "other"}}).name == "other");
  CHECK(loader.small({{"/strategies/-", R"({"name": "second", "legs": [{"model": "spot"}]})"}})
            .world.strategies.size() == 2);
  CHECK(loader
            .small({{"/strategies/-", R"({"name": "second", "legs": [{"model": "spot"}]})"},
                    {"/strategies/1/name", "third"}})
            .world.strategies[1]
            .name == "third");
}

TEST_CASE("Names that do not exist come with the nearest that does", "[scenario]") {
  CHECK(error_of("/workload/0/machine", "a3-highgpu-8gg") ==
        "command line: --set /workload/0/machine: there is no machine type \"a3-highgpu-8gg\", did you mean "
        "\"a3-highgpu-8g\"?");
  CHECK(error_of("/pools/0/place", "us-central1-aa") ==
        "command line: --set /pools/0/place: there is no zone or region \"us-central1-aa\", did you mean "
        "\"us-central1-a\"?");
  CHECK(error_of("/pools/0/family", "a3-hihgpu") ==
        "command line: --set /pools/0/family: there is no machine family \"a3-hihgpu\", did you mean "
        "\"a3-highgpu\"?");
  CHECK(error_of("/strategies/0/legs/0/model", "ondemand") ==
        "command line: --set /strategies/0/legs/0/model: there is no consumption model \"ondemand\", did you "
        "mean \"on_demand\"?");
  CHECK(error_of("/strategies/0/legs/0/places", "[\"us-central1\"]") ==
        "command line: --set /strategies/0/legs/0/places: /strategies/0/legs/0/places/0: no pool is in "
        "\"us-central1\"; pools are in \"generic\"");
  CHECK(error_of("/strategies/0/legs/0/classes", "[\"job\"]") ==
        "command line: --set /strategies/0/legs/0/classes: /strategies/0/legs/0/classes/0: there is no job "
        "class \"job\", did you mean \"jobs\"?");
  CHECK(error_of("/strategies/0/legs/0", R"({"model": "reservation", "reservation": "hold"})") ==
        "command line: --set /strategies/0/legs/0: /strategies/0/legs/0/reservation: there is no reservation "
        "\"hold\", did you mean \"held\"?");
  CHECK(error_of("/models/flex", "{}") ==
        "command line: --set /models/flex: there is no consumption model \"flex\" (known: \"on_demand\", "
        "\"spot\", \"flex_start\", \"flex_start_vm\", \"flex_start_mig\", \"flex_start_slurm\", "
        "\"reservation\", \"calendar\", \"future_reservation\", \"persistent_resource\", \"node_pool\", "
        "\"slurm_nodes\", \"all\")");
  CHECK(error_of("/time_zone", "America/Los_Angelos") ==
        "command line: --set /time_zone: there is no time zone \"America/Los_Angelos\", did you mean "
        "\"America/Los_Angeles\"?; names are like \"America/Los_Angeles\", and an offset such as \"-07:00\" "
        "will do too");
  CHECK_THAT(error_of("/prices", R"([{"model": "spott", "factor": 1}])"),
             Catch::Contains("/model: there is no price model \"spott\", did you mean \"spot\"?"));
  CHECK_THAT(
      error_of("/reservations/0/model", "reservations"),
      Catch::Contains("there is no way to hold capacity \"reservations\", did you mean \"reservation\"?"));
  CHECK_THAT(
      error_of("/pools/0/place", "nowhere"),
      Catch::Contains("there is no zone or region \"nowhere\". A zone is named like \"us-central1-a\""));
  CHECK(
      error_of("/ties", "random") ==
      "command line: --set /ties: there is no \"random\" here (known: \"releases_first\", \"starts_first\")");
}

TEST_CASE("What the cloud does not have is refused, with what to do", "[scenario]") {
  CHECK(
      error_of("/workload/0",
               R"({"name": "jobs", "schedule": {}, "gpu": "RTX4090", "gpus": 1, "work": "1h"})")
          .starts_with("command line: --set /workload/0: /workload/0/gpu: there is no GPU type \"RTX4090\""));
  CHECK(error_of("/pools/0", R"({"family": "a3-highgpu", "place": "us-east1-b", "gpus": 8})")
            .starts_with("command line: --set /pools/0: /pools/0/place: "));
  CHECK(
      error_of("/pools/0", R"({"place": "us-central1-a", "gpus": 8})") ==
      "command line: --set /pools/0: one of \"family\", \"gpu\" is missing: the machine family of the pool, "
      "such as \"a3-highgpu\", or its GPU type, such as \"H100-80GB\"");
  CHECK(error_of("/pools/0/gpu", "generic") ==
        "s.json:11: /pools/0: \"family\" and \"gpu\" cannot go together");
  CHECK(error_of("/pools/0", R"({"gpu": "A100-40GB", "place": "us-central1-a", "gpus": 8})") ==
        "command line: --set /pools/0: /pools/0/gpu: us-central1-a has A100-40GB in the families "
        "\"a2-highgpu\", \"a2-megagpu\": name one of them as \"family\" instead");
}

TEST_CASE("A machine that a model does not sell is refused", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::vector<Override> h100{
      {"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 2})"},
      {"/reservations", "[]"},
      {"/workload/0/machine", "a3-highgpu-2g"}};
  CHECK_THROWS_WITH(loader.small(h100),
                    Catch::Contains("a3-highgpu-2g is not sold on_demand (only spot, flex_start)"));
  auto flex = h100;
  flex.push_back({"/strategies/0/legs/0/model", "flex_start"});
  CHECK_NOTHROW(loader.small(flex));
}

TEST_CASE("A price that is not known is refused", "[scenario]") {
  CHECK(error_of("/prices", "[]").find("generic") != std::string::npos);
  CHECK(error_of("/prices/0", R"({"usd_per_hour": 1, "factor": 1})") ==
        "command line: --set /prices/0: \"usd_per_hour\" and \"factor\" cannot go together");
  CHECK(error_of("/prices/0", "{}") ==
        "command line: --set /prices/0: one of \"usd_per_hour\", \"factor\" is missing");
  CHECK(error_of("/prices/0/region", "us-central1-a") ==
        "command line: --set /prices/0/region: is a zone; its region is \"us-central1\"");
}

TEST_CASE("A source says when its jobs come, what they need and for how long", "[scenario]") {
  CHECK(error_of("/workload/0", R"({"name": "jobs", "machine": "generic", "work": "1h"})") ==
        "command line: --set /workload/0: one of \"trace\", \"poisson\", \"schedule\", \"after\", \"with\" "
        "is missing");
  CHECK(error_of("/workload/0", R"({"name": "jobs", "schedule": {}, "machine": "generic"})") ==
        "command line: --set /workload/0: \"work\" is missing, which \"schedule\" requires: how long a job "
        "runs undisturbed");
  CHECK(error_of("/workload/0", R"({"name": "jobs", "schedule": {}, "work": "1h"})") ==
        "command line: --set /workload/0: \"gpus\" of a node is missing, or \"machine\"");
  CHECK(error_of("/workload/0/gpus", "2") ==
        "command line: --set /workload/0/gpus: generic has 1 GPUs, but a node needs 2");
  CHECK(error_of("/workload/-", R"({"name": "jobs", "schedule": {}, "machine": "generic", "work": "1h"})") ==
        "command line: --set /workload/-: /workload/1/name: there is a source \"jobs\" already");
  CHECK(error_of("/workload/0/schedule", R"({"on_days": [2]})") ==
        "command line: --set /workload/0/schedule: no batch falls into the window");
  CHECK(error_of("/workload/0/work", R"({"uniform": ["2h", "1h"]})") ==
        "command line: --set /workload/0/work: /workload/0/work/uniform: the least must come first");
  CHECK(error_of("/workload/0/deadline", R"({"at": "25:00"})") ==
        "command line: --set /workload/0/deadline: /workload/0/deadline/at: must be a time of day such as "
        "\"18:00\", but is \"25:00\"");
  CHECK(error_of("/workload/0",
                 R"({"name": "jobs", "poisson": {"per_day": 1, "hours": "09:30-12:00"}, "machine": "generic",
        "work": "1h"})") ==
        "command line: --set /workload/0: /workload/0/poisson/hours: must be whole hours");
  CHECK(error_of("/workload/0/class", "tenants") ==
        "s.json:7: /workload: \"tenants\" is the class of the provider's other customers: give yours another "
        "name");
}

TEST_CASE("Capacity is said in one way", "[scenario]") {
  CHECK(error_of("/pools/0/hosts", "1") == "s.json:11: /pools/0: \"hosts\" and \"gpus\" cannot go together");
  CHECK(error_of("/pools/0", R"({"family": "generic", "place": "generic", "machines": 1})") ==
        "command line: --set /pools/0: \"machine\" is missing, which \"machines\" requires: what "
        "\"machines\" counts");
  CHECK(error_of("/pools/0/gpus", R"([{"at": "2h", "gpus": 1}, {"at": "1h", "gpus": 2}])") ==
        "command line: --set /pools/0/gpus: /pools/0/gpus/1/at: must be later than the step before");
  CHECK(error_of("/pools/0", R"({"family": "generic", "place": "generic", "capacity": [
        {"classes": ["spot"], "gpus": 1}, {"classes": ["spot", "flex"], "gpus": 1}]})") ==
        "command line: --set /pools/0: /pools/0/capacity/1/classes/0: \"spot\" has capacity already");
  CHECK(error_of("/pools/0", R"({"family": "generic", "place": "generic", "unlimited": false})")
            .starts_with("command line: --set /pools/0: /pools/0/unlimited: must be true"));
  CHECK(error_of("/pools/-", R"({"name": "zone", "family": "generic", "place": "generic", "gpus": 1})") ==
        "command line: --set /pools/-: /pools/1: there is a pool \"zone\" already: give this one a \"name\" "
        "of its own");
}

TEST_CASE("Tenants need a capacity and a load", "[scenario]") {
  CHECK(error_of("/pools/0/tenants", "{}") ==
        "command line: --set /pools/0/tenants: \"load\" is missing: GPU-time they ask for, as a share of the "
        "capacity");
  CHECK(error_of("/pools/0",
                 R"({"family": "generic", "place": "generic", "unlimited": true, "tenants": {"load": 1}})") ==
        "command line: --set /pools/0: /pools/0/tenants: cannot be combined with \"unlimited\": it has no "
        "load: give it a capacity, or no tenants");
  CHECK(error_of("/pools/0/tenants", R"({"load": 1, "mix": {}})") ==
        "command line: --set /pools/0/tenants: /pools/0/tenants/mix: all weights are 0");
}

TEST_CASE("A reservation comes out of a pool that is there", "[scenario]") {
  CHECK(error_of("/reservations/0",
                 R"({"name": "r", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1})")
            .starts_with("command line: --set /reservations/0: /reservations/0/place: no pool has a3-highgpu "
                         "in us-central1-a"));
  CHECK(
      error_of(
          "/reservations/0",
          R"({"name": "r", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1, "added_supply": true})")
          .empty());
  CHECK(error_of("/reservations/0/name", "zone") ==
        "command line: --set /reservations/0/name: there is a pool or reservation \"zone\" already");
}

TEST_CASE("What would never end is refused", "[scenario]") {
  CHECK(error_of("/window", "13000d") ==
        "command line: --set /window: must be at most 12725d 19h 53min 47s 774ms, but is \"13000d\"");
  CHECK(error_of("/drain_limit", "12725d")
            .find("warm_up, window and drain_limit are 12727d in all; the longest run is") !=
        std::string::npos);
  CHECK(error_of("/strategies/0/legs/0/retry_interval", "0s") ==
        "command line: --set /strategies/0/legs/0/retry_interval: on_demand tries again after 0s: "
        "\"retry_interval\" must be at least 1s, or \"retries\" 0");
  CHECK(error_of("/strategies/0/resubmit", R"({"after": "0s"})") ==
        "command line: --set /strategies/0/resubmit: /strategies/0/resubmit/after: must be at least 1s, but "
        "is \"0s\"");
  CHECK(error_of("/workload/0/schedule", R"({"every": "1ms"})") ==
        "command line: --set /workload/0/schedule: more than 1000000 batches in the window");
  CHECK(error_of("/workload/0/schedule", R"({"every": "1s", "count": 1000000})")
            .find("jobs would come in a run") != std::string::npos);
  CHECK(error_of("/workload/0/nodes", "100001") ==
        "command line: --set /workload/0/nodes: must be at most 100000, but is 100001");
}

TEST_CASE("A trace brings its own numbers, and its file must be there", "[scenario]") {
  CHECK(error_of("/workload/0",
                 R"({"name": "t", "trace": {"file": "none.csv", "format": "csv"}, "machine": "generic"})")
            .find("none.csv") != std::string::npos);
  CHECK(
      error_of("/workload/0",
               R"({"name": "t", "trace": {"file": "none.csv", "format": "csvv"}, "machine": "generic"})") ==
      "command line: --set /workload/0: /workload/0/trace/format: there is no trace format \"csvv\", did you mean "
      "\"csv\"?");
  CHECK(error_of("/workload/0",
                 R"({"name": "t", "trace": {"file": "none.csv", "format": "csv"}, "work": "1h"})") ==
        "command line: --set /workload/0: /workload/0/work: cannot be combined with \"trace\": the file says "
        "it");
}

TEST_CASE("A goal is for a class that is there", "[scenario]") {
  CHECK(error_of("/goal", R"({"at_most": "4h", "class": "job"})") ==
        "command line: --set /goal: /goal/class: there is no job class \"job\", did you mean \"jobs\"?");
  CHECK(error_of("/goal", R"({"wait_p": 100, "at_most": "4h"})") ==
        "command line: --set /goal: /goal/wait_p: must be at most 99.9, but is 100");
}

TEST_CASE("What has no effect on a leg that does not wait is refused", "[scenario]") {
  for (const std::string key : {"limit", "max_wait"}) {
    const std::string legs = R"([{"model": "on_demand", ")" + key + R"(": "0s"}])";
    CHECK(error_of("/strategies/0/legs", legs)
              .find("cannot be combined with model \"on_demand\": it is granted or refused at once") !=
          std::string::npos);
  }
}

TEST_CASE("Lengths and tries beyond their bounds are refused", "[scenario]") {
  CHECK(error_of("/models", R"({"spot": {"retries": 70000}})").find("must be at most 65535") !=
        std::string::npos);
  CHECK(error_of("/models", R"({"all": {"start_up": "11000d"}})").find("must be at most 30d") !=
        std::string::npos);
  CHECK(error_of("/billing", R"({"least": "10000d"})").find("must be at most 1d") != std::string::npos);
}

TEST_CASE("A reservation that its zone can never hold is refused", "[scenario]") {
  const std::string error = error_of("/reservations/0/count", "9");
  CHECK(error.find("9 machines are 9 GPUs") != std::string::npos);
  CHECK(error.find("added_supply") != std::string::npos);
}

TEST_CASE("A leg's machine cannot be combined with a source that insists on another", "[scenario]") {
  const std::string error =
      error_of("/strategies/0/legs", R"([{"model": "on_demand", "machine": "g2-standard-8"}])");
  INFO(error);
  CHECK(error.find("insists on") != std::string::npos);
}
