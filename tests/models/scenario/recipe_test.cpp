// "Add a consumption model" in models/README.md: each place that it names is there, and every model of the
// table stands in those that no compiler checks. catalog/orchestrators_test.cpp does it for
// orchestrators.csv.

#include <algorithm>
#include <filesystem>
#include <string>

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

bool is_file(const std::string& name) {
  return std::ranges::any_of(
      std::vector<std::string>{"", "models/", "models/consumption/"},
      [&](const auto& folder) { return std::filesystem::is_regular_file(kRoot + folder + name); });
}

bool names_file(const std::string& name) {
  return name.find_first_of(" *=") == std::string::npos &&
         (name.ends_with(".cpp") || name.ends_with(".h") || name.ends_with(".csv") || name.ends_with(".md"));
}

}  // namespace

TEST_CASE("Every file that the recipe for a consumption model names is there", "[recipe]") {
  const std::string text = recipe();
  int files = 0;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    REQUIRE(end != std::string::npos);
    const std::string name = text.substr(at + 1, end - at - 1);
    if (names_file(name)) {
      CAPTURE(name);
      CHECK(is_file(name));
      ++files;
    }
    at = text.find('`', end + 1);
  }
  CHECK(files >= 10);
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

TEST_CASE("The README of models of consumption has every one", "[recipe]") {
  const std::string page = read_text_file(kRoot + "models/consumption/README.md", 1 << 20);
  for (const Policy& row : policy_table()) {
    CAPTURE(row.name);
    CHECK(page.find("`" + row.name + "`") != std::string::npos);
  }
}
