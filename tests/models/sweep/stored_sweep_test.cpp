// What a store says of a sweep as a whole: who wins where, what flips it, what each axis moves.

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "models/sweep/export.h"
#include "models/sweep/impact.h"
#include "models/sweep/stored_sweep.h"
#include "tests/support/made_up/made_up_store.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// Two axes; costs and shares that are known by hand. "a" meets the goal where y <= 2, "b" everywhere; "a"
// costs 10 x + y, "b" costs 25.
const char* const kTwoAxes = R"({"at": "/demand", "name": "x", "values": [1, 2, 3]},
                             {"at": "/pools/0/gpus", "name": "y", "values": [1, 2, 4]})";

MadeUp two_strategies(double x, double y) {
  return {{.name = "a",
           .cost = 10 * x + y,
           .cost_noise = 1,
           .wait = x * y,
           .met = y <= 2 ? 0.97 : 0.5,
           .met_noise = 0.01},
          {.name = "b", .cost = 25, .cost_noise = 1, .wait = 0.5, .met = 0.99, .met_noise = 0.01}};
}

StoredSweep grid_sweep(const MadeUpStore& store) {
  return store.read([](const std::vector<double>& at) { return two_strategies(at[0], at[1]); });
}

const AxisImpact& impact_of(const SweepFindings& findings, std::size_t axis) {
  const auto found = std::ranges::find(findings.impacts, axis, &AxisImpact::axis);
  REQUIRE(found != findings.impacts.end());
  return *found;
}

const AxisEffect& effect_on(const std::vector<AxisEffect>& effects, std::size_t axis) {
  const auto found = std::ranges::find(effects, axis, &AxisEffect::axis);
  REQUIRE(found != effects.end());
  return *found;
}

}  // namespace

TEST_CASE("A store is read: axes in order, points with their values, the goal", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  const StoredSweep sweep = grid_sweep(store);
  REQUIRE(sweep.points.size() == 9);
  REQUIRE(sweep.axes.size() == 2);
  CHECK(sweep.axes[0].name == "x");
  CHECK(sweep.axes[0].is_number());
  CHECK(sweep.axes[1].values[2].text == "4");
  CHECK(sweep.axes[1].as_written == "8");
  CHECK(sweep.axes[0].as_written.empty());
  CHECK(sweep.strategies == std::vector<std::string>{"a", "b"});
  CHECK(sweep.goal_text == "95 % of jobs start within 4h and complete");
  CHECK(sweep.seed == "1");
  CHECK(sweep.missing() == 0);
  const StoredPoint& point = sweep.points[5];  // x = 2, y = 4
  CHECK(point.goals == sweep.goal_text);
  CHECK(point.results[0]->goals_missed == "\"95 % of jobs start within 4h and complete\" (50.0 % ± 1.0)");
  CHECK_FALSE(point.results[0]->rank);
  CHECK(point.results[1]->rank == std::size_t{1});
  CHECK((*point.results[0])[Measure::cost]->mean == 24);
  CHECK((*point.results[0])[Measure::cost]->half_width == 1.0);
  CHECK_FALSE((*point.results[0])[Measure::never_started_share]);
}

TEST_CASE("The winner of a point is the cheapest that meets the goal", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  const StoredSweep sweep = grid_sweep(store);
  const SweepWinners winners = find_winners(sweep);
  // By hand: x = 1, 2 with y = 1, 2 are "a" (11, 12, 21, 22 < 25); all others "b".
  const std::vector<std::size_t> expected{0, 0, 1, 0, 0, 1, 1, 1, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(winners.points[i].winner == expected[i]);
  CHECK(winners.best == std::size_t{1});
  CHECK(winners.runner_up == std::size_t{0});
  CHECK(winners.tallies[0].wins == 4);
  CHECK(winners.tallies[0].qualifies == 6);
  CHECK(winners.tallies[1].qualifies == 9);
  CHECK(winners.none == 0);
  // Sure where the other surely misses the goal, or the costs are more than both intervals (2) apart.
  CHECK(winners.points[0].is_sure);  // 11 against 25
  CHECK(winners.points[4].is_sure);  // 22 against 25
  CHECK(winners.points[2].is_sure);  // "a" misses the goal
  CHECK(winners.sure == 9);
}

TEST_CASE("Chance is told from what the intervals allow at most", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/demand", "name": "x", "values": [1, 2, 3, 4]})"};
  const StoredSweep sweep = store.read([](const std::vector<double>& at) -> MadeUp {
    const double more = at[0] == 1 ? 3.9 : 4.1;
    MadeUp both{
        {.name = "a", .cost = 10, .cost_noise = 1, .met = 0.97, .met_noise = at[0] == 3 ? 0.03 : 0.01},
        {.name = "b", .cost = 10 + more, .cost_noise = 3, .met = 0.97, .met_noise = 0.01}};
    if (at[0] == 4) both[0].replications = both[1].replications = 1;
    return both;
  });
  const SweepWinners winners = find_winners(sweep);
  CHECK(winners.tallies[0].wins == 4);
  CHECK_FALSE(winners.points[0].is_sure);  // 3.9 apart, intervals of 1 and 3
  CHECK(winners.points[1].is_sure);        // 4.1
  CHECK_FALSE(winners.points[2].is_sure);  // 0.97 - 0.03 is below the goal
  CHECK_FALSE(winners.points[3].is_sure);  // one replication: nothing is known of chance
}

TEST_CASE("A strategy under which a class never runs wins nowhere", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/demand", "name": "x", "values": [1, 2]})"};
  const StoredSweep sweep = store.read([](const std::vector<double>& values) {
    // Where x is 1 the cheap one never runs a class, and would set the bar for the work that is done.
    return MadeUp{{.name = "cheap", .cost = 10, .never_ran = values[0] < 2 ? "training, search" : ""},
                  {.name = "whole", .cost = 30, .work = 0.5}};
  });
  CHECK(sweep.points[0].results[0]->never_ran == "training, search");
  CHECK(sweep.points[1].results[0]->never_ran.empty());
  const SweepWinners winners = find_winners(sweep);
  CHECK(winners.points[0].winner == 1);
  CHECK(winners.points[1].winner == 0);
  CHECK(winners.tallies[0].never_runs == 1);
  CHECK(winners.tallies[1].never_runs == 0);
  CHECK(winners.tallies[0].qualifies == 1);
}

TEST_CASE("The only strategy of a point does not win where a class never runs", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/demand", "name": "x", "values": [1, 2]})"};
  const SweepWinners winners = find_winners(store.read([](const std::vector<double>& /*values*/) {
    return MadeUp{{.name = "only", .cost = 10, .never_ran = "training"}};
  }));
  CHECK_FALSE(winners.points[0].winner);
}

TEST_CASE("Equal costs are reported, and go to the one that meets the goal better", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/demand", "name": "x", "values": [1, 2]})"};
  const StoredSweep sweep = store.read([](const std::vector<double>&) -> MadeUp {
    return {{.name = "a", .cost = 10, .cost_noise = 1, .met = 0.98, .met_noise = 0.01},
            {.name = "b", .cost = 10, .cost_noise = 1, .met = 0.99, .met_noise = 0.01},
            {.name = "lazy", .cost = 1, .cost_noise = 1, .met = 0.99, .met_noise = 0.01, .work = 0.9}};
  });
  const SweepWinners winners = find_winners(sweep);
  CHECK(winners.best == std::size_t{1});
  CHECK(winners.tallies[0].ties == 2);
  CHECK_FALSE(winners.points[0].runner_up);  // nothing that qualifies costs more
  CHECK(winners.tallies[2].qualifies == 0);  // it is cheap by doing less of the work
}

TEST_CASE("Flips are counted line by line, with the values they lie between", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  const StoredSweep sweep = grid_sweep(store);
  const SweepFindings findings = find_out(sweep);
  // Along x: with y = 1 and 2 "a" gives way to "b" between 2 and 3; with y = 4 nothing changes.
  const AxisFlips& along_x = impact_of(findings, 0).flips;
  CHECK(along_x.lines == 3);
  CHECK(along_x.flipped == 2);
  REQUIRE(along_x.boundaries.size() == 1);
  CHECK(sweep.axes[0].values[along_x.boundaries[0].from].text == "2");
  CHECK(sweep.axes[0].values[along_x.boundaries[0].to].text == "3");
  CHECK(along_x.boundaries[0].winner == std::size_t{0});
  CHECK(along_x.boundaries[0].winner_then == std::size_t{1});
  CHECK(along_x.boundaries[0].lines == 2);
  // Along y: with x = 1 and 2 between 2 and 4.
  const AxisFlips& along_y = impact_of(findings, 1).flips;
  CHECK(along_y.flipped == 2);
  CHECK(along_y.boundaries[0].from == 1);
  // Both flip as often; x moves the cost difference more: from 25 - 12.33 to 25 - 32.33.
  CHECK(findings.impacts[0].axis == 0);
}

TEST_CASE("Main effects of a full grid are the means at each value", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  const StoredSweep sweep = grid_sweep(store);
  const GroupedSweep grouped = group_points(sweep);
  CHECK(grouped.rule == SensitivityRule::every_combination);
  // Of 10 x + y over y = 1, 2, 4: 10 x + 7 / 3; over x = 1, 2, 3: 20 + y.
  const auto effects = effects_on(grouped, value_of(sweep, 0, Measure::cost));
  REQUIRE(effects.size() == 2);
  CHECK(effects[0].axis == 0);
  CHECK(effects[0].means[0].mean == Approx(10 + 7.0 / 3));
  CHECK(effects[0].range() == Approx(20));
  CHECK(effects[1].means[2].mean == Approx(24));
  CHECK(effects[1].range() == Approx(3));
  // "b" costs 25 everywhere: the difference moves the other way.
  const auto difference = effects_on(grouped, difference_of(sweep, 1, 0, Measure::cost));
  CHECK(difference[0].means[difference[0].lowest].mean == Approx(25 - 30 - 7.0 / 3));
  CHECK(difference[0].lowest == 2);
  // A constant moves with nothing.
  CHECK(effects_on(grouped, value_of(sweep, 1, Measure::cost))[0].range() == 0);
  CHECK(effects_on(grouped, value_of(sweep, 1, Measure::never_started_share)).empty());
}

TEST_CASE("One at a time: each axis is read against the base alone", "[sweep][report]") {
  const MadeUpStore store{
      {},
      R"("points": {"parameters": [{"at": "/demand", "name": "x"}, {"at": "/pools/0/gpus", "name": "y"}],
                             "rows": [[2, 3], [1, 3], [4, 3], [2, 5]]})"};
  const StoredSweep sweep = store.read(
      [](const std::vector<double>& at) -> MadeUp { return {{.name = "a", .cost = at[0] * at[1]}}; });
  const GroupedSweep grouped = group_points(sweep);
  CHECK(grouped.rule == SensitivityRule::one_at_a_time);
  CHECK(grouped.base == std::size_t{0});
  const auto effects = effects_on(grouped, value_of(sweep, 0, Measure::cost));
  // x: 1 3, 2 3, 4 3 (3, 6, 12); y: 2 3, 2 5 (6, 10). Plain means would mix the point at y = 5 into x = 2.
  CHECK(effect_on(effects, 0).range() == 9);
  CHECK(effect_on(effects, 1).range() == 4);
  CHECK(effect_on(effects, 0).means[1].mean == 6);
}

TEST_CASE("A Latin hypercube is cut into parts, and a wide effect is found among noise", "[sweep][report]") {
  const MadeUpStore store{{},
                          R"("latin_hypercube": {"points": 200, "ranges": [
                             {"at": "/demand", "name": "x", "linear": [0, 1]},
                             {"at": "/pools/0/gpus", "name": "y", "integer": [1, 1000]}]})"};
  const StoredSweep sweep = store.read([](const std::vector<double>& at) -> MadeUp {
    return {{.name = "a", .cost = 100 * at[0] + 0.001 * at[1]}, {.name = "b", .cost = 50}};
  });
  const GroupedSweep grouped = group_points(sweep);
  CHECK(grouped.rule == SensitivityRule::means);
  REQUIRE(grouped.axes[0].is_cut);
  REQUIRE(grouped.axes[0].groups.size() == kRangeParts);
  for (const AxisGroup& group : grouped.axes[0].groups) CHECK(group.points.size() == 40);
  const auto effects = effects_on(grouped, value_of(sweep, 0, Measure::cost));
  CHECK(effects[0].axis == 0);
  // An independent reckoning: strata are 1 / 200 wide, so the mean of x over a fifth is within half a stratum
  // of its middle (0.1, 0.9): 80 apart; y adds up to 1 in all.
  CHECK(effects[0].range() == Approx(80).margin(100 * 0.005 + 1));
  const SweepFindings findings = find_out(sweep);
  CHECK(findings.impacts[0].axis == 0);
  CHECK(findings.impacts[0].flips.lines == 0);
  CHECK(findings.impacts[0].share() == Approx(1));  // "a" wins all of the lower parts, none of the upper ones
  CHECK(std::abs(*correlation(sweep, 0, 1)) < 0.3);
}

TEST_CASE("Axes that move together are reported", "[sweep][report]") {
  const MadeUpStore store{
      {},
      R"("points": {"parameters": [{"at": "/demand", "name": "x"}, {"at": "/pools/0/gpus", "name": "y"}],
                             "rows": [[1, 30], [2, 20], [3, 10]]})"};
  const StoredSweep sweep =
      store.read([](const std::vector<double>& at) -> MadeUp { return {{.name = "a", .cost = at[0]}}; });
  CHECK(*correlation(sweep, 0, 1) == Approx(-1));
}

TEST_CASE("Failed and missing points are in no number", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  const StoredSweep sweep = store.read([](const std::vector<double>& at) -> MadeUp {
    if (at[0] == 3 && at[1] == 4) return {};                              // missing
    if (at[0] == 3) return {{.name = "", .error = "no\tsuch\x1b zone"}};  // failed
    return two_strategies(at[0], at[1]);
  });
  CHECK(sweep.points.size() == 6);
  CHECK(sweep.failed.size() == 2);
  CHECK(sweep.missing() == 1);
  CHECK(sweep.failed[0].error == "no such  zone");
  CHECK(group_points(sweep).rule == SensitivityRule::every_combination);  // of what is left
  CHECK(find_winners(sweep).tallies[0].wins == 4);
}

TEST_CASE("A goal that is varied is that of each point", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/goal/wait_p", "name": "asked", "values": [90, 98]})"};
  const StoredSweep sweep = store.read([](const std::vector<double>&) -> MadeUp {
    return {{.name = "a", .cost = 1, .met = 0.95}, {.name = "b", .cost = 2, .met = 0.99}};
  });
  CHECK(sweep.goal_varies);
  CHECK(sweep.points[1].goals == "98 % of jobs start within 4h and complete");
  const SweepWinners winners = find_winners(sweep);
  CHECK(winners.points[0].winner == std::size_t{0});
  CHECK(winners.points[1].winner == std::size_t{1});
}

TEST_CASE("Values that are no numbers keep their order", "[sweep][report]") {
  const MadeUpStore store{R"({"at": "/pools/0/place", "name": "place", "values": ["b-zone", "a-zone"]})"};
  const StoredSweep sweep =
      store.read([](const std::vector<double>&) -> MadeUp { return {{.name = "a", .cost = 1}}; });
  CHECK_FALSE(sweep.axes[0].is_number());
  CHECK(sweep.axes[0].values[0].text == "b-zone");  // names as they came
  CHECK(sweep.axes[0].as_written == "generic");
}

TEST_CASE("A store that was changed is not believed", "[sweep][report]") {
  const auto [sql, message] = GENERATE(table<std::string, std::string>({
      {"UPDATE results SET cost_usd = cost_usd + 1 WHERE point = 3", "point 3 is not what was written"},
      {"UPDATE points SET state = 'soon' WHERE point = 1", "point 1 is not what was written"},
      {"UPDATE points SET x = 2.5 WHERE point = 0", "point 0 is not what was written"},
      {"INSERT INTO points (point, state) VALUES (77, 'done')", "point 77 is not what was written"},
      {"DELETE FROM points WHERE point = 3", "point 3 is not what was written"},
      {"DELETE FROM points WHERE point = 3; DELETE FROM check_sums WHERE point = 3", "point 3 is not what"},
      {"DELETE FROM results WHERE point = 3; DELETE FROM points WHERE point = 3", "point 3 is not what"},
      {"DELETE FROM check_sums WHERE point = 3", "point 3 is not what was written"},
      {"UPDATE sweep SET points = 8", "the sweep that it says it is of is not what was written"},
      {"UPDATE parameters SET name = 'z' WHERE name = 'x'", "the sweep that it says it is of"},
      {"DELETE FROM sweep_check_sums", "is damaged"},
      {"UPDATE inputs SET bytes = 1", "its list of input files is not what was written"},
      {"DROP VIEW wide; DROP TABLE results", "its table results is not that of a sweep"},
      {"DROP VIEW wide; DROP TABLE results; CREATE VIEW results AS WITH RECURSIVE n(i) AS (SELECT 1 UNION "
       "ALL SELECT i + 1 FROM n) SELECT i AS point FROM n",
       "its table results is not that of a sweep"},
      {"ALTER TABLE points ADD COLUMN more AS (zeroblob(1000000000))",
       "its table points is not that of a sweep"},
      {"ALTER TABLE results RENAME COLUMN cost_usd TO cost_eur", "its table results has other columns"},
      {"PRAGMA user_version = 9", "is a store of a sweep of layout 9"},
      {"PRAGMA user_version = 1", "run the sweep again, with another --store"},
      {"PRAGMA application_id = 9", "no store of a sweep"},
  }));
  CAPTURE(sql);
  const MadeUpStore store{kTwoAxes};
  static_cast<void>(grid_sweep(store));
  store.exec(sql);
  CHECK_THAT(error_in([&] { static_cast<void>(read_stored_sweep(store.path())); }), Contains(message));
}

TEST_CASE("A store that was changed by somebody who knows check sums is not believed", "[sweep][report]") {
  const auto [sql, message] = GENERATE(table<std::string, std::string>({
      {"UPDATE results SET cost_usd = 9e999", "is damaged"},
      {"UPDATE results SET cost_usd = 'much'", "is damaged"},
      {"UPDATE points SET state = 'soon' WHERE point = 1", "is damaged"},
      {"INSERT INTO points (point, state) VALUES (77, 'done')", "is damaged"},
      {"INSERT INTO points (point, state) VALUES (-1, 'done')", "is damaged"},
      {"UPDATE results SET strategy = 'a'", "is damaged"},
      {"UPDATE results SET strategy = NULL", "is damaged"},
      {"UPDATE points SET x = 9e999", "is damaged"},
      {"UPDATE sweep SET points = 8", "is damaged"},
      {"UPDATE sweep SET points = 1e18", "is damaged"},
      {"UPDATE sweep SET sweep_file = '{'", "expected"},
      {"UPDATE sweep SET sweep_file = '{}'", "is missing"},
      {"UPDATE sweep SET scenario_file = 'null and void'", "store.sqlite"},
      {"UPDATE parameters SET name = 'z' WHERE name = 'x'", "is damaged"},
      {"DELETE FROM sweep", "is damaged"},
      {"ALTER TABLE results RENAME COLUMN cost_usd TO cost_eur", "its table results has other columns"},
  }));
  CAPTURE(sql);
  const MadeUpStore store{kTwoAxes};
  static_cast<void>(grid_sweep(store));
  store.exec_sealed(sql);
  CHECK_THAT(error_in([&] { static_cast<void>(read_stored_sweep(store.path())); }), Contains(message));
}

TEST_CASE("Bytes in the place of a number or a text are not exported", "[sweep]") {
  const MadeUpStore store{kTwoAxes};
  static_cast<void>(grid_sweep(store));
  const auto refusal = [&] {
    return error_in([&] { static_cast<void>(export_rows(store.path(), [](const auto&) {})); });
  };
  CHECK(refusal().empty());
  store.exec_sealed("UPDATE results SET goals_missed = x'00' WHERE point = 1");
  CHECK_THAT(refusal(), Contains("is damaged: row") && Contains("goals_missed must be a number or a text"));
}

TEST_CASE("Names of any bytes and lengths become one line of text each", "[sweep][report]") {
  const MadeUpStore store{kTwoAxes};
  static_cast<void>(grid_sweep(store));
  store.exec_sealed(
      "UPDATE results SET strategy = CAST(x'ff3c736372697074' AS TEXT) || char(27) || printf('%.*c', 3000, "
      "'x') || strategy");
  const StoredSweep sweep = read_stored_sweep(store.path());
  REQUIRE(sweep.strategies.size() == 2);
  CHECK_THAT(sweep.strategies[0], Catch::StartsWith("?<script xxx") && Catch::EndsWith("..."));
  CHECK(sweep.strategies[1] == sweep.strategies[0] + " #2");  // they differ beyond what is shown
}
