#include "tools/stockout/winner_scenario.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "models/scenario/format/overrides.h"
#include "sim/io/input_file.h"
#include "sim/io/json_document.h"
#include "sim/io/json_reader.h"

namespace stockout {

std::string winner_scenario(const std::string& file, const ScenarioOptions& options,
                            const std::vector<PlacedValue>& choices) {
  constexpr std::size_t kMostBytes = 64 << 20;
  ScenarioText text{.file = file,
                    .root = parse_json(read_text_file(file, kMostBytes), file, kWrittenByHand),
                    .overrides = {}};
  for (const Override& change : options.overrides) apply_override(text, change);
  for (const PlacedValue& change : choices) place_value(text, change);
  using Json = nlohmann::ordered_json;
  Json json = json_document(text.root);
  json.erase("decide");
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace stockout
