// The bound against a published optimum: one job with a deadline on the measured availability of six H100
// zones (figures.md F6; the dynamic program "oracle" of the SkyNomad artifact, which knows the future and
// pays for restarts and for moving checkpoints; not for the first start: the cheapest window is charged 104
// ticks for 103.7 ticks of work. So there is no start-up here).

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/bound/bound_book.h"
#include "tests/support/shared_data.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr SimDuration kTick = 600s;
const std::vector<std::string> kZones{"us-central1-a",  "us-west1-a",        "europe-west1-c",
                                      "europe-west3-c", "asia-southeast1-b", "asia-south2-b"};

struct MeasuredZone {
  std::vector<int> lacks_spot;  // by tick
  double spot = 0;              // USD an hour
  double on_demand = 0;
};

struct Optimum {
  double work_h = 0;
  double ratio = 0;
  double deadline_h = 0;
  double start_h = 0;
  double cost = 0;
};

MeasuredZone read_zone(const std::string& name) {
  const auto path = test::shared_path("traces/spot/gcp-h100-2025/full/" + name + "_h100_16.json");
  const auto json = nlohmann::json::parse(std::ifstream{*path});
  const auto& prices = json.at("metadata").at("price_info");
  return {.lacks_spot = json.at("data").get<std::vector<int>>(),
          .spot = prices.at("price").get<double>(),
          .on_demand = prices.at("on_demand_price").get<double>()};
}

std::vector<Optimum> read_optima(const std::string& path) {
  std::vector<Optimum> optima;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    if (line.find("multi_region_oracle_dp") == std::string::npos) continue;
    std::vector<std::string> cells;  // from the right: the first columns hold quoted lists
    for (std::size_t end = line.find_last_not_of("\r\n") + 1; cells.size() < 12;) {
      const std::size_t comma = line.rfind(',', end - 1);
      cells.push_back(line.substr(comma + 1, end - comma - 1));
      end = comma;
    }
    optima.push_back({.work_h = std::stod(cells[11]),
                      .ratio = std::stod(cells[8]),
                      .deadline_h = std::stod(cells[7]),
                      .start_h = std::stod(cells[6]),
                      .cost = std::stod(cells[1])});
  }
  return optima;
}

std::size_t whole_ticks(double hours) { return static_cast<std::size_t>(std::ceil(hours * 6)); }

MachineHourPrice price_of(double usd) { return MachineHourPrice{std::llround(usd * 1e9)}; }

void add_zone(World& world, Strategy& strategy, const MeasuredZone& zone, const Optimum& row) {
  const PoolId pool = test::add_zone_pool(world, 0, LeaseClass::spot, Discipline::fifo);
  std::vector<CapacityStep>& steps = world.pools.back().capacity[0].steps;
  steps.clear();
  const std::size_t first = whole_ticks(row.start_h);
  for (std::size_t tick = 0; tick < whole_ticks(row.deadline_h); ++tick) {
    const bool is_there = first + tick < zone.lacks_spot.size() && zone.lacks_spot[first + tick] == 0;
    steps.push_back(
        {.at = kStart + static_cast<std::int64_t>(tick) * kTick, .gpus = GpuCount{is_there ? 1 : 0}});
  }
  const Policy spot{.name = "spot", .lease_class = LeaseClass::spot};
  const Policy on_demand{.name = "on_demand", .lease_class = LeaseClass::on_demand};
  const PriceLineId cheap = test::add_price(world, pool, Charge::direct, price_of(zone.spot));
  const PriceLineId dear = test::add_price(world, pool, Charge::direct, price_of(zone.on_demand));
  strategy.legs.push_back(test::one_pool_leg(world, spot, pool, cheap));
  strategy.legs.push_back(test::one_pool_leg(world, on_demand, pool, dear));
}

World world_of(const Optimum& row, const std::map<std::string, MeasuredZone>& zones) {
  World world = test::generic_world();
  const auto hours = [](double length) { return SimDuration{std::llround(length * 3.6e6)}; };
  JobColumns jobs;
  jobs.submit = {kStart};
  jobs.work = {hours(row.work_h)};
  jobs.shape = {test::gang(world, 1)};
  jobs.job_class = {ClassId{}};
  jobs.user = {UserId{}};
  jobs.deadline = {hours(row.deadline_h)};
  test::add_jobs(world, std::move(jobs));
  Strategy strategy;
  strategy.name = "any zone";
  for (const std::string& name : kZones) add_zone(world, strategy, zones.at(name), row);
  world.strategies = {strategy};
  return world;
}

}  // namespace

TEST_CASE("The bound is below the published optimum under a deadline, and near it", "[validation]") {
  const auto table = test::shared_path("traces/results/skynomad/deadline_sensitivity.csv");
  if (!table) return;
  std::map<std::string, MeasuredZone> zones;
  for (const std::string& name : kZones) zones[name] = read_zone(name);
  std::map<double, std::pair<double, double>> sums;  // by ratio: the bound, and the optimum
  for (const Optimum& row : read_optima(*table)) {
    if (row.ratio == 1) continue;  // published to the end of the window, not of the work
    const AllJobsBounds bounds = bounds_of_all_jobs(world_of(row, zones), nullptr, 0);
    CAPTURE(row.ratio, row.start_h, row.cost);
    REQUIRE(bounds.any.with);
    CHECK(bounds.cell == SimDuration::zero());
    CHECK(*bounds.any.with <= row.cost + 0.01);
    CHECK(*bounds.any.without <= *bounds.any.with);
    sums[row.ratio].first += *bounds.any.with;
    sums[row.ratio].second += row.cost;
  }
  REQUIRE(sums.size() == 8);
  for (const auto& [ratio, sum] : sums) {
    CAPTURE(ratio, sum.first / 6, sum.second / 6);
    CHECK(sum.first >= 0.97 * sum.second);
  }
  CHECK(std::abs(sums[1.5].second / 6 - 571.38) < 0.01);  // as figures.md has it
}
