#include <algorithm>
#include <chrono>

#include <catch2/catch.hpp>

#include "models/scenario/draft/lengths.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

Scenario with(std::vector<Override> overrides) { return test::ScenarioLoader{}.small(std::move(overrides)); }

const SyntheticDemand& synthetic(const Scenario& scenario, std::size_t source = 0) {
  return std::get<SyntheticDemand>(scenario.world.sources.at(source).demand);
}

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

// A trace of our own format and the scenario that reads it.
Scenario with_trace(const std::string& csv, const std::string& trace_keys, std::vector<Override> more = {}) {
  const test::ScenarioLoader loader;
  static_cast<void>(loader.folder().file("t.csv", csv));
  std::vector<Override> overrides{
      {"/workload/0", R"({"name": "trace", "trace": {"file": ")" + loader.folder().path("t.csv") +
                          R"(", "format": "csv")" + trace_keys + R"(}, "gpu": "generic"})"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return loader.small(std::move(overrides));
}

const JobColumns& columns(const Scenario& scenario) {
  return *std::get<TraceDemand>(scenario.world.sources.at(0).demand).jobs;
}

const std::string kTrace =
    "submit,duration,gpus,user\n"
    "100,60,1,ann\n"
    "200,7200,4,bob\n"
    "90000,100000,3,ann\n";

}  // namespace

TEST_CASE("A schedule follows local time through a change of clocks", "[scenario]") {
  const Scenario scenario = with({{"/start", "2026-10-31"},
                                  {"/time_zone", "America/Los_Angeles"},
                                  {"/window", "3d"},
                                  {"/workload/0/schedule", R"({"at": "12:00"})"}});
  const auto& at = std::get<ScheduledArrivals>(synthetic(scenario).arrivals).at;
  REQUIRE(at.size() == 3);
  CHECK(at[0] == kStart + 12h);
  CHECK(at[1] == kStart + 37h);  // clocks went back an hour on 2026-11-01
  CHECK(at[2] == kStart + 61h);
  CHECK(scenario.world.utc_offsets.front().offset == -7h);
  CHECK(scenario.world.utc_offsets.at(1).offset == -8h);
  CHECK(scenario.world.utc_offsets.at(1).at == kStart + 26h);
}

TEST_CASE("A scenario starts at local midnight", "[scenario]") {
  using std::chrono::sys_days;
  const auto day = sys_days{std::chrono::year{2026} / 8 / 3};
  CHECK(with({}).world.start_date == day);
  CHECK(with({{"/time_zone", "America/Los_Angeles"}}).world.start_date == day + 7h);
  const Scenario fixed = with({{"/time_zone", "\"+09:00\""}});
  CHECK(fixed.world.start_date == day - 9h);
  CHECK(mentions(fixed.warnings, "fixed offset"));
}

TEST_CASE("A trace takes one maximum wait for all jobs, or its own column", "[scenario]") {
  CHECK(columns(with_trace(kTrace, "", {{"/workload/0/max_wait", "3h"}})).max_wait ==
        std::vector<SimDuration>(3, 3h));
  CHECK_THROWS_WITH(
      with_trace(kTrace, "", {{"/workload/0/max_wait", R"({"exponential": "3h"})"}}),
      Catch::Contains("/workload/0/max_wait: an object cannot be combined with \"trace\": a law requires"));
}

TEST_CASE("A batch comes on the days and times it names", "[scenario]") {
  const auto times = [](const std::string& schedule, const std::string& window) {
    const Scenario scenario = with({{"/workload/0/schedule", schedule}, {"/window", window}});
    return std::get<ScheduledArrivals>(synthetic(scenario).arrivals).at;
  };
  CHECK(times(R"({"on_days": [3, 0], "at": "18:00"})", "7d") == std::vector{kStart + 18h, kStart + 90h});
  CHECK(times(R"({"days": ["tue", "sun"]})", "7d") == std::vector{kStart + 24h, kStart + 144h});
  CHECK(times(R"({"days": "weekends", "at": "06:00"})", "7d") == std::vector{kStart + 126h, kStart + 150h});
  CHECK(times(R"({"every": "5h", "at": "01:00"})", "12h") ==
        std::vector{kStart + 1h, kStart + 6h, kStart + 11h});
}

TEST_CASE("A Poisson rate is spread over the open hours", "[scenario]") {
  const auto arrivals = [](const std::string& poisson) {
    const Scenario scenario =
        with({{"/workload/0",
               R"({"name": "jobs", "machine": "generic", "work": "1h", "poisson": )" + poisson + "}"},
              {"/start", "2026-08-05"}});  // a Wednesday
    return std::get<PoissonArrivals>(synthetic(scenario).arrivals);
  };
  const PoissonArrivals office = arrivals(R"({"per_day": 18, "days": "weekdays", "hours": "09:00-18:00"})");
  CHECK(office.peak_per_hour == 2.0);
  CHECK(office.origin == kStart - 48h);
  REQUIRE(office.intensity.size() == 168);
  CHECK(office.intensity[8] == 0);
  CHECK(office.intensity[9] == 1);
  CHECK(office.intensity[17] == 1);
  CHECK(office.intensity[18] == 0);
  CHECK(office.intensity[5 * 24 + 12] == 0);
  CHECK(arrivals(R"({"per_hour": 3})").peak_per_hour == 3.0);
  CHECK(arrivals(R"({"per_hour": 3})").intensity.empty());
  CHECK(arrivals(R"({"per_week": 168})").peak_per_hour == 1.0);
}

TEST_CASE("Deadlines count from submission", "[scenario]") {
  CHECK(synthetic(with({})).deadline_plus == kForever);
  CHECK(synthetic(with({{"/workload/0/deadline", "96h"}})).deadline_plus == 96h);
  const Scenario slack = with({{"/workload/0/deadline", R"({"work_plus": "8h"})"}});
  CHECK(synthetic(slack).deadline_work_factor == 1.0);
  CHECK(synthetic(slack).deadline_plus == 8h);
}

TEST_CASE("A deadline at a time of day is the next one, also when clocks change", "[scenario]") {
  const SyntheticDemand noon = synthetic(with({{"/workload/0/deadline", R"({"at": "07:00"})"}}));
  CHECK(noon.deadline_plus == kForever);
  REQUIRE(!noon.deadline_at.empty());
  CHECK(noon.deadline_at.front() == kStart + 7h);
  // In the night to 1 November 2026 clocks of California go back by an hour: that morning comes later.
  const Scenario autumn = with({{"/start", "2026-10-30"},
                                {"/time_zone", "America/Los_Angeles"},
                                {"/workload/0/deadline", R"({"at": "07:00"})"}});
  const std::vector<SimTime>& at = synthetic(autumn).deadline_at;
  REQUIRE(at.size() >= 3);
  CHECK(at[0] == kStart + 7h);
  CHECK(at[1] == kStart + 31h);
  CHECK(at[2] == kStart + 56h);
  CHECK(at.back() > autumn.world.window_end);
  // Random times have it too.
  const Scenario any =
      with({{"/workload/0", R"({"name": "jobs", "poisson": {"per_day": 1}, "machine": "generic",
                                   "work": "1h", "deadline": {"at": "07:00"}})"}});
  CHECK(synthetic(any).deadline_at.front() == kStart + 7h);
}

TEST_CASE("A node takes the smallest machine that the model sells", "[scenario]") {
  const auto part = [](const std::string& model, int gpus) {
    const Scenario scenario = with(
        {{"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4})"},
         {"/reservations", "[]"},
         {"/workload/0", R"({"name": "jobs", "schedule": {}, "gpu": "H100-80GB", "work": "1h", "gpus": )" +
                             std::to_string(gpus) + "}"},
         {"/strategies/0/legs/0/model", model}});
    const Candidate& candidate = scenario.world.strategies[0].legs[0].candidates[0].at(0);
    const MachineId machine = candidate.parts[0].machine;
    CHECK(candidate.unused == candidate.gpus - GpuCount{gpus});
    return scenario.world.machines[index(machine)].name;
  };
  CHECK(part("on_demand", 1) == "a3-highgpu-8g");  // smaller ones are sold as Spot and flex only
  CHECK(part("spot", 1) == "a3-highgpu-1g");
  CHECK(part("flex_start", 3) == "a3-highgpu-4g");
  CHECK(part("spot", 5) == "a3-highgpu-8g");
}

TEST_CASE("A region means all its pools, in the order of the pools", "[scenario]") {
  const std::string zone_a = R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4})";
  const std::string zone_b = R"({"family": "a3-highgpu", "place": "us-central1-b", "hosts": 4})";
  const std::string east = R"({"family": "a3-highgpu", "place": "us-east4-b", "hosts": 4})";
  const auto pools_of = [&](const std::string& places) {
    const Scenario scenario = with({{"/pools", "[" + zone_a + "," + zone_b + "," + east + "]"},
                                    {"/reservations", "[]"},
                                    {"/workload/0/machine", "a3-highgpu-8g"},
                                    {"/strategies/0/legs/0/places", places}});
    std::vector<std::size_t> pools;
    for (const Candidate& candidate : scenario.world.strategies[0].legs[0].candidates[0]) {
      pools.push_back(index(candidate.pool));
    }
    return pools;
  };
  CHECK(pools_of(R"(["us-central1"])") == std::vector<std::size_t>{0, 1});
  CHECK(pools_of(R"(["us-east4", "us-central1-b"])") == std::vector<std::size_t>{2, 1});
  CHECK_THROWS_WITH(pools_of(R"(["us-central1", "us-central1-a"])"),
                    Catch::Contains("\"us-central1-a\" is in the list already"));
}

TEST_CASE("A reservation is paid at the price of its commitment, and a leg pays for it", "[scenario]") {
  const Scenario scenario = with(
      {{"/prices",
        R"([{"machine": "generic", "usd_per_hour": 10}, {"machine": "generic", "model": "cud_3y", "usd_per_hour": 4}])"},
       {"/reservations/0/commitment", "3y"},
       {"/strategies/0/legs/0", R"({"model": "reservation", "reservation": "held"})"}});
  const World& world = scenario.world;
  REQUIRE(world.held.size() == 1);
  const PriceLine& line = world.price_lines[index(world.held[0].line)];
  CHECK(line.model == PriceModel::cud_3y);
  CHECK(line.charge == Charge::held);
  CHECK(line.steps[0].contracted == MachineHourPrice{4'000'000'000});
  CHECK(world.price_lines[index(world.held[0].sublet)].charge == Charge::sublet);
  CHECK(world.held[0].landlord == PoolId{0});
  CHECK(world.strategies[0].held == std::vector{PoolId{1}});
  CHECK(world.strategies[0].legs[0].candidates[0][0].pool == PoolId{1});
}

TEST_CASE("Jobs that share held machines are counted and priced by GPU", "[scenario]") {
  const Scenario scenario = with(
      {{"/pools/0", R"({"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4})"},
       {"/reservations/0",
        R"({"name": "held", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2, "share": true})"},
       {"/prices/0", R"({"machine": "a3-highgpu-8g", "usd_per_hour": 80})"},
       {"/workload/0", R"({"name": "jobs", "schedule": {}, "gpu": "H100-80GB", "gpus": 3, "work": "1h"})"},
       {"/strategies/0/legs/0", R"({"model": "reservation", "reservation": "held"})"}});
  const Candidate& candidate = scenario.world.strategies[0].legs[0].candidates[0].at(0);
  CHECK(candidate.gpus == GpuCount{3});
  CHECK(candidate.unused == GpuCount{0});
  CHECK(candidate.parts[0].machines == 3);
  const PriceLine& line = scenario.world.price_lines[index(candidate.parts[0].line.value())];
  CHECK(line.steps[0].contracted == MachineHourPrice{10'000'000'000});
}

TEST_CASE("A model is changed for all, then by name, then by the leg", "[scenario]") {
  const Scenario scenario =
      with({{"/models", R"({"all": {"start_up": "5min", "retries": 1}, "on_demand": {"retries": 2}})"},
            {"/strategies/0/legs", R"([{"model": "on_demand", "retries": "unlimited"},
                                    {"model": "on_demand"}, {"model": "spot"},
                                    {"model": "flex_start", "limit": "2h", "keep": true}])"}});
  const auto& legs = scenario.world.strategies[0].legs;
  CHECK(legs[0].policy.retries == kUnlimited);
  CHECK(legs[1].policy.retries == 2);
  CHECK(legs[2].policy.retries == 1);
  CHECK(legs[2].policy.start_up.a == 5min);
  CHECK(legs[3].limit == 2h);
  CHECK(legs[3].keep);
}

TEST_CASE("A maximum wait of 0 is no limit with Flex Start, as on Vertex AI", "[scenario]") {
  const Scenario scenario = with({{"/strategies/0/legs", R"([{"model": "flex_start", "max_wait": "0s"}])"}});
  CHECK(scenario.world.strategies[0].legs[0].patience() == kForever);
}

TEST_CASE("Tenants ask for their load of the capacity", "[scenario]") {
  const Scenario scenario =
      with({{"/warm_up", "7d"},
            {"/pools/0/tenants", R"({"load": 0.5, "work": "2h", "sizes": [{"hosts": 1}, {"hosts": 3}],
                                                           "mix": {"on_demand": 3, "spot": 1}})"}});
  const Source& source = scenario.world.sources.at(1);
  CHECK(source.background);
  CHECK(source.tenants.size() == 2);
  CHECK(source.tenant_weights == std::vector<double>{3, 1});
  CHECK(source.tenants[0].legs[0].policy.retries == 0);
  CHECK(source.tenants[1].legs[0].policy.restarts == 0);
  const SyntheticDemand& demand = synthetic(scenario, 1);
  CHECK(demand.from == kStart - 7 * 24h);
  const auto& poisson = std::get<PoissonArrivals>(demand.arrivals);
  double mean = 0;
  for (const double share : poisson.intensity) mean += share / 168;
  // 0.5 of 8 GPUs = 4 busy = rate * 2 GPUs * 2 h
  CHECK(poisson.peak_per_hour * mean == Approx(1.0));
  CHECK(*std::ranges::max_element(poisson.intensity) == 1.0);
  CHECK(poisson.intensity[14] == 1.0);
  CHECK(poisson.intensity[2] == Approx(0.65 / 1.35));
  CHECK(mentions(scenario.assumptions, "zone: tenants ask for 50 % of its 8 GPUs' time"));
}

TEST_CASE("What the models override holds for tenants too, where the provider decides it", "[scenario]") {
  const Scenario scenario =
      with({{"/pools/0/tenants", R"({"load": 0.5, "mix": {"spot": 1, "flex_start": 1}, "max_wait": "3h"})"},
            {"/models", R"({"all": {"provisioning": "2min", "start_up": "9min"},
                       "spot": {"notice": "2min", "retries": 7, "restarts": 9, "lifetime": {"exponential": "5h"}},
                       "flex_start": {"run_max": "1d", "chains": true, "machines_max": 3, "max_wait": "1h"}})"}});
  const std::vector<Strategy>& tenants = scenario.world.sources.back().tenants;
  REQUIRE(tenants.size() == 2);
  const Policy& flex = tenants[0].legs[0].policy;
  const Policy& spot = tenants[1].legs[0].policy;
  CHECK(spot.notice == 2min);
  CHECK(spot.provisioning.a == 2min);
  CHECK(spot.lifetime.a == 5h);
  CHECK(flex.run_max == 24h);
  CHECK(flex.machines_max == 3);
  // What customers decide stays their own.
  CHECK(spot.start_up.a == SimDuration{});
  CHECK(spot.retries == 0);
  CHECK(spot.restarts == 0);
  CHECK_FALSE(flex.chains);
  CHECK(flex.max_wait == 3h);
}

TEST_CASE("All pools' tenants share what they have in common", "[scenario]") {
  const Scenario scenario =
      with({{"/tenants", R"({"work": "2h", "daily_swing": 0})"}, {"/pools/0/tenants", R"({"load": 1})"}});
  CHECK(synthetic(scenario, 1).work.a == 2h);
  CHECK(std::get<PoissonArrivals>(synthetic(scenario, 1).arrivals).intensity[3] == 1.0);
}

TEST_CASE("The mean of a law takes its cut into account", "[scenario]") {
  const Law lognormal{.kind = Law::Kind::lognormal, .a = 9h, .sigma = 1, .most = 7 * 24h};
  double sum = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    Draw draw{1, 0, Purpose::work, static_cast<std::uint64_t>(i), 0};
    sum += static_cast<double>(lognormal.sample(draw).count());
  }
  CHECK(cut_mean_ms(lognormal) == Approx(sum / kDraws).epsilon(0.01));
  CHECK(cut_mean_ms({.kind = Law::Kind::exponential, .a = 1h, .most = 1h}) ==
        Approx(3'600'000 * 0.6321205588));
  CHECK(cut_mean_ms({.kind = Law::Kind::uniform, .a = 0h, .b = 2h, .most = 1h}) == Approx(3'600'000 * 0.75));
  CHECK(cut_mean_ms({.a = 3h, .most = 2h}) == 7'200'000);
}

TEST_CASE("The mean of a Weibull law takes its cut into account", "[scenario]") {
  const Law law{.kind = Law::Kind::weibull, .a = 2h, .sigma = 0.7, .most = 5h};
  double sum = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    Draw draw{1, 0, Purpose::work, static_cast<std::uint64_t>(i), 0};
    sum += static_cast<double>(law.sample(draw).count());
  }
  CHECK(cut_mean_ms(law) == Approx(sum / kDraws).epsilon(0.01));
  CHECK(cut_mean_ms({.kind = Law::Kind::weibull, .a = 1h, .sigma = 1, .most = 1h}) ==
        Approx(3'600'000 * 0.6321205588));
}

TEST_CASE("A trace begins at the start, and the window ends with its last job", "[scenario]") {
  const Scenario scenario = with_trace(kTrace, "", {{"/window", "30d"}});
  const JobColumns& jobs = columns(scenario);
  REQUIRE(jobs.size() == 3);
  CHECK(jobs.submit[0] == kStart);
  CHECK(jobs.submit[1] == kStart + 100s);
  CHECK(jobs.work[1] == 2h);
  CHECK(scenario.world.users == std::vector<std::string>{"-", "ann", "bob"});
  const Shape& shape = scenario.world.shapes[index(jobs.shape[1])];
  CHECK(shape.nodes == 4);  // generic hosts have one GPU
  CHECK(shape.gpus_per_node == 1);
}

TEST_CASE("Jobs of a trace outside the window are left out and counted", "[scenario]") {
  const Scenario scenario = with_trace(kTrace, "", {{"/window", "1d"}});
  CHECK(columns(scenario).size() == 2);
  CHECK(mentions(scenario.warnings, "submitted outside the window and left out: 1 of 3 jobs"));
}

TEST_CASE("A trace's jobs are split by length, clipped, and cut to nodes", "[scenario]") {
  const Scenario scenario = with_trace(
      kTrace, R"(, "clip_gpus": 2, "class_by_length": [{"name": "short", "up_to": "1h"}, {"name": "long"}])",
      {{"/window", "30d"}});
  const JobColumns& jobs = columns(scenario);
  CHECK(scenario.world.classes[index(jobs.job_class[0])].name == "short");
  CHECK(scenario.world.classes[index(jobs.job_class[2])].name == "long");
  CHECK(scenario.world.shapes[index(jobs.shape[2])].gpus() == GpuCount{2});
  const Scenario nodes = with_trace(kTrace, R"(, "gpus_per_node": 2)", {{"/window", "30d"}});
  const Shape& three = nodes.world.shapes[index(columns(nodes).shape[2])];
  CHECK(three.nodes == 1);
  CHECK(three.gpus_per_node == 2);
  CHECK(three.tail_gpus == 1);
}

TEST_CASE("A class that only a file names is like its source's, whichever source comes first", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string trace = loader.folder().file("jobs.csv", "submit,duration,gpus,class\n0,1h,1,tuning\n");
  const std::string first =
      R"({"name": "a", "class": "c", "trace": {"file": ")" + trace + R"(", "format": "csv"}})";
  const std::string second =
      R"({"name": "b", "class": "c", "schedule": {}, "work": "1h", "machine": "generic",
                                 "checkpoint": {"every": "10min"}, "parallel": 2})";
  const auto tuning = [&](const std::string& workload) {
    const World world = loader.small({{"/workload", "[" + workload + "]"}}).world;
    return *std::ranges::find(world.classes, "tuning", &JobClass::name);
  };
  CHECK(tuning(first + "," + second).checkpoint_every == 10min);
  CHECK(tuning(first + "," + second) == tuning(second + "," + first));
  const std::string other =
      R"({"name": "d", "trace": {"file": ")" + trace + R"(", "format": "csv"}, "parallel": 3})";
  CHECK_THAT(test::error_in([&] { tuning(first + "," + second + "," + other); }),
             Catch::Contains("another source has jobs of class \"tuning\", too"));
}

TEST_CASE("What a reader of the result must know is said", "[scenario]") {
  CHECK(mentions(with({{"/models", "{}"}}).warnings, "start_up is 0 in every leg"));
  CHECK(with({}).warnings.empty());
  const Scenario open = with({{"/pools/0", R"({"name": "zone", "family": "generic", "place": "generic",
                               "capacity": [{"classes": ["spot"], "gpus": 1}]})"}});
  CHECK(mentions(open.warnings, "zone: no capacity is given for reserved, on_demand, flex: unlimited there"));
  const Scenario nowhere =
      with({{"/strategies/0/legs/0", R"({"model": "reservation", "reservation": "held"})"},
            {"/workload/0", R"({"name": "jobs", "schedule": {}, "gpus": 2, "work": "1h"})"}});
  CHECK(mentions(nowhere.warnings, "no leg could ever serve jobs of class \"jobs\""));
}

TEST_CASE("Options of the command line go before the scenario's", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string path = loader.folder().file("o.json", test::kSmallScenario);
  const Scenario scenario =
      load_scenario(path, {.overrides = {}, .catalog_dir = {}, .seed = 42, .replications = 3});
  CHECK(scenario.world.seed == 42);
  CHECK(scenario.replications == 3);
  CHECK_THROWS_WITH(load_scenario(path, {.overrides = {}, .catalog_dir = {}, .seed = {}, .replications = 0}),
                    "command line: --replications: must be 1 to 10000");
}
