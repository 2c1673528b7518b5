// Taints, selectors and affinity: rule 17.

#include <algorithm>
#include <charconv>

#include "tests/support/kueue_by_the_book/flavors.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::LabelCondition;
using kueue::Labels;
using kueue::Taint;
using kueue::Toleration;

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.op == "Exists") return toleration.key.empty() || toleration.key == taint.key;
  return toleration.key == taint.key && toleration.value == taint.value;
}

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool holds(const LabelCondition& condition, const Labels& labels) {
  const auto label = labels.find(condition.key);
  const bool has = label != labels.end();
  const auto& values = condition.values;
  const bool is_in = has && std::find(values.begin(), values.end(), label->second) != values.end();
  if (condition.op == "In") return is_in;
  if (condition.op == "NotIn") return !is_in;
  if (condition.op == "Exists") return has;
  if (condition.op == "DoesNotExist") return !has;
  if (!has || values.size() != 1) return false;
  const auto own = number_of(label->second);
  const auto other = number_of(values.front());
  return own && other && (condition.op == "Gt" ? *own > *other : *own < *other);
}

// Of each term only what is about labels of the flavor. A term that says nothing about them holds.
bool is_in_terms(const std::vector<std::vector<LabelCondition>>& terms, const Labels& labels) {
  if (terms.empty()) return true;
  return std::any_of(terms.begin(), terms.end(), [&](const std::vector<LabelCondition>& term) {
    return std::all_of(term.begin(), term.end(), [&](const LabelCondition& one) {
      return !labels.contains(one.key) || holds(one, labels);
    });
  });
}

}  // namespace

bool is_usable(const kueue::ResourceFlavor& flavor, const kueue::NodeDemand& demand) {
  for (const Taint& taint : flavor.taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    const auto helps = [&](const Toleration& one) { return tolerates(one, taint); };
    if (!std::any_of(demand.tolerations.begin(), demand.tolerations.end(), helps) &&
        !std::any_of(flavor.tolerations.begin(), flavor.tolerations.end(), helps))
      return false;
  }
  for (const auto& [key, value] : demand.selector) {
    const auto label = flavor.labels.find(key);
    if (label != flavor.labels.end() && label->second != value) return false;
  }
  return is_in_terms(demand.terms, flavor.labels);
}

}  // namespace stockout::test::by_the_book
