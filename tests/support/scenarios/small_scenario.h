#pragma once

#include <string>
#include <vector>

#include "models/scenario/scenario.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

/// A small scenario that loads, one key a line, for tests that change one thing in it with --set or put other
/// text in its place.
inline const std::string kSmallScenario = R"({
 "name": "small",
 "start": "2026-08-03",
 "window": "2d",
 "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [
  {"name": "jobs", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"}
 ],
 "pools": [
  {"name": "zone", "family": "generic", "place": "generic", "gpus": 8}
 ],
 "models": {"all": {"start_up": "1min"}},
 "reservations": [
  {"name": "held", "machine": "generic", "place": "generic", "count": 2}
 ],
 "strategies": [
  {"name": "first", "legs": [{"model": "on_demand"}]}
 ]
}
)";

/// Text of the error that `load` throws; empty if it throws none.
template <typename Load>
std::string error_in(Load load) {
  try {
    load();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Loads scenario texts from a folder of their own. Messages name the file "s.json" only.
class ScenarioLoader {
 public:
  [[nodiscard]] Scenario load(const std::string& text, std::vector<Override> overrides = {}) const {
    const std::string path = folder_.file("s.json", text);
    try {
      return load_scenario(
          path, {.overrides = std::move(overrides), .catalog_dir = {}, .seed = {}, .replications = {}});
    } catch (const InputError& error) {
      throw InputError{SourceRef{}, without_folder(error.what())};
    }
  }

  /// The small scenario with values in the place of pointers.
  [[nodiscard]] Scenario small(std::vector<Override> overrides) const {
    return load(kSmallScenario, std::move(overrides));
  }

  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

 private:
  [[nodiscard]] std::string without_folder(std::string text) const {
    const std::string prefix = folder_.path();
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }

  ScratchFolder folder_;
};

}  // namespace stockout::test
