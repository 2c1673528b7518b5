#include "models/baseline/baseline_file.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/baseline/json_fields.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/format/node.h"
#include "models/scenario/format/spec.h"
#include "models/scenario/format/spec_check.h"
#include "sim/io/input_file.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

constexpr const char* kBaselineLayout = "stockout baseline 1";
constexpr std::size_t kMostBytes = 64 << 20;
constexpr Whole kRunCount{.least = 1, .most = 1'000'000'000};

/// A summary as it stands in the file: what can be left out is.
struct RecordedMeasure {
  double mean = 0;
  std::optional<double> half_width;
  std::optional<bool> is_lower_bound;
  std::optional<std::size_t> replications;
};

constexpr std::tuple kMeasureFields{
    field<&RecordedMeasure::mean>("mean", Number{}, "in the unit of the measure"),
    field<&RecordedMeasure::half_width>("half_width_95", Number{.least = 0},
                                        "of its interval; none for a single run and for a bound"),
    field<&RecordedMeasure::is_lower_bound>("is_lower_bound", Flag{}, "true: it is longer than this"),
    field<&RecordedMeasure::replications>("replications", kRunCount, "in how many it is, if not in all")};

constexpr std::tuple kStrategyFields{
    field<&BaselineStrategy::name>("name", Line{}, "of the scenario's strategy"),
    field<&BaselineStrategy::replications>("replications", kRunCount, "that were run"),
    field<&BaselineStrategy::fingerprint>("fingerprint", Digits{16}, "of its runs")};

constexpr std::tuple kRecommendationFields{
    field<&BaselineRecommendation::strategy>("strategy", OrNone<Line>{}, "its name; none: none qualifies"),
    field<&BaselineRecommendation::is_sure>("sure", Flag{}, "by the 95 % intervals"),
    field<&BaselineRecommendation::may_be_none>("may_be_none", Flag{}, "it may not qualify itself")};

constexpr std::tuple kBaselineFields{
    field<&Baseline::version>("stockout", Line{}, "version of the program that made it"),
    field<&Baseline::scenario>("scenario", Line{}, "its name"),
    field<&Baseline::seed>("seed", Digits{10}, "of all random numbers"),
    field<&Baseline::replications>("replications", kRunCount, "that were asked for"),
    field<&Baseline::fingerprint>("fingerprint", Digits{16}, "of all runs")};

ObjectSpec object_of(std::string name, std::string doc, std::vector<KeySpec> fields,
                     const std::vector<KeySpec>& others = {}) {
  fields.insert(fields.end(), others.begin(), others.end());
  return {.name = std::move(name), .doc = std::move(doc), .keys = std::move(fields)};
}

const ObjectSpec& recorded_measure_keys() {
  static const ObjectSpec kKeys = object_of(
      "measure", "A measure, over the replications in which it has a value.", json_keys(kMeasureFields));
  return kKeys;
}

const ObjectSpec& recorded_strategy_keys() {
  static const ObjectSpec kKeys =
      object_of("strategy", "A strategy with its measures.", json_keys(kStrategyFields),
                {required_key("measures", table_value(recorded_measure_keys()), "by name"),
                 required_key("absent", list_value(text_value(), 0, 10'000), "measures that have no value"),
                 optional_key("never_ran", list_value(text_value(), 0, 10'000),
                              "classes of which jobs came and none ever started")});
  return kKeys;
}

const ObjectSpec& recommendation_keys() {
  static const ObjectSpec kKeys =
      object_of("recommendation", "Which strategy was to be bought.", json_keys(kRecommendationFields),
                {required_key("may_be", list_value(text_value(), 0, 10'000),
                              "other strategies that the noise left open, or that cost the same")});
  return kKeys;
}

const ObjectSpec& baseline_keys() {
  static const ObjectSpec kKeys =
      object_of("baseline", "A comparison as it once was.", json_keys(kBaselineFields),
                {required_key("layout", text_value(), "of this file"),
                 optional_key("tolerances", table_of(text_value()), "by name of a measure, or \"all\""),
                 optional_key("recommendation", object_value(recommendation_keys()), "of the comparison"),
                 required_key("strategies", list_value(object_value(recorded_strategy_keys()), 1, 10'000),
                              "in the order of the scenario")});
  return kKeys;
}

Summary summary_of(const Node& node, std::size_t replications) {
  RecordedMeasure read;
  read_fields(node, kMeasureFields, read);
  const bool is_bound = read.is_lower_bound.value_or(false);
  if (is_bound && read.half_width) node.at("half_width_95").fail("a bound has no interval");
  if (read.replications.value_or(0) > replications) node.at("replications").fail("is more than were run");
  return {.mean = read.mean,
          .half_width = read.half_width,
          .known = is_bound ? Value::Known::at_least : Value::Known::exact,
          .replications = read.replications.value_or(replications)};
}

BaselineStrategy recorded_strategy(const Node& node) {
  BaselineStrategy strategy;
  read_fields(node, kStrategyFields, strategy);
  std::set<std::string> seen;
  for (const auto& [name, measure] : node.at("measures").entries()) {
    seen.insert(name);
    strategy.measures.emplace_back(name, summary_of(measure, strategy.replications));
  }
  for (const Node& name : node.list("absent")) {
    if (!seen.insert(name.as_text()).second)
      name.fail(fmt::format("\"{}\" is here or under measures already", name.as_text().substr(0, 60)));
    strategy.measures.emplace_back(name.as_text(), Summary{});
  }
  if (node.has("never_ran")) {
    strategy.never_ran.emplace();
    for (const Node& name : node.list("never_ran")) strategy.never_ran->push_back(name.as_text());
  }
  return strategy;
}

BaselineRecommendation recorded_recommendation(const Node& node) {
  BaselineRecommendation recommendation;
  read_fields(node, kRecommendationFields, recommendation);
  for (const Node& name : node.list("may_be")) recommendation.may_be.push_back(name.as_text());
  return recommendation;
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
    static_cast<void>(find_name(value, "measure", name, known));
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
  RecordedMeasure recorded{
      .mean = summary.mean, .half_width = summary.half_width, .is_lower_bound = {}, .replications = {}};
  if (summary.known == Value::Known::at_least) recorded.is_lower_bound = true;
  if (summary.replications < replications) recorded.replications = summary.replications;
  Json entry;
  write_fields(entry, kMeasureFields, recorded);
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
  Json entry;
  write_fields(entry, kStrategyFields, strategy);
  entry["measures"] = std::move(measures);
  entry["absent"] = std::move(absent);
  if (strategy.never_ran) entry["never_ran"] = *strategy.never_ran;
  return entry;
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& file) {
  static const ValueSpec kSpec = object_value(baseline_keys());
  const ScenarioText parsed{.file = file, .root = parse_json(text, file), .overrides = {}};
  check_layout(parsed);
  const Node root = check_scenario(parsed, kSpec);
  Baseline baseline;
  read_fields(root, kBaselineFields, baseline);
  baseline.tolerances = tolerances_in(root);
  std::set<std::string> names;
  for (const Node& node : root.list("strategies")) {
    if (!names.insert(node.text("name")).second) node.at("name").fail("is there twice");
    baseline.strategies.push_back(recorded_strategy(node));
  }
  if (root.has("recommendation"))
    baseline.recommendation = recorded_recommendation(root.at("recommendation"));
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
  Json document;
  document["layout"] = kBaselineLayout;
  write_fields(document, kBaselineFields, baseline);
  document["tolerances"] = std::move(tolerances);
  if (baseline.recommendation) {
    Json recommendation = Json::object();
    write_fields(recommendation, kRecommendationFields, *baseline.recommendation);
    recommendation["may_be"] = baseline.recommendation->may_be;
    document["recommendation"] = std::move(recommendation);
  }
  document["strategies"] = std::move(strategies);
  return document.dump(1) + '\n';
}

}  // namespace stockout
