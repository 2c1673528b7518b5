#include "models/scenario/load/decisions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/known_names.h"
#include "models/scenario/format/varied_value.h"
#include "models/scenario/load/places_apart.h"
#include "sim/core/time.h"

namespace stockout {
namespace {

constexpr double kMostNumbers = 1'000;

std::string place_of(const SourceRef& where) {
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

bool is_day(const Node& end) { return end.kind() == ValueKind::date; }

// A day as its number since 1970.
double end_of_range(const Node& end) {
  if (!is_day(end)) return end.as_number();
  return static_cast<double>(std::chrono::sys_days{end.as_date()}.time_since_epoch().count());
}

JsonValue day_value_of(double number) {
  const std::chrono::sys_days day{std::chrono::days{static_cast<int>(number)}};
  return JsonValue{fmt::format("{:%Y-%m-%d}", std::chrono::sys_seconds{day})};
}

double step_of(const Node& node, bool in_days) {
  const double step = node.has("step") ? node.number("step") : 1;
  if (in_days && step != std::floor(step))
    node.at("step").fail(fmt::format("must be a whole number of days, but is {:.6g}", step));
  return step;
}

std::vector<JsonValue> range_of(const Node& node) {
  const Node first = node.at("from");
  const Node last = node.at("to");
  const bool in_days = is_day(first);
  const double from = end_of_range(first);
  const double to = end_of_range(last);
  const double step = step_of(node, in_days);
  if (to < from)
    last.fail(
        fmt::format("must be at least `from`, {}, but is {}", to_text(first.value()), to_text(last.value())));
  const double steps = std::floor((to - from) / step + 1e-9);
  if (steps >= kMostNumbers) {
    last.fail(fmt::format("makes more than {:.0f} {}: a larger \"step\", or a smaller range", kMostNumbers,
                          in_days ? "days" : "numbers"));
  }
  std::vector<JsonValue> values;
  for (double i = 0; i <= steps; ++i)
    values.push_back(in_days ? day_value_of(from + i * step) : number_value_of(from + i * step));
  return values;
}

std::vector<JsonValue> values_of(const Node& node) {
  if (node.has("from")) return range_of(node);
  std::vector<JsonValue> values;
  for (const Node& value : node.list("values")) values.push_back(value.value());
  return values;
}

// As the scenario gets it.
JsonValue with_unit(const Node& node, const JsonValue& value) {
  if (!node.has("unit")) return value;
  const SimDuration unit = read_unit(node.at("unit"));
  if (is_in_units(value, unit)) return length_of(value, unit);
  node.fail(fmt::format("has a \"unit\": its values must be numbers from 0 to {:.0f}, but one is {}",
                        most_units(unit), to_text(value)));
}

std::string text_of_value(const Node& node, const JsonValue& value) {
  const auto* text = value.get<std::string>();
  std::string said = text != nullptr ? *text : to_text(value);
  return node.has("unit") ? fmt::format("{} {}", said, node.text("unit")) : said;
}

std::vector<DecisionChoice> read_values(const Node& node, const std::string& name) {
  std::vector<DecisionChoice> choices;
  const std::vector<std::string> pointers = read_pointers(node.at("at"));
  for (const JsonValue& value : values_of(node)) {
    DecisionChoice& choice = choices.emplace_back();
    choice.text = text_of_value(node, value);
    const JsonValue placed = with_unit(node, value);
    for (const std::string& pointer : pointers) {
      choice.changes.push_back(
          {.pointer = pointer,
           .value = placed,
           .said_in = fmt::format("{}: decision \"{}\": {}", place_of(node.where()), name, pointer)});
    }
  }
  return choices;
}

std::vector<DecisionChoice> read_choices(const Node& node, const std::string& name) {
  std::vector<DecisionChoice> choices;
  for (const Node& one : node.list("choices")) {
    DecisionChoice& choice = choices.emplace_back();
    choice.text = one.text("name");
    for (const auto& [pointer, value] : one.at("set").entries()) {
      choice.changes.push_back({.pointer = pointer,
                                .value = value.value(),
                                .said_in = fmt::format("{}: decision \"{}\", choice \"{}\": {}",
                                                       place_of(value.where()), name, choice.text, pointer)});
    }
  }
  return choices;
}

// Neither what is asked nor the jobs: ways to buy are compared on the same of both. Nor what the provider or
// the market decides. Of jobs no more than how they are run.
constexpr std::array<std::string_view, 21> kGiven{
    "alternatives", "assumptions", "decide",           "demand",          "end",
    "goal",         "goals",       "indifference_usd", "most_obligation", "name",
    "precision",    "prices",      "prices_as_of",     "question",        "replications",
    "seed",         "start",       "tenants",          "time_zone",       "undone_usd_per_gpu_h",
    "window"};
constexpr std::array<std::string_view, 9> kOpenOfJobs{"begins_anyway", "checkpoint", "failure_policy",
                                                      "gpu",           "job_set",    "machine",
                                                      "parallel",      "priority",   "retry"};

void check_may_decide(const Node& node, std::string_view pointer) {
  std::vector<std::string_view> keys;
  for (std::size_t from = 1; from <= pointer.size();) {
    const std::size_t slash = std::min(pointer.find('/', from), pointer.size());
    keys.push_back(pointer.substr(from, slash - from));
    from = slash + 1;
  }
  const bool is_given = std::ranges::find(kGiven, keys.front()) != kGiven.end();
  const bool is_of_jobs = keys.front() == "workload" &&
                          (keys.size() < 3 || std::ranges::find(kOpenOfJobs, keys[2]) == kOpenOfJobs.end());
  if (is_of_jobs) {
    node.fail(fmt::format(
        "changes {}: jobs are given, not bought, and all ways to buy have the same ones. `sweep` and "
        "`alternatives` vary them. Of a source {} may be decided",
        pointer.substr(0, 60), fmt::join(kOpenOfJobs, ", ")));
  }
  const bool is_of_others = keys.front() == "pools" && keys.size() > 2 && keys[2] == "tenants";
  if (!is_given && !is_of_others) return;
  node.fail(
      fmt::format("changes {}, which no purchase decides: `sweep` and `alternatives` vary what is given",
                  pointer.substr(0, 60)));
}

void check_choices(const Node& node, const DecisionVariable& decision) {
  std::set<std::string> texts;
  for (const DecisionChoice& choice : decision.choices) {
    if (choice.text.empty()) node.fail("has a choice without a name");
    if (!texts.insert(choice.text).second)
      node.fail(fmt::format(
          "has two choices that read \"{}\": leave one out, or name them apart in `choices`", choice.text));
    for (const PlacedValue& change : choice.changes) {
      if (!change.pointer.starts_with('/'))
        node.fail(fmt::format("changes \"{}\": must be a JSON pointer such as /strategies/0/legs",
                              change.pointer.substr(0, 60)));
      check_may_decide(node, change.pointer);
    }
  }
}

void check_places(const Node& root, const std::vector<DecisionVariable>& decisions) {
  std::vector<NamedPlaces> places;
  for (const DecisionVariable& decision : decisions) places.push_back(places_of(decision));
  check_apart(root.at("decide"), places);
}

std::vector<DecisionVariable> read_decisions(const Node& root) {
  std::vector<DecisionVariable> decisions;
  std::set<std::string> names;
  for (const Node& node : root.list("decide")) {
    DecisionVariable& decision = decisions.emplace_back();
    decision.name = node.text("name");
    if (decision.name.empty()) node.at("name").fail("must not be empty");
    if (!names.insert(decision.name).second) node.at("name").fail("is there twice");
    decision.choices =
        node.has("choices") ? read_choices(node, decision.name) : read_values(node, decision.name);
    check_choices(node, decision);
  }
  if (!decisions.empty()) check_places(root, decisions);
  return decisions;
}

Goal read_asked_goal(const Draft& draft, const Node& node) {
  Goal goal;
  const auto share = [&](const char* key, Goal::Kind kind) {
    goal.kind = kind;
    goal.least = node.number(key) / 100;
  };
  if (node.has("at_most")) {
    share("wait_p", Goal::Kind::starts);
    goal.at_most = node.duration("at_most");
  } else if (node.has("deadlines_p")) {
    share("deadlines_p", Goal::Kind::meets_deadlines);
  } else if (node.has("completed_p")) {
    share("completed_p", Goal::Kind::completes);
  } else {
    goal.kind = Goal::Kind::budget;
    goal.budget_usd = node.number("budget_usd");
  }
  if (node.has("class")) {
    const std::size_t id = find_name(node.at("class"), "job class", draft.classes.names());
    goal.job_class = ClassId{static_cast<std::uint16_t>(id)};
  }
  return goal;
}

}  // namespace

void read_decision_terms(Draft& draft) {
  const Node& root = draft.root;
  DecisionTerms& terms = draft.scenario.decide;
  terms.decisions = read_decisions(root);
  if (root.has("indifference_usd")) terms.indifference_usd = root.number("indifference_usd");
  if (root.has("undone_usd_per_gpu_h")) terms.undone_usd_per_gpu_h = root.number("undone_usd_per_gpu_h");
  if (root.has("most_obligation"))
    terms.longest_obligation = kObligationTerms.at(root.at("most_obligation").choice_index());
  for (const Node& node : root.list("goals")) draft.scenario.goals.push_back(read_asked_goal(draft, node));
}

}  // namespace stockout
