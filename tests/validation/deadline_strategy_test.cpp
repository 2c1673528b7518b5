// A job with a deadline on Spot, with on-demand to fall back on, on measured H100 availability. Source:
// figures.md F4 (the rule "Uniform Progress" of "Can't Be Late", NSDI '24; costs published with the SkyNomad
// artifact: 6 zones x 9 deadlines x 6 windows) and F6 (the best possible over all zones). Decisions, losses
// and charges are on ticks of 600 s.

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/simulation/simulate.h"
#include "sim/core/hours.h"
#include "sim/io/byte_source.h"
#include "tests/support/shared_data.h"
#include "tests/validation/pool_world.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

constexpr SimDuration kOverhead = 720s;  // of a restart: 0.2 h

struct Zone {
  SimDuration tick{};
  std::vector<int> available{};  // by tick
  std::vector<double> spot{};    // USD an hour, by tick
  double on_demand = 0;
};

/// One published run: a zone, a deadline and a window.
struct Row {
  std::string zone;
  double work_h = 0;
  double ratio = 0;
  double deadline_h = 0;
  double start_h = 0;
  int window = 0;
  double cost = 0;
  double best = 0;  // that any strategy over all zones can do in this window under this deadline
};

// The files of this format are inverted on purpose: 1 is a tick without Spot.
Zone read_h100(const std::string& name) {
  const auto path = test::shared_path("traces/spot/gcp-h100-2025/full/" + name + ".json");
  const auto json = nlohmann::json::parse(std::ifstream{*path});
  const auto& prices = json.at("metadata").at("price_info");
  Zone zone{.tick = 600s, .on_demand = prices.at("on_demand_price").get<double>()};
  for (const int lacking : json.at("data").get<std::vector<int>>()) {
    zone.available.push_back(1 - lacking);
    zone.spot.push_back(prices.at("price").get<double>());
  }
  return zone;
}

std::string unpacked(const std::string& path) {
  ByteSource source{path};
  std::string text;
  std::vector<char> part(1 << 16);
  while (const std::size_t size = source.read(part)) text.append(part.data(), size);
  return text;
}

Zone read_v100(const std::string& name) {
  const std::string folder = "traces/spot/aws-v100-2023-02-15/";
  Zone zone{.tick = 195s, .on_demand = 3.06};
  std::ifstream file{*test::shared_path(folder + name + ".csv")};
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) zone.available.push_back(line.at(line.find(',') + 1) - '0');
  const auto prices =
      nlohmann::json::parse(unpacked(*test::shared_path(folder + "v100_spot_prices.json.gz")));
  zone.spot = prices.at(name).get<std::vector<double>>();
  REQUIRE(zone.spot.size() == zone.available.size());
  return zone;
}

std::vector<std::string> last_cells(const std::string& line) {
  std::vector<std::string> cells;  // from the right: the first columns hold quoted lists
  std::size_t end = line.find_last_not_of("\r\n") + 1;
  while (cells.size() < 16) {
    const std::size_t comma = line.rfind(',', end - 1);
    cells.push_back(line.substr(comma + 1, end - comma - 1));
    end = comma;
  }
  return cells;
}

std::vector<Row> read_rows(const std::string& path) {
  std::vector<Row> rows;
  std::map<std::pair<std::string, std::string>, double> best;  // by deadline and window
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = last_cells(line);
    const auto number = [&](std::size_t cell) { return std::stod(cells[cell]); };
    if (line.find("multi_region_oracle_dp") != std::string::npos) best[{cells[8], cells[2]}] = number(1);
    if (cells[15] != "single_region") continue;
    rows.push_back({.zone = cells[13],
                    .work_h = number(11),
                    .ratio = number(8),
                    .deadline_h = number(7),
                    .start_h = number(6),
                    .window = std::stoi(cells[2]),
                    .cost = number(1)});
    const auto bound = best.find({cells[8], cells[2]});
    if (bound != best.end()) rows.back().best = bound->second;
  }
  return rows;
}

SimDuration from_hours(double hours) { return SimDuration{std::llround(hours * 3.6e6)}; }

std::size_t ticks_in(double hours, SimDuration tick) {
  // The published program works in doubles: 259.1666666666667 h is a little more than 1,555 ticks of 600 s.
  return static_cast<std::size_t>(std::ceil(hours * 3600 / std::chrono::duration<double>(tick).count()));
}

/// Spot in the ticks of the row's window in which there is any; on-demand always.
World world_of(const Row& row, const Zone& zone) {
  World world = test::generic_world();
  // A free checkpoint after every ms: no work is ever lost.
  world.classes = {{.name = "saved all the time", .checkpoint_every = 1ms}};
  const std::size_t first = ticks_in(row.start_h, zone.tick);
  const std::size_t ticks = ticks_in(row.deadline_h, zone.tick);
  const PoolId pool = test::add_zone_pool(world, 0, LeaseClass::spot, Discipline::fifo);
  std::vector<CapacityStep>& steps = world.pools[0].capacity[0].steps;
  steps.clear();
  for (std::size_t tick = 0; tick <= ticks; ++tick) {
    const bool is_there =
        tick < ticks && first + tick < zone.available.size() && zone.available[first + tick] > 0;
    steps.push_back(
        {.at = kStart + static_cast<std::int64_t>(tick) * zone.tick, .gpus = GpuCount{is_there ? 1 : 0}});
  }
  const PriceLineId line = test::add_price(world, pool, Charge::direct, MachineHourPrice{1});
  JobColumns jobs;
  jobs.submit = {kStart};
  jobs.work = {from_hours(row.work_h)};
  jobs.shape = {test::gang(world, 1)};
  jobs.job_class = {ClassId{}};
  jobs.user = {UserId{}};
  jobs.deadline = {from_hours(row.deadline_h)};
  test::add_jobs(world, std::move(jobs));
  const Policy spot{.name = "spot", .lease_class = LeaseClass::spot, .start_up = {.a = kOverhead}};
  const Policy on_demand{
      .name = "on_demand", .lease_class = LeaseClass::on_demand, .start_up = {.a = kOverhead}};
  Strategy strategy = test::make_strategy("deadline", {test::one_pool_leg(world, spot, pool, line),
                                                       test::one_pool_leg(world, on_demand, pool, line)});
  strategy.deadline_rule = DeadlineRule{.tick = zone.tick, .overhead = kOverhead};
  world.strategies = {strategy};
  return world;
}

/// Charges by the ms, decisions every `tick`; Spot comes and goes as it was probed.
double continuous_cost_of(const Row& row, const Zone& zone, SimDuration tick) {
  World world = world_of(row, zone);
  world.strategies[0].deadline_rule->tick = tick;
  const std::size_t first = ticks_in(row.start_h, zone.tick);
  double usd = 0;
  const auto charge = [&](const LeaseRow& lease) {
    const double price =
        lease.leg == 0 ? zone.spot[first] : zone.on_demand;  // the same for every tick of H100
    usd += price * to_hours(lease.ended - lease.granted);
  };
  const RunRecord record = simulate(world, 0, 0, {.on_lease = charge});
  REQUIRE(record.jobs.at(0).state == FinalState::completed);
  return usd;
}

/// Whole ticks are charged, the last too, each at its own price.
double cost_of(const Row& row, const Zone& zone) {
  const std::size_t first = ticks_in(row.start_h, zone.tick);
  double usd = 0;
  const auto charge = [&](const LeaseRow& lease) {
    for (SimTime at = lease.granted; at < lease.ended; at += zone.tick) {
      const auto tick = first + static_cast<std::size_t>((at - kStart) / zone.tick);
      usd += (lease.leg == 0 ? zone.spot[tick] : zone.on_demand) * to_hours(zone.tick);
    }
  };
  const RunRecord record = simulate(world_of(row, zone), 0, 0, {.on_lease = charge});
  REQUIRE(record.jobs.at(0).state == FinalState::completed);
  return usd;
}

}  // namespace

TEST_CASE("The deadline strategy costs what was published on measured H100 availability", "[validation]") {
  const auto table = test::shared_path("traces/results/skynomad/deadline_sensitivity.csv");
  if (!table) return;
  std::map<std::string, Zone> zones;
  int exact = 0;
  int rows_with_slack = 0;
  for (const Row& row : read_rows(*table)) {
    if (!zones.contains(row.zone)) zones[row.zone] = read_h100(row.zone);
    const Zone& zone = zones.at(row.zone);
    const double cost = cost_of(row, zone);
    CAPTURE(row.zone, row.ratio, row.window, cost, row.cost);
    CHECK(cost >= row.best - 0.01);
    if (row.ratio == 1) {  // published to the end of the window, not to the end of a tick
      CHECK(std::abs(cost - row.cost) <= 0.003 * row.cost);
      continue;
    }
    ++rows_with_slack;
    if (std::abs(cost - row.cost) < 0.01) {
      ++exact;
    } else {
      // Rounding of the published doubles decides a tick or two.
      CHECK(std::abs(cost - row.cost) <= 2 * zone.on_demand * to_hours(zone.tick) + 0.01);
    }
  }
  CHECK(rows_with_slack == 288);
  CHECK(exact >= 285);
}

// figures.md allows 3 % on means, 10 % on a single window; decisions at other times are another policy there.
TEST_CASE("The deadline strategy in continuous time is within 3 % of the published means", "[validation]") {
  const auto table = test::shared_path("traces/results/skynomad/deadline_sensitivity.csv");
  if (!table) return;
  const auto tick = GENERATE(as<SimDuration>{}, 600s, 60s);
  std::map<std::string, Zone> zones;
  std::map<double, std::pair<double, double>> of_ratio;  // here, and published
  for (const Row& row : read_rows(*table)) {
    if (!zones.contains(row.zone)) zones[row.zone] = read_h100(row.zone);
    const double cost = continuous_cost_of(row, zones.at(row.zone), tick);
    CAPTURE(row.zone, row.ratio, row.window, cost, row.cost);
    if (tick == 600s) CHECK(std::abs(cost - row.cost) <= 0.1 * row.cost);
    of_ratio[row.ratio].first += cost;
    of_ratio[row.ratio].second += row.cost;
  }
  CHECK(of_ratio.size() == 9);
  for (const auto& [ratio, sums] : of_ratio) {
    CAPTURE(ratio, sums.first / 36, sums.second / 36);
    CHECK(std::abs(sums.first - sums.second) <= 0.03 * sums.second);
  }
}

TEST_CASE("The deadline strategy costs what was published for V100 with a price per tick", "[validation]") {
  const auto table = test::shared_path("traces/results/skynomad/v100.csv");
  if (!table) return;
  const std::vector<Row> rows = read_rows(*table);
  CHECK(rows.size() == 15);
  int exact = 0;
  for (const Row& row : rows) {
    const double cost = cost_of(row, read_v100(row.zone));
    CAPTURE(row.zone, row.window, cost, row.cost);
    // Deadline and work are in the ratio 3 to 2: "behind" is often a tie, which doubles break. It moves one
    // tick of Spot from one price to another.
    CHECK(std::abs(cost - row.cost) <= 1e-4 * row.cost);
    if (std::abs(cost - row.cost) <= 1e-5 * row.cost) ++exact;
  }
  CHECK(exact >= 14);
}
