// Fits of chains to series: on series drawn from a known chain the fit must find it again. Bounds are 4
// standard errors, of the binomial law or of the Fisher information.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <CLI/CLI.hpp>

#include "models/supply/fit_check.h"
#include "models/supply/forecast_score.h"
#include "sim/core/error.h"
#include "tests/support/made_up/three_levels.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tools/stockout/commands.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using test::three_levels;

namespace {

MarkovProfile with_wave(double a, double b) {
  MarkovProfile profile = three_levels();
  for (int hour = 0; hour < 24; ++hour) {
    const double angle = 2 * std::numbers::pi * (hour + 0.5) / 24;
    profile.upward.push_back(a * std::cos(angle) + b * std::sin(angle));
  }
  return profile;
}

// A series of the values at ticks of 10 min; a negative value is a hole.
TickSeries by_hand(const std::vector<std::int32_t>& values, std::int32_t cap) {
  TickSeries series;
  series.tick = 10min;
  series.cap = cap;
  bool follows = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0) {
      series.values.push_back(values[i]);
      series.follows.push_back(follows ? 1 : 0);
      series.at_ms.push_back(static_cast<std::int64_t>(i) * 600'000);
    }
    follows = values[i] >= 0;
  }
  return series;
}

std::string run(const std::string& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  CLI::App app;
  add_supply_command(app, console);
  app.parse("supply " + arguments);
  return out.str();
}

double mean_of(const Score& score, Forecaster who) { return *score.mean[static_cast<std::size_t>(who)]; }

Estimate better_than_best(const Score& score) {
  return *score.better_than[static_cast<std::size_t>(score.best_naive())];
}

// A chain of three levels, fitted to the first values of a series and scored on the rest.
std::vector<Score> scores_of(const TickSeries& series, std::size_t fitted) {
  const ScoredZone zone{
      .series = series, .fitted = fitted, .chain = fit_chain(series.part(0, fitted), 3), .regimes = {}};
  return score_forecasts(std::span{&zone, 1});
}

const Score& score_named(const std::vector<Score>& scores, const std::string& what) {
  const auto found = std::ranges::find(scores, what, &Score::what);
  REQUIRE(found != scores.end());
  return *found;
}

std::string probes() {
  std::string text = "date,availability\n";
  for (int i = 0; i < 600; ++i)
    text += fmt::format("2026-08-{:02} {:02}:{:02}:00,{}\n", 3 + i / 144, i / 6 % 24, i % 6 * 10, i % 7);
  return text;
}

}  // namespace

TEST_CASE("A fit finds the chain again that a series was drawn from", "[supply_fit]") {
  const MarkovProfile truth = three_levels();
  const FittedChain fit = fit_chain(draw_series(truth, 0, 50'000, 1, 0), 3);
  REQUIRE(fit.profile.machines == truth.machines);
  CHECK(fit.transitions == 49'999);
  CHECK(fit.profile.upward.empty());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto n = static_cast<double>(fit.visits[i]);
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double p = truth.transitions[i][j];
      INFO("from " << i << " to " << j);
      // The prior moves an estimate by no more than 1 / (n + 1).
      CHECK(std::abs(fit.profile.transitions[i][j] - p) < 4 * std::sqrt(p * (1 - p) / n) + 1 / n);
      sum += fit.profile.transitions[i][j];
    }
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("A fit finds the hour of the day again", "[supply_fit]") {
  const double a = 0.5;
  const double b = -0.3;
  const MarkovProfile truth = with_wave(a, b);
  constexpr std::size_t kCount = 40'000;
  const FittedChain fit = fit_chain(draw_series(truth, 0, kCount, 2, 0), 3);
  REQUIRE(fit.profile.upward.size() == 24);
  // Fisher information of each of the two, at no tilt: half of the sum of p(up) + p(down) - (p(up) -
  // p(down))^2.
  const std::vector<double> shares = MarkovChain{three_levels()}.long_run();
  const double per_tick =
      shares[0] * (0.10 - 0.10 * 0.10) + shares[1] * 0.20 + shares[2] * (0.05 - 0.05 * 0.05);
  const double error = std::sqrt(2 / (kCount * per_tick));
  // upward at 6:00 + 1/2 h and 0:00 + 1/2 h, about b and a; each a sum of two estimates.
  CHECK(std::abs(fit.profile.upward[6] - truth.upward[6]) < 4 * error * std::numbers::sqrt2);
  CHECK(std::abs(fit.profile.upward[0] - truth.upward[0]) < 4 * error * std::numbers::sqrt2);
}

TEST_CASE("The hour of the day is kept by chance in five of a hundred series without any", "[supply_fit]") {
  constexpr double kSeries = 400;
  double kept = 0;
  for (std::uint64_t number = 0; number < 400; ++number) {
    const FittedChain fit = fit_chain(draw_series(three_levels(), 0, 2'000, 3, number), 3);
    kept += fit.hour_ratio > kHourThreshold ? 1 : 0;
  }
  CHECK(std::abs(kept / kSeries - 0.05) < 4 * std::sqrt(0.05 * 0.95 / kSeries));
}

TEST_CASE("Levels between nothing and the cap share the values, and no move is impossible", "[supply_fit]") {
  const TickSeries series = by_hand({0, 1, 1, 2, 3, 3, 8, 8, 8, 9, 10, 12, 16, 16, 0}, 16);
  const FittedChain fit = fit_chain(series, 5);
  CHECK(fit.tops == std::vector<std::int32_t>{0, 3, 8, 15, 16});
  CHECK(fit.profile.machines == std::vector<std::int32_t>{0, 2, 8, 10, 16});
  CHECK(fit.visits == std::vector<std::uint64_t>{2, 5, 3, 3, 2});
  for (const auto& row : fit.profile.transitions) CHECK(*std::ranges::min_element(row) > 0);
  // Unseen levels exist: a zone that was never full may be one day.
  const FittedChain low = fit_chain(by_hand({0, 1, 0, 0, 1}, 16), 6);
  CHECK(low.tops.front() == 0);
  CHECK(low.tops.back() == 16);
  CHECK(std::ranges::is_sorted(low.profile.machines, std::less_equal<>{}));
  const FittedChain two = fit_chain(by_hand({0, 1, 1, 0}, 1), 6);
  CHECK(two.profile.machines == std::vector<std::int32_t>{0, 1});
}

TEST_CASE("Smoothing weighs as much as one transition", "[supply_fit]") {
  const FittedChain fit = fit_chain(by_hand({0, 0, 0, 1, 1}, 1), 6);
  // Of 4 pairs 3 stayed: the prior stays with (3 + 1/2) / (4 + 1) and goes over with the rest.
  CHECK(fit.profile.transitions[0][1] == Approx((1 + 0.3) / (3 + 1)));
  CHECK(fit.profile.transitions[1][0] == Approx((0 + 0.3) / (1 + 1)));
}

TEST_CASE("Spells and waits by hand, with a hole", "[supply_fit]") {
  const TickSeries series = by_hand({2, 2, 0, 0, 1, -1, 0, 2, 2, 0}, 2);
  // A value says nothing over a hole: from the 0 before the end nothing is known, from the one after the hole
  // it is one tick.
  CHECK(waits_of(series, 2) == std::vector<std::int32_t>{0, 0, -1, -1, -1, 1, 0, 0, -1});
  CHECK(waits_of(series, 1) == std::vector<std::int32_t>{0, 0, 2, 1, 0, 1, 0, 0, -1});
  const Spells spells = spells_of(series, 2);
  CHECK(spells.share == Approx(4.0 / 9));
  CHECK(spells.ended == 2);
  CHECK(spells.mean_spell_h == Approx(2.0 / 6));
  CHECK(spells.waits == 5);
  CHECK(spells.mean_wait_h == Approx(1.0 / 5 / 6));
}

TEST_CASE("A wait of more than a day is a day", "[supply_fit]") {
  const std::vector<std::int32_t> waits = waits_of(by_hand(std::vector<std::int32_t>(200, 0), 1), 1);
  CHECK(waits[0] == 144);
  CHECK(waits[55] == 144);  // 144 more follow
  CHECK(waits[56] == -1);
}

TEST_CASE("A chain explains the series that it draws", "[supply_fit]") {
  const TickSeries series = draw_series(three_levels(), 0, 2'000, 5, 0);
  const FitCheck check = check_fit(fit_chain(series, 3), series);
  for (const CheckedNumber& share : check.level_shares) CHECK(share.is_explained());
  for (const SpellCheck& spell : check.spells) {
    CHECK(spell.share.is_explained());
    CHECK(spell.spell_h.is_explained());
    CHECK(spell.wait_h.is_explained());
  }
}

TEST_CASE("A series that is no chain is not explained", "[supply_fit]") {
  std::vector<std::int32_t>
      values;  // five hours on, five hours off: spells with a memory, and no hour of the day
  for (int i = 0; i < 2'000; ++i) values.push_back(i / 30 % 2);
  values[500] = 1 - values[500];  // and one short one
  const TickSeries series = by_hand(values, 1);
  const FitCheck check = check_fit(fit_chain(series, 3), series);
  CHECK(check.spells[0].share.low < 0.45);  // the chain's shares vary, the series' do not
  CHECK_FALSE(check.spells[0].wait_h.is_explained());
}

TEST_CASE("The true chain has the Brier score that theory says, and beats the naive forecasts",
          "[supply_fit]") {
  const MarkovProfile truth = three_levels();
  const TickSeries series = draw_series(truth, 0, 40'000, 7, 0);
  const auto scores = scores_of(series, 20'000);
  const MarkovChain chain{truth};
  const std::vector<double> shares = chain.long_run();
  double expected = 0;     // the mean over the levels of p (1 - p), p = P(all 16 an hour later)
  double persistence = 0;  // P(not as now)
  for (std::size_t level = 0; level < 3; ++level) {
    std::vector<double> now(3, 0.0);
    now[level] = 1;
    for (int m = 0; m < 6; ++m) now = chain.step(now, 0);
    expected += shares[level] * now[2] * (1 - now[2]);
    persistence += shares[level] * (level == 2 ? 1 - now[2] : now[2]);
  }
  const Score& hour = score_named(scores, "all 16 in 1h");
  // Some 20,000 moments of which one in 30 ticks is independent of the one before.
  const double error = 4 * 0.25 / std::sqrt(20'000.0 / 30);
  CHECK(std::abs(mean_of(hour, Forecaster::chain) - expected) < error);
  CHECK(std::abs(mean_of(hour, Forecaster::persistence) - persistence) < 2 * error);
  for (const char* what : {"all 16 in 1h", "machines in 1h", "wait for all 16"}) {
    const Score& score = score_named(scores, what);
    INFO(what);
    CHECK(better_than_best(score).low() > 0);
  }
  // Six hours ahead this chain has all but forgotten where it stood: no worse than the long run.
  const Score& far = score_named(scores, "all 16 in 6h");
  CHECK(better_than_best(far).high() > 0);
}

TEST_CASE("Scores by hand", "[supply_fit]") {
  // Fitted on: there half of the time. The rest: on, on, off.
  const auto scores = scores_of(by_hand({1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0}, 1), 9);
  const Score& next = score_named(scores, "all 1 in 10min");
  CHECK(next.moments == 2);
  CHECK(mean_of(next, Forecaster::persistence) == Approx(0.5));                // right, wrong
  CHECK(mean_of(next, Forecaster::climatology) == Approx((0.25 + 0.25) / 2));  // 4 of 8 came to be there
  CHECK(mean_of(next, Forecaster::given_now) == Approx((0.25 + 0.25) / 2));  // of 4 that were there 2 stayed
  CHECK_FALSE(next.better_than[static_cast<std::size_t>(Forecaster::persistence)]);  // one day only
}

TEST_CASE("Zones that are left out are named, and a row that is none is a mistake of the file",
          "[supply_fit]") {
  const test::ScratchFolder folder;
  std::string zones = "scheduled_at,zone,instances_requested,instances_created\n";
  for (int i = 0; i < 600; ++i) {
    const std::string at = fmt::format("2026-08-{:02} {:02}:{:02}:00", 3 + i / 144, i / 6 % 24, i % 6 * 10);
    zones += fmt::format("{},a,6,{}\n", at, i % 7);
    if (i < 300) zones += fmt::format("{},b,6,{}\n", at, i % 7);
    zones += fmt::format("{},c,2,{}\n", at, i % 3);
  }
  const std::string page = run("score --train-days 3 " + folder.file("zones.csv", zones));
  CHECK_THAT(page, Contains("Left out: c (probed for another number of machines") &&
                       Contains("b (it has nothing after its first 3 days to score a forecast on)"));
  CHECK_THROWS_WITH(run("score --train-days 3 " + folder.file("bad.csv", zones + "2026-08-09,b,6,x\n")),
                    Contains("bad.csv:") && Contains("must be a whole number"));
  CHECK_THROWS_WITH(run("score --train-days 3 --zone b " + folder.file("zones.csv", zones)),
                    Contains("has nothing after its first 3 days"));
}

TEST_CASE("Scores that read as equal decide nothing", "[supply_fit][evidence]") {
  const test::ScratchFolder folder;
  std::string none = "date,availability\n";
  for (int i = 0; i < 600; ++i)
    none +=
        fmt::format("2026-08-{:02} {:02}:{:02}:00,{}\n", 3 + i / 144, i / 6 % 24, i % 6 * 10, i == 0 ? 1 : 0);
  CHECK_THAT(run("score --train-days 3 " + folder.file("none.csv", none)), !Contains("worse than"));
}

TEST_CASE("A profile that cannot be written is refused before anything is fitted", "[supply_fit]") {
  const test::ScratchFolder folder;
  const std::string bad = folder.file("bad.csv", "date,availability\n2026-08-03,x\n");
  CHECK_THROWS_WITH(run("fit " + bad + " --out " + folder.path("nowhere/p.json")), Contains("nowhere"));
  CHECK_THROWS_WITH(run("fit " + bad + " --out " + bad), Contains("--out"));
}

TEST_CASE("A profile that is written is read back, and a bad file is named", "[supply_fit]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file("probes.csv", probes());
  const std::string page =
      run("fit " + file + " --chain --cap 6 --levels 4 --train-days 3 --out " + folder.path("p.json"));
  CHECK_THAT(page, Contains("fitted on the first 432 samples, 431 steps"));
  std::ifstream written{folder.path("p.json")};
  std::stringstream text;
  text << written.rdbuf();
  CHECK_THAT(
      text.str(),
      Contains(R"("made_by": "stockout supply fit probes.csv --cap 6 --chain --levels 4 --train-days 3")"));
  CHECK_THAT(run("score " + file + " --train-days 3"), Contains("| wait for all 6 | CRPS [h] |"));
  const std::string ahead = run("score --train-days 2 --horizon 3h --horizon 30min --horizon 3h " + file);
  CHECK_THAT(ahead,
             Contains("| all 6 in 30min | Brier |") && Contains("| machines in 3h | CRPS [machines] |"));
  CHECK(ahead.find("in 3h") < ahead.find("all 6 in 3h"));
  CHECK_THAT(ahead, !Contains("in 6h") && !Contains("in 10min"));
  CHECK_THROWS_WITH(
      run("score " + file + " --train-days 3 --horizon 8d"),
      Contains("--horizon: must be a duration of more than 0s and at most 7d, such as 3h, not "));
  CHECK_THROWS_WITH(run("score " + file + " --train-days 3 --horizon 0s"), Contains("--horizon"));
  CHECK_THROWS_WITH(run("score " + file + " --train-days 3 --horizon soon"), Contains("not \"soon\""));
  CHECK_THROWS_WITH(run("score " + file + " --train-days 5"), Contains("has nothing after its first 5 days"));
  CHECK_THROWS_WITH(run("fit " + file + " --cap 3"), Contains("has a value 6 beyond the cap 3"));
  CHECK_THROWS_AS(run("fit " + folder.path("none.csv")), InputError);
  CHECK_THROWS_AS(run("fit " + folder.file("bad.csv", "date,availability\n2026-08-03,x\n")), InputError);
  CHECK_THROWS_WITH(run("fit " + folder.file("one.csv",
                                             "date,availability\n2026-08-03,1\n2026-08-03 01:00,0\n"
                                             "2026-08-05,0\n2026-08-09,0\n2026-08-14,0\n")),
                    Contains("a chain has ticks of"));
  CHECK_THROWS_WITH(
      run("fit " + folder.file("none.csv", "date,availability\n2026-08-03,0\n2026-08-03 01:00,0\n")),
      Contains("never has a machine"));
}

TEST_CASE("The profiles of six H100 zones are what the probes say", "[supply_fit][evidence]") {
  const auto file = test::shared_path("traces/spot/gcp-h100-2025/probe_counts_dev_zones.csv.gz");
  if (!file) return;
  struct Zone {
    const char* name;
    double share_of_one;  // published: at least 1 of 16 in all 2,104 rounds
  };
  for (const Zone& zone :
       {Zone{"us-central1-a", 0.9834}, Zone{"us-west1-a", 0.5856}, Zone{"europe-west1-c", 0.8793},
        Zone{"europe-west3-c", 0.4762}, Zone{"asia-southeast1-b", 0.7833}, Zone{"asia-south2-b", 0.9995}}) {
    INFO(zone.name);
    AvailabilityOptions options;
    options.zone = zone.name;
    options.time_zone = "-07:00";
    const TickSeries series = to_ticks(read_availability(*file, options), 0);
    CHECK(series.size() == 2'104);
    CHECK(spells_of(series, 1).share == Approx(zone.share_of_one).margin(0.00005));
    const test::ScratchFolder folder;
    run(fmt::format("fit {} --zone {} --time-zone -07:00 --chain --out {}", *file, zone.name,
                    folder.path("p.json")));
    std::stringstream made;
    made << std::ifstream{folder.path("p.json")}.rdbuf();
    std::stringstream shipped;
    shipped
        << std::ifstream{fmt::format("{}/profiles/h100-{}.json", STOCKOUT_SCENARIOS_DIR, zone.name)}.rdbuf();
    CHECK(made.str() == shipped.str());
  }
}
