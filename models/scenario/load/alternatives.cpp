#include "models/scenario/load/alternatives.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

// What the provider or the market decides, and how it is bought; not the jobs, nor what is asked of the
// answer.
constexpr std::array<std::string_view, 10> kMayDiffer{"billing", "models", "other_costs",  "pools",
                                                      "prices",  "quota",  "reservations", "strategies",
                                                      "tenants", "warm_up"};

std::string_view first_key(std::string_view pointer) {
  if (!pointer.starts_with('/')) return {};
  pointer.remove_prefix(1);
  return pointer.substr(0, pointer.find('/'));
}

Alternative read_alternative(const Node& node, const std::string& rule) {
  Alternative alternative{.rule = rule, .name = node.text("name"), .changes = {}};
  const Node set = node.at("set");
  for (const auto& [pointer, value] : set.entries()) {
    check_may_differ(value, pointer, "an alternative");
    const SourceRef where = value.where();
    const std::string at = where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
    alternative.changes.push_back(
        {.pointer = pointer,
         .value = value.value(),
         .said_in = fmt::format("{}: alternative \"{}\": {}", at, alternative.name, pointer)});
  }
  if (alternative.changes.empty()) set.fail("changes nothing");
  return alternative;
}

void add_name(std::set<std::string>& names, const Node& node) {
  if (node.as_text().empty()) node.fail("must not be empty");
  if (!names.insert(node.as_text()).second) node.fail("is there twice");
}

std::vector<std::string_view> strategy_names(const Scenario& scenario) {
  std::vector<std::string_view> names;
  for (const Strategy& strategy : scenario.world.strategies) names.push_back(strategy.name);
  return names;
}

bool same_job(const World& a, const Job& x, const World& b, const Job& y) {
  return x.submit == y.submit && x.work == y.work && x.estimate == y.estimate && x.max_wait == y.max_wait &&
         x.deadline == y.deadline && x.source == y.source && x.row == y.row &&
         a.shapes[index(x.shape)] == b.shapes[index(y.shape)] &&
         a.classes[index(x.job_class)].name == b.classes[index(y.job_class)].name;
}

// The next job of the window, or nullptr.
const Job* next_of(const Arrivals& arrivals, const World& world) {
  const Job* job = arrivals.peek();
  return job != nullptr && job->submit < world.window_end ? job : nullptr;
}

bool same_jobs(const World& a, const World& b) {
  Arrivals of_a = recorded_arrivals(a, 0);
  Arrivals of_b = recorded_arrivals(b, 0);
  while (true) {
    const Job* x = next_of(of_a, a);
    const Job* y = next_of(of_b, b);
    if (x == nullptr || y == nullptr) return x == y;
    if (!same_job(a, *x, b, *y)) return false;
    of_a.pop();
    of_b.pop();
  }
}

const char* why_not_beside(const Scenario& written, const Scenario& other) {
  if (!same_strategies(written, other)) return "it changes which strategies there are";
  if (!same_jobs(written.world, other.world)) return "it changes the jobs";
  return nullptr;
}

}  // namespace

bool same_strategies(const Scenario& one, const Scenario& other) {
  return strategy_names(one) == strategy_names(other);
}

void check_may_differ(const Node& value, const std::string& pointer, std::string_view who) {
  if (std::ranges::find(kMayDiffer, first_key(pointer)) != kMayDiffer.end()) return;
  value.fail(fmt::format(
      "{} changes nothing at \"{}\", so that its results can be shown beside those of the scenario: a JSON "
      "pointer into \"{}\"",
      who, pointer.substr(0, 60), fmt::join(kMayDiffer, "\", \"")));
}

std::vector<Alternative> read_alternatives(const Node& root) {
  std::vector<Alternative> alternatives;
  std::set<std::string> rules;
  std::set<std::string> names;
  for (const Node& rule : root.list("alternatives")) {
    add_name(rules, rule.at("rule"));
    for (const Node& choice : rule.list("choices")) {
      add_name(names, choice.at("name"));
      alternatives.push_back(read_alternative(choice, rule.text("rule")));
    }
  }
  return alternatives;
}

Scenario load_alternative(const Scenario& written, const Alternative& alternative,
                          const std::function<Scenario(const std::vector<PlacedValue>&)>& load) {
  const std::string named = fmt::format("alternative \"{}\"", alternative.name);
  try {
    Scenario other = load(alternative.changes);
    if (const char* why = why_not_beside(written, other)) {
      throw InputError{{.file = written.file},
                       fmt::format("{} cannot be shown beside the scenario: {}", named, why)};
    }
    return other;
  } catch (const InputError& error) {
    const std::string_view problem = error.what();
    if (problem.find(named) != std::string_view::npos) throw;
    throw InputError{{.file = written.file}, fmt::format("under {}: {}", named, problem)};
  }
}

}  // namespace stockout
