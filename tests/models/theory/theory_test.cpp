// Closed forms against printed tables and against independent formulas for the same thing.

#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "models/theory/gang_loss.h"
#include "models/theory/queues.h"
#include "models/theory/time_varying.h"
#include "sim/core/check.h"

using namespace stockout;

namespace {

/// Half a unit of the last printed digit, and a hair for binary rounding.
constexpr double kSixDigits = 0.5e-6 + 1e-12;

struct Row {
  double load;
  int servers;
  double lost;
  double has_to_wait;
  double wait;
};

// figures.md F10, "Queueing formulas (exact)".
const std::vector<Row> kTable{
    {0.5, 1, 0.333333, 0.500000, 1.000000}, {0.9, 1, 0.473684, 0.900000, 9.000000},
    {1.6, 2, 0.329897, 0.711111, 1.777778}, {2, 3, 0.210526, 0.444444, 0.444444},
    {6, 10, 0.043142, 0.101299, 0.025325},  {8, 10, 0.121661, 0.409180, 0.204590},
    {9, 10, 0.167963, 0.668732, 0.668732},  {50, 64, 0.008439, 0.037451, 0.002675},
    {60, 64, 0.060363, 0.506866, 0.126717}, {230, 256, 0.006308, 0.058829, 0.002263},
};

}  // namespace

TEST_CASE(
    "A fork-join of two takes longer than one queue, and less than two that know nothing of one another",
    "[theory]") {
  CHECK(mean_fork_join(0) == Approx(1.5));  // the longer of two exponential times
  CHECK(mean_fork_join(0.5) == Approx(2.875));
  for (const double load : {0.2, 0.5, 0.9, 0.99}) {
    CHECK(mean_fork_join(load) > 1 + mean_wait_mmc(1, load));
    CHECK(mean_fork_join(load) < 1.5 * (1 + mean_wait_mmc(1, load)));
  }
  CHECK_THROWS_AS(mean_fork_join(1), InvariantError);
}

TEST_CASE("Erlang B, Erlang C and the mean wait are the printed table to its last digit", "[theory]") {
  for (const Row& row : kTable) {
    CAPTURE(row.load, row.servers);
    CHECK(std::abs(erlang_b(row.servers, row.load) - row.lost) <= kSixDigits);
    CHECK(std::abs(erlang_c(row.servers, row.load) - row.has_to_wait) <= kSixDigits);
    CHECK(std::abs(mean_wait_mmc(row.servers, row.load) - row.wait) <= kSixDigits);
  }
  CHECK(std::abs(erlang_b(10, 10) - 0.214582) <= kSixDigits);
}

TEST_CASE("Erlang B stays a share for no load, no servers and pools of any size", "[theory]") {
  CHECK(erlang_b(0, 3.0) == 1.0);
  CHECK(erlang_b(5, 0.0) == 0.0);
  // Large pools in heavy traffic lose what exceeds their size: B -> 1 - c/a, from above.
  CHECK(erlang_b(100'000, 200'000.0) == Approx(0.5).epsilon(1e-4));
  // At load = servers, B is about sqrt(2 / (pi c)): Stirling's formula.
  CHECK(erlang_b(1'000'000, 1'000'000.0) == Approx(std::sqrt(2 / (M_PI * 1e6))).epsilon(1e-3));
}

TEST_CASE("Erlang C close to saturation loses no digits", "[theory]") {
  // One server: C = rho, Wq = rho / (1 - rho), also where 1 - rho is a millionth.
  const double load = 1 - 0x1.0p-20;
  CHECK(erlang_c(1, load) == Approx(load).epsilon(1e-13));
  CHECK(mean_wait_mmc(1, load) == Approx(load * 0x1.0p20).epsilon(1e-13));
}

TEST_CASE("Pollaczek-Khinchine agrees with M/M/1 at variation 1 and halves it for constant service",
          "[theory]") {
  for (const double load : {0.0, 0.1, 0.5, 0.9, 0.99}) {
    CAPTURE(load);
    CHECK(mean_wait_mg1(load, 1.0) == Approx(mean_wait_mmc(1, load)));
    CHECK(mean_wait_md1(load) == Approx(mean_wait_mg1(load, 1.0) / 2));
  }
  CHECK(mean_wait_md1(0.8) == Approx(2.0));       // 0.8 / (2 * 0.2)
  CHECK(mean_wait_mg1(0.5, 3.0) == Approx(2.0));  // 0.5 * 4 / (2 * 0.5)
}

TEST_CASE("Batches of one job are M/M/1, and of several make the later ones wait for the earlier",
          "[theory]") {
  CHECK(batch_queue_mm1(0.8, 1, 1).has_to_wait == Approx(0.8));
  CHECK(batch_queue_mm1(0.8, 1, 1).mean_wait == Approx(mean_wait_mmc(1, 0.8)));
  // Batches of 4 that never meet: one of four begins at once, and they wait 0, 1, 2 and 3 services.
  CHECK(batch_queue_mm1(0, 4, 16).has_to_wait == Approx(0.75));
  CHECK(batch_queue_mm1(0, 4, 16).mean_wait == Approx(1.5));
}

TEST_CASE("Priorities shift waits and conserve work", "[theory]") {
  const PriorityWaits waits = priority_waits_mm1(0.3, 0.5);
  // Kleinrock's conservation law: the waits, weighted by load, add up to those without priorities.
  CHECK(0.3 * waits.first + 0.5 * waits.second == Approx(0.8 * mean_wait_mmc(1, 0.8)));
  CHECK(waits.first == Approx(0.8 / 0.7));
  CHECK(priority_waits_mm1(0, 0.5).second == Approx(mean_wait_mmc(1, 0.5)));
}

TEST_CASE("Kaufman-Roberts for gangs of one size is Erlang B of whole gangs", "[theory]") {
  for (const int size : {1, 2, 8}) {
    CAPTURE(size);
    const std::vector<GangLoad> gangs{{.load = 6.0, .gpus = size}};
    CHECK(gang_blocking(10 * size, gangs)[0] == Approx(erlang_b(10, 6.0)));
    // Room for a fraction of a gang is no room.
    CHECK(gang_blocking(10 * size + size - 1, gangs)[0] == Approx(erlang_b(10, 6.0)));
  }
}

TEST_CASE("Kaufman-Roberts for two sizes is the product form summed by hand", "[theory]") {
  // 3 GPUs; single jobs at 1 erlang, pairs at 0.5 erlang. Weights 1^n/n! * 0.5^m/m! of the states (n, m), n +
  // 2m <= 3: (0,0) 1, (1,0) 1, (2,0) 1/2, (3,0) 1/6, (0,1) 1/2, (1,1) 1/2; in all 11/3. A single job is lost
  // in (3,0), (1,1): 2/3. A pair in (2,0), (3,0), (0,1), (1,1): 5/3.
  const std::vector<GangLoad> gangs{{.load = 1.0, .gpus = 1}, {.load = 0.5, .gpus = 2}};
  const std::vector<double> blocked = gang_blocking(3, gangs);
  REQUIRE(blocked.size() == 2);
  CHECK(blocked[0] == Approx(2.0 / 11));
  CHECK(blocked[1] == Approx(5.0 / 11));
}

TEST_CASE("Kaufman-Roberts neither overflows nor vanishes in a large pool", "[theory]") {
  // e^2000 is far beyond a double; whole gangs of one GPU make it Erlang B again.
  const std::vector<GangLoad> split{{.load = 1'500.0, .gpus = 1}, {.load = 500.0, .gpus = 1}};
  CHECK(gang_blocking(1'900, split)[0] == Approx(erlang_b(1'900, 2'000.0)));
  CHECK(gang_blocking(1'900, split)[1] == Approx(erlang_b(1'900, 2'000.0)));
  const std::vector<GangLoad> too_large{{.load = 1.0, .gpus = 4}};
  CHECK(gang_blocking(3, too_large)[0] == 1.0);
  CHECK(gang_blocking(3, std::vector<GangLoad>{}).empty());
}

TEST_CASE("Patience between none and endless gives up between Erlang B and nothing", "[theory]") {
  for (const auto& [servers, load] : {std::pair{1, 0.5}, {10, 9.0}, {10, 10.0}, {64, 70.0}}) {
    CHECK(abandoned_mmc(servers, load, 0) == Approx(erlang_b(servers, load)).epsilon(1e-12));
    CHECK(abandoned_mmc(servers, load, 0.5) < abandoned_mmc(servers, load, 0.1));
  }
  CHECK(abandoned_mmc(10, 9, 50) < 1e-12);
  CHECK(abandoned_mmc(10, 12, 50) == Approx(1 - 10.0 / 12).epsilon(1e-9));  // what is too much gives up
}

TEST_CASE("Exponential patience gives the states of the incomplete gamma function", "[theory]") {
  // Mandelbaum and Zeltyn write E of the header as A(x, y) = x e^y / y^x gamma(x, y), x = c / t, y = a / t.
  struct Case {
    int servers;
    double load;
    double patience;
  };
  for (const Case& row : {Case{1, 0.8, 1}, {10, 9, 0.5}, {10, 12, 2}, {64, 70, 1}, {3, 2, 20}}) {
    CAPTURE(row.servers, row.load, row.patience);
    const double x = row.servers * row.patience;
    const double y = row.load * row.patience;
    const double states = x * std::exp(y - x * std::log(y)) * boost::math::tgamma_lower(x, y);
    const double blocked = erlang_b(row.servers, row.load);
    const double has_to_wait = blocked * states / (1 - blocked + blocked * states);
    const ImpatientQueue queue = erlang_a(row.servers, row.load, row.patience);
    CHECK(queue.has_to_wait == Approx(has_to_wait).epsilon(1e-10));
    CHECK(queue.gives_up * row.patience == Approx(queue.mean_wait).epsilon(1e-12));
    CHECK(queue.gives_up < queue.has_to_wait);
    CHECK(row.load * (1 - queue.gives_up) <= row.servers);
  }
}

TEST_CASE("Patience as long as service makes the number there Poisson", "[theory]") {
  // Everyone leaves at the same rate, served or not: infinitely many servers.
  for (const auto& [servers, load] : {std::pair{1, 0.5}, {10, 9.0}, {10, 14.0}, {200, 220.0}}) {
    CAPTURE(servers, load);
    const double full = boost::math::gamma_p(servers, load);  // P(N >= servers)
    const double over = load * full - servers * boost::math::gamma_p(servers + 1, load);
    const ImpatientQueue queue = erlang_a(servers, load, 1);
    CHECK(queue.has_to_wait == Approx(full).epsilon(1e-10));
    CHECK(queue.mean_wait * load == Approx(over).epsilon(1e-9));
  }
}

TEST_CASE("Exponential patience lies between Erlang B and Erlang C", "[theory]") {
  for (const auto& [servers, load] : {std::pair{1, 0.5}, {10, 9.0}, {64, 60.0}}) {
    CAPTURE(servers, load);
    CHECK(erlang_a(servers, load, 1e-9).gives_up == Approx(erlang_b(servers, load)).epsilon(1e-6));
    CHECK(erlang_a(servers, load, 1e9).has_to_wait == Approx(erlang_c(servers, load)).epsilon(1e-6));
    CHECK(erlang_a(servers, load, 1e9).mean_wait == Approx(mean_wait_mmc(servers, load)).epsilon(1e-6));
  }
  // What is too much gives up, also where weights are far beyond a double, and after the patience it takes.
  CHECK(erlang_a(10, 30, 1'000).gives_up == Approx(1 - 10.0 / 30).epsilon(1e-12));
  CHECK(erlang_a(10, 30, 1'000).mean_wait == Approx(1'000 * (1 - 10.0 / 30)).epsilon(1e-12));
  CHECK(erlang_a(2'000, 1.0, 1).has_to_wait == 0);
}

TEST_CASE("Closed forms refuse what they do not hold for", "[theory]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(erlang_b(-1, 1.0), InvariantError);
  CHECK_THROWS_AS(erlang_b(1, -1.0), InvariantError);
  CHECK_THROWS_AS(erlang_b(1, nan), InvariantError);
  CHECK_THROWS_AS(erlang_b(1, std::numeric_limits<double>::infinity()), InvariantError);
  CHECK_THROWS_AS(erlang_c(10, 10.0), InvariantError);
  CHECK_THROWS_AS(erlang_c(0, 0.0), InvariantError);
  CHECK_THROWS_AS(erlang_c(2, nan), InvariantError);
  CHECK_THROWS_AS(mean_wait_mg1(1.0, 1.0), InvariantError);
  CHECK_THROWS_AS(mean_wait_mg1(0.5, -0.1), InvariantError);
  CHECK_THROWS_AS(batch_queue_mm1(1, 1, 1), InvariantError);
  CHECK_THROWS_AS(priority_waits_mm1(0.5, 0.5), InvariantError);
  CHECK_THROWS_AS(batch_queue_mm1(0.5, 2, 3), InvariantError);
  CHECK_THROWS_AS(erlang_a(0, 1, 1), InvariantError);
  CHECK_THROWS_AS(erlang_a(1, nan, 1), InvariantError);
  CHECK_THROWS_AS(erlang_a(1, 1e9, 1), InvariantError);
  CHECK_THROWS_AS(erlang_a(1, 1, 0), InvariantError);
  CHECK_THROWS_AS(erlang_a(1, 1, std::numeric_limits<double>::infinity()), InvariantError);
  CHECK_THROWS_AS(gang_blocking(-1, std::vector<GangLoad>{}), InvariantError);
  CHECK_THROWS_AS(gang_blocking(8, std::vector<GangLoad>{{.load = nan, .gpus = 1}}), InvariantError);
  CHECK_THROWS_AS(gang_blocking(8, std::vector<GangLoad>{{.load = 1.0, .gpus = 0}}), InvariantError);
}

TEST_CASE("A sine in small steps is the sine, and a constant rate is Little's law", "[theory]") {
  // Rates at the middle of steps of 0.01 h over 40 service times, from long before to the time asked for.
  const SinusoidalLoad load{.mean_rate = 50, .swing = 0.8, .frequency = 2 * M_PI / 24, .service_rate = 0.5};
  std::vector<RateStep> steps;
  for (int i = 0; i < 10'000; ++i) {
    const double from = i * 0.01;
    steps.push_back({from, from + 0.01, 50 * (1 + 0.8 * std::sin(load.frequency * (from + 0.005)))});
  }
  const auto mean_below = [](double x) { return -2 * std::expm1(-0.5 * x); };
  for (const double at : {80.0, 86.0, 92.3, 100.0}) {
    CAPTURE(at);
    CHECK(mean_in_system(steps, at, mean_below) == Approx(mean_in_system(load, at)).epsilon(1e-5));
  }
  const std::vector<RateStep> constant{{.from = -1e6, .until = 1e6, .rate = 7}};
  CHECK(mean_in_system(constant, 0, mean_below) == Approx(14));
  CHECK(mean_in_system(constant, -2e6, mean_below) == 0);
  CHECK_THROWS_AS(mean_in_system(SinusoidalLoad{.mean_rate = 1, .swing = 2}, 0), InvariantError);
}
