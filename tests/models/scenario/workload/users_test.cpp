// Who submits the jobs of sources: people of their own, or the same ones.

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

std::string source(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h", )" +
         more + "}";
}

Scenario of(const std::string& first, const std::string& second) {
  return test::ScenarioLoader{}.small({{"/workload", "[" + first + ", " + second + "]"}});
}

const SyntheticDemand& demand_of(const Scenario& scenario, std::size_t number) {
  return std::get<SyntheticDemand>(scenario.world.sources.at(number).demand);
}

}  // namespace

TEST_CASE("Sources with the same user_names have the same people, each as many as it says", "[scenario]") {
  const Scenario shared = of(source("a", R"("users": 2, "user_names": "lab")"),
                             source("b", R"("users": 3, "user_names": "lab")"));
  CHECK(demand_of(shared, 0).users == 2);
  CHECK(demand_of(shared, 1).users == 3);
  const UserId first = demand_of(shared, 0).first_user;
  CHECK(demand_of(shared, 1).first_user == first);
  CHECK(shared.world.users.at(index(first)) == "lab 1");
  CHECK(shared.world.users.at(index(first) + 2) == "lab 3");

  const Scenario apart = of(source("a", R"("users": 2)"), source("b", R"("users": 2)"));
  CHECK(demand_of(apart, 0).first_user != demand_of(apart, 1).first_user);
  CHECK(apart.world.users.at(index(demand_of(apart, 1).first_user)) == "b 1");
}

TEST_CASE("People are shared only where a source says so", "[scenario]") {
  const std::string lab = source("lab", R"("users": 2)");
  const auto error = [&](const std::string& other) {
    return test::error_in([&] { static_cast<void>(of(source("b", other), lab)); });
  };
  CHECK_THAT(error(R"("users": 1, "user_names": "lab")"),
             Contains("there is a user \"lab 1\" already: sources with the same people say \"user_names\""));
  CHECK_THAT(error(R"("user_names": "staff")"),
             Contains("\"users\" is missing, which \"user_names\" requires"));
}
