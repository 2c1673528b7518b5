// A sweep as a page: what it says, what its pictures hold, and how it stays small.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/made_up/made_up_store.h"
#include "tools/report/sweep/sweep_answer.h"
#include "tools/report/sweep/sweep_page.h"
#include "tools/report/sweep/sweep_tables.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

const char* const kLoads = R"({"at": "/demand", "name": "demand", "values": [1, 2, 3]},
                              {"at": "/pools/0/gpus", "name": "gpus", "values": [4, 8]})";

// "spot" is the cheapest up to a demand of 2, and then misses the goal.
MadeUp spot_or_not(const std::vector<double>& at) {
  return {{.name = "spot",
           .cost = 100 * at[0] + at[1],
           .cost_noise = 1,
           .wait = 1,
           .met = at[0] < 2.5 ? 0.97 : 0.8,
           .met_noise = 0.01},
          {.name = "on-demand",
           .cost = 1000 * at[0],
           .cost_noise = 1,
           .wait = 0.1,
           .met = 0.99,
           .met_noise = 0.01}};
}

/// A store, what was found in it, and its page.
class PageOf {
 public:
  explicit PageOf(StoredSweep stored)
      : sweep{std::move(stored)},
        findings{find_out(sweep)},
        story{.sweep = sweep, .findings = findings, .file = "s.sqlite", .version = "test"} {}

  StoredSweep sweep;
  SweepFindings findings;
  SweepStory story;
};

const Chart* chart_in(const Page& page, const std::string& id) {
  for (const PageSection& section : page.sections) {
    for (const PageBlock& block : section.blocks) {
      const auto* chart = std::get_if<Chart>(&block);
      if (chart != nullptr && chart->id == id) return chart;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("The answer names the winner, how often it wins, and between what it ends", "[sweep][page]") {
  const MadeUpStore store{kLoads};
  const PageOf made{store.read(spot_or_not)};
  CHECK(sweep_answer(made.story) ==
        "\"spot\" is the cheapest strategy that meets the goal (95 % of jobs start within 4h and complete) "
        "at 4 of 6 points. It is flipped by demand (between 2 and 3).");
  const auto flips = what_could_flip(made.story);
  REQUIRE(flips.size() == 2);
  CHECK(flips[0] ==
        "demand, 1 to 3: the winner changes with it at 2 of 2 combinations of the others, most often between "
        "2 and 3: from \"spot\" to \"on-demand\". \"on-demand\" against \"spot\" costs on average $894 more "
        "at 1, and $2,694 more at 3.");
  CHECK(flips[1] ==
        "gpus, 4 to 8 (the scenario has 8): no value of it changes the winner. \"on-demand\" against "
        "\"spot\" costs on average $1,796 more at 4, and $1,792 more at 8.");
}

TEST_CASE("The answer says how many of the wins are more than chance", "[sweep][page]") {
  const MadeUpStore store{kLoads};
  const PageOf made{store.read([](const std::vector<double>& at) -> MadeUp {
    return {{.name = "a", .cost = 100}, {.name = "b", .cost = 110, .cost_noise = at[0] == 1 ? 1 : 50}};
  })};
  CHECK_THAT(sweep_answer(made.story), Contains(" at 6 of 6 points, at 2 of them beyond chance."));
}

TEST_CASE("Where no strategy meets the goal, the answer says so and who comes nearest", "[sweep][page]") {
  const MadeUpStore store{kLoads};
  const PageOf made{store.read([](const std::vector<double>& at) -> MadeUp {
    return {{.name = "a", .cost = 1, .met = 0.5}, {.name = "b", .cost = 2, .met = 0.8 + 0.01 * at[0]}};
  })};
  CHECK_THAT(sweep_answer(made.story), Contains("At none of the 6 points does a strategy meet the goal") &&
                                           Contains("Nearest comes \"b\": 83.0 % at its best point."));
}

TEST_CASE("A shard, missing and failed points are reported", "[sweep][page]") {
  const MadeUpStore store{kLoads};
  const PageOf made{store.read(
      [](const std::vector<double>& at) -> MadeUp {
        if (at[0] == 1) return {};
        if (at[0] == 2) return {{.name = "", .error = "<script>alert(1)</script>"}};
        return spot_or_not(at);
      },
      {.index = 1, .of = 2})};
  const auto caveats = sweep_caveats(made.story);
  REQUIRE(caveats.size() == 4);
  CHECK_THAT(caveats[0], Contains("shard 1 of 2") && Contains("3 of the sweep's 6 points"));
  CHECK_THAT(caveats[1], Contains("1 of 3 points are still to be done"));
  CHECK_THAT(caveats[2], Contains("Failed: 1 of 3 points"));
  const std::string html = write_page(sweep_page(made.story));
  CHECK_THAT(html, Contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !Contains("<script>alert(1)"));
  CHECK_THAT(html, Contains("made &lt;up&gt;"));
}

TEST_CASE("Pictures: a map for two axes, lines for one, marks where combinations are missing",
          "[sweep][page]") {
  SECTION("two axes") {
    const MadeUpStore store{kLoads};
    const Page page = sweep_page(PageOf{store.read(spot_or_not)}.story);
    REQUIRE(chart_in(page, "winners") != nullptr);
    CHECK(page.data["winners"].size() == 6);
    CHECK(page.data["winners"][0]["strategy"] == "spot");
    CHECK(page.data["winners"][5]["mark"] == "2");
    CHECK(page.data["winners"][0]["cost"].is_number());
    CHECK(chart_in(page, "winners")->table.rows.size() == 6);
    CHECK(page.data["points"].size() == 12);
    REQUIRE(chart_in(page, "difference") != nullptr);
    const auto& bars = chart_in(page, "difference")->spec["data"]["values"];
    CHECK(bars[0]["axis"] == "demand");
    CHECK(bars[0]["low"] == 894);
    CHECK(bars[0]["at_low"] == "1");
    CHECK(bars[0]["high"] == 2694);
    CHECK(bars[0]["at_high"] == "3");
    // Two strategies, three measures, two axes.
    CHECK(page.data["effects"].size() == 12);
  }
  SECTION("one axis") {
    const MadeUpStore store{R"({"at": "/demand", "name": "demand", "values": [1, 2, 3]})"};
    const Page page = sweep_page(PageOf{store.read([](const std::vector<double>& at) {
                                   return spot_or_not({at[0], 8});
                                 })}.story);
    CHECK(chart_in(page, "winners") == nullptr);
    REQUIRE(chart_in(page, "cost-along") != nullptr);
    REQUIRE(page.data["cost-along"].size() == 6);
    CHECK(page.data["cost-along"][0]["mean_low"] == 107);
    CHECK(page.data["cost-along"][0]["mean_high"] == 109);
  }
  SECTION("a Latin hypercube") {
    const MadeUpStore store{{}, R"("latin_hypercube": {"points": 20, "ranges": [
      {"at": "/demand", "name": "demand", "linear": [1, 3]}, {"at": "/pools/0/gpus", "name": "gpus", "integer": [1, 100]}]})"};
    const Page page = sweep_page(PageOf{store.read(spot_or_not)}.story);
    REQUIRE(chart_in(page, "winners") != nullptr);
    CHECK(chart_in(page, "winners")->spec["mark"]["type"] == "point");
  }
  SECTION("combinations are missing, and one axis has names") {
    const MadeUpStore store{{}, R"("points": {"parameters": [{"at": "/demand", "name": "demand"},
      {"at": "/start", "name": "day"}], "rows": [[1, "2026-08-03"], [2, "2026-08-04"], [3, "2026-08-05"]]})"};
    const Page page = sweep_page(PageOf{store.read(spot_or_not)}.story);
    REQUIRE(chart_in(page, "winners") != nullptr);
    const auto& encoding = chart_in(page, "winners")->spec["encoding"];
    const auto& named = encoding["x"]["title"] == "day" ? encoding["x"] : encoding["y"];
    const auto& counted = encoding["x"]["title"] == "day" ? encoding["y"] : encoding["x"];
    CHECK(named["type"] == "ordinal");
    CHECK(named["scale"]["domain"].size() == 3);
    CHECK(counted["type"] == "quantitative");
    CHECK(counted["title"] == "demand");
  }
  SECTION("one point") {
    const MadeUpStore store{R"({"at": "/demand", "name": "demand", "values": [1]})"};
    const PageOf made{store.read([](const std::vector<double>& at) { return spot_or_not({at[0], 8}); })};
    CHECK_THAT(sweep_answer(made.story), Contains("Only one value of everything was tried"));
    CHECK(sweep_page(made.story).sections.size() == 6);
  }
}

TEST_CASE("A wait that has no end is no point of the front, and is reported as such", "[sweep][page]") {
  const MadeUpStore store{kLoads};
  const PageOf made{store.read([](const std::vector<double>&) -> MadeUp {
    return {{.name = "never", .cost = 1, .wait = 0.01, .met = 0.4, .wait_at_least = true},
            {.name = "does", .cost = 5, .wait = 2}};
  })};
  const Page page = sweep_page(made.story);
  const Chart* chart = chart_in(page, "cost-wait");
  REQUIRE(chart != nullptr);
  REQUIRE(chart->table.rows.size() == 1);
  CHECK(std::get<std::string>(chart->table.rows[0].cells[1].value) == "does");
  CHECK(strategies_table(made.story).rows[0].cells[6].words == "> 0.0");
  CHECK(page.data["points"][0]["is"] == "longer than shown");
}

TEST_CASE("A page of thousands of points stays small, and says what it leaves out", "[sweep][page]") {
  std::string values;
  for (int i = 0; i < 4'000; ++i) values += fmt::format("{}{}", i == 0 ? "" : ",", 1 + i * 0.01);
  const MadeUpStore store{R"({"at": "/demand", "name": "demand", "values": [)" + values +
                          R"(]}, {"at": "/pools/0/gpus", "name": "gpus", "values": [4, 8]})"};
  const PageOf made{store.read([](const std::vector<double>& at) { return spot_or_not(at); })};
  CHECK(made.sweep.points.size() == 8'000);
  const Page page = sweep_page(made.story);
  CHECK(page.data["points"].size() <= 3'000);
  CHECK(write_page(page).size() < 4'000'000);
  CHECK_THAT(points_left_out(made.story),
             Contains("of the 8000 points") && Contains("stockout sweep export s.sqlite"));
  // Numbers are of all points: 151 values below 2.5, two of the other axis.
  CHECK(made.findings.winners.tallies[0].wins == 300);
}

TEST_CASE("A sample of points has no pattern: each value of a grid's lists is in it as often as the others",
          "[sweep][page]") {
  const auto places = sample_of(9'000, 3'000);
  REQUIRE(places.size() == 3'000);
  CHECK(std::ranges::is_sorted(places));
  CHECK(places == sample_of(9'000, 3'000));
  for (const std::size_t lists : {2U, 3U, 10U}) {
    for (std::size_t value = 0; value < lists; ++value) {
      const auto count =
          std::ranges::count_if(places, [&](std::size_t place) { return place % lists == value; });
      // Binomial, with a spread of at most sqrt(n p): five of them.
      const double expected = 3'000.0 / static_cast<double>(lists);
      CHECK(std::abs(static_cast<double>(count) - expected) < 5 * std::sqrt(expected));
    }
  }
  CHECK(sample_of(3, 5) == std::vector<std::size_t>{0, 1, 2});
}
