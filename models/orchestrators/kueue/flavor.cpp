#include "models/orchestrators/kueue/flavor.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace stockout::kueue {
namespace {

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return !toleration.key.empty() && toleration.value == taint.value;
}

bool keeps_off(const Taint& taint) { return taint.effect == "NoSchedule" || taint.effect == "NoExecute"; }

bool is_tolerated(const Taint& taint, const ResourceFlavor& flavor, const NodeDemand& demand) {
  const auto helps = [&](const Toleration& toleration) { return tolerates(toleration, taint); };
  return std::any_of(demand.tolerations.begin(), demand.tolerations.end(), helps) ||
         std::any_of(flavor.tolerations.begin(), flavor.tolerations.end(), helps);
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool compares(const LabelCondition& condition, const std::string& label) {
  const auto have = whole_number(label);
  const auto bound = condition.values.size() == 1 ? whole_number(condition.values.front()) : std::nullopt;
  if (!have || !bound) return false;
  return condition.op == "Gt" ? *have > *bound : *have < *bound;
}

// `label` is the value that the flavor has for the key.
bool holds(const LabelCondition& condition, const std::string& label) {
  const bool listed =
      std::find(condition.values.begin(), condition.values.end(), label) != condition.values.end();
  if (condition.op == "In") return listed;
  if (condition.op == "NotIn") return !listed;
  if (condition.op == "Exists") return true;
  if (condition.op == "Gt" || condition.op == "Lt") return compares(condition, label);
  return false;  // DoesNotExist, where it does
}

bool matches_selector(const Labels& labels, const Labels& selector) {
  return std::all_of(selector.begin(), selector.end(), [&](const auto& wanted) {
    const auto label = labels.find(wanted.first);
    return label == labels.end() || label->second == wanted.second;
  });
}

// A term none of whose labels the flavor has leaves every node open, and terms are alternatives.
bool matches_affinity(const Labels& labels, const std::vector<std::vector<LabelCondition>>& terms) {
  if (terms.empty()) return true;
  return std::any_of(terms.begin(), terms.end(), [&](const std::vector<LabelCondition>& term) {
    return std::all_of(term.begin(), term.end(), [&](const LabelCondition& condition) {
      const auto label = labels.find(condition.key);
      return label == labels.end() || holds(condition, label->second);
    });
  });
}

}  // namespace

bool admits(const ResourceFlavor& flavor, const NodeDemand& demand) {
  const bool tainted = std::any_of(flavor.taints.begin(), flavor.taints.end(), [&](const Taint& taint) {
    return keeps_off(taint) && !is_tolerated(taint, flavor, demand);
  });
  return !tainted && matches_selector(flavor.labels, demand.selector) &&
         matches_affinity(flavor.labels, demand.terms);
}

std::string describe(const NodeDemand& demand) {
  std::string text;
  for (const auto& [key, value] : demand.selector) text += fmt::format(";{}={}", key, value);
  for (const auto& term : demand.terms) {
    text += '[';
    for (const LabelCondition& condition : term) {
      text += fmt::format("{} {}", condition.key, condition.op);
      for (const std::string& value : condition.values) text += ' ' + value;
      text += ',';
    }
    text += ']';
  }
  for (const Toleration& one : demand.tolerations) {
    text += '~' + one.key + ' ' + one.op + ' ' + one.value + ' ' + one.effect;
  }
  return text;
}

}  // namespace stockout::kueue
