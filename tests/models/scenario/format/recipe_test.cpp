// "Add a consumption model" in models/README.md: each place that it names is there and has every model, and
// there is no other place. catalog/orchestrators_test.cpp does it line by line for orchestrators.csv.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/consumption/policy.h"
#include "models/scenario/format/held_model.h"
#include "models/scenario/format/keys.h"
#include "sim/io/input_file.h"

using namespace stockout;

namespace {

const std::string kRoot = std::string{STOCKOUT_SCENARIOS_DIR} + "/../";

std::string recipe() {
  const std::string page = read_text_file(kRoot + "models/README.md", 1 << 20);
  const std::size_t begin = page.find("## Add a consumption model");
  return page.substr(begin, page.find("\n## ", begin) - begin);
}

// The file that the recipe names, wherever it stands; empty if there is none.
std::string path_of(const std::string& name) {
  for (const char* folder : {"", "models/", "models/consumption/"}) {
    if (std::filesystem::is_regular_file(kRoot + folder + name)) return kRoot + folder + name;
  }
  return {};
}

bool names_file(const std::string& name) {
  return name.find_first_of(" *=") == std::string::npos &&
         (name.ends_with(".cpp") || name.ends_with(".h") || name.ends_with(".csv") || name.ends_with(".md"));
}

// What stands between backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    all.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return all;
}

std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> all;
  const std::regex end{R"([.:](\s|$))"};
  for (std::sregex_token_iterator part{text.begin(), text.end(), end, -1};
       part != std::sregex_token_iterator{}; ++part) {
    all.push_back(*part);
  }
  return all;
}

std::vector<std::string> strings(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

/// Names of one kind, by what the recipe calls the kind.
struct Kind {
  std::string called;
  std::vector<std::string> names;
};

std::vector<Kind> kinds() {
  return {{"Policy", model_names()},
          {"Offer", strings(kOfferNames)},
          {"PriceModel", strings(kPriceModelNames)},
          {"HeldModel", strings(kHeldModelNames)}};
}

// As a word by itself, or as that of a measure: cost_spot.
bool has_name(const std::string& text, const std::string& name) {
  return std::regex_search(text, std::regex{"\\b(cost_)?" + name + "\\b"});
}

std::set<std::string> named_paths() {
  std::set<std::string> paths;
  for (const std::string& name : quoted(recipe())) {
    if (names_file(name)) paths.insert(std::filesystem::weakly_canonical(path_of(name)).string());
  }
  return paths;
}

std::ptrdiff_t listed(const std::string& text, const std::vector<std::string>& names,
                      const std::string& before, const std::string& after) {
  return std::ranges::count_if(
      names, [&](const std::string& name) { return text.find(before + name + after) != std::string::npos; });
}

}  // namespace

TEST_CASE("Every file that the recipe for a consumption model names is there", "[recipe]") {
  int files = 0;
  for (const std::string& name : quoted(recipe())) {
    if (!names_file(name)) continue;
    CAPTURE(name);
    CHECK_FALSE(path_of(name).empty());
    ++files;
  }
  CHECK(files >= 10);
}

TEST_CASE("Where the recipe names a kind, its files have all of that kind", "[recipe]") {
  std::set<std::string> checked;
  for (const std::string& sentence : sentences_of(recipe())) {
    const std::vector<std::string> words = quoted(sentence);
    for (const Kind& kind : kinds()) {
      if (std::ranges::find(words, kind.called) == words.end()) continue;
      for (const std::string& file : words) {
        if (!names_file(file)) continue;
        const std::string text = read_text_file(path_of(file), 1 << 20);
        for (const std::string& name : kind.names) {
          CAPTURE(sentence, file, name);
          CHECK(has_name(text, name));
        }
        checked.insert(kind.called + " " + file);
      }
    }
  }
  CHECK(checked.size() >= 10);
}

TEST_CASE("No file but those of the recipe lists models or prices", "[recipe]") {
  constexpr std::ptrdiff_t kFew = 4;  // a rule about some of them is no list
  const std::set<std::string> named = named_paths();
  for (const char* folder : {"models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{kRoot + folder}) {
      const std::string path = std::filesystem::weakly_canonical(entry.path()).string();
      if (!path.ends_with(".cpp") && !path.ends_with(".h")) continue;
      if (named.contains(path)) continue;
      CAPTURE(path);
      const std::string text = read_text_file(path, 1 << 20);
      const std::vector<std::string> prices = strings(kPriceModelNames);
      CHECK(listed(text, prices, "PriceModel::", "") < kFew);
      CHECK(listed(text, prices, "Measure::cost_", "") < kFew);
      CHECK(listed(text, model_names(), "\"", "\"") <= kFew);
      CHECK(listed(text, model_names(), "== \"", "\"") == 0);  // a rule is a field of the row
      CHECK(listed(text, model_names(), "!= \"", "\"") == 0);
      CHECK(listed(text, model_names(), " = \"", "\";") == 0);
    }
  }
}

TEST_CASE("A model is held if it is one of the ways to hold capacity", "[recipe]") {
  for (const Policy& row : policy_table()) {
    CAPTURE(row.name);
    const bool is_way = std::ranges::find(kHeldModelNames, row.name) != kHeldModelNames.end();
    CHECK(row.held == is_way);
  }
  for (const std::string_view name : kHeldModelNames) CHECK(find_policy(name) != nullptr);
}

TEST_CASE("A model has what its provider allows", "[recipe]") {
  for (const Policy& row : policy_table()) {
    CAPTURE(row.name);
    CHECK(row.bounds.waits(row.max_wait));
    CHECK(row.bounds.runs(row.run_max));
    CHECK((row.bounds.machines_most == 0 || row.machines_max == row.bounds.machines_most));
    const bool has_product = row.bounds.runs({}) && row.bounds.runs(kForever);
    CHECK((has_product || !row.bounds.product.empty()));
    const bool waits_as_long_as_one_likes = row.bounds.waits(SimDuration{1}) && row.bounds.waits(kForever);
    CHECK((waits_as_long_as_one_likes || !row.bounds.wait_rule.empty()));
  }
}

TEST_CASE("What other tenants buy can be weighed", "[recipe]") {
  const std::vector<Policy> rows = tenant_policies();
  REQUIRE(mix_keys().keys.size() == rows.size());
  for (const Policy& row : rows) CHECK(mix_keys().find(row.name) != nullptr);
}
