// Jobs written as a trace and read again are the same jobs.

#include <sstream>

#include <catch2/catch.hpp>

#include <CLI/CLI.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tools/stockout/commands.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

// A job as a reader of the file knows it, whatever ids the world gives.
struct TellJob {
  const World& world;
  std::string operator()(const Job& job) const {
    const Shape& shape = world.shapes[index(job.shape)];
    std::ostringstream text;
    text << (job.submit - kStart).count() << " works " << job.work.count() << " estimate "
         << job.estimate.count() << " waits " << job.max_wait.count() << " until " << job.deadline.count()
         << " on " << shape.gpu << "/" << shape.machine << " " << shape.nodes << "x" << shape.gpus_per_node
         << "+" << shape.tail_gpus << " for " << world.users[index(job.user)] << " in "
         << world.classes[index(job.job_class)].name;
    return text.str();
  }
};

std::vector<std::string> told(const World& world, std::uint64_t replication) {
  std::vector<std::string> jobs;
  for_each_recorded_job(world, replication,
                        [&](std::uint64_t, const Job& job) { jobs.push_back(TellJob{world}(job)); });
  return jobs;
}

// By job, the number of the group it is in, numbered in order of appearance.
std::vector<std::uint32_t> groups(const World& world, std::uint64_t replication) {
  std::vector<std::uint32_t> numbers;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> known;
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    const auto next = static_cast<std::uint32_t>(known.size() + 1);
    numbers.push_back(job.group == 0 ? 0
                                     : known.try_emplace({index(job.source), job.group}, next).first->second);
  });
  return numbers;
}

std::string synth(const std::string& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  CLI::App app;
  add_trace_command(app, console);
  app.parse("trace synth " + arguments);
  return out.str();
}

const std::string kZone = R"([{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4}])";

const std::string kScenario = R"({
 "name": "made up", "start": "2026-08-03", "window": "5d", "prices_as_of": "2026-07-30",
 "workload": [
  {"name": "tuning, all", "poisson": {"per_day": 30}, "machine": "a3-highgpu-8g", "users": 3,
   "work": {"lognormal": {"median": "1h", "sigma": 1}}, "deadline": {"work_plus": "2h"}, "demand": 1.5},
  {"name": "=search", "class": "@tune", "users": 2, "schedule": {"at": "10:00", "count": 5, "grouped": true}, "gpu": "H100-80GB", "work": "1.5s",
   "sizes": [{"gpus": 4, "weight": 1}, {"gpus": 8, "nodes": 2, "weight": 1}], "max_wait": "1h", "parallel": 2}
 ],
 "pools": )" + kZone + R"(,
 "strategies": [{"name": "flex", "legs": [{"model": "flex_start"}]}]
})";

}  // namespace

TEST_CASE("What synth writes and a trace source reads are the same jobs", "[trace][command]") {
  const test::ScenarioLoader loader;
  const std::string scenario = loader.folder().file("made.json", kScenario);
  for (const char* name : {"jobs.csv", "jobs.csv.gz"}) {
    CAPTURE(name);
    const std::string out = loader.folder().path(name);
    CHECK_THAT(synth(scenario + " --replication 2 --out " + out), Contains("jobs of replication 2"));
    const Scenario made = loader.load(kScenario);
    const Scenario read =
        loader.load(kScenario, {{"/workload", R"([{"name": "file", "trace": {"file": ")" + out +
                                                  R"(", "format": "csv", "shift": "none"}}])"}});
    CHECK(told(made.world, 2).size() > 200);
    CHECK(read.world.classes.back().name == "@tune");
    CHECK(told(read.world, 0) == told(made.world, 2));
    CHECK(groups(read.world, 0) == groups(made.world, 2));
  }
}

TEST_CASE("synth keeps class, machine, GPU type, team and the submission of a history", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string history = folder.file("history.csv",
                                          "submit,eligible,duration,gpus,user,team,class,machine,gpu\n"
                                          "-60,3600,600,8,ann,vision,train,a3-highgpu-8g,\n"
                                          "60,,600,8,ann,nlp,train,,H100-80GB\n"
                                          "120,,600,8,bob,,tune,a3-highgpu-8g,\n");
  const auto scenario = [&](const std::string& more) {
    return folder.file(
        "s.json", R"({"name": "made", "start": "2026-08-03", "window": "5d", "prices_as_of": "2026-07-30",
 "workload": [{"name": "jobs", "team": "all", "gpu": "H100-80GB", "trace": {"file": ")" +
                      history + R"(", "format": "csv", "shift": "none")" + more + R"(}},
  {"name": "made", "team": "ops", "schedule": {"at": "10:00"}, "gpu": "H100-80GB", "gpus": 8, "work": "1h"}],
 "pools": )" + kZone + R"(, "strategies": [{"name": "flex", "legs": [{"model": "flex_start"}]}]})");
  };
  const std::string out = folder.path("out.csv");
  synth(scenario("") + " --out " + out);
  const Trace again = read_trace(out, TraceFormat::csv);
  REQUIRE(again.size() == 8);
  const auto row = [&](std::size_t job) {
    return again.team.at(job) + ", " + again.job_class.at(job) + ", " + again.machine.at(job) + ", " +
           again.gpu.at(job) + ", " + again.user.at(job);
  };
  CHECK(row(0) == "nlp, train, , H100-80GB, ann");
  CHECK(row(1) == "all, tune, a3-highgpu-8g, , bob");
  CHECK(row(2) == "vision, train, a3-highgpu-8g, , ann");
  CHECK(again.team.at(3) == "ops");
  CHECK(again.submit_ms[2] == 3'600'000);
  CHECK(again.held[2] == 3660s);
  // Jobs of other times are the same jobs.
  synth(scenario(R"(, "resample": {"block": "1d", "length": "5d"})") + " --out " + out);
  const Trace blocks = read_trace(out, TraceFormat::csv);
  REQUIRE(!blocks.held.empty());
  for (std::size_t job = 0; job < blocks.size(); ++job)
    CHECK((blocks.held[job] > 0s) == (blocks.team.at(job) == "vision"));
}

TEST_CASE("Totals with a smaller last node are written as totals, or refused", "[trace][command]") {
  const test::ScenarioLoader loader;
  const auto with_trace = [&](const std::string& csv, const std::string& name, const std::string& more) {
    const std::string path = loader.folder().file(name, csv);
    return R"([{"name": "file", "gpu": "H100-80GB", "trace": {"file": ")" + path +
           R"(", "format": "csv", "shift": "none")" + more + "}}]";
  };
  const std::string workload = with_trace("submit,duration,gpus\n1,60,12\n2,60,3\n3.5,60,16\n", "a.csv", "");
  std::string text = kScenario;
  text.replace(text.find("[\n  {\"name\": \"tuning"),
               text.find(" \"pools\"") - text.find("[\n  {\"name\": \"tuning"), workload + ",\n");
  const std::string scenario = loader.folder().file("made.json", text);
  const std::string out = loader.folder().path("out.csv");
  CHECK_THAT(synth(scenario + " --out " + out), Contains(R"("gpus_per_node": 8)"));
  const Scenario made = loader.load(text);
  std::ifstream file{out};
  const std::string csv{std::istreambuf_iterator<char>{file}, {}};
  const Scenario read =
      loader.load(text, {{"/workload", with_trace(csv, "b.csv", R"(, "gpus_per_node": 8)")}});
  CHECK(told(read.world, 0) == told(made.world, 0));
  CHECK(told(read.world, 0).at(0).find("1x8+4") != std::string::npos);
  const std::string mixed = text.substr(0, text.find("]")) +
                            R"(, {"name": "more", "schedule": {}, "gpu": "H100-80GB",
    "nodes": 3, "gpus": 4, "work": "1h"}])" +
                            text.substr(text.find("]") + 1);
  CHECK_THROWS_WITH(synth(loader.folder().file("mixed.json", mixed) + " --out " + out),
                    Contains("jobs of 3 nodes of 4 GPUs and a last one of 0 cannot be written to one file"));
}

TEST_CASE("synth leaves nothing behind when it cannot write, and says when a job has no work",
          "[trace][command]") {
  const test::ScenarioLoader loader;
  const std::string scenario = loader.folder().file("made.json", test::kSmallScenario);
  CHECK_THROWS_AS(synth(scenario + " --out " + loader.folder().path("none/jobs.csv")), InputError);
  const std::string out = loader.folder().path("jobs.csv");
  CHECK_THAT(synth(scenario + " --out " + out + " --set /workload/0/work=0s"),
             Contains("2 of them have no work at all: a reader leaves those out"));
}
