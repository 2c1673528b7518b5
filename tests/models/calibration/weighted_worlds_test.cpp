// Which worlds agree with a history, from figures that a test makes up.

#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "models/calibration/weighted_worlds.h"

using namespace stockout;

namespace {

Unknown range_of(double from, double to, std::optional<double> step) {
  Unknown unknown;
  unknown.name = "x";
  unknown.range =
      UnknownRange{.pointers = {"/x"}, .from = from, .to = to, .step = step, .unit = {}, .unit_name = {}};
  return unknown;
}

Unknown choice_of(std::size_t choices) {
  Unknown unknown;
  unknown.name = "y";
  for (std::size_t i = 0; i < choices; ++i)
    unknown.choices.push_back({.text = std::to_string(i), .weight = 1, .changes = {}});
  return unknown;
}

// Worlds of the prior, with figures that follow from their shares and their place.
template <typename Figures>
DrawnWorlds drawn(std::size_t unknowns, std::size_t worlds, const Figures& figures) {
  DrawnWorlds made;
  made.shares = draw_worlds(WorldBox(unknowns), worlds, 3, 0);
  for (std::size_t i = 0; i < worlds; ++i) made.figures.push_back(figures(made.shares[i], i));
  return made;
}

void check_sound(const WeightedWorlds& worlds) {
  REQUIRE(worlds.size() > 0);
  CHECK(std::accumulate(worlds.weights.begin(), worlds.weights.end(), 0.0) == Approx(1));
  for (const WorldShares& shares : worlds.shares) {
    for (const double share : shares) CHECK((share >= 0 && share < 1));
  }
}

}  // namespace

TEST_CASE("A figure that tells the unknown leads to it", "[calibration]") {
  const std::vector<Unknown> unknown{range_of(0, 10, {}), choice_of(2)};
  const auto figures = [](const WorldShares& shares, std::size_t) {
    return std::vector<double>{3 * shares[0] + 1, shares[1] < 0.5 ? 0.0 : 1.0};
  };
  const WeightedWorlds worlds =
      weigh_worlds(unknown, WorldBox(2), drawn(2, 400, figures), {3 * 0.37 + 1, 1.0});
  check_sound(worlds);
  CHECK(worlds.quantile(0, 0.5) == Approx(0.37).margin(0.01));
  CHECK(worlds.quantile(0, 0.975) - worlds.quantile(0, 0.025) < 0.1);
  CHECK(worlds.choice_weights(unknown[1], 1)[1] > 0.95);
}

TEST_CASE("Moving the worlds to the history narrows the set, and does not shift it", "[calibration]") {
  // The figure is the share and a tenth of noise: so is what can be known of it.
  const std::vector<Unknown> unknown{range_of(0, 1, {})};
  const auto figures = [](const WorldShares& shares, std::size_t i) {
    const double noise = std::fmod(static_cast<double>(i) * 0.6180339887, 1) - 0.5;  // even, spread 0.29
    return std::vector<double>{shares[0] + 0.1 * noise};
  };
  const WeightedWorlds worlds = weigh_worlds(unknown, WorldBox(1), drawn(1, 1'000, figures), {0.5});
  check_sound(worlds);
  CHECK(worlds.quantile(0, 0.5) == Approx(0.5).margin(0.02));
  // The truth lies within 0.05 of the figure. The nearest quarter of the worlds alone spans 0.25.
  CHECK(worlds.quantile(0, 0.025) > 0.42);
  CHECK(worlds.quantile(0, 0.975) < 0.58);
}

TEST_CASE("Figures that say nothing, or are missing, leave the prior", "[calibration]") {
  const std::vector<Unknown> unknown{range_of(0, 10, {})};
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const auto constant = [](const WorldShares&, std::size_t) { return std::vector<double>{1.0, 2.0}; };
  const auto missing = [&](const WorldShares&, std::size_t i) {
    return std::vector<double>{nothing, i % 3 == 0 ? nothing : 1.0};
  };
  for (const DrawnWorlds& worlds : {drawn(1, 400, constant), drawn(1, 400, missing)}) {
    const WeightedWorlds weighed = weigh_worlds(unknown, WorldBox(1), worlds, {1.0, nothing});
    check_sound(weighed);
    CHECK(weighed.quantile(0, 0.975) - weighed.quantile(0, 0.025) > 0.85);
  }
}

TEST_CASE("Worlds that come out alike to the last bit make a sound set", "[calibration]") {
  // Without chance, all worlds with the same number of machines have the same figures.
  for (const double numbers : {1.0, 2.0, 11.0, 400.0}) {
    CAPTURE(numbers);
    const std::vector<Unknown> unknown{range_of(1, 1 + numbers, 1), choice_of(3)};
    const auto figures = [&](const WorldShares& shares, std::size_t) {
      const double number = unknown[0].number_at(shares[0]);
      std::vector<double> made;
      for (int i = 0; i < 40; ++i) made.push_back(1 / (number + i % 5));
      return made;
    };
    for (const double asked : {1.0, 1 + std::floor(numbers / 2), 1 + numbers}) {
      const DrawnWorlds worlds = drawn(2, 250, figures);
      std::vector<double> observed;
      for (int i = 0; i < 40; ++i) observed.push_back(1 / (asked + i % 5));
      const WeightedWorlds weighed = weigh_worlds(unknown, WorldBox(2), worlds, observed);
      check_sound(weighed);
      if (numbers < 12) CHECK(unknown[0].number_at(weighed.quantile(0, 0.5)) == asked);
    }
  }
}

TEST_CASE("A history unlike any world moves nothing out of the box", "[calibration]") {
  const std::vector<Unknown> unknown{range_of(0, 10, {})};
  const WorldBox box{{.low = 0.25, .high = 0.5}};
  DrawnWorlds worlds;
  worlds.shares = draw_worlds(box, 300, 3, 0);
  for (const WorldShares& shares : worlds.shares) worlds.figures.push_back({shares[0], -shares[0]});
  const WeightedWorlds weighed = weigh_worlds(unknown, box, worlds, {1e9, 1e9});
  check_sound(weighed);
  for (const WorldShares& shares : weighed.shares) CHECK(is_within(box, shares));
}
