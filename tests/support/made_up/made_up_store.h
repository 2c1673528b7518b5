#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/measures/goal_text.h"
#include "models/sweep/store.h"
#include "models/sweep/stored_sweep.h"
#include "tests/support/made_up/sweep_folder.h"

namespace stockout::test {

/// A strategy at a point, with numbers that a test makes up. With an error it is a failed point.
struct MadeUpStrategy {
  std::string name;
  double cost = 0;
  std::optional<double> cost_noise = {};
  double wait = 1;
  double met = 1;
  std::optional<double> met_noise = {};
  double work = 1;
  bool wait_at_least = false;
  std::size_t replications = 3;
  std::string error = {};
  std::string never_ran = {};
};
/// All of a point; none: it is missing.
using MadeUp = std::vector<MadeUpStrategy>;

/// A store as `sweep` writes it, of results that nobody simulated. The scenario is the small one with a goal
/// of 95 % within 4 h.
class MadeUpStore {
 public:
  /// `grid`: the lists of a grid; or another part of `vary`, such as "points": {...}.
  explicit MadeUpStore(const std::string& grid, const std::string& other = {}) {
    folder_.write("small.json", with(kSmallScenario, "\"window\"", R"("goal": {"at_most": "4h"}, "window")"));
    folder_.write("sweep.json",
                  R"({"name": "made <up>", "question": "Who wins?", "scenario": "small.json", "vary": {)" +
                      (other.empty() ? "\"grid\": [" + grid + "]" : other) + "}}");
  }

  [[nodiscard]] std::string path() const { return folder_.path("store.sqlite"); }

  /// Writes the points that `make` makes up of their values (numbers, else 0), and reads the store.
  [[nodiscard]] StoredSweep read(const std::function<MadeUp(const std::vector<double>&)>& make,
                                 const Shard& shard = {}) const {
    const Sweep sweep = read_sweep(folder_.path("sweep.json"));
    InputStamps inputs{sweep.folder()};
    std::vector<FinishedPoint> points;
    for (std::size_t point = 0; point < sweep.design.points(); ++point) {
      if (!shard.has(point)) continue;
      const MadeUp made = make(numbers(sweep.design.values(point)));
      if (!made.empty())
        points.push_back({.rows = rows_of(point, made, goal_at(sweep, point)),
                          .inputs = {InputStamps::built_in_catalog()}});
    }
    SweepStore{path(), sweep, shard, false, inputs}.add(points);
    return read_stored_sweep(path());
  }

  /// Changes the store behind the back of its check sums.
  void exec(const std::string& sql) const { SQLite::Database{path(), SQLite::OPEN_READWRITE}.exec(sql); }

  /// Changes it as somebody does who makes the check sums anew.
  void exec_sealed(const std::string& sql) const {
    SQLite::Database store{path(), SQLite::OPEN_READWRITE};
    store.exec(sql);
    store.exec("DELETE FROM check_sums");
    std::vector<std::int64_t> points;
    for (SQLite::Statement query{store, "SELECT point FROM points"}; query.executeStep();)
      points.push_back(query.getColumn(0).getInt64());
    PointSeals seals{store};
    for (const std::int64_t point : points) seals.seal(static_cast<std::size_t>(point));
    seal_sweep(store);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.path(name); }

 private:
  // The scenario's, with what the sweep puts in its place.
  static WaitGoal goal_at(const Sweep& sweep, std::size_t point) {
    WaitGoal goal{.quantile = 0.95, .at_most = std::chrono::hours{4}, .job_class = {}};
    for (const PlacedValue& placed : sweep.design.placed(point))
      if (placed.pointer == "/goal/wait_p")
        goal.quantile = static_cast<double>(*placed.value.get<std::int64_t>()) / 100;
    return goal;
  }

  static std::vector<double> numbers(const std::vector<const JsonValue*>& values) {
    std::vector<double> found;
    for (const JsonValue* value : values) {
      const auto* whole = value->get<std::int64_t>();
      const auto* number = value->get<double>();
      found.push_back(whole != nullptr ? static_cast<double>(*whole) : number != nullptr ? *number : 0);
    }
    return found;
  }

  // Three replications around the mean, whose 95 % interval is the noise (Student's t with two degrees of
  // freedom is 4.303). Every other strategy is up where those beside it are down, so that the interval of a
  // difference is the sum of both.
  static std::vector<double> spread(double mean, double noise, std::size_t place) {
    const double step = (place % 2 == 0 ? noise : -noise) * std::sqrt(3) / 4.302652729696142;
    return {mean - step, mean, mean + step};
  }

  static StrategyResult result_of(const MadeUpStrategy& strategy, std::size_t place) {
    StrategyResult result;
    result.name = strategy.name;
    result.replications = strategy.replications;
    result.drew = true;
    const auto set = [&](Measure measure, double mean, std::optional<double> noise, Value::Known known) {
      result.total[measure] = {.mean = mean,
                               .half_width = strategy.replications > 1 ? noise : std::nullopt,
                               .known = known,
                               .replications = strategy.replications};
    };
    set(Measure::cost, strategy.cost, strategy.cost_noise, Value::Known::exact);
    set(Measure::wait_p95, strategy.wait, {},
        strategy.wait_at_least ? Value::Known::at_least : Value::Known::exact);
    set(Measure::goal_met_share, strategy.met, strategy.met_noise, Value::Known::exact);
    set(Measure::work_done_share, strategy.work, {}, Value::Known::exact);
    for (const Measure counted : {Measure::jobs, Measure::completed}) result.total[counted].mean = 1;
    result.costs = spread(strategy.cost, strategy.cost_noise.value_or(0), place);
    for (const double met : spread(strategy.met, strategy.met_noise.value_or(0), place))
      result.goal_met.emplace_back(met);
    result.costs.resize(strategy.replications, strategy.cost);
    result.goal_met.resize(strategy.replications, strategy.met);
    result.work_done.assign(strategy.replications, strategy.work);
    if (!strategy.never_ran.empty()) result.never_ran = {strategy.never_ran};
    return result;
  }

  static PointRows rows_of(std::size_t point, const MadeUp& made, const WaitGoal& goal) {
    PointRows rows{
        .point = point, .error = made.front().error, .fingerprint = "00000000000000aa", .strategies = {}};
    if (!rows.error.empty()) return rows;
    Comparison comparison;
    comparison.replications = made.front().replications;
    for (std::size_t i = 0; i < made.size(); ++i) comparison.strategies.push_back(result_of(made[i], i));
    rows = judged_rows(point, comparison, goal, goal_text(goal, ""));
    rows.fingerprint = "00000000000000aa";
    return rows;
  }

  SweepFolder folder_;
};

}  // namespace stockout::test
