#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/launch/ready_to_run.h"
#include "models/recommend/recommendation.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

/// One to four reserved machines, or on-demand ones in a zone that others nearly fill.
inline constexpr const char* kHowMany = R"({
  "name": "how many to reserve", "start": "2026-08-03", "window": "7d", "seed": 5, "end": "drain",
  "prices_as_of": "2026-07-30", "replications": 1, "indifference_usd": 500, "most_obligation": "1y",
  "pools": [{"name": "zone", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 10,
             "tenants": {"load": 0.7}}],
  "goal": {"wait_p": 90, "at_most": "4h"},
  "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 0, "to": 4}],
  "workload": [{"name": "training", "machine": "a3-highgpu-8g", "poisson": {"per_day": 8},
                "work": {"exponential": "5h"}}],
  "reservations": [{"name": "team", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 2}],
  "strategies": [
    {"name": "reserved", "legs": [{"model": "reservation", "reservation": "team"}]},
    {"name": "on-demand", "legs": [{"model": "on_demand", "places": ["us-central1-a"]}]}]
})";

/// A scenario of a text, and what can be bought by it, in some worlds if there are any.
class Question {
 public:
  explicit Question(const std::string& text, std::vector<Override> changes = {}, PurchaseWorlds worlds = {})
      : path_{folder_.file("scenario.json", text)},
        changes_{std::move(changes)},
        written_{load(worlds.middle())},
        purchases_{written_, [this](const auto& placed) { return load(placed); }, [](std::size_t) {},
                   std::move(worlds)} {}

  [[nodiscard]] const Scenario& written() const { return written_; }
  [[nodiscard]] const Purchases& purchases() const { return purchases_; }
  [[nodiscard]] Recommendation answer(const RecommendationRules& rules = {}) const {
    return recommend(written_, purchases_, rules);
  }
  [[nodiscard]] std::string name(const PurchaseStanding& of) const {
    return purchases_.name(purchases_.all()[of.purchase]);
  }
  [[nodiscard]] std::string best(const Recommendation& found) const {
    return name(found.standings[found.best]);
  }

 private:
  [[nodiscard]] Scenario load(const std::vector<PlacedValue>& placed) const {
    ScenarioOptions options;
    options.overrides = changes_;
    options.placed = placed;
    return ready_to_run(options, [&](const ScenarioOptions& asked) { return load_scenario(path_, asked); });
  }

  ScratchFolder folder_;
  std::string path_;
  std::vector<Override> changes_;
  Scenario written_;
  Purchases purchases_;
};

}  // namespace stockout::test
