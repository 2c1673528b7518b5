// A report page of a comparison, before it is HTML: its sums, its answers, what it leaves out.

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/experiment/verdict.h"
#include "models/repricing/break_even.h"
#include "tests/support/runs/history_of.h"
#include "tests/support/runs/observed.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tools/page/choice_text.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison_page/answer_flips.h"
#include "tools/report/comparison_page/answer_section.h"
#include "tools/report/comparison_page/comparison_page.h"
#include "tools/report/comparison_page/made_section.h"
#include "tools/report/comparison_page/money_parts.h"

using namespace stockout;
using namespace stockout::test;

namespace {

// The recorder reads a scenario's file again, so that it has to be there.
const ScenarioLoader& files() {
  static const ScenarioLoader kFiles;
  return kFiles;
}

/// Everything that a page is made of, of all strategies of a scenario.
class Told {
 public:
  explicit Told(Scenario scenario, GroupBy by = GroupBy::nothing) : scenario_{std::move(scenario)} {
    report_.by = by;
    RunRecorder recorder{scenario_, {}, "test"};
    WaitCurveBook book{scenario_.world, scenario_.goal};
    CompareOptions options{.strategies = {},
                           .replications = static_cast<std::size_t>(scenario_.replications),
                           .threads = 2,
                           .by = by,
                           .goal = scenario_.goal,
                           .goals = asked_goals(scenario_.goals, scenario_.world.classes),
                           .terms = &scenario_.terms};
    EachRun waits{[&](const RunPlace& run, const RunRecord& record, const Measures&) {
      book.add(run.strategy, run.replication, record);
    }};
    options.observers = {&waits, &recorder};
    comparison_ = compare(scenario_.world, options);
    verdict_ = judge(comparison_, scenario_.goal, goal_text(scenario_));
    const StoredComparison stored = recorder.finish(comparison_);
    std::vector<std::size_t> places(comparison_.strategies.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    break_evens_ = break_evens(stored, comparison_, places, stored.price_lines(), stored.terms);
    waits_ = book.curves();
    for (const std::size_t strategy : strategies_over_time(report_)) {
      const std::size_t bins = bins_over_time(scenario_.world, comparison_.strategies.size());
      histories_.push_back(strategy_history(strategy, history_of(scenario_.world, strategy, 0, bins)));
    }
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  [[nodiscard]] const Comparison& comparison() const { return comparison_; }
  [[nodiscard]] const Verdict& verdict() const { return verdict_; }
  [[nodiscard]] const Report& report() const { return report_; }
  [[nodiscard]] const PageStory& story() const { return story_; }
  [[nodiscard]] const std::string& winner() const { return comparison_.strategies[verdict_.strategy].name; }

 private:
  Scenario scenario_;
  Comparison comparison_;
  Verdict verdict_;
  BreakEvens break_evens_;
  WaitCurves waits_;
  std::vector<StrategyHistory> histories_;
  Report report_{.scenario = scenario_,
                 .comparison = comparison_,
                 .verdict = &verdict_,
                 .headline = "the answer",
                 .version = "test"};
  PageStory story_{.report = report_,
                   .waits = waits_,
                   .break_evens = break_evens_,
                   .histories = histories_,
                   .command = "stockout compare s.json"};
};

Scenario billed(std::vector<Override> overrides = {}) {
  return files().load(kBilledScenario, std::move(overrides));
}

/// Two strategies that both start at once: on demand for $10 an hour, Spot for $4.
Scenario two_prices(std::vector<Override> overrides = {}) {
  overrides.push_back({"/prices", R"([{"machine": "generic", "model": "on_demand", "usd_per_hour": 10},
                                      {"machine": "generic", "model": "spot", "usd_per_hour": 4}])"});
  overrides.push_back({"/strategies", R"([{"name": "dear", "legs": [{"model": "on_demand"}]},
                                          {"name": "cheap", "legs": [{"model": "spot"}]}])"});
  return files().small(std::move(overrides));
}

// The answer of the chooser as the page opens; empty if no strategy does.
std::string chosen_first(const WaitChoice& choice) {
  const ChoiceAnswer answer = choose_by_wait(choice, choice.limit, choice.share);
  return answer.cheapest ? choice.rows[*answer.cheapest].strategy : "";
}

bool has_sentence(const AnswerFlips& found, const std::string& part) {
  return std::ranges::any_of(
      found.flips, [&](const AnswerFlip& flip) { return flip.sentence.find(part) != std::string::npos; });
}

// A scenario of so many strategies and pools.
Scenario large(int strategies, int pools) {
  std::string pool_list;
  std::string strategy_list;
  for (int i = 0; i < pools; ++i) {
    pool_list += fmt::format(R"({}{{"name": "pool {}", "family": "generic", "place": "generic", "gpus": 8}})",
                             i == 0 ? "" : ",", i);
  }
  for (int i = 0; i < strategies; ++i) {
    strategy_list += fmt::format(R"({}{{"name": "strategy {}", "legs": [{{"model": "on_demand"}}]}})",
                                 i == 0 ? "" : ",", i);
  }
  return files().small({{"/pools", '[' + pool_list + ']'},
                        {"/strategies", '[' + strategy_list + ']'},
                        {"/reservations", "[]"},
                        {"/window", "60d"}});
}

}  // namespace

TEST_CASE("The parts of what a strategy paid add up to its cost", "[page]") {
  const Told told{billed()};
  for (std::size_t i = 0; i < told.comparison().strategies.size(); ++i) {
    const StrategyResult& strategy = told.comparison().strategies[i];
    const std::vector<MoneyPart> parts = money_parts(told.report(), i);
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0,
                                       [](double all, const MoneyPart& part) { return all + part.usd; });
    INFO(strategy.name);
    CHECK(std::abs(sum - strategy.total[Measure::cost].mean) < 0.005);
    double idle = 0;
    for (const MoneyPart& part : parts) idle += part.use == MoneyPart::Use::idle ? part.usd : 0;
    CHECK(std::abs(idle - strategy.total[Measure::cost_idle].mean) < 0.005);
  }
}

TEST_CASE("With control variates what they change is a part by itself", "[page]") {
  const Told told{billed({{"/replications", "12"}, {"/control_variates", "true"}})};
  for (std::size_t i = 0; i < told.comparison().strategies.size(); ++i) {
    double sum = 0;
    for (const MoneyPart& part : money_parts(told.report(), i)) sum += part.usd;
    CHECK(std::abs(sum - told.comparison().strategies[i].total[Measure::cost].mean) < 0.005);
  }
}

TEST_CASE("At the scenario's own goal the chooser gives the answer of the verdict", "[page]") {
  for (const char* limit : {"0s", "10min", "3h", "48h"}) {
    for (const char* quantile : {"30", "80", "99"}) {
      const Told told{billed({{"/goal/at_most", limit}, {"/goal/wait_p", quantile}})};
      const std::optional<WaitChoice> choice = wait_choice(told.story());
      REQUIRE(choice);
      INFO(limit << ' ' << quantile << ": " << told.verdict().sentence);
      CHECK(told.verdict().kind != Verdict::Kind::cheapest);
      const bool none = told.verdict().sentence.find("o strategy meets the goal") != std::string::npos;
      CHECK(chosen_first(*choice) == (none ? "" : told.winner()));
    }
  }
}

TEST_CASE("Without a goal the first limit is one under which the answer is the verdict's", "[page]") {
  const Told told{two_prices()};
  const std::optional<WaitChoice> choice = wait_choice(told.story());
  REQUIRE(choice);
  CHECK(told.winner() == "cheap");
  CHECK(chosen_first(*choice) == "cheap");
  CHECK(choice->within_h[choice->limit] == 0);
}

TEST_CASE("The nearest price that gives another answer is named with its change", "[page]") {
  const Told told{two_prices()};
  const AnswerFlips found = find_flips(told.story());
  CHECK(has_sentence(found, "Price of Spot: at $10.00 or more"));
  CHECK(has_sentence(found, "(+150 %; now $4.00)"));
  CHECK(has_sentence(found, "Price of On-demand: at $4.00 or less"));
  CHECK(has_sentence(found, "\"dear\" is the cheapest"));
  REQUIRE(found.flips.size() == 2);
  CHECK(found.flips[0].size == Approx(std::log(2.5)));
  CHECK(std::ranges::any_of(found.tried, [](const std::string& line) {
    return line.find("no `alternatives`") != std::string::npos;
  }));
}

TEST_CASE("The nearest wait limit that gives another answer is named", "[page]") {
  // Two jobs at noon for an hour and a minute: in one zone the second waits for the first.
  const Told told{files().small(
      {{"/workload",
        R"([{"name": "jobs", "schedule": {"at": "12:00", "count": 2}, "machine": "a3-highgpu-8g", "work": "1h"}])"},
       {"/prices", R"([{"machine": "a3-highgpu-8g", "model": "on_demand", "usd_per_hour": 10},
                       {"machine": "a3-highgpu-8g", "model": "flex_start", "usd_per_hour": 4}])"},
       {"/goal", R"({"wait_p": 95, "at_most": "4h"})"},
       {"/reservations", "[]"},
       {"/pools", R"([{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 1},
                      {"family": "a3-highgpu", "place": "us-east4-b", "hosts": 1}])"},
       {"/strategies",
        R"([{"name": "now", "legs": [{"model": "on_demand"}]},
            {"name": "later", "legs": [{"model": "flex_start", "places": ["us-central1-a"]}]}])"}})};
  CHECK(told.winner() == "later");
  const AnswerFlips found = find_flips(told.story());
  CHECK(has_sentence(found,
                     "Wait limit: if 95 % of jobs had to start within 1 h instead of 4 h, \"now\" would be "
                     "the cheapest, for $40.67."));
  CHECK(has_sentence(found, "Price of Flex Start: at $10.00 or more"));
}

TEST_CASE("One strategy alone, and none that starts anything, have a page too", "[page]") {
  const Told alone{files().small({})};
  CHECK(alone.comparison().strategies.size() == 1);
  CHECK_FALSE(write_page(comparison_page(alone.story())).empty());
  const Told nothing{two_prices(
      {{"/pools/0/gpus", "0"}, {"/reservations", "[]"}, {"/goal", R"({"wait_p": 95, "at_most": "1h"})"}})};
  CHECK_FALSE(wait_choice(nothing.story()));
  CHECK_FALSE(write_page(comparison_page(nothing.story())).empty());
  CHECK(find_flips(nothing.story()).flips.empty());
}

TEST_CASE("With groups the first table has a row a strategy, and all tables have the groups", "[page]") {
  const Told told{billed(), GroupBy::job_class};
  CHECK(summary_table(told.report()).rows.size() == told.comparison().strategies.size());
  CHECK(write_page(comparison_page(told.story())).find("idle held") != std::string::npos);
}

TEST_CASE("A table of a comparison stands in its text, on its page and in its JSON", "[page][report]") {
  const Told told{billed({{"/goals", R"([{"completed_p": 90}])"}})};
  const std::vector<ComparisonTable> tables = comparison_tables(told.report());
  const std::string text = write_report(told.report(), ReportFormat::table);
  const auto json = nlohmann::json::parse(write_report(told.report(), ReportFormat::json));
  const std::vector<PageBlock> blocks = tables_section(told.story()).blocks;
  CHECK(blocks.size() == tables.size());
  std::vector<std::string_view> keys;
  for (const auto& [key, table] : tables) {
    CAPTURE(table.title);
    CHECK_THAT(text, Catch::Contains(table.title));
    if (key.empty()) continue;
    keys.push_back(key);
    CHECK(json[std::string{key}].size() == table.rows.size());
  }
  CHECK(keys == std::vector<std::string_view>{"goals", "goals_met", "other_costs"});
  // Under each strategy, as before there was one list.
  const auto& of_first = json["strategies"][0]["other_costs"][0];
  CHECK(of_first["usd"] == json["other_costs"][0]["usd"]);
  CHECK(of_first.size() == 2);
}

TEST_CASE("A name that looks like a script is text in a page", "[page]") {
  const Told told{two_prices({{"/name", R"("</script><script>alert(1)</script>")"},
                              {"/strategies", R"([{"name": "<script>alert('x')</script> \"q\" ' \\",
                                                   "legs": [{"model": "on_demand"}]}])"}})};
  const std::string html = write_page(comparison_page(told.story()));
  CHECK(html.find("<script>alert") == std::string::npos);
}

TEST_CASE("A page of very many strategies and pools is thinned and says so", "[page]") {
  const Told told{large(200, 60)};
  const Page page = comparison_page(told.story());
  CHECK(page.strategies.size() == kMostDrawn);
  CHECK(std::ranges::find(page.strategies, told.winner()) != page.strategies.end());
  CHECK(page.data["pools"].size() <= kMostPointsDrawn);
  const std::string html = write_page(page);
  CHECK(html.find("20 of 200 strategies") != std::string::npos);
  CHECK(html.find("strategy 199") != std::string::npos);
  CHECK(html.size() < 5'000'000);
}

TEST_CASE("Capacity that fell below what was leased is named in reports and on the page", "[page][report]") {
  const Told told{
      files().small({{"/reservations", "[]"},
                     {"/pools/0/gpus", R"([{"at": "0h", "gpus": 8}, {"at": "12h30min", "gpus": 0}])"}})};
  const auto& shortages = told.comparison().strategies[0].shortages;
  REQUIRE(shortages.size() == 1);
  CHECK(shortages[0].gpu_hours == Approx(31.0 / 60));  // the job of noon goes on to 13:01
  const std::string line = "first: 0.5 GPU-hours of zone";
  CHECK(write_report(told.report(), ReportFormat::table).find(line) != std::string::npos);
  CHECK(write_page(comparison_page(told.story())).find(line) != std::string::npos);
}
