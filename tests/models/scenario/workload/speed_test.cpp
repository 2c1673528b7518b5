// `speed` and `gpu_memory` of a source: where its jobs run, at which rate, and what is refused.

#include <cmath>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/scenario/buying/cheapest.h"
#include "models/scenario/workload/speeds.h"
#include "models/simulation/simulate.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;
using namespace std::chrono_literals;

namespace {

const std::string kPools = R"([
  {"family": "a3-highgpu", "place": "us-central1-a", "hosts": 4},
  {"family": "a3-megagpu", "place": "us-central1-a", "hosts": 4},
  {"family": "a2-ultragpu", "place": "us-central1-a", "hosts": 4},
  {"family": "g2-standard", "place": "us-central1-a", "hosts": 4}])";

// One source with the given keys, on demand in all of kPools.
Scenario with(const std::string& keys, std::vector<Override> more = {}) {
  std::vector<Override> overrides{
      {"/pools", kPools},
      {"/reservations", "[]"},
      {"/prices", "[]"},
      {"/workload/0", R"({"name": "jobs", "schedule": {"at": "12:00"}, "work": "10h", )" + keys + "}"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return test::ScenarioLoader{}.small(std::move(overrides));
}

std::string error_of(const std::string& keys, std::vector<Override> more = {}) {
  return test::error_in([&] { static_cast<void>(with(keys, std::move(more))); });
}

std::string error_of_speed(const std::string& speed) {
  return error_of(R"("gpus": 8, "nodes": 2, "speed": )" + speed);
}

/// By the name of the pool.
std::map<std::string, Rate> rates(const Scenario& scenario, std::size_t shape = 0) {
  std::map<std::string, Rate> rates;
  for (const Candidate& candidate : scenario.world.strategies[0].legs[0].candidates[shape])
    rates[scenario.world.pool(candidate.pool).family] = candidate.rate_ppm;
  return rates;
}

const std::string kSevenBillion =
    R"("nodes": 2, "gpus": 8, "speed": {"reference": "H100-MEGA-80GB", "gpus": {"H100-MEGA-80GB": 1, "H100-80GB": 1},
       "scaling": {"message": 14, "step": "1s")";

}  // namespace

TEST_CASE("Jobs run on the GPU types that their speeds list, at these speeds", "[scenario][speed]") {
  const Scenario scenario = with(
      R"("gpu": "A100-80GB", "gpus": 1, "speed": {"gpus": {"A100-80GB": 1, "H100-80GB": 2.2, "L4": 0.18}})");
  CHECK(rates(scenario) == std::map<std::string, Rate>{{"a2-ultragpu", 1'000'000},
                                                       {"a3-highgpu", 2'200'000},
                                                       {"g2-standard", 180'000}});
  CHECK_THAT(
      scenario.assumptions.back(),
      Contains("jobs: work is measured on A100-80GB; speeds against it, as given: H100-80GB 2.2, L4 0.18"));
}

TEST_CASE("The reference may be left out on purpose, and a machine is replaced by the list",
          "[scenario][speed]") {
  const Scenario scenario = with(R"("machine": "a2-ultragpu-8g", "speed": {"gpus": {"H100-80GB": 2.2}})");
  CHECK(rates(scenario) == std::map<std::string, Rate>{{"a3-highgpu", 2'200'000}});
  CHECK(scenario.world.shapes[0].gpus() == GpuCount{8});
}

TEST_CASE("Speeds follow from step times", "[scenario][speed]") {
  CHECK(
      rates(with(
          R"("gpus": 1, "speed": {"reference": "A100-80GB", "step_times": {"A100-80GB": "410ms", "H100-80GB": "187ms"}})")) ==
      std::map<std::string, Rate>{{"a2-ultragpu", 1'000'000}, {"a3-highgpu", 2'192'513}});  // 410 / 187
}

TEST_CASE("Without speeds every place has the reference's rate", "[scenario][speed]") {
  CHECK(rates(with(R"("gpu": "H100-80GB", "gpus": 8)")) ==
        std::map<std::string, Rate>{{"a3-highgpu", kReferenceRate}});
}

TEST_CASE("A gang's exchange slows it down by what was measured: 7 billion parameters on two A3 nodes",
          "[scenario][speed]") {
  // 2 x 15 / 16 x 14 GB over 188.9 and 71 GB/s: 0.1390 s and 0.3697 s beside a step of 1 s.
  const double mega = all_reduce_s(14, 16, 188.9);
  const double high = all_reduce_s(14, 16, 71);
  CHECK(mega == Approx(0.1390).margin(5e-5));
  CHECK(high == Approx(0.3697).margin(5e-5));
  CHECK(1 / (1 + mega) == Approx(0.8780).margin(5e-5));
  CHECK(1 / (1 + high) == Approx(0.7301).margin(5e-5));
  const Scenario scenario = with(kSevenBillion + "}}");
  CHECK(rates(scenario).at("a3-megagpu") == kReferenceRate);
  CHECK(rates(scenario).at("a3-highgpu") == std::lround((1 + mega) / (1 + high) * 1e6));
  CHECK(rates(scenario).at("a3-highgpu") == 831'530);
  CHECK_THAT(
      scenario.assumptions.back(),
      Contains("nodes all-reduce 14 GB a step of 1000 ms on a3-megagpu, 0 % of it hidden; GB/s per GPU: "
               "a3-highgpu 71 measured on two nodes, a3-megagpu 188.9 measured on two nodes"));
}

TEST_CASE("What is hidden, multiplied or given changes the exchange", "[scenario][speed]") {
  const double mega = all_reduce_s(14, 16, 188.9);
  const double far = all_reduce_s(14, 16, 71);
  const auto high = [](const std::string& scaling) {
    return rates(with(kSevenBillion + scaling + "}}")).at("a3-highgpu");
  };
  CHECK(high(R"(, "overlap": 1)") == kReferenceRate);
  CHECK(high(R"(, "busbw": {"a3-highgpu": 188.9})") == kReferenceRate);
  CHECK(high(R"(, "busbw_times": 100)") == std::lround((1 + mega / 100) / (1 + far / 100) * 1e6));
  const double halved = (1 + 2 * mega) / (1 + 2 * far);
  CHECK(high(R"(, "busbw_times": 0.5)") == std::lround(halved * 1e6));
}

TEST_CASE("A job measured on two nodes takes another time on one, eight and 64", "[scenario][speed]") {
  const auto rate = [](int nodes, const std::string& keys) {
    return rates(
               with(fmt::format(
                   R"("nodes": {}, "gpus": 8, "speed": {{"reference": "H100-MEGA-80GB", "gpus": {{"H100-MEGA-80GB": 1}},
       "scaling": {{"message": 1, "step": "1s", "measured_nodes": 2{}}}}})",
                   nodes, keys)))
        .at("a3-megagpu");
  };
  // 16, 64 and 512 GPUs; pieces as of 1, 0.25 and 0.03125 GB on 16. Between 0.064 GB (121 GB/s) and 1 GB
  // (182) the logarithm of 0.25 GB is at 0.4957; between 0.008 GB (47) and 0.064 GB that of 0.03125 GB is at
  // 0.6553.
  const double two = all_reduce_s(1, 16, 182);
  const double eight =
      all_reduce_s(1, 64, 121 * std::pow(182.0 / 121, std::log(0.25 / 0.064) / std::log(1 / 0.064)));
  const double many =
      all_reduce_s(1, 512, 47 * std::pow(121.0 / 47, std::log(0.03125 / 0.008) / std::log(8)));
  CHECK(eight == Approx(0.0133).margin(5e-5));
  CHECK(many == Approx(0.0229).margin(5e-5));
  SECTION("of the same batch each node computes its share") {
    CHECK(rate(1, "") == std::lround((1 + two) / 2 * 1e6));
    CHECK(rate(2, "") == kReferenceRate);
    CHECK(rate(8, "") == std::lround((1 + two) / (0.25 + eight) * 1e6));
    CHECK(rate(64, "") == std::lround((1 + two) / (1.0 / 32 + many) * 1e6));
  }
  SECTION("of a batch that grows there are fewer steps") {
    const std::string grows = R"(, "batch": "grows")";
    CHECK(rate(2, grows) == kReferenceRate);
    CHECK(rate(8, grows) == std::lround(4 * (1 + two) / (1 + eight) * 1e6));
    CHECK(rate(64, grows) == std::lround(32 * (1 + two) / (1 + many) * 1e6));
  }
  SECTION("what is hidden, or given") {
    CHECK(rate(8, R"(, "overlap": 1)") == 4'000'000);
    CHECK(rate(8, R"(, "busbw": {"a3-megagpu": 100})") ==
          std::lround((1 + all_reduce_s(1, 16, 100)) / (0.25 + all_reduce_s(1, 64, 100)) * 1e6));
  }
}

TEST_CASE("One node exchanges nothing over the network", "[scenario][speed]") {
  CHECK(
      rates(
          with(
              R"("gpus": 8, "speed": {"reference": "H100-MEGA-80GB", "gpus": {"H100-MEGA-80GB": 1, "H100-80GB": 0.9},
               "scaling": {"message": 14, "step": "1s"}})"))
          .at("a3-highgpu") == 900'000);
}

TEST_CASE("Families without a measurement get their whole network, and say so", "[scenario][speed]") {
  const Scenario scenario =
      with(R"("nodes": 2, "gpus": 8, "speed": {"reference": "A100-80GB", "gpus": {"A100-80GB": 1, "L4": 0.5},
              "scaling": {"message": 1, "step": "1s"}})");
  const double network = all_reduce_s(1, 16, 100.0 / 8);  // both have 100 Gbit/s
  CHECK(rates(scenario).at("g2-standard") == std::lround((1 + network) / (2 + network) * 1e6));
  CHECK_THAT(scenario.assumptions.back(), Contains("a2-ultragpu 12.5 at most, all of the machine's network"));
}

TEST_CASE("What a row of a trace names is what its work was measured on", "[scenario][speed]") {
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file(
      "jobs.csv", "submit,duration,gpus,gpu\n0,3600,1,A100-80GB\n60,3600,1,H100-80GB\n120,3600,1,\n");
  const auto load = [&](const std::string& gpus) {
    return loader.small({{"/pools", kPools},
                         {"/reservations", "[]"},
                         {"/workload/0", R"({"name": "jobs", "trace": {"file": ")" + file +
                                             R"(", "format": "csv", "gpus_per_node": 8},
                           "speed": {"reference": "A100-80GB", "gpus": )" +
                                             gpus + "}}"}});
  };
  const Scenario scenario = load(R"({"A100-80GB": 1, "H100-80GB": 2})");
  const auto& shape = std::get<TraceDemand>(scenario.world.sources[0].demand).jobs->shape;
  REQUIRE(shape.size() == 3);
  CHECK(shape[0] == shape[2]);
  CHECK(rates(scenario, index(shape[0])) ==
        std::map<std::string, Rate>{{"a2-ultragpu", 1'000'000}, {"a3-highgpu", 2'000'000}});
  CHECK(rates(scenario, index(shape[1])) ==
        std::map<std::string, Rate>{{"a2-ultragpu", 500'000}, {"a3-highgpu", 1'000'000}});
  CHECK_THROWS_WITH(
      load(R"({"A100-80GB": 1, "L4": 0.2})"),
      Contains("/workload/0/speed: a job of the file was measured on H100-80GB, which has no speed"));
}

TEST_CASE("Rows of a trace may say where they run, how fast, and what memory they need",
          "[scenario][speed]") {
  const test::ScenarioLoader loader;
  const auto load = [&](const std::string& rows, const std::string& speed = "") {
    const std::string file =
        loader.folder().file("rows.csv", "submit,duration,gpus,gpu,machine,speed,gpu_memory\n" + rows);
    return loader.small({{"/pools", kPools},
                         {"/reservations", "[]"},
                         {"/workload/0", R"({"name": "jobs", "trace": {"file": ")" + file +
                                             R"(", "format": "csv", "gpus_per_node": 8})" + speed + "}"}});
  };
  const std::string given =
      R"(, "speed": {"reference": "A100-80GB", "gpus": {"A100-80GB": 1, "H100-80GB": 2, "L4": 0.25}})";
  using Rates = std::map<std::string, Rate>;
  SECTION("several types of the same speed") {
    const Scenario scenario = load("0,3600,1,H100-80GB|A100-80GB,,,\n");
    CHECK(rates(scenario) == Rates{{"a2-ultragpu", 1'000'000}, {"a3-highgpu", 1'000'000}});
    CHECK_THAT(scenario.assumptions.back(),
               Contains("jobs: work is measured on H100-80GB; speeds against it, as given: A100-80GB 1"));
  }
  SECTION("speeds of the row") {
    CHECK(rates(load("0,3600,1,A100-80GB,,H100-80GB=2.2|L4=0.18,\n")) ==
          Rates{{"a2-ultragpu", 1'000'000}, {"a3-highgpu", 2'200'000}, {"g2-standard", 180'000}});
    CHECK(rates(load("0,3600,1,A100-80GB,,H100-80GB=2.2|L4=0.18,40\n")) ==
          Rates{{"a2-ultragpu", 1'000'000}, {"a3-highgpu", 2'200'000}});
  }
  SECTION("several types at the source's speeds, against the first") {
    CHECK(rates(load("0,3600,1,H100-80GB|L4,,,\n", given)) ==
          Rates{{"a3-highgpu", 1'000'000}, {"g2-standard", 125'000}});
    CHECK(rates(load("0,3600,1,,,,\n", given)).size() == 3);
    CHECK(rates(load("0,3600,1,,,,30\n", given)).size() == 2);
  }
  SECTION("the machine of a row is what it was measured on") {
    CHECK(rates(load("0,3600,1,,a3-highgpu-8g,,\n", given)) ==
          Rates{{"a2-ultragpu", 500'000}, {"a3-highgpu", 1'000'000}, {"g2-standard", 125'000}});
  }
  SECTION("rows that say the same share their speeds") {
    const Scenario scenario =
        load("0,3600,1,A100-80GB,,L4=0.5,\n1,3600,8,A100-80GB,,L4=0.5,\n2,3600,1,,,,\n");
    CHECK(scenario.world.speeds.size() == 2);
    CHECK(scenario.world.shapes.size() == 3);
  }
  SECTION("what cannot be") {
    CHECK_THROWS_WITH(load("0,3600,1,,,L4=0.5,\n"), Contains("no GPU type on which its work was measured"));
    CHECK_THROWS_WITH(load("0,3600,1,A100-80GB,,RTX 4090=0.5,\n"),
                      Contains("there is no GPU type \"RTX 4090\""));
    CHECK_THROWS_WITH(load("0,3600,1,L4|RTX 4090,,,\n"), Contains("there is no GPU type \"RTX 4090\""));
    CHECK_THROWS_WITH(load("0,3600,1,L4|A100-80GB,a3-highgpu-8g,,\n"),
                      Contains("a row of the file names a3-highgpu-8g, but the first of its GPU types"));
    CHECK_THROWS_WITH(load("0,3600,1,L4,,,90\n"),
                      Contains("each GPU needs 90 GB, but no place of any leg has more than 24 GB"));
  }
}

TEST_CASE("A file cannot hold more different speeds than can be counted", "[scenario][speed]") {
  const test::ScenarioLoader loader;
  std::string rows = "submit,duration,gpus,gpu,speed\n";
  for (int i = 0; i < 65'537; ++i) rows += fmt::format("{},60,1,A100-80GB,L4={}\n", i, 1 + i * 1e-6);
  const std::string file = loader.folder().file("rows.csv", rows);
  CHECK_THROWS_WITH(loader.small({{"/pools", kPools},
                                  {"/reservations", "[]"},
                                  {"/workload/0", R"({"name": "jobs", "trace": {"file": ")" + file +
                                                      R"(", "format": "csv", "gpus_per_node": 8}})"}}),
                    Contains("more than 65535 different combinations of gpu, machine, speed and gpu_memory"));
}

TEST_CASE("A leg may be limited to GPU types", "[scenario][speed]") {
  const auto limited = [](const std::string& gpus) {
    return with(
        R"("gpu": "A100-80GB", "gpus": 1, "speed": {"gpus": {"A100-80GB": 1, "H100-80GB": 2, "L4": 0.2}})",
        {{"/strategies/0/legs/0", R"({"model": "on_demand", "gpus": )" + gpus + "}"}});
  };
  CHECK(rates(limited(R"(["H100-80GB"])")) == std::map<std::string, Rate>{{"a3-highgpu", 2'000'000}});
  CHECK(rates(limited(R"(["L4", "A100-80GB"])")).size() == 2);
  CHECK_THROWS_WITH(limited(R"(["RTX 4090"])"),
                    Contains("/strategies/0/legs/0/gpus/0: there is no GPU type \"RTX 4090\""));
}

TEST_CASE("A machine with too little GPU memory is no place for a job", "[scenario][speed]") {
  const std::string any =
      R"("gpus": 1, "speed": {"reference": "L4", "gpus": {"L4": 1, "A100-80GB": 4}}, "gpu_memory": )";
  CHECK(rates(with(any + "24")).size() == 2);
  CHECK(rates(with(any + "24.1")) == std::map<std::string, Rate>{{"a2-ultragpu", 4'000'000}});
  CHECK_THAT(
      error_of(any + "80.5"),
      Contains("/workload/0/gpu_memory: each GPU needs 80.5 GB, but no place of any leg has more than 80 GB "
               "(A100-80GB)"));
  CHECK_THAT(error_of(R"("gpu": "L4", "gpus": 1, "gpu_memory": 40)"), Contains("has more than 24 GB (L4)"));
  CHECK(rates(with(R"("gpu": "L4", "gpus": 1, "gpu_memory": 20)")).size() == 1);
}

TEST_CASE("Speeds that cannot be are refused where they stand", "[scenario][speed]") {
  const auto speed_of = [](const std::string& value) {
    return error_of_speed(R"({"reference": "A100-80GB", "gpus": {"A100-80GB": 1, "L4": )" + value + "}}");
  };
  CHECK_THAT(speed_of("0"), Contains("/workload/0/speed/gpus/L4: must be at least 0.001, but is 0"));
  CHECK_THAT(speed_of("-2"), Contains("must be at least 0.001, but is -2"));
  CHECK_THAT(speed_of("1e-9"), Contains("must be at least 0.001"));
  CHECK_THAT(speed_of("1e9"), Contains("must be at most 1000"));
  CHECK_THAT(speed_of("\"NaN\""), Contains("must be a number"));
  CHECK_THAT(error_of_speed(R"({"reference": "A100-80GB", "gpus": {"RTX 4090": 1}})"),
             Contains("/workload/0/speed/gpus/RTX 4090: there is no GPU type \"RTX 4090\""));
  CHECK_THAT(error_of_speed(R"({"reference": "A100-80GB", "gpus": {"A100-80GB": 2}})"),
             Contains("must be 1: speeds are those against A100-80GB"));
  CHECK_THAT(error_of_speed(R"({"gpus": {"A100-80GB": 1}})"),
             Contains("/workload/0/speed: \"reference\" is missing"));
  CHECK_THAT(error_of_speed(R"({"reference": "A100-80GB", "gpus": {}})"), Contains("names no GPU type"));
  CHECK_THAT(error_of_speed(R"({"reference": "A100-80GB"})"),
             Contains("one of \"gpus\", \"step_times\" is missing"));
  CHECK_THAT(error_of_speed(R"({"reference": "L4", "gpus": {"L4": 1}, "step_times": {"L4": "1s"}})"),
             Contains("cannot go together"));
  CHECK_THAT(error_of_speed(R"({"reference": "L4", "step_times": {"A100-80GB": "1s"}})"),
             Contains("has no step time for L4"));
  CHECK_THAT(error_of_speed(R"({"reference": "L4", "step_times": {"L4": "1h", "A100-80GB": "1s"}})"),
             Contains("makes A100-80GB 3600 times as fast as L4; 0.001 to 1000 can be simulated"));
  CHECK_THAT(error_of_speed(R"({"reference": "L4", "step_times": {"L4": "0s"}})"),
             Contains("must be more than 0s"));
}

TEST_CASE("Exchanges that cannot be are refused where they stand", "[scenario][speed]") {
  const auto scaling = [](const std::string& keys) {
    return error_of_speed(R"({"reference": "H100-80GB", "gpus": {"H100-80GB": 1}, "scaling": {)" + keys +
                          "}}");
  };
  const std::string fine = R"("step": "1s", "measured_on": "a3-highgpu", "message": )";
  CHECK(scaling(fine + "14") == "");
  CHECK_THAT(scaling(fine + "\"1e30GB\""), Contains("/speed/scaling/message: must be a number"));
  CHECK_THAT(scaling(fine + "1e30"), Contains("must be at most 1000000"));
  CHECK_THAT(scaling(fine + "0"), Contains("must be more than 0"));
  CHECK_THAT(scaling(fine + R"(14, "overlap": 1.1)"), Contains("overlap: must be at most 1"));
  CHECK_THAT(scaling(fine + R"(14, "busbw": {"a5-highgpu": 1})"),
             Contains("there is no machine family \"a5-highgpu\""));
  CHECK_THAT(scaling(fine + R"(14, "busbw": {"a3-highgpu": 0})"), Contains("must be at least 0.001"));
  CHECK_THAT(scaling(R"("message": 14, "measured_on": "a3-highgpu")"), Contains("\"step\" is missing"));
  CHECK_THAT(scaling(R"("message": 14, "step": "1s")"),
             Contains("\"measured_on\" is missing: on which of \"a3-highgpu\", \"a3-edgegpu\", which all "
                      "have H100-80GB"));
  CHECK_THAT(scaling(R"("message": 14, "step": "1s", "measured_on": "g2-standard")"),
             Contains("no machine family \"g2-standard\" has the reference, H100-80GB"));
  CHECK_THAT(error_of(kSevenBillion + R"(, "busbw": {"a3-highgpu": 0.001}}})"),
             Contains("times as fast on a3-highgpu as on the reference; 0.001 to 1000 can be simulated"));
}

TEST_CASE("Where a measurement is withheld, a bandwidth must be given", "[scenario][speed]") {
  const std::string keys =
      R"("nodes": 2, "gpus": 8, "speed": {"reference": "H100-MEGA-80GB", "gpus": {"H100-MEGA-80GB": 1, "B200": 2},
       "scaling": {"message": 14, "step": "1s")";
  const std::vector<Override> a4{
      {"/pools",
       R"([{"family": "a3-megagpu", "place": "us-central1-a", "hosts": 4}, {"family": "a4-highgpu", "place": "us-central1", "hosts": 4}])"},
      {"/strategies/0/legs/0/model", "flex_start"}};
  CHECK_THAT(
      error_of(keys + "}}", a4),
      Contains(
          "/workload/0/speed: how a4-highgpu machines exchange between nodes is not known: give \"busbw\""));
  const double mega = 1 + all_reduce_s(14, 16, 188.9);
  CHECK(rates(with(keys + R"(, "busbw": {"a4-highgpu": 400}}})", a4)).at("a4-highgpu") ==
        std::lround(mega / (0.5 + all_reduce_s(14, 16, 400)) * 1e6));
}

TEST_CASE("The longest work at the least speed neither overflows nor hangs", "[scenario][speed]") {
  const Scenario scenario = with(R"("gpus": 1, "speed": {"reference": "A100-80GB", "gpus": {"L4": 0.001}})",
                                 {{"/workload/0/work", "300000h"}});
  CHECK(rates(scenario).at("g2-standard") == kLeastRate);
}

TEST_CASE("Offers for a job go by the price of its work, those without the memory last",
          "[scenario][speed]") {
  const Scenario scenario = with(
      R"("gpus": 8, "gpu_memory": 30, "speed": {"reference": "A100-80GB", "gpus": {"A100-80GB": 1, "H100-80GB": 2, "L4": 0.2}})");
  const Catalog catalog = Catalog::embedded();
  const JobOffers found = job_offers(catalog, scenario, scenario.world.shapes[0], "us-central1");
  REQUIRE(found.offers.size() > 5);
  double last = 0;
  for (const JobOffer& offer : found.offers) {
    CHECK(offer.region == "us-central1");
    CHECK(offer.usd_per_reference_hour == Approx(offer.usd_per_hour / 8 / offer.speed));
    const bool is_l4 = catalog.gpu_name(catalog.machine(offer.machine).gpu) == "L4";
    CHECK(offer.fits == !is_l4);
    if (offer.fits) {
      CHECK(offer.usd_per_reference_hour >= last);
      last = offer.usd_per_reference_hour;
    }
  }
  CHECK_FALSE(found.offers.back().fits);
  const JobOffers anywhere = job_offers(catalog, scenario, scenario.world.shapes[0], "");
  CHECK(anywhere.offers.front().usd_per_reference_hour <= found.offers.front().usd_per_reference_hour);
}
