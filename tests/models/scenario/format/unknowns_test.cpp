// `unknown`: what nobody publishes, and the values that it may have.

#include <cmath>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

std::vector<Unknown> unknowns_of(const std::string& text) {
  return ScenarioLoader{}.small({{"/unknown", text}}).unknown;
}

std::string error_of(const std::string& text) {
  return error_in([&] { static_cast<void>(unknowns_of(text)); });
}

}  // namespace

TEST_CASE("A share of the prior's weight is a number of the range by its law", "[unknown]") {
  const auto unknown = unknowns_of(R"([
    {"name": "GPUs", "at": "/pools/0/gpus", "from": 4, "to": 7, "step": 1},
    {"name": "load", "at": "/pools/0/tenants/load", "from": 0.5, "to": 2, "law": "log_uniform"},
    {"name": "start-up", "at": "/models/all/start_up", "from": 0, "to": 2, "unit": "h"}])");
  REQUIRE(unknown.size() == 3);
  // Each of four numbers has a quarter of the weight, the ends as much as the others.
  CHECK(unknown[0].number_at(0.24) == 4);
  CHECK(unknown[0].number_at(0.26) == 5);
  CHECK(unknown[0].number_at(0.99) == 7);
  CHECK(*unknown[0].changes_at(0.6)[0].value.get<std::int64_t>() == 6);
  CHECK(unknown[0].settled(0.01) == Approx(0.125));
  CHECK(unknown[0].settled(0.74) == Approx(0.625));
  CHECK(unknown[1].settled(0.3) == 0.3);
  CHECK(unknown[1].number_at(0.5) == Approx(1));
  CHECK(unknown[1].text_at(1) == "2");
  CHECK(unknown[2].text_at(0.75) == "1.5 h");
  CHECK(*unknown[2].changes_at(0.75)[0].value.get<std::string>() == "5400000ms");
}

TEST_CASE("Steps of a law that is even in the logarithm have the weight of what is nearer", "[unknown]") {
  const auto unknown = unknowns_of(
      R"([{"name": "GPUs", "at": "/pools/0/gpus", "from": 1, "to": 4, "step": 1, "law": "log_uniform"}])");
  // From 1 to 1.5, 2.5, 3.5 and 4.
  const double edge = std::log(1.5) / std::log(4);
  CHECK(unknown[0].number_at(edge - 0.001) == 1);
  CHECK(unknown[0].number_at(edge + 0.001) == 2);
  CHECK(unknown[0].settled(0.01) == Approx(edge / 2));
  CHECK(unknown[0].settled(0.999) == Approx((1 + std::log(3.5) / std::log(4)) / 2));
}

TEST_CASE("A share of the prior's weight is a choice by the weights", "[unknown]") {
  const auto unknown = unknowns_of(R"([
    {"name": "queue", "at": "/pools/0/discipline", "values": ["fifo", "first_fit"]},
    {"name": "order", "choices": [{"name": "a", "set": {}, "weight": 3},
                                  {"name": "b", "set": {"/pools/0/hold_for_head": true}}]}])");
  CHECK(unknown[0].text_at(0.49) == "fifo");
  CHECK(unknown[0].text_at(0.51) == "first_fit");
  CHECK(unknown[1].choice_at(0.74) == 0);
  CHECK(unknown[1].choice_at(0.76) == 1);
  CHECK(unknown[1].changes_at(0.1).empty());
  CHECK(unknown[1].changes_at(0.9)[0].pointer == "/pools/0/hold_for_head");
}

TEST_CASE("What is no unknown is an error at its place", "[unknown]") {
  const std::string at = R"("at": "/pools/0/gpus")";
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": 4, "to": 4}])"),
             Contains("/unknown/0/to") && Contains("must be more than `from`, 4"));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": 0, "to": 4, "law": "log_uniform"}])"),
             Contains("/unknown/0/from") && Contains("must be above 0"));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": 1, "to": 4, "step": 9}])"),
             Contains("leaves one number only: must be at most 3"));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": -1, "to": 4, "unit": "h"}])"),
             Contains("must be from 0 to"));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "values": [1, 1]}])"),
             Contains("has two choices that read \"1\""));
  CHECK_THAT(error_of(R"([{"name": "x", "at": "/seed", "from": 1, "to": 4}])"),
             Contains("an unknown changes nothing at \"/seed\""));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": 1, "to": 4},
                          {"name": "y", )" +
                      at + R"(, "from": 1, "to": 4}])"),
             Contains("\"x\" and \"y\" both change /pools/0/gpus"));
  CHECK_THAT(error_of(R"([{"name": "x", )" + at + R"(, "from": 1, "to": 4},
                          {"name": "x", "at": "/pools/0/name", "values": ["a", "b"]}])"),
             Contains("is there twice"));
}
