#include "tools/report/comparison/precision_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"

namespace stockout {
namespace {

using State = KnownTo::State;

std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }

// Of those that are not met the one that is known least, without an interval first; else of all.
const KnownTo* least_known(const PrecisionReached& reached) {
  const auto rank = [](const KnownTo& known) {
    const bool missing = known.state == State::not_met && !known.half_width;
    return std::pair{missing, known.half_width.value_or(-1)};
  };
  const KnownTo* worst = nullptr;
  for (const KnownTo& known : reached.known) {
    if (known.state != State::met && known.state != State::not_met) continue;
    const bool is_worse = worst == nullptr || rank(known) > rank(*worst);
    if (is_worse) worst = &known;
  }
  return worst;
}

std::string of_what(const Precision& asked) {
  std::vector<std::string_view> names;
  for (const Measure measure : asked.of) names.push_back(info(measure).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string known_text(const KnownTo& known) {
  if (!known.half_width) return fmt::format("{} has no interval", info(known.measure).name);
  return fmt::format("{} is known to ± {}", info(known.measure).name, percent(*known.half_width));
}

// Whose values of a measure are in a state: the names of strategies, or all of those that draw.
std::string whose(const Comparison& comparison, Measure measure, State state) {
  std::vector<std::string> names;
  std::size_t all = 0;
  for (const KnownTo& known : comparison.precision->known) {
    if (known.measure != measure) continue;
    ++all;
    if (known.state == state)
      names.push_back(fmt::format("\"{}\"", comparison.strategies[known.strategy].name));
  }
  return names.size() == all ? "every strategy" : fmt::format("{}", fmt::join(names, ", "));
}

std::string left_out(const Comparison& comparison, State state, std::string_view why) {
  std::vector<std::string> parts;
  for (const Measure measure : comparison.precision->asked.of) {
    const std::string names = whose(comparison, measure, state);
    if (!names.empty()) parts.push_back(fmt::format("{} of {}", info(measure).name, names));
  }
  return parts.empty() ? "" : fmt::format(" Left out, {}: {}.", why, fmt::join(parts, "; "));
}

}  // namespace

std::string precision_text(const PrecisionReached& reached) {
  const KnownTo* worst = least_known(reached);
  if (worst == nullptr) return "nothing that could be known to a precision";
  return fmt::format("{}, {} asked", known_text(*worst), percent(reached.asked.half_width));
}

std::string precision_note(const Comparison& comparison) {
  const PrecisionReached& reached = *comparison.precision;
  const std::string asked =
      fmt::format("Precision: ± {} of the mean asked for {} of every strategy that draws",
                  percent(reached.asked.half_width), of_what(reached.asked));
  if (reached.looks.empty()) return asked + "; none does, so each was run once.";
  const KnownTo* worst = least_known(reached);
  std::string text = asked;
  if (worst == nullptr) {
    text += "; none of it can be known to a precision.";
  } else if (reached.is_met()) {
    text += fmt::format("; reached with {} replications.", comparison.replications);
  } else {
    text +=
        fmt::format("; NOT reached with {} replications, the most allowed: {} of \"{}\".",
                    comparison.replications, known_text(*worst), comparison.strategies[worst->strategy].name);
  }
  return text + fmt::format(" Looked after {}.", fmt::join(reached.looks, ", ")) +
         left_out(comparison, State::bound, "a bound from below, which has no interval") +
         left_out(comparison, State::absent, "no replication has a value");
}

std::string controls_note(const Comparison& comparison) {
  const ControlsUsed& used = *comparison.controls;
  if (used.controls.empty())
    return "Control variates: none, since nothing that is drawn has an expectation that is known.";
  if (!used.adjust()) {
    return fmt::format("Control variates: not used, since they need {} replications.", kLeastControlled);
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < used.controls.size(); ++i) {
    double surplus = 0;
    for (const Surplus& one : used.surplus) surplus += one.at(i);
    const Control& control = used.controls[i];
    parts.push_back(fmt::format("{} ({} {} expected, {:+.2f} % drawn)", control.name,
                                number_text(control.expected), control.unit,
                                100 * surplus / static_cast<double>(used.surplus.size())));
  }
  return fmt::format(
      "Control variates: means, intervals and differences are adjusted for what was drawn against what is "
      "expected: {}. Shares and bounds are not adjusted.",
      fmt::join(parts, ", "));
}

}  // namespace stockout
