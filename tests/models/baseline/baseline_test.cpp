// Baselines: their files, tolerances, and what counts as a move.

#include <cstring>

#include <catch2/catch.hpp>

#include "models/baseline/baseline_check.h"
#include "models/baseline/baseline_file.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tools/report/check/check_tables.h"
#include "tools/report/check/junit.h"
#include "tools/table/write_csv.h"
#include "tools/table/write_text.h"

using namespace stockout;
using stockout::test::error_in;

namespace {

Summary exact(double mean, std::optional<double> half_width = std::nullopt) {
  return {.mean = mean, .half_width = half_width, .known = Value::Known::exact, .replications = 5};
}

Summary at_least(double mean) {
  return {.mean = mean, .half_width = {}, .known = Value::Known::at_least, .replications = 5};
}

// One strategy with a cost; its other measures are absent.
Baseline with_cost(const Summary& cost) {
  BaselineStrategy strategy{.name = "one", .replications = 5, .fingerprint = 0xabc, .measures = {}};
  for (const MeasureInfo& measure : measure_table())
    strategy.measures.emplace_back(measure.name, measure.measure == Measure::cost ? cost : Summary{});
  return {.version = "0.1.0",
          .scenario = "small",
          .seed = 1,
          .replications = 5,
          .fingerprint = 0xdef,
          .tolerances = {},
          .strategies = {strategy}};
}

bool holds(const Summary& then, const Summary& now, const std::string& tolerance) {
  return check_against(with_cost(then), with_cost(now), parse_tolerance(tolerance)).holds();
}

const FactCheck* fact_of(const BaselineCheck& check, const std::string& fact) {
  for (const FactCheck& one : check.facts) {
    if (one.fact == fact && one.differs()) return &one;
  }
  return nullptr;
}

// The file of a small baseline with one text in the place of another.
std::string file_with(const std::string& from, const std::string& to) {
  std::string text = write_baseline(with_cost(exact(10, 2)));
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("A tolerance is exact, interval or a percentage, and nothing else", "[baseline]") {
  CHECK(parse_tolerance("exact") == Tolerance{});
  CHECK(parse_tolerance("interval") == Tolerance{.kind = Tolerance::Kind::interval});
  CHECK(parse_tolerance("1.5%") == Tolerance{.kind = Tolerance::Kind::relative, .percent = 1.5});
  CHECK(parse_tolerance("2 %") == Tolerance{.kind = Tolerance::Kind::relative, .percent = 2});
  for (const char* text :
       {"", "%", "1", "-1%", "-0%", "nan%", "inf%", "1e2%", "1001%", "1%%", "0x1%", " 1%", "Exact"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_tolerance(text));
  }
  CHECK(to_text(*parse_tolerance("0.123456789%")) == "0.123456789%");
}

TEST_CASE("Exactly the same bits hold, the next double does not", "[baseline]") {
  CHECK(holds(exact(10, 2), exact(10, 2), "exact"));
  CHECK_FALSE(holds(exact(10, 2), exact(std::nextafter(10, 11), 2), "exact"));
  CHECK_FALSE(holds(exact(10, 2), exact(10, std::nextafter(2, 3)), "exact"));
  CHECK_FALSE(holds(exact(10, 2), exact(10), "exact"));
}

TEST_CASE("A relative tolerance is a share of the baseline's value", "[baseline]") {
  CHECK(holds(exact(200), exact(202), "1%"));
  CHECK(holds(exact(-200), exact(-198), "1%"));
  CHECK_FALSE(holds(exact(200), exact(202.01), "1%"));
  CHECK_FALSE(holds(exact(0), exact(0.001), "50%"));
}

TEST_CASE("An interval tolerance is the noise of both", "[baseline]") {
  CHECK(holds(exact(10, 3), exact(15, 4), "interval"));  // 3-4-5
  CHECK_FALSE(holds(exact(10, 3), exact(15.01, 4), "interval"));
  CHECK(holds(exact(10), exact(13, 4), "interval"));
  CHECK_FALSE(holds(exact(10), exact(10.01), "interval"));
}

TEST_CASE("From absent, exact or bound to another of these is a move under every tolerance", "[baseline]") {
  for (const char* tolerance : {"exact", "1000%", "interval"}) {
    CAPTURE(tolerance);
    CHECK_FALSE(holds(exact(10, 20), at_least(10), tolerance));
    CHECK_FALSE(holds(at_least(10), exact(10, 20), tolerance));
    CHECK_FALSE(holds(Summary{}, exact(0, 20), tolerance));
    CHECK_FALSE(holds(exact(0, 20), Summary{}, tolerance));
    CHECK(holds(at_least(10), at_least(10), tolerance));
    CHECK(holds(Summary{}, Summary{}, tolerance));
  }
  CHECK(holds(at_least(10), at_least(10.1), "1%"));
  CHECK_FALSE(holds(at_least(10), at_least(10.1), "interval"));
}

TEST_CASE("A measure's own tolerance comes first, then what is asked, then that of all", "[baseline]") {
  Baseline then = with_cost(exact(100));
  const Baseline now = with_cost(exact(104));
  CHECK_FALSE(check_against(then, now, std::nullopt).holds());
  then.tolerances[kEveryMeasure] = *parse_tolerance("5%");
  CHECK(check_against(then, now, std::nullopt).holds());
  CHECK_FALSE(check_against(then, now, parse_tolerance("1%")).holds());
  then.tolerances["cost_usd"] = *parse_tolerance("4%");
  CHECK(check_against(then, now, parse_tolerance("1%")).holds());
}

TEST_CASE("Another experiment is not the same one, however close its numbers", "[baseline]") {
  const Baseline then = with_cost(exact(100));
  Baseline now = then;
  const auto [change, fact] = GENERATE(table<void (*)(Baseline&), std::string>({
      {[](Baseline& b) { b.seed = 2; }, "seed"},
      {[](Baseline& b) { b.replications = 6; }, "replications"},
      {[](Baseline& b) { b.scenario = "other"; }, "scenario"},
      {[](Baseline& b) { b.strategies[0].name = "two"; }, "strategy"},
      {[](Baseline& b) { b.strategies.push_back(b.strategies[0]), b.strategies[1].name = "two"; },
       "strategy"},
      {[](Baseline& b) { b.strategies[0].measures.pop_back(), b.strategies[0].measures.clear(); },
       "cost_usd"},
  }));
  change(now);
  const BaselineCheck check = check_against(then, now, parse_tolerance("10%"));
  CAPTURE(fact);
  CHECK_FALSE(check.holds());
  REQUIRE(fact_of(check, fact) != nullptr);
  CHECK(fact_of(check, fact)->counts);
}

TEST_CASE("Another path of the runs fails where all is to be exact, and is reported under a tolerance",
          "[baseline]") {
  const Baseline then = with_cost(exact(100));
  Baseline now = then;
  now.strategies[0].fingerprint = 0xabd;
  CHECK_FALSE(check_against(then, now, std::nullopt).holds());
  const BaselineCheck check = check_against(then, now, parse_tolerance("1%"));
  CHECK(check.holds());
  CHECK(fact_of(check, "fingerprint") != nullptr);
}

TEST_CASE("A newer program with a measure more is reported and fails nothing", "[baseline]") {
  Baseline then = with_cost(exact(100));
  std::erase_if(then.strategies[0].measures, [](const auto& m) { return m.first == "cost_usd"; });
  Baseline now = with_cost(exact(100));
  now.version = "9.0.0";
  const BaselineCheck check = check_against(then, now, std::nullopt);
  CHECK(check.holds());
  CHECK(fact_of(check, "cost_usd") != nullptr);
  CHECK(fact_of(check, "program") != nullptr);
}

TEST_CASE("A measure that was deleted from a baseline fails, an absent one too", "[baseline]") {
  const std::string name = GENERATE("cost_usd", "wait_p95_h");
  const Baseline now = with_cost(exact(100));
  Baseline then = now;
  std::erase_if(then.strategies[0].measures, [&](const auto& m) { return m.first == name; });
  const BaselineCheck check = check_against(then, now, parse_tolerance("1%"));
  CHECK_FALSE(check.holds());
  REQUIRE(fact_of(check, name) != nullptr);
  CHECK(fact_of(check, name)->now == (name == "cost_usd" ? "there" : "absent"));
  then.version = "0.0.9";
  CHECK(check_against(then, now, parse_tolerance("1%")).holds());
}

TEST_CASE("A baseline file reads back as the same bits", "[baseline]") {
  Baseline baseline = with_cost(exact(0.1 + 0.2, 1e-300));
  baseline.seed = 18446744073709551615U;
  baseline.scenario = "né <&\"' %";
  baseline.tolerances["all"] = *parse_tolerance("0.3%");
  baseline.strategies[0].measures[0].second = at_least(1.0 / 3);
  baseline.strategies[0].measures[1].second = {
      .mean = -0.0, .half_width = {}, .known = Value::Known::exact, .replications = 3};
  const std::string text = write_baseline(baseline);
  const Baseline again = parse_baseline(text, "b.json");
  CHECK(write_baseline(again) == text);
  CHECK(again.tolerances == baseline.tolerances);
  CHECK(check_against(baseline, again, std::nullopt).holds());
}

TEST_CASE("What is no baseline is refused with file, line and pointer", "[baseline]") {
  const auto [from, to, message] = GENERATE(table<std::string, std::string, std::string>({
      {"baseline 1", "baseline 2", "b.json:2: /layout: is no baseline that this program reads"},
      {"\"layout\"", "\"lay\"", "is missing"},
      {"\"seed\": \"1\"", "\"seed\": \"-1\"", "/seed: must be a whole number"},
      {"\"seed\": \"1\"", "\"seed\": \"\"", "/seed: must be a whole number"},
      {"\"seed\": \"1\"", "\"seed\": \"18446744073709551616\"", "/seed: must be a whole number"},
      {"0000000000000def", "def", "/fingerprint: must be a fingerprint of 16"},
      {"0000000000000def", "000000000000xdef", "/fingerprint: must be a fingerprint of 16"},
      {"\"mean\": 10.0", "\"mean\": NaN", "not valid JSON"},
      {"\"mean\": 10.0", "\"mean\": 1e999", "does not fit"},
      {"\"mean\": 10.0", "\"mean\": \"10\"", "/strategies/0/measures/cost_usd/mean: must be a number"},
      {"\"mean\": 10.0", "\"man\": 10.0", "there is no key \"man\", did you mean \"mean\"?"},
      {"\"half_width_95\": 2.0", "\"half_width_95\": -2.0", "half_width_95: must be at least 0"},
      {"\"half_width_95\": 2.0", "\"half_width_95\": 2, \"is_lower_bound\": true", "a bound has no interval"},
      {"\"half_width_95\": 2.0", "\"replications\": 6", "is more than were run"},
      {"\"half_width_95\": 2.0", "\"mean\": 10.0", "b.json"},  // a key twice
      {"\"replications\": 5", "\"replications\": 0", "/replications: must be at least 1"},
      {"\"absent\": [", "\"absent\": [\"cost_usd\",", "is here or under measures already"},
      {"\"tolerances\": {}", "\"tolerances\": {\"wait_men_h\": \"1%\"}", "did you mean \"wait_mean_h\"?"},
      {"\"tolerances\": {}", "\"tolerances\": {\"all\": \"much\"}", "/tolerances/all: must be \"exact\""},
      {"\"tolerances\": {}", "\"tolerances\": []", "/tolerances: must be an object"},
      {"\"name\": \"one\"", "\"name\": \"o\\u0007ne\"", "control character"},
      {"\"strategies\": [", "\"strategies\": [],\"x\": [", "/strategies: must have 1 to 10000 items"},
  }));
  CAPTURE(from, to);
  const std::string text = file_with(from, to);
  CHECK_THAT(error_in([&] { (void)parse_baseline(text, "b.json"); }),
             Catch::StartsWith("b.json") && Catch::Contains(message));
}

TEST_CASE("A baseline that ends too early is refused wherever it ends", "[baseline]") {
  const std::string text = write_baseline(with_cost(exact(10, 2)));
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    CAPTURE(size);
    CHECK_THAT(error_in([&] { (void)parse_baseline(text.substr(0, size), "b.json"); }),
               Catch::StartsWith("b.json"));
  }
}

TEST_CASE("A strategy twice in a baseline is refused", "[baseline]") {
  Baseline baseline = with_cost(exact(10));
  baseline.strategies.push_back(baseline.strategies[0]);
  CHECK_THAT(error_in([&] { (void)parse_baseline(write_baseline(baseline), "b.json"); }),
             Catch::Contains("/strategies/1/name: is there twice"));
}

TEST_CASE("A check shows so many digits that a difference can be seen", "[baseline]") {
  const auto row = [](const Summary& then, const Summary& now) {
    MeasureCheck check{
        .strategy = "s", .measure = "m", .unit = "USD", .then = then, .now = now, .tolerance = {}};
    const auto [before, after] = then_and_now(check);
    return before + " | " + after + " | " + difference_text(check);
  };
  CHECK(row(exact(33305.4, 1220), exact(34000, 1220)) == "33,305 ± 1,220 | 34,000 ± 1,220 | +695 (+2.1 %)");
  CHECK(row(exact(1), exact(1.00001)) == "1.00000 | 1.00001 | +0.0000100 (+0.001 %)");
  CHECK(row(exact(0), exact(5)) == "0.000 | 5.000 | +5.00");
  CHECK(row(at_least(2), exact(2)) == "> 2.000 | 2.000 | 0");
  CHECK(row(Summary{}, exact(2)) == "- | 2.000 | -");
  CHECK(row(exact(1), exact(std::nextafter(1, 2))) == "1 | 1.0000000000000002 | +2.22e-16 (+2.2e-14 %)");
  CHECK(row(exact(1e300), exact(2e300)) == "1e+300 | 2e+300 | +1e+300 (+100 %)");
}

TEST_CASE("A check has one table: numbers for programs, words for people", "[baseline]") {
  BaselineCheck check;
  check.measures.push_back({.strategy = "s",
                            .measure = "wait_p95_h",
                            .unit = "h",
                            .then = at_least(2),
                            .now = exact(3, 0.5),
                            .tolerance = {},
                            .holds = false});
  check.facts.push_back({.strategy = "", .fact = "seed", .then = "1", .now = "2"});
  CHECK(write_csv(checked_measures(check)) ==
        "strategy,measure,unit,baseline,baseline_plus_minus,baseline_is_lower_bound,now,now_plus_minus,"
        "now_is_lower_bound,difference,allowed,holds\n"
        "s,wait_p95_h,h,2,,1,3,0.5,0,1,0,0\n");
  CHECK_THAT(write_text(checked_measures(check)), Catch::Contains("> 2.000") &&
                                                      Catch::Contains("3.000 ± 0.500") &&
                                                      Catch::Contains("+1.00 (+50.0 %)"));
  CHECK(write_csv(checked_facts(check)) == "strategy,fact,baseline,now,note,counts,holds\n,seed,1,2,,1,0\n");
  CHECK_THAT(write_text(checked_facts(check)), Catch::Contains("(all)") && Catch::Contains("fails"));
}

TEST_CASE("Names in JUnit XML are escaped, and what XML cannot hold is replaced", "[baseline]") {
  CHECK(xml_text("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&apos;");
  CHECK(xml_text("né ±") == "né ±");
  CHECK(xml_text("\x01|\xEF\xBF\xBF|") == "\xEF\xBF\xBD|\xEF\xBF\xBD|");
}

TEST_CASE("A class that runs no more fails a check, whatever is tolerated", "[baseline]") {
  Baseline then = with_cost(exact(10, 2));
  Baseline now = then;
  CHECK(fact_of(check_against(then, now, parse_tolerance("50%")), "classes that never run") == nullptr);
  now.strategies.front().never_ran = {{"training", "search"}};
  CHECK(check_against(then, now, parse_tolerance("50%")).holds());  // the baseline does not say
  then.strategies.front().never_ran.emplace();
  const BaselineCheck check = check_against(then, now, parse_tolerance("50%"));
  CHECK_FALSE(check.holds());
  REQUIRE(fact_of(check, "classes that never run") != nullptr);
  CHECK(fact_of(check, "classes that never run")->then == "none");
  CHECK(fact_of(check, "classes that never run")->now == "training, search");
  const Baseline again = parse_baseline(write_baseline(now), "b.json");
  CHECK(again.strategies.front().never_ran == now.strategies.front().never_ran);
  CHECK(parse_baseline(write_baseline(with_cost(exact(10, 2))), "b.json").strategies.front().never_ran ==
        std::nullopt);
}

namespace {

Baseline recommending(const std::string& strategy, std::vector<std::string> may_be = {},
                      bool may_be_none = false) {
  Baseline baseline = with_cost(exact(10, 2));
  baseline.recommendation = BaselineRecommendation{.strategy = strategy,
                                                   .is_sure = may_be.empty() && !may_be_none,
                                                   .may_be = std::move(may_be),
                                                   .may_be_none = may_be_none};
  return baseline;
}

FactCheck recommendation_in(const Baseline& then, const Baseline& now, const std::string& tolerance) {
  const BaselineCheck check = check_against(then, now, parse_tolerance(tolerance));
  const FactCheck* fact = fact_of(check, kRecommendationFact);
  REQUIRE(fact != nullptr);
  return *fact;
}

}  // namespace

TEST_CASE("Another recommendation fails under every tolerance, unless the noise explains it",
          "[baseline][recommendation]") {
  const auto beyond = recommendation_in(recommending("a"), recommending("b"), "1000%");
  CHECK(beyond.then == "\"a\"");
  CHECK(beyond.now == "\"b\"");
  CHECK(beyond.note == "beyond the noise");
  CHECK_FALSE(beyond.holds());
  // The noise of either run may leave it open.
  CHECK(recommendation_in(recommending("a"), recommending("b", {"a"}), "1%").holds());
  CHECK(recommendation_in(recommending("a", {"c", "b"}), recommending("b"), "1%").holds());
  CHECK_FALSE(recommendation_in(recommending("a", {"c"}), recommending("b", {"c"}), "1%").holds());
  CHECK(recommendation_in(recommending("a", {"b"}), recommending("b"), "1%").note == "within the noise");
  CHECK_FALSE(recommendation_in(recommending("a"), recommending("b", {"a"}), "exact").holds());
  // No strategy at all is another answer too.
  CHECK_FALSE(recommendation_in(recommending("a"), recommending(""), "1%").holds());
  CHECK(recommendation_in(recommending("a"), recommending("", {"a"}), "1%").holds());
  CHECK(recommendation_in(recommending("a", {}, true), recommending(""), "1%").holds());
}

TEST_CASE("A baseline that recommends nothing yet does not fail for it", "[baseline][recommendation]") {
  const auto fact = recommendation_in(with_cost(exact(10, 2)), recommending("a"), "exact");
  CHECK(fact.then == "not in the baseline");
  CHECK(fact.holds());
  CHECK(check_against(recommending("a"), with_cost(exact(10, 2)), std::nullopt).holds());
}

TEST_CASE("What was recommended is read as it was written", "[baseline][recommendation]") {
  for (const Baseline& written : {recommending("a", {"b", "c"}, true), recommending("")}) {
    const Baseline read = parse_baseline(write_baseline(written), "b.json");
    REQUIRE(read.recommendation);
    CHECK(read.recommendation->strategy == written.recommendation->strategy);
    CHECK(read.recommendation->is_sure == written.recommendation->is_sure);
    CHECK(read.recommendation->may_be == written.recommendation->may_be);
    CHECK(read.recommendation->may_be_none == written.recommendation->may_be_none);
  }
  CHECK_FALSE(parse_baseline(write_baseline(with_cost(exact(1))), "b.json").recommendation);
}

TEST_CASE("A report names both recommendations, and whether the noise explains the change",
          "[baseline][recommendation]") {
  const Baseline now = recommending("b", {"a"});
  const BaselineCheck check = check_against(recommending("a"), now, parse_tolerance("1%"));
  CHECK(check.holds());
  const std::string text = write_check(
      {.check = check, .now = now, .scenario_file = "s.json", .baseline_file = "b.json", .accepted = false});
  CHECK_THAT(text,
             Catch::Contains("The recommendation changed, within the noise: it was \"a\", and is \"b\"."));
  CHECK_THAT(text, Catch::Contains("reported, within the noise"));
  CHECK_THAT(
      write_junit(check, now),
      Catch::Contains("<system-out>was &quot;a&quot; and is &quot;b&quot;, within the noise</system-out>") &&
          Catch::Contains("failures=\"0\""));
}
