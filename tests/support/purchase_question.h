#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/launch/ready_to_run.h"
#include "models/recommend/recommendation.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

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
