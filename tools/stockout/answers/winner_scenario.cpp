#include "tools/stockout/answers/winner_scenario.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "models/scenario/format/overrides.h"
#include "sim/io/json_document.h"
#include "tools/stockout/arguments/scenario_text.h"

namespace stockout {
namespace {

// A file that the command line names, as a scenario in that folder does.
std::string path_from(const std::filesystem::path& folder, const std::string& file) {
  const std::filesystem::path path{file};
  if (path.is_absolute()) return file;
  return std::filesystem::proximate(path, folder.empty() ? "." : folder).generic_string();
}

}  // namespace

std::string winner_scenario(const std::string& file, const std::string& winner,
                            const ScenarioOptions& options, const std::vector<PlacedValue>& choices) {
  ScenarioText text = scenario_text(file, options);
  for (const PlacedValue& change : choices) place_value(text, change);
  using Json = nlohmann::ordered_json;
  Json json = json_document(text.root);
  json.erase("decide");
  if (options.seed) json["seed"] = *options.seed;
  const std::filesystem::path folder = std::filesystem::path{winner}.parent_path();
  for (const std::string& prices : options.price_files)
    json["price_files"].push_back(path_from(folder, prices));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace stockout
