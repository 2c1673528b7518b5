// Which consumption model goes with which orchestrator since when: the data, the file, and what a scenario
// that breaks it is told.

#include <set>

#include <catch2/catch.hpp>

#include "models/catalog/orchestrators.h"
#include "models/consumption/policy.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

const Catalog& catalog() {
  static const Catalog embedded = Catalog::embedded();
  return embedded;
}

std::string why(OrchestratorName orchestrator, std::string_view model, const char* day) {
  return why_not(catalog(), orchestrator, model, *parse_date(day));
}

// What is said of the small scenario's one strategy, starting on a day; its classes are "jobs" and "night".
std::string error_of(const std::string& strategy, const std::string& start = "2026-08-03") {
  const test::ScenarioLoader loader;
  return test::error_in([&] {
    static_cast<void>(
        loader.small({{"/start", start}, {"/classes", R"({"night": {}})"}, {"/strategies/0", strategy}}));
  });
}

const std::string kReserved = R"({"model": "reservation", "reservation": "held", "limit": "0s")";

std::string of_vertex(const std::string& legs) {
  return R"({"name": "s", "orchestrator": "vertex", "legs": [)" + legs + "]}";
}

}  // namespace

TEST_CASE("The matrix has every consumption model for every orchestrator, once", "[orchestrators]") {
  for (std::size_t i = 0; i < kOrchestratorNames.size(); ++i) {
    for (const Policy& policy : policy_table()) {
      CAPTURE(kOrchestratorNames[i], policy.name);
      CHECK(std::ranges::count_if(catalog().validity(), [&](const ValidityRow& row) {
              return static_cast<std::size_t>(row.orchestrator) == i && row.model == policy.name &&
                     row.with.empty();
            }) == 1);
    }
  }
  for (const ValidityRow& row : catalog().validity()) {
    CAPTURE(row.model, row.with);
    CHECK(find_policy(row.model) != nullptr);
    CHECK((row.with.empty() || find_policy(row.with) != nullptr));
  }
}

TEST_CASE("A model goes with an orchestrator from its first day on", "[orchestrators]") {
  CHECK_THAT(why(OrchestratorName::vertex, "flex_start", "2024-08-31"),
             Contains("vertex takes flex_start only from 2024-09-01 on (2024-09), and not on 2024-08-31; it "
                      "takes on_demand, spot, persistent_resource"));
  CHECK(why(OrchestratorName::vertex, "flex_start", "2024-09-01").empty());
  CHECK_THAT(why(OrchestratorName::vertex, "reservation", "2024-11-30"), Contains("only from 2024-12-01 on"));
  CHECK(why(OrchestratorName::vertex, "reservation", "2024-12-01").empty());
  CHECK_THAT(why(OrchestratorName::vertex, "calendar", "2026-08-01"),
             Contains("vertex never takes calendar (as of 2024-12; nothing later was found)"));
  CHECK(why(OrchestratorName::compute_engine, "on_demand", "1999-01-01").empty());
  for (const auto other : {OrchestratorName::compute_engine, OrchestratorName::gke, OrchestratorName::slurm})
    CHECK_THAT(why(other, "persistent_resource", "2026-08-01"),
               Contains("never takes persistent_resource (Vertex AI only)"));
  CHECK_THAT(why(OrchestratorName::slurm, "flex_start_mig", "2026-08-01"), Contains("flex_start_slurm"));
}

TEST_CASE("A leg that its orchestrator does not take is refused, with its place", "[orchestrators]") {
  CHECK(error_of(of_vertex(R"({"model": "flex_start", "price": "on_demand"})")).empty());
  CHECK_THAT(error_of(of_vertex(R"({"model": "on_demand"}, {"model": "flex_start"})"), "2024-08-31"),
             Contains("/strategies/0/legs/1/model: vertex takes flex_start only from 2024-09-01 on"));
  CHECK_THAT(error_of(of_vertex(R"({"model": "flex_start_vm"})")),
             Contains("/legs/0/model: vertex never takes flex_start_vm (Compute Engine's form"));
  CHECK_THAT(error_of(R"({"name": "s", "orchestrator": "verteks", "legs": [{"model": "spot"}]})"),
             Contains("/strategies/0/orchestrator") && Contains("vertex"));
  // Without an orchestrator nothing is checked.
  CHECK(error_of(R"({"name": "s", "legs": [{"model": "flex_start_vm"}]})", "2020-01-01").empty());
}

TEST_CASE("Two models that do not go together are refused for one job only", "[orchestrators]") {
  const std::string flex = R"({"model": "flex_start")";
  CHECK_THAT(error_of(of_vertex(kReserved + "}, " + flex + "}")),
             Contains("/strategies/0/legs/1/model: vertex never takes flex_start together with reservation "
                      "for one job"));
  CHECK_THAT(error_of(of_vertex(flex + R"(, "limit": "1h"}, )" + kReserved + "}")),
             Contains("/strategies/0/legs/1/model: vertex never takes reservation together with flex_start"));
  CHECK(error_of(of_vertex(kReserved + R"(, "classes": ["night"]}, )" + flex + R"(, "classes": ["jobs"]})"))
            .empty());
  CHECK(error_of(R"({"name": "s", "orchestrator": "slurm", "legs": [)" + kReserved +
                 R"(}, {"model": "flex_start_slurm"}]})")
            .empty());
}

TEST_CASE("A resize request is not for Spot", "[orchestrators]") {
  const auto mig = [](const std::string& price) {
    return R"({"name": "s", "orchestrator": "compute_engine", "legs": [{"model": "flex_start_mig", "price": ")" +
           price + R"("}, {"model": "spot"}]})";
  };
  CHECK_THAT(
      error_of(mig("spot")),
      Contains("/strategies/0/legs/0/price: compute_engine never takes flex_start_mig together with spot for "
               "one request"));
  CHECK(error_of(mig("on_demand")).empty());
}
