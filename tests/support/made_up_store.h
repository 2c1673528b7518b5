#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/sweep/store.h"
#include "models/sweep/stored_sweep.h"
#include "tests/support/sweep_folder.h"

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
        points.push_back({.rows = rows_of(point, made), .inputs = {InputStamps::built_in_catalog()}});
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
    for (const std::int64_t point : points) seals.seal(point);
    seal_sweep(store);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.path(name); }

 private:
  static std::vector<double> numbers(const std::vector<const JsonValue*>& values) {
    std::vector<double> found;
    for (const JsonValue* value : values) {
      const auto* whole = value->get<std::int64_t>();
      const auto* number = value->get<double>();
      found.push_back(whole != nullptr ? static_cast<double>(*whole) : number != nullptr ? *number : 0);
    }
    return found;
  }

  static PointRows rows_of(std::size_t point, const MadeUp& made) {
    PointRows rows{
        .point = point, .error = made.front().error, .fingerprint = "00000000000000aa", .strategies = {}};
    for (const MadeUpStrategy& strategy : made) {
      if (!rows.error.empty()) break;
      StrategyRow row{.name = strategy.name,
                      .replications = strategy.replications,
                      .never_ran = strategy.never_ran,
                      .total = {}};
      const auto set = [&](Measure measure, double mean, std::optional<double> noise, Value::Known known) {
        row.total[measure] = {.mean = mean,
                              .half_width = strategy.replications > 1 ? noise : std::nullopt,
                              .known = known,
                              .replications = strategy.replications};
      };
      set(Measure::cost, strategy.cost, strategy.cost_noise, Value::Known::exact);
      set(Measure::wait_p95, strategy.wait, {},
          strategy.wait_at_least ? Value::Known::at_least : Value::Known::exact);
      set(Measure::goal_met_share, strategy.met, strategy.met_noise, Value::Known::exact);
      set(Measure::work_done_share, strategy.work, {}, Value::Known::exact);
      rows.strategies.push_back(std::move(row));
    }
    return rows;
  }

  SweepFolder folder_;
};

}  // namespace stockout::test
