#include "models/baseline/baseline_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/scenario/node.h"
#include "models/scenario/spec.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

constexpr const char* kBaselineLayout = "stockout baseline 1";
constexpr std::size_t kMostBytes = 64 << 20;
constexpr double kMostRuns = 1e9;

const ObjectSpec& recorded_measure_keys() {
  static const ObjectSpec kKeys{
      .name = "measure",
      .doc = "What was measured, over the replications in which there is a value.",
      .keys = {
          required_key("mean",
                       number_value(-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()),
                       "in the unit of the measure"),
          optional_key("half_width_95", number_value(0, std::numeric_limits<double>::max()),
                       "of its interval; none for a single run and for a bound"),
          default_key("is_lower_bound", flag_value(), "false", "true: it is longer than this"),
          optional_key("replications", integer_value(1, kMostRuns), "in how many it is, if not in all"),
      }};
  return kKeys;
}

const ObjectSpec& recorded_strategy_keys() {
  static const ObjectSpec kKeys{
      .name = "strategy",
      .doc = "What a strategy measured.",
      .keys = {
          required_key("name", text_value(), "of the scenario's strategy"),
          required_key("replications", integer_value(1, kMostRuns), "that were run"),
          required_key("fingerprint", text_value(), "of its runs"),
          required_key("measures", table_value(recorded_measure_keys()), "by name"),
          required_key("absent", list_value(text_value(), 0, 10'000), "measures that have no value"),
      }};
  return kKeys;
}

const ObjectSpec& baseline_keys() {
  static const ObjectSpec kKeys{
      .name = "baseline",
      .doc = "A comparison as it once was.",
      .keys = {
          required_key("layout", text_value(), "of this file"),
          required_key("stockout", text_value(), "version of the program that made it"),
          required_key("scenario", text_value(), "its name"),
          required_key("seed", text_value(), "of all random numbers"),
          required_key("replications", integer_value(1, kMostRuns), "that were asked for"),
          required_key("fingerprint", text_value(), "of all runs"),
          optional_key("tolerances", table_of(text_value()), "by name of a measure, or \"all\""),
          required_key("strategies", list_value(object_value(recorded_strategy_keys()), 1, 10'000),
                       "in the order of the scenario"),
      }};
  return kKeys;
}

std::uint64_t whole_number(const Node& node, int base, const char* what) {
  const std::string text = node.as_text();
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  const bool is_hex = base == 16;
  if (error != std::errc{} || stop != end || (is_hex && text.size() != 16)) {
    node.fail(fmt::format("must be {}, but is \"{}\"", what, text.substr(0, 60)));
  }
  return value;
}

std::uint64_t fingerprint_in(const Node& node) {
  return whole_number(node.at("fingerprint"), 16, "a fingerprint of 16 hexadecimal digits");
}

Summary summary_of(const Node& node, std::size_t replications) {
  const bool is_bound = node.flag("is_lower_bound");
  if (is_bound && node.has("half_width_95")) node.at("half_width_95").fail("a bound has no interval");
  Summary summary{.mean = node.number("mean"),
                  .half_width = {},
                  .known = is_bound ? Value::Known::at_least : Value::Known::exact,
                  .replications = replications};
  if (node.has("half_width_95")) summary.half_width = node.number("half_width_95");
  if (node.has("replications")) summary.replications = static_cast<std::size_t>(node.integer("replications"));
  if (summary.replications > replications) node.at("replications").fail("is more than were run");
  return summary;
}

BaselineStrategy recorded_strategy(const Node& node) {
  BaselineStrategy strategy{.name = node.text("name"),
                            .replications = static_cast<std::size_t>(node.integer("replications")),
                            .fingerprint = fingerprint_in(node),
                            .measures = {}};
  std::set<std::string> seen;
  for (const auto& [name, measure] : node.at("measures").entries()) {
    seen.insert(name);
    strategy.measures.emplace_back(name, summary_of(measure, strategy.replications));
  }
  for (const Node& name : node.list("absent")) {
    if (!seen.insert(name.as_text()).second)
      name.fail(fmt::format("\"{}\" stands here or under measures already", name.as_text().substr(0, 60)));
    strategy.measures.emplace_back(name.as_text(), Summary{});
  }
  return strategy;
}

std::vector<std::string> tolerance_names() {
  std::vector<std::string> names{kEveryMeasure};
  for (const MeasureInfo& measure : measure_table()) names.emplace_back(measure.name);
  return names;
}

std::map<std::string, Tolerance> tolerances_in(const Node& root) {
  std::map<std::string, Tolerance> tolerances;
  if (!root.has("tolerances")) return tolerances;
  const std::vector<std::string> known = tolerance_names();
  for (const auto& [name, value] : root.at("tolerances").entries()) {
    if (std::ranges::find(known, name) == known.end())
      value.fail(fmt::format("there is no measure \"{}\"{}", name.substr(0, 60), suggest(name, known)));
    const auto tolerance = parse_tolerance(value.as_text());
    if (!tolerance)
      value.fail(fmt::format("must be {}, but is \"{}\"", kToleranceForms, value.as_text().substr(0, 60)));
    tolerances.emplace(name, *tolerance);
  }
  return tolerances;
}

void check_layout(const ScenarioText& text) {
  const JsonValue* layout = text.root.find("layout");
  const std::string* name = layout == nullptr ? nullptr : layout->get<std::string>();
  if (name != nullptr && *name == kBaselineLayout) return;
  throw InputError{{.file = text.file, .pointer = "/layout", .line = layout == nullptr ? 0 : layout->line},
                   fmt::format("is no baseline that this program reads: must be \"{}\", but is {}",
                               kBaselineLayout, layout == nullptr ? "missing" : to_text(*layout))};
}

using Json = nlohmann::ordered_json;

Json json_of(const Summary& summary, std::size_t replications) {
  Json entry{{"mean", summary.mean}};
  if (summary.half_width) entry["half_width_95"] = *summary.half_width;
  if (summary.known == Value::Known::at_least) entry["is_lower_bound"] = true;
  if (summary.replications < replications) entry["replications"] = summary.replications;
  return entry;
}

Json json_of(const BaselineStrategy& strategy) {
  Json measures = Json::object();
  Json absent = Json::array();
  for (const auto& [name, summary] : strategy.measures) {
    if (summary.is_absent()) {
      absent.push_back(name);
    } else {
      measures[name] = json_of(summary, strategy.replications);
    }
  }
  return {{"name", strategy.name},
          {"replications", strategy.replications},
          {"fingerprint", fmt::format("{:016x}", strategy.fingerprint)},
          {"measures", std::move(measures)},
          {"absent", std::move(absent)}};
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& file) {
  static const ValueSpec kSpec = object_value(baseline_keys());
  const ScenarioText parsed{.file = file, .root = parse_json(text, file), .overrides = {}};
  check_layout(parsed);
  const Node root = check_scenario(parsed, kSpec);
  Baseline baseline{.version = root.text("stockout"),
                    .scenario = root.text("scenario"),
                    .seed = whole_number(root.at("seed"), 10, "a whole number in quotes"),
                    .replications = static_cast<std::size_t>(root.integer("replications")),
                    .fingerprint = fingerprint_in(root),
                    .tolerances = tolerances_in(root),
                    .strategies = {}};
  std::set<std::string> names;
  for (const Node& node : root.list("strategies")) {
    if (!names.insert(node.text("name")).second) node.at("name").fail("is there twice");
    baseline.strategies.push_back(recorded_strategy(node));
  }
  return baseline;
}

Baseline read_baseline(const std::string& path) {
  return parse_baseline(read_text_file(path, kMostBytes), path);
}

std::string write_baseline(const Baseline& baseline) {
  Json tolerances = Json::object();
  for (const auto& [name, tolerance] : baseline.tolerances) tolerances[name] = to_text(tolerance);
  Json strategies = Json::array();
  for (const BaselineStrategy& strategy : baseline.strategies) strategies.push_back(json_of(strategy));
  const Json document{{"layout", kBaselineLayout},
                      {"stockout", baseline.version},
                      {"scenario", baseline.scenario},
                      {"seed", fmt::format("{}", baseline.seed)},
                      {"replications", baseline.replications},
                      {"fingerprint", fmt::format("{:016x}", baseline.fingerprint)},
                      {"tolerances", std::move(tolerances)},
                      {"strategies", std::move(strategies)}};
  return document.dump(1) + '\n';
}

}  // namespace stockout
