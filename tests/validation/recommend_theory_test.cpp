// What is recommended against theory: machines that jobs wait for against Erlang C, and machines that others
// stand in for against Erlang B.
// Seeds were fixed before the first look.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/theory/queues.h"
#include "tests/support/made_up/purchase_question.h"

using namespace stockout;
using test::Question;

namespace {

constexpr double kWorkHours = 5;

// Jobs that wait for one of some machines, first come, first served.
constexpr const char* kQueue = R"({
  "name": "M/M/c", "start": "2026-08-03", "window": "120d", "seed": 7, "end": "drain",
  "prices_as_of": "2026-07-30", "indifference_usd": 100,
  "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "unlimited": true}],
  "models": {"all": {"start_up": "0s"}},
  "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 5, "to": 16}],
  "workload": [{"name": "jobs", "machine": "a3-highgpu-8g", "poisson": {"per_day": 30},
                "work": {"exponential": "5h"}}],
  "reservations": [{"name": "team", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 5,
                    "added_supply": true, "discipline": "fifo"}],
  "strategies": [{"name": "reserved", "legs": [{"model": "reservation", "reservation": "team"}]}]
})";

// Jobs go to committed machines, and to on-demand ones if those are busy. Its price is 100 USD an hour.
constexpr const char* kOverflow = R"({
  "name": "commitment and overflow", "start": "2026-08-03", "window": "120d", "seed": 7, "end": "drain",
  "prices_as_of": "2026-07-30", "indifference_usd": 2000, "most_obligation": "1y",
  "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "unlimited": true}],
  "models": {"all": {"start_up": "0s"}},
  "prices": [{"machine": "a3-highgpu-8g", "model": "on_demand", "usd_per_hour": 100}],
  "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 0, "to": 14}],
  "goal": {"wait_p": 50, "at_most": "1h"},
  "workload": [{"name": "jobs", "machine": "a3-highgpu-8g", "poisson": {"per_day": 30},
                "work": {"exponential": "5h"}}],
  "reservations": [{"name": "team", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 5,
                    "added_supply": true, "commitment": "1y"}],
  "strategies": [{"name": "both", "legs": [{"model": "reservation", "reservation": "team", "limit": "0s"},
                                            {"model": "on_demand"}]}]
})";

// Of jobs that wait no longer than so many hours.
double in_time(int servers, double load, double hours) {
  if (servers <= load) return 0;
  return 1 - erlang_c(servers, load) * std::exp(-(servers - load) * hours / kWorkHours);
}

}  // namespace

TEST_CASE("As many machines are recommended as Erlang C asks for", "[validation][recommend]") {
  const double load = 30.0 / 24 * kWorkHours;
  struct Case {
    double percent;
    double hours;
  };
  const Case one = GENERATE(Case{80, 1}, Case{90, 2}, Case{90, 1}, Case{95, 2});
  int servers = 1;
  while (in_time(servers, load, one.hours) < one.percent / 100) ++servers;
  // Shares nearer to the goal than the tolerance, and the start of an empty queue, may count either way.
  constexpr double kNear = 0.0125;
  REQUIRE(in_time(servers, load, one.hours) > one.percent / 100 + kNear);
  REQUIRE(in_time(servers - 1, load, one.hours) < one.percent / 100 - kNear);
  const Question question{
      kQueue, {{"/goal", fmt::format(R"({{"wait_p": {}, "at_most": "{}h"}})", one.percent, one.hours)}}};
  const Recommendation found = question.answer();
  CAPTURE(one.percent, one.hours, servers);
  REQUIRE(found.kind == Recommendation::Kind::recommended);
  CHECK(question.best(found) == fmt::format("reserved; machines: {}", servers));
}

TEST_CASE("As many machines are committed as have enough to do, by Erlang B", "[validation][recommend]") {
  const double load = 30.0 / 24 * kWorkHours;
  const double price = GENERATE(25.0, 45.0, 55.0, 81.0);  // USD an hour of a committed machine
  // The last machine does what it keeps from on-demand ones.
  const auto saved_by = [&](int machines) {
    return 100 * load * (erlang_b(machines - 1, load) - erlang_b(machines, load));
  };
  int machines = 0;
  while (saved_by(machines + 1) > price) ++machines;
  // One machine more or less costs more by more than the indifference, and than an empty start is worth.
  constexpr double kNear = 1.0;  // USD an hour; the indifference is 0.7 in 120 days
  REQUIRE(saved_by(machines) > price + kNear);
  REQUIRE(saved_by(machines + 1) < price - kNear);
  const Question question{
      kOverflow,
      {{"/prices/-",
        fmt::format(R"({{"machine": "a3-highgpu-8g", "model": "cud_1y", "usd_per_hour": {}}})", price)}}};
  const Recommendation found = question.answer();
  CAPTURE(price, machines);
  REQUIRE(found.kind == Recommendation::Kind::recommended);
  CHECK(question.best(found) == fmt::format("both; machines: {}", machines));
}
