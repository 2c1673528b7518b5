#include "models/baseline/baseline_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

constexpr const char* kIsThere = "there";
constexpr const char* kIsMissing = "missing";

const BaselineStrategy* strategy_named(const Baseline& baseline, const std::string& name) {
  const auto found = std::ranges::find(baseline.strategies, name, &BaselineStrategy::name);
  return found == baseline.strategies.end() ? nullptr : &*found;
}

const Summary* measure_named(const BaselineStrategy& strategy, const std::string& name) {
  for (const auto& [measure, summary] : strategy.measures) {
    if (measure == name) return &summary;
  }
  return nullptr;
}

std::string_view unit_of(const std::string& name) {
  const auto found = std::ranges::find(measure_table(), name, &MeasureInfo::name);
  return found == measure_table().end() ? "" : found->unit;
}

std::string number(std::uint64_t value) { return fmt::format("{}", value); }
std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string classes(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string words(const BaselineRecommendation& recommendation) {
  return recommendation.strategy.empty() ? "no strategy" : fmt::format("\"{}\"", recommendation.strategy);
}

// Whether the noise of a run leaves it open that another run's recommendation is right.
bool leaves_open(const BaselineRecommendation& run, const BaselineRecommendation& other) {
  if (other.strategy.empty()) return run.may_be_none;
  return std::ranges::count(run.may_be, other.strategy) > 0;
}

class Checker {
 public:
  Checker(const Baseline& then, const Baseline& now, const std::optional<Tolerance>& asked)
      : then_{then}, now_{now}, asked_{asked} {}

  BaselineCheck check() {
    check_experiment();
    check_recommendation();
    for (const BaselineStrategy& strategy : then_.strategies) {
      const BaselineStrategy* same = strategy_named(now_, strategy.name);
      add({.strategy = strategy.name,
           .fact = "strategy",
           .then = kIsThere,
           .now = same == nullptr ? kIsMissing : kIsThere});
      if (same != nullptr) check_strategy(strategy, *same);
    }
    for (const BaselineStrategy& strategy : now_.strategies) {
      if (strategy_named(then_, strategy.name) == nullptr)
        add({.strategy = strategy.name, .fact = "strategy", .then = kIsMissing, .now = kIsThere});
    }
    return std::move(result_);
  }

 private:
  void add(FactCheck fact) { result_.facts.push_back(std::move(fact)); }

  void check_experiment();
  void check_recommendation();
  void check_strategy(const BaselineStrategy& then, const BaselineStrategy& now);
  void check_measure(const std::string& strategy, const std::string& name, const Summary& then,
                     const Summary& now);
  void add_unknown(const std::string& strategy, const std::string& name, const Summary& now);
  [[nodiscard]] Tolerance tolerance_of_others() const;
  [[nodiscard]] Tolerance tolerance_of(const std::string& measure) const;

  const Baseline& then_;
  const Baseline& now_;
  const std::optional<Tolerance>& asked_;
  BaselineCheck result_;
};

// Of measures that the baseline has no tolerance of their own for.
Tolerance Checker::tolerance_of_others() const {
  if (asked_) return *asked_;
  const auto all = then_.tolerances.find(kEveryMeasure);
  return all == then_.tolerances.end() ? Tolerance{} : all->second;
}

Tolerance Checker::tolerance_of(const std::string& measure) const {
  const auto own = then_.tolerances.find(measure);
  return own == then_.tolerances.end() ? tolerance_of_others() : own->second;
}

void Checker::check_experiment() {
  add({.strategy = {}, .fact = "scenario", .then = then_.scenario, .now = now_.scenario});
  add({.strategy = {}, .fact = "seed", .then = number(then_.seed), .now = number(now_.seed)});
  add({.strategy = {},
       .fact = "replications",
       .then = number(then_.replications),
       .now = number(now_.replications)});
  add({.strategy = {}, .fact = "program", .then = then_.version, .now = now_.version, .counts = false});
}

// Another answer fails whatever the tolerance, unless the noise of either run explains it.
void Checker::check_recommendation() {
  if (!now_.recommendation) return;
  if (!then_.recommendation) {
    add({.strategy = {},
         .fact = kRecommendationFact,
         .then = "not in the baseline",
         .now = words(*now_.recommendation),
         .counts = false});
    return;
  }
  const BaselineRecommendation& then = *then_.recommendation;
  const BaselineRecommendation& now = *now_.recommendation;
  const bool by_chance = leaves_open(now, then) || leaves_open(then, now);
  add({.strategy = {},
       .fact = kRecommendationFact,
       .then = words(then),
       .now = words(now),
       .counts = !by_chance || tolerance_of_others().is_exact(),
       .note = by_chance ? "within the noise" : "beyond the noise"});
  add({.strategy = {},
       .fact = "recommendation is sure",
       .then = then.is_sure ? "yes" : "no",
       .now = now.is_sure ? "yes" : "no",
       .counts = false});
}

// A run that took another path is a failure where everything is to be exact, even if it measured the same.
void Checker::check_strategy(const BaselineStrategy& then, const BaselineStrategy& now) {
  add({.strategy = then.name,
       .fact = "fingerprint",
       .then = hex(then.fingerprint),
       .now = hex(now.fingerprint),
       .counts = tolerance_of_others().is_exact()});
  // No tolerance makes a strategy an answer under which a class never runs.
  if (then.never_ran && now.never_ran) {
    add({.strategy = then.name,
         .fact = "classes that never run",
         .then = classes(*then.never_ran),
         .now = classes(*now.never_ran)});
  }
  for (const auto& [name, summary] : then.measures) {
    const Summary* same = measure_named(now, name);
    if (same != nullptr) {
      check_measure(then.name, name, summary, *same);
    } else if (!summary.is_absent()) {
      add({.strategy = then.name, .fact = name, .then = kIsThere, .now = "not measured by this program"});
    }
  }
  for (const auto& [name, summary] : now.measures) {
    if (measure_named(then, name) == nullptr) add_unknown(then.name, name, summary);
  }
}

// A newer program measures more. The same one wrote all measures, absent ones too: somebody took this away.
void Checker::add_unknown(const std::string& strategy, const std::string& name, const Summary& now) {
  const bool was_taken_away = then_.version == now_.version;
  if (now.is_absent() && !was_taken_away) return;
  add({.strategy = strategy,
       .fact = name,
       .then = "not in the baseline",
       .now = now.is_absent() ? "absent" : kIsThere,
       .counts = was_taken_away});
}

void Checker::check_measure(const std::string& strategy, const std::string& name, const Summary& then,
                            const Summary& now) {
  if (then.is_absent() && now.is_absent()) return;
  const Tolerance tolerance = tolerance_of(name);
  const double allowed = allowed_by(tolerance, then, now);
  const bool same_kind = then.known == now.known;
  // The number of replications with a value, and the noise, are results too.
  const bool same_bits =
      then.mean == now.mean && then.half_width == now.half_width && then.replications == now.replications;
  const bool near = tolerance.is_exact() ? same_bits : std::abs(now.mean - then.mean) <= allowed;
  result_.measures.push_back({.strategy = strategy,
                              .measure = name,
                              .unit = unit_of(name),
                              .then = then,
                              .now = now,
                              .tolerance = tolerance,
                              .allowed = allowed,
                              .holds = same_kind && near});
}

}  // namespace

bool BaselineCheck::holds() const {
  return std::ranges::all_of(facts, &FactCheck::holds) && std::ranges::all_of(measures, &MeasureCheck::holds);
}

BaselineCheck check_against(const Baseline& then, const Baseline& now,
                            const std::optional<Tolerance>& asked) {
  return Checker{then, now, asked}.check();
}

}  // namespace stockout
