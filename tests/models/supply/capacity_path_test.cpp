// The levels of a chain: a path is a function of (seed, replication, zone, group) alone, and moves as the
// transition matrix, the hour and the group's correlation say. Bounds are 4 standard errors of the stated
// number of independent draws.

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <catch2/catch.hpp>

#include "models/supply/capacity_path.h"
#include "models/supply/markov_profile.h"
#include "sim/core/error.h"
#include "tests/support/made_up/three_levels.h"

using namespace stockout;
using namespace std::chrono_literals;
using test::three_levels;

namespace {

CapacitySource chain_of(const MarkovProfile& profile, const ChainDraws& draws = {.zone = "z", .group = ""},
                        const CapacityRules& rules = {}, SimTime begin = kStart) {
  return to_capacity(profile, "profile", rules, {.start_date = {}, .begin = begin, .end = begin + 24h},
                     draws);
}

// The GPUs of each tick.
std::vector<std::int64_t> ticks_of(const CapacitySource& source, const RandomStreams& random,
                                   std::size_t ticks, SimTime begin = kStart) {
  const SimDuration tick = source.chain->tick;
  CapacityPath path{source, random, begin, begin + tick * static_cast<std::int64_t>(ticks)};
  std::vector<std::int64_t> gpus;
  for (std::size_t k = 0; k < ticks; ++k) {
    if (path.next_at() <= begin + tick * static_cast<std::int64_t>(k)) path.advance();
    gpus.push_back(path.gpus().count());
  }
  return gpus;
}

// They show three levels: the first is mostly off, the second mostly on.
MarkovProfile two_hidden_states() {
  MarkovProfile profile = three_levels();
  profile.transitions = {{0.95, 0.05}, {0.25, 0.75}};
  profile.shows = {{0.9, 0.1, 0}, {0.2, 0.3, 0.5}};
  profile.now = {0.25, 0.75};
  return profile;
}

void check_share(double count, double draws, double probability) {
  INFO(count << " of " << draws << ", expected a share of " << probability);
  CHECK(std::abs(count / draws - probability) < 4 * std::sqrt(probability * (1 - probability) / draws));
}

}  // namespace

TEST_CASE("A path moves from level to level as often as its matrix says", "[capacity_path]") {
  const MarkovProfile profile = three_levels();
  const auto gpus = ticks_of(chain_of(profile), {.seed = 1}, 200'000);
  std::array<std::array<double, 3>, 3> moves{};
  std::array<double, 3> visits{};
  const auto level = [](std::int64_t n) { return n == 0 ? 0U : n == 4 ? 1U : 2U; };
  for (std::size_t k = 0; k + 1 < gpus.size(); ++k) {
    ++moves[level(gpus[k])][level(gpus[k + 1])];
    ++visits[level(gpus[k])];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) check_share(moves[i][j], visits[i], profile.transitions[i][j]);
  }
}

TEST_CASE("A path begins with the shares of the long run", "[capacity_path]") {
  const MarkovProfile profile = three_levels();
  const CapacitySource source = chain_of(profile);
  const std::vector<double> shares = MarkovChain{profile}.long_run();
  // pi = pi P, by hand for the middle level too.
  CHECK(shares[0] == Approx(0.90 * shares[0] + 0.10 * shares[1] + 0.02 * shares[2]));
  CHECK(shares[1] == Approx(0.08 * shares[0] + 0.80 * shares[1] + 0.03 * shares[2]));
  constexpr std::uint64_t kReplications = 20'000;
  std::array<double, 3> begun{};
  for (std::uint64_t r = 0; r < kReplications; ++r) {
    const auto gpus = CapacityPath{source, {.seed = 3, .replication = r}, kStart, kStart}.gpus().count();
    ++begun[gpus == 0 ? 0 : gpus == 4 ? 1 : 2];
  }
  for (std::size_t i = 0; i < 3; ++i) check_share(begun[i], kReplications, shares[i]);
}

TEST_CASE("Hidden states show levels as often as they say, in the long run and after now",
          "[capacity_path]") {
  const MarkovProfile profile = two_hidden_states();
  // As often out of the first state as into it: 0.05 x 5/6 = 0.25 x 1/6.
  const std::vector<double> shares = MarkovChain{profile}.long_run();
  CHECK(shares[0] == Approx(5.0 / 6));
  constexpr std::uint64_t kReplications = 20'000;
  const auto check_begin = [&](ChainStart start, double first) {
    const CapacitySource source = chain_of(profile, {.zone = "z", .group = "", .start = start});
    std::array<double, 3> begun{};
    for (std::uint64_t r = 0; r < kReplications; ++r) {
      const auto gpus = CapacityPath{source, {.seed = 3, .replication = r}, kStart, kStart}.gpus().count();
      ++begun[gpus == 0 ? 0 : gpus == 4 ? 1 : 2];
    }
    for (std::size_t level = 0; level < 3; ++level) {
      const double expected = first * profile.shows[0][level] + (1 - first) * profile.shows[1][level];
      check_share(begun[level], kReplications, expected);
    }
  };
  check_begin(ChainStart::long_run, 5.0 / 6);
  check_begin(ChainStart::now, 0.25);
}

TEST_CASE("A level shown says nothing of the next one, given the hidden state", "[capacity_path]") {
  MarkovProfile profile = two_hidden_states();
  profile.transitions = {{1, 0}, {0, 1}};
  profile.now = {0, 1};
  const CapacitySource source = chain_of(profile, {.zone = "z", .group = "", .start = ChainStart::now});
  const auto gpus = ticks_of(source, {.seed = 7}, 100'000);
  double off = 0;
  double off_twice = 0;
  for (std::size_t k = 0; k + 1 < gpus.size(); ++k) {
    if (gpus[k] != 0) continue;
    ++off;
    off_twice += gpus[k + 1] == 0 ? 1 : 0;
  }
  check_share(off, static_cast<double>(gpus.size()), profile.shows[1][0]);
  check_share(off_twice, off, profile.shows[1][0]);
}

TEST_CASE("A chain without one long run begins from all levels alike", "[capacity_path]") {
  MarkovProfile profile = three_levels();
  profile.transitions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const double share : MarkovChain{profile}.long_run()) CHECK(share == Approx(1.0 / 3));
  profile.transitions = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};  // a period of three
  for (const double share : MarkovChain{profile}.long_run()) CHECK(share == Approx(1.0 / 3));
}

TEST_CASE("Paths repeat, differ by replication, zone and seed, and a warm-up moves no draw",
          "[capacity_path]") {
  const CapacitySource source = chain_of(three_levels());
  const auto path = ticks_of(source, {.seed = 1}, 2'000);
  CHECK(path == ticks_of(source, {.seed = 1}, 2'000));
  CHECK(path != ticks_of(source, {.seed = 2}, 2'000));
  CHECK(path != ticks_of(source, {.seed = 1, .replication = 1}, 2'000));
  CHECK(path != ticks_of(chain_of(three_levels(), {.zone = "y", .group = ""}), {.seed = 1}, 2'000));
  // Draws belong to ticks of the calendar: begun a day earlier, the path meets the other and stays with it.
  const SimTime earlier = kStart - 24h;
  const CapacitySource warm = chain_of(three_levels(), {.zone = "z", .group = ""}, {}, earlier);
  const auto longer = ticks_of(warm, {.seed = 1}, 2'000 + 144, earlier);
  const std::vector<std::int64_t> tail{longer.end() - 1'000, longer.end()};
  CHECK(tail == std::vector<std::int64_t>{path.end() - 1'000, path.end()});
}

TEST_CASE("The hour tilts the odds of going up and down", "[capacity_path]") {
  MarkovProfile profile = three_levels();
  profile.upward.assign(24, 0.0);
  profile.upward[6] = 1.0;
  const MarkovChain chain{profile};
  const double e = std::numbers::e;
  const double sum = 0.10 / e + 0.80 + 0.10 * e;
  CHECK(chain.row(6, 1)[0] == Approx(0.10 / e / sum));
  CHECK(chain.row(6, 1)[2] == Approx(0.10 * e / sum));
  CHECK(chain.row(7, 1)[2] == Approx(0.10));
  const auto gpus = ticks_of(chain_of(profile), {.seed = 5}, 400'000);
  double from_middle = 0;
  double up = 0;
  for (std::size_t k = 0; k + 1 < gpus.size(); ++k) {
    if (gpus[k] != 4 || (k / 6) % 24 != 6) continue;
    ++from_middle;
    up += gpus[k + 1] == 16 ? 1 : 0;
  }
  check_share(up, from_middle, chain.row(6, 1)[2]);
}

TEST_CASE("The hour is that of UTC, whatever the start of the scenario", "[capacity_path]") {
  CHECK(hour_of_day(-1ms) == 23);
  CHECK(hour_of_day(0ms) == 0);
  CHECK(hour_of_day(49h) == 1);
  MarkovProfile profile = three_levels();
  profile.upward.assign(24, -5.0);
  const std::chrono::sys_time<std::chrono::milliseconds> at_seven{std::chrono::hours{24 * 20'000 + 7}};
  const CapacitySource source =
      to_capacity(profile, "p", {}, {.start_date = at_seven, .begin = kStart, .end = kStart + 1h}, {});
  CHECK(source.chain->day_phase == 7h);
}

TEST_CASE("Zones of a group move together as much as rho says, and adding one changes none",
          "[capacity_path]") {
  MarkovProfile coin;  // two levels, next to be drawn afresh each tick: pairs of ticks are independent
  coin.cap = 1;
  coin.tick = 10min;
  coin.machines = {0, 1};
  coin.transitions = {{0.5, 0.5}, {0.5, 0.5}};
  constexpr std::size_t kTicks = 40'000;
  const auto agreeing = [&](double rho, const char* group) {
    const auto a = ticks_of(chain_of(coin, {.zone = "a", .group = "g", .rho = rho}), {.seed = 9}, kTicks);
    const auto b = ticks_of(chain_of(coin, {.zone = "b", .group = group, .rho = rho}), {.seed = 9}, kTicks);
    double same = 0;
    for (std::size_t k = 0; k < kTicks; ++k) same += a[k] == b[k] ? 1 : 0;
    return same;
  };
  // P(both on one side of the median) = 1/2 + asin(rho) / pi for two normals of correlation rho.
  for (const double rho : {0.0, 0.4, 0.8})
    check_share(agreeing(rho, "g"), kTicks, 0.5 + std::asin(rho) / std::numbers::pi);
  CHECK(agreeing(1.0, "g") == kTicks);
  check_share(agreeing(0.8, "another"), kTicks, 0.5);
}

TEST_CASE("A correlated zone alone has the same law as an uncorrelated one", "[capacity_path]") {
  const MarkovProfile profile = three_levels();
  const auto gpus =
      ticks_of(chain_of(profile, {.zone = "z", .group = "g", .rho = 0.7}), {.seed = 2}, 200'000);
  double visits = 0;
  double up = 0;
  for (std::size_t k = 0; k + 1 < gpus.size(); ++k) {
    if (gpus[k] != 0) continue;
    ++visits;
    up += gpus[k + 1] == 16 ? 1 : 0;
  }
  check_share(up, visits, 0.02);
}

TEST_CASE("Levels become GPUs as values of a probe do", "[capacity_path]") {
  CapacityRules rules;
  rules.shape_gpus = GpuCount{8};
  rules.at_cap = AtCap::machines;
  rules.at_cap_machines = 20;
  const CapacitySource source = chain_of(three_levels(), {}, rules);
  CHECK(source.chain->levels[1].gpus == GpuCount{32});
  CHECK_FALSE(source.chain->levels[1].censored);
  CHECK(source.chain->levels[2].gpus == GpuCount{160});
  CHECK(source.chain->levels[2].censored);
  CHECK(most_gpus(source) == GpuCount{160});
  rules.means = Means::fraction;
  CHECK_THROWS_AS(chain_of(three_levels(), {}, rules), InputError);
}

TEST_CASE("A level that never changes asks for no event, and nothing is drawn past the end",
          "[capacity_path]") {
  MarkovProfile profile = three_levels();
  profile.transitions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const CapacitySource source = chain_of(profile);
  CHECK(CapacityPath(source, {.seed = 1}, kStart, kStart + 24h * 365).next_at() == kNever);
}

TEST_CASE("A path of given steps stands where the run begins", "[capacity_path]") {
  CapacitySource source;
  source.steps = {{.at = kStart - 10h, .gpus = GpuCount{8}},
                  {.at = kStart - 5h, .gpus = GpuCount{6}},
                  {.at = kStart + 1h, .gpus = GpuCount{4}}};
  source.censored = {0, 1, 0};
  CapacityPath path{source, {}, kStart - 5h, kStart + 10h};
  CHECK(path.gpus() == GpuCount{6});
  CHECK(path.is_censored());
  CHECK(path.next_at() == kStart + 1h);
  path.advance();
  CHECK(path.gpus() == GpuCount{4});
  CHECK_FALSE(path.is_censored());
  CHECK(path.next_at() == kNever);
}
