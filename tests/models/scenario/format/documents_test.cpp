#include <cstdlib>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/node.h"
#include "models/scenario/format/reference.h"
#include "models/scenario/format/schema.h"
#include "models/scenario/format/spec_check.h"
#include "sim/io/input_file.h"

using namespace stockout;

namespace {

std::string scenario_file(const std::string& name) {
  return std::string{STOCKOUT_SCENARIOS_DIR} + "/" + name;
}

// Compares with the file, or writes it where the developer says so.
void check_equal(const std::string& name, const std::string& made) {
  const char* update = std::getenv("STOCKOUT_UPDATE_GOLDEN");
  if (update != nullptr && std::string{update} == "1") std::ofstream{scenario_file(name)} << made;
  CHECK(read_text_file(scenario_file(name), 1 << 20) == made);
}

// The default of a key, checked as a scenario's value would be.
void check_default(const ObjectSpec& object, const KeySpec& key) {
  CAPTURE(object.name, key.name);
  const ScenarioText text{.file = "default", .root = *key.fallback, .overrides = {}};
  CHECK_NOTHROW(check_scenario(text, key.value));
}

}  // namespace

TEST_CASE("The schema is that of the reader", "[scenario]") { check_equal("schema.json", scenario_schema()); }

TEST_CASE("The reference page is that of the reader", "[scenario]") {
  check_equal("REFERENCE.md", scenario_reference());
}

TEST_CASE("Every default is a value that a file may hold", "[scenario]") {
  for (const ObjectSpec* object : all_keys()) {
    for (const KeySpec& key : object->keys) {
      CHECK_FALSE(key.doc.empty());
      CHECK_FALSE((key.required && key.fallback));
      if (key.fallback) check_default(*object, key);
    }
  }
}

TEST_CASE("Every object that a key refers to is in the reference", "[scenario]") {
  const std::string page = scenario_reference();
  for (const ObjectSpec* object : all_keys())
    CHECK(page.find("\n## " + object->name + "\n") != std::string::npos);
  for (std::size_t at = page.find("](#"); at != std::string::npos; at = page.find("](#", at + 1)) {
    const std::string name = page.substr(at + 3, page.find(')', at) - at - 3);
    CAPTURE(name);
    CHECK(page.find("\n## " + name + "\n") != std::string::npos);
  }
}
