// Scenario files at random, read by the program's own reader: simulate() and the second implementation
// (tests/support/reference) agree on each, under every strategy; and what cannot matter does not: the order
// of things, names, what nobody uses. The keys of the format are counted, so that none is forgotten. A file
// that fails is shrunk, printed and left in the build folder, with the files that it names; what it was found
// with goes to tests/support/kept_scenarios.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/changed_scenario.h"
#include "tests/support/scenarios/random_scenario.h"
#include "tests/support/scenarios/run_account.h"
#include "tests/support/scenarios/scenario_keys.h"
#include "tests/support/scenarios/scenario_reader.h"
#include "tests/support/scenarios/shrink_scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using namespace nlohmann::literals;

namespace {

[[maybe_unused]] constexpr std::uint64_t kFiles = 10'000;

using What = FileVerdict::What;

/// Kind of failure: shrinking must not wander from one mistake to another.
std::string kind_of(const std::string& failure) {
  const std::string first_line = failure.substr(0, failure.find('\n'));
  const bool threw = first_line.find("threw") != std::string::npos;
  return threw ? first_line : first_line.substr(0, first_line.find(' '));
}

/// Leaves the file where it can be run, and tells of it.
void report(const std::string& name, const Json& file, const std::string& what) {
  const std::filesystem::path folder = std::filesystem::path{STOCKOUT_FAILED_WORLDS_DIR} / "failed_scenarios";
  std::filesystem::create_directories(folder);
  write_files_of_scenarios(folder.string());
  const std::string path = (folder / (name + ".json")).string();
  std::ofstream{path} << file.dump(1) << '\n';
  INFO("left in " << path << "\n" << file.dump() << "\n" << what);
  FAIL_CHECK("a scenario file fails");
}

/// Of a file that fails: shrinks it and tells of it.
template <typename Verdict>
void report_smallest(const std::string& name, const Json& file, const Verdict& verdict) {
  const std::string kind = kind_of(verdict(file).text);
  const Json smallest = shrink_scenario(file, [&](const Json& smaller) {
    const FileVerdict found = verdict(smaller);
    return found.what == What::fails && kind_of(found.text) == kind;
  });
  report(name, smallest, verdict(smallest).text);
}

/// How often a change was tried, and how often it could be.
struct Tried {
  int files = 0;
  int runs = 0;
};

/// Numbers that the change moves, if it goes with the file.
FileVerdict verdict_on_change(ScenarioReader& reader, const ScenarioChange& change, const Json& file,
                              Tried& tried) {
  try {
    static_cast<void>(reader.read(file));  // changes are made of files that can be read
    const auto changed = change.make(file, reader.catalog());
    if (!changed) return {.what = What::refused, .text = {}};
    const World before = reader.read(changed->before).world;
    const World after = reader.read(changed->after).world;
    ++tried.files;
    for (const Strategy& strategy : before.strategies) {
      const RunAccount account = account_of(before, strategy.name);
      if (change.moves_sources && account.is_tied) continue;
      ++tried.runs;
      const std::string found = differences(account, account_of(after, strategy.name));
      if (!found.empty())
        return {.what = What::fails, .text = fmt::format("{}: {}\n{}", change.name, strategy.name, found)};
    }
    return {};
  } catch (const InputError& error) {
    return {.what = What::refused, .text = error.what()};
  } catch (const std::exception& error) {
    return {.what = What::fails, .text = fmt::format("threw: {}\n", error.what())};
  }
}

/// Files of many seeds, and what became of them.
class FileTrial {
 public:
  void try_seed(std::uint64_t seed) {
    const Json file = random_scenario(seed, reader_.catalog());
    const FileVerdict verdict = verdict_on(reader_, file);
    ++verdicts_[verdict.what];
    if (verdict.what == What::agrees) {
      count_keys(file, keys_);
      try_changes(seed, file);
    }
    if (verdict.what != What::fails) return;
    ++failures_;
    report_smallest(fmt::format("{}", seed), file, [&](const Json& one) { return verdict_on(reader_, one); });
  }

  [[nodiscard]] int count(What what) { return verdicts_[what]; }
  [[nodiscard]] int count(const std::string& key) { return keys_[key]; }
  [[nodiscard]] const std::map<std::string, Tried>& changes() const { return changes_; }
  [[nodiscard]] bool has_failed_often() const { return failures_ >= 3; }

 private:
  /// Two of them: each has its turn, with calm files too.
  void try_changes(std::uint64_t seed, const Json& file) {
    const auto& all = scenario_changes();
    for (const std::uint64_t number : {seed / 4, seed / 4 + all.size() / 2})
      try_change(seed, file, all[number % all.size()]);
  }

  void try_change(std::uint64_t seed, const Json& file, const ScenarioChange& change) {
    if (change.wants_calm && !is_calm(seed)) return;
    Tried& tried = changes_[change.name];
    const FileVerdict verdict = verdict_on_change(reader_, change, file, tried);
    if (verdict.what != What::fails) return;
    ++failures_;
    Tried more;
    report_smallest(fmt::format("{} {}", seed, change.name), file,
                    [&](const Json& one) { return verdict_on_change(reader_, change, one, more); });
  }

  ScratchFolder folder_;
  ScenarioReader reader_{folder_.path()};
  std::map<What, int> verdicts_;
  std::map<std::string, int> keys_;
  std::map<std::string, Tried> changes_;
  int failures_ = 0;
};

/// Keys that say nothing to the simulation, or that it hears of in another way, and why they are not here.
[[maybe_unused]] const std::map<std::string, std::string>& keys_left_out() {
  static const std::map<std::string, std::string> kWhy{
      {"scenario.$schema", "for editors"},
      {"scenario.question", "for reports"},
      {"scenario.replications", "the checks draw one replication by themselves"},
      {"scenario.precision", "how many replications"},
      {"precision.half_width", "how many replications"},
      {"precision.of", "how many replications"},
      {"precision.most", "how many replications"},
      {"scenario.control_variates", "how means are adjusted"},
      {"source.team", "a name for reports"},
      {"scenario.goal", "what is said of the result"},
      {"goal.wait_p", "what is said of the result"},
      {"goal.at_most", "what is said of the result"},
      {"goal.class", "what is said of the result"},
      {"goal.same_work", "what is said of the result"},
      {"scenario.goals", "what is said of the result"},
      {"asked_goal.at_most", "what is said of the result"},
      {"asked_goal.wait_p", "what is said of the result"},
      {"asked_goal.deadlines_p", "what is said of the result"},
      {"asked_goal.completed_p", "what is said of the result"},
      {"asked_goal.budget_usd", "what is said of the result"},
      {"asked_goal.class", "what is said of the result"},
      {"scenario.indifference_usd", "what is said of the result"},
      {"scenario.undone_usd_per_gpu_h", "what is said of the result"},
      {"scenario.most_obligation", "what is said of the result"},
      {"decision.unit=s", "other scenarios"},
      {"decision.unit=min", "other scenarios"},
      {"decision.unit=h", "other scenarios"},
      {"decision.unit=d", "other scenarios"},
      {"scenario.most_obligation=none", "what is said of the result"},
      {"scenario.most_obligation=1y", "what is said of the result"},
      {"scenario.most_obligation=3y", "what is said of the result"},
      {"scenario.decide", "other scenarios"},
      {"decision.name", "other scenarios"},
      {"decision.at", "other scenarios"},
      {"decision.from", "other scenarios"},
      {"decision.to", "other scenarios"},
      {"decision.step", "other scenarios"},
      {"decision.values", "other scenarios"},
      {"decision.unit", "other scenarios"},
      {"decision.choices", "other scenarios"},
      {"choice.name", "other scenarios"},
      {"choice.set", "other scenarios"},
      {"scenario.unknown", "other scenarios"},
      {"unknown.name", "other scenarios"},
      {"unknown.at", "other scenarios"},
      {"unknown.from", "other scenarios"},
      {"unknown.to", "other scenarios"},
      {"unknown.step", "other scenarios"},
      {"unknown.law", "other scenarios"},
      {"unknown.law=uniform", "other scenarios"},
      {"unknown.law=log_uniform", "other scenarios"},
      {"unknown.values", "other scenarios"},
      {"unknown.unit", "other scenarios"},
      {"unknown.unit=s", "other scenarios"},
      {"unknown.unit=min", "other scenarios"},
      {"unknown.unit=h", "other scenarios"},
      {"unknown.unit=d", "other scenarios"},
      {"unknown.choices", "other scenarios"},
      {"unknown_choice.name", "other scenarios"},
      {"unknown_choice.set", "other scenarios"},
      {"unknown_choice.weight", "other scenarios"},
      {"scenario.consecutive_within", "a measure"},
      {"scenario.assumptions", "for reports"},
      {"scenario.price_files", "prices out of files of their own"},
      {"scenario.alternatives", "other scenarios"},
      {"alternative_rule.rule", "other scenarios"},
      {"alternative_rule.choices", "other scenarios"},
      {"alternative.name", "other scenarios"},
      {"alternative.set", "other scenarios"},
      {"profile.made_by", "for readers of the file"},
  };
  return kWhy;
}

}  // namespace

TEST_CASE("Both implementations agree on scenario files that once told them apart", "[random_scenarios]") {
  const ScratchFolder folder;
  ScenarioReader reader{folder.path()};
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator{STOCKOUT_KEPT_SCENARIOS_DIR}) {
    std::ifstream in{entry.path()};
    const Json file = Json::parse(in);
    CAPTURE(entry.path().string());
    const FileVerdict verdict = verdict_on(reader, file);
    INFO(verdict.text);
    CHECK(verdict.what == What::agrees);
    Tried tried;
    for (const ScenarioChange& change : scenario_changes()) {
      if (change.wants_calm && !entry.path().filename().string().starts_with("calm_")) continue;
      const FileVerdict changed = verdict_on_change(reader, change, file, tried);
      INFO(changed.text);
      CHECK(changed.what != What::fails);
    }
    ++checked;
  }
  CHECK(checked > 0);
}

#ifdef STOCKOUT_SANITIZED

// A file takes ten times as long here.
TEST_CASE("Two hundred random scenario files: both implementations agree", "[random_scenarios]") {
  FileTrial trial;
  for (std::uint64_t seed = 1; seed <= 200 && !trial.has_failed_often(); ++seed) trial.try_seed(seed);
  CHECK(trial.count(What::agrees) > 180);
}

#else

TEST_CASE("Ten thousand random scenario files: both implementations agree, and no key is forgotten",
          "[random_scenarios]") {
  FileTrial trial;
  for (std::uint64_t seed = 1; seed <= kFiles && !trial.has_failed_often(); ++seed) trial.try_seed(seed);
  const int refused = trial.count(What::refused);
  INFO(refused << " files were refused by the reader");
  CHECK(refused < static_cast<int>(kFiles) / 10);
  CHECK(trial.count(What::agrees) > static_cast<int>(kFiles) * 9 / 10);
  for (const auto& [name, tried] : trial.changes()) {
    INFO(name << ": " << tried.files << " files, " << tried.runs << " runs");
    CHECK(tried.runs >= 100);
  }
  CHECK(trial.changes().size() == scenario_changes().size());
  for (const std::string& key : all_scenario_keys()) {
    INFO(key);
    CHECK((trial.count(key) > 0) != keys_left_out().contains(key));
  }
}

#endif

// As many as one wants: STOCKOUT_FIRST_SEED and STOCKOUT_LAST_SEED (tests/README.md).
TEST_CASE("Scenario files of other seeds", "[.scenario_seeds]") {
  const char* first = std::getenv("STOCKOUT_FIRST_SEED");
  const char* last = std::getenv("STOCKOUT_LAST_SEED");
  REQUIRE(first != nullptr);
  REQUIRE(last != nullptr);
  FileTrial trial;
  for (std::uint64_t seed = std::stoull(first); seed <= std::stoull(last) && !trial.has_failed_often();
       ++seed)
    trial.try_seed(seed);
  CHECK(!trial.has_failed_often());
}

TEST_CASE("A failing scenario file is shrunk to what makes it fail", "[random_scenarios][evidence]") {
  const Catalog catalog = Catalog::embedded();
  const auto has_spot_leg = [](const Json& file) {
    return file.contains("/strategies/0/legs"_json_pointer) &&
           file.dump().find(R"("spot")") != std::string::npos;
  };
  int shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Json file = random_scenario(seed, catalog);
    if (!has_spot_leg(file)) continue;
    const Json smallest = shrink_scenario(file, has_spot_leg);
    CHECK(has_spot_leg(smallest));
    CHECK(smallest.dump().size() < 90);
    ++shrunk;
  }
  CHECK(shrunk > 5);
}
