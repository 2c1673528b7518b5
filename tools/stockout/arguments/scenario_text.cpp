#include "tools/stockout/arguments/scenario_text.h"

#include "models/scenario/format/overrides.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {

ScenarioText scenario_text(const std::string& file, const ScenarioOptions& options) {
  constexpr std::size_t kMostBytes = 64 << 20;
  ScenarioText text{.file = file,
                    .root = parse_json(read_text_file(file, kMostBytes), file, kWrittenByHand),
                    .overrides = {}};
  for (const Override& change : options.overrides) apply_override(text, change);
  for (const PlacedValue& change : options.placed) place_value(text, change);
  return text;
}

}  // namespace stockout
