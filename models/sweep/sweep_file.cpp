#include "models/sweep/sweep_file.h"

#include <algorithm>

#include "models/launch/ready_to_run.h"
#include "models/scenario/format/spec_check.h"
#include "models/sweep/keys.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

constexpr std::size_t kMostBytes = 64 << 20;
constexpr std::size_t kCheckedPoints = 1'000;  // with all their values together, before anything runs

/// Holds the scenario with values of the sweep against its spec, as often as that takes seconds at most: a
/// huge scenario is not read a hundred thousand times over. What is left out is found at the points.
class ValueChecks {
 public:
  ValueChecks(const Sweep& sweep, const ScenarioText& scenario) : sweep_{sweep}, scenario_{scenario} {}

  void check_vary(const Node& vary) {
    if (vary.has("points")) check_rows(vary.at("points"));
    if (vary.has("latin_hypercube")) {
      for (const Node& range : vary.at("latin_hypercube").list("ranges")) check_values(range);
    }
    for (const Node& values : vary.list("grid")) check_values(values);
    const std::size_t first = std::min(sweep_.design.points(), kCheckedPoints);
    for (std::size_t point = 0; point < first; ++point) check(sweep_.design.placed(point));
  }

 private:
  void check(const std::vector<PlacedValue>& placed) {
    if (sweep_.scenario_text.size() > bytes_left_) return;
    bytes_left_ -= sweep_.scenario_text.size();
    check_scenario_text(scenario_, placed);
  }

  // Of a range its ends, of a list every value.
  void check_values(const Node& node) {
    const Parameter parameter = read_parameter(node);
    for (const char* key : {"linear", "log", "integer", "values"}) {
      if (!node.has(key)) continue;
      for (const Node& value : node.list(key))
        check(place(parameter, value.value(), place_text(value.where())));
    }
  }

  void check_rows(const Node& points) {
    std::vector<Parameter> parameters;
    for (const Node& parameter : points.list("parameters")) parameters.push_back(read_parameter(parameter));
    for (const Node& row : points.list("rows")) {
      std::vector<PlacedValue> placed;
      const auto values = row.items();
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        for (auto& value : place(parameters[i], values[i].value(), place_text(values[i].where())))
          placed.push_back(std::move(value));
      }
      check(placed);
    }
  }

  const Sweep& sweep_;
  const ScenarioText& scenario_;
  std::size_t bytes_left_ = 1'000'000'000;
};

// What the sweep says for all points would hide what it varies.
void check_said_once(const Sweep& sweep, const Node& root) {
  for (const char* key : {"replications", "seed"}) {
    for (const Parameter& parameter : sweep.design.parameters()) {
      const bool varied =
          std::ranges::find(parameter.pointers, std::string{"/"} + key) != parameter.pointers.end();
      if (varied && root.has(key)) root.at(key).fail("is varied too, by " + parameter.said_in);
    }
  }
}

ScenarioOptions options_of(const Sweep& sweep, ScenarioCache& cache) {
  ScenarioOptions options;
  options.seed = sweep.seed;
  options.replications = sweep.replications;
  options.price_files = sweep.price_files;
  options.cache = &cache;
  return options;
}

}  // namespace

Sweep read_sweep(const std::string& path, const std::vector<std::string>& price_files) {
  Sweep sweep;
  sweep.price_files = price_files;
  for (const std::string& file : price_files) sweep.price_text += read_text_file(file, kMostBytes) + '\n';
  sweep.file = path;
  sweep.text = read_text_file(path, kMostBytes);
  const ScenarioText text{
      .file = path, .root = parse_json(sweep.text, path, kWrittenByHand), .overrides = {}};
  const ValueSpec whole_file = object_value(sweep_keys());
  const Node root = check_scenario(text, whole_file);
  sweep.name = root.text("name");
  if (root.has("replications")) sweep.replications = static_cast<int>(root.integer("replications"));
  if (root.has("seed")) sweep.seed = static_cast<std::uint64_t>(root.integer("seed"));
  sweep.scenario_file = root.at("scenario").as_path();
  sweep.scenario_text = root.at("scenario").read_file([](const std::string& scenario) {
    return read_text_file(scenario, kMostBytes);
  });
  const ScenarioText scenario{.file = sweep.scenario_file,
                              .root = parse_json(sweep.scenario_text, sweep.scenario_file, kWrittenByHand),
                              .overrides = {}};
  check_scenario_text(scenario, {});
  sweep.design = Design::read(root.at("vary"));
  check_said_once(sweep, root);
  ValueChecks{sweep, scenario}.check_vary(root.at("vary"));
  return sweep;
}

Scenario base_scenario(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache,
                       const std::vector<PlacedValue>& world) {
  ScenarioOptions options = options_of(sweep, cache);
  options.placed = world;
  return parse_scenario(sweep.scenario_text, sweep.scenario_file, catalog, options);
}

Scenario point_scenario(const Sweep& sweep, std::size_t point, const Catalog& catalog, ScenarioCache& cache,
                        const std::vector<PlacedValue>& world) {
  ScenarioOptions options = options_of(sweep, cache);
  options.placed = sweep.design.placed(point);
  options.placed.insert(options.placed.end(), world.begin(), world.end());
  return ready_to_run(options, [&](const ScenarioOptions& asked) {
    return parse_scenario(sweep.scenario_text, sweep.scenario_file, catalog, asked);
  });
}

}  // namespace stockout
