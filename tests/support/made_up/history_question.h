#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/launch/ready_to_run.h"
#include "models/recommend/hindsight.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

/// A trace of so many jobs a day from 2026-08-03 on, all at noon UTC, each an hour on one GPU. They waited so
/// long, if that is at least 0.
inline std::string noon_jobs(const std::vector<int>& by_day, int wait_min = -1) {
  std::string text = wait_min < 0 ? "submit,duration,gpus\n" : "submit,duration,gpus,start\n";
  for (std::size_t day = 0; day < by_day.size(); ++day) {
    for (int i = 0; i < by_day[day]; ++i) {
      text += fmt::format("2026-08-{:02}T12:00:00Z,3600,1", day + 3);
      if (wait_min >= 0)
        text += fmt::format(",2026-08-{:02}T{:02}:{:02}:00Z", day + 3, 12 + wait_min / 60, wait_min % 60);
      text += '\n';
    }
  }
  return text;
}

/// A scenario that replays jobs.csv, cut behind some days.
class HistoryQuestion {
 public:
  HistoryQuestion(const std::string& scenario, const std::string& jobs, int days_before,
                  std::vector<Override> changes = {}, const PurchaseWorlds& worlds = {})
      : jobs_{folder_.file("jobs.csv", jobs)},
        path_{folder_.file("s.json", scenario)},
        changes_{std::move(changes)},
        first_{.until = std::chrono::days{days_before}},
        second_{.from = std::chrono::days{days_before}},
        whole_{load(worlds.middle(), {})},
        before_{load(worlds.middle(), first_)},
        after_{load(worlds.middle(), second_)},
        plain_{without_decisions(after_)},
        bought_before_{bought(before_, first_, worlds)},
        bought_after_{bought(after_, second_, worlds)},
        as_written_{bought(plain_, second_, worlds)} {}

  [[nodiscard]] Hindsight answer(std::size_t baseline = 0, const RecommendationRules& rules = {}) const {
    return look_back({.whole = whole_,
                      .before = {before_, bought_before_},
                      .after = {after_, bought_after_},
                      .as_written = as_written_,
                      .baseline = baseline},
                     rules);
  }
  [[nodiscard]] std::string advised(const Hindsight& result) const {
    return name(bought_before_, result.advice);
  }
  [[nodiscard]] std::string best(const Hindsight& result) const { return name(bought_after_, *result.best); }
  [[nodiscard]] const Purchases& bought_after() const { return bought_after_; }

 private:
  [[nodiscard]] static std::string name(const Purchases& purchases, const Recommendation& found) {
    return purchases.name(purchases.all()[found.standings[found.best].purchase]);
  }
  [[nodiscard]] static Scenario without_decisions(Scenario scenario) {
    scenario.decide.decisions.clear();
    return scenario;
  }
  [[nodiscard]] Scenario load(const std::vector<PlacedValue>& placed, const WindowPart& part) const {
    ScenarioOptions options;
    options.overrides = changes_;
    options.placed = placed;
    options.part = part;
    return ready_to_run(options, [&](const ScenarioOptions& asked) { return load_scenario(path_, asked); });
  }
  [[nodiscard]] Purchases bought(const Scenario& written, const WindowPart& part,
                                 const PurchaseWorlds& worlds) const {
    return {written, [&](const auto& placed) { return load(placed, part); }, [](std::size_t) {}, worlds};
  }

  ScratchFolder folder_;
  std::string jobs_;
  std::string path_;
  std::vector<Override> changes_;
  WindowPart first_;
  WindowPart second_;
  Scenario whole_;
  Scenario before_;
  Scenario after_;
  Scenario plain_;
  Purchases bought_before_;
  Purchases bought_after_;
  Purchases as_written_;
};

}  // namespace stockout::test
