#include "models/assumptions/assumption_band.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/standing.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

bool is_decided(const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::cheapest || verdict.kind == Verdict::Kind::cheapest_within_goal;
}

// One sentence about what the alternatives do to the verdict.
class BandSentence {
 public:
  BandSentence(const Comparison& written, const Verdict& verdict,
               const std::vector<AlternativeResult>& alternatives)
      : written_{written}, verdict_{verdict}, alternatives_{alternatives} {}

  [[nodiscard]] std::string make() const {
    const std::vector<std::string> changes = what_changes();
    const std::size_t count = alternatives_.size();
    const std::string each =
        count == 1 ? "the one alternative to" : fmt::format("each of {} alternatives to", count);
    if (changes.empty()) {
      return fmt::format("{} under {} what is assumed.", stays_text(), each);
    }
    const std::size_t rest = count - changes.size();
    const std::string others =
        rest == 0
            ? ""
            : fmt::format(" It stays {} under the other {} of {}.",
                          verdict_.kind == Verdict::Kind::undecided ? "undecided" : "the same", rest, count);
    return fmt::format("{}: {}.{}", opening(), fmt::join(changes, "; "), others);
  }

 private:
  [[nodiscard]] const char* stays_text() const {
    if (is_decided(verdict_)) return "The recommendation stays the same";
    return verdict_.kind == Verdict::Kind::undecided ? "It stays undecided"
                                                     : "That no strategy meets the goal stays so";
  }

  [[nodiscard]] bool any(AnswerOutcome outcome) const {
    return std::ranges::any_of(alternatives_, [&](const auto& one) { return one.outcome == outcome; });
  }

  [[nodiscard]] std::string opening() const {
    if (!is_decided(verdict_)) return "This depends on what is assumed";
    if (any(AnswerOutcome::other_winner) || any(AnswerOutcome::none))
      return "The recommendation does not survive what is assumed";
    return "No alternative to what is assumed gives another winner, but it becomes less sure";
  }

  [[nodiscard]] std::vector<std::string> what_changes() const {
    std::vector<std::string> changes;
    for (const AlternativeResult& one : alternatives_) {
      if (one.outcome != AnswerOutcome::same)
        changes.push_back(fmt::format("under \"{}\" ({}) {}", one.name, one.rule, what_then(one)));
    }
    return changes;
  }

  [[nodiscard]] std::string what_then(const AlternativeResult& one) const {
    const std::string& name = written_.strategies[one.verdict.strategy].name;
    switch (one.outcome) {
      case AnswerOutcome::other_winner:
        return fmt::format("\"{}\" is the cheapest", name);
      case AnswerOutcome::undecided:
        return one.verdict.strategy == verdict_.strategy
                   ? "it is undecided"
                   : fmt::format("it is undecided, with \"{}\" the cheapest on average", name);
      case AnswerOutcome::none:
        return "no strategy meets the goal";
      case AnswerOutcome::same:
        break;
    }
    return "it is the same";
  }

  const Comparison& written_;
  const Verdict& verdict_;
  const std::vector<AlternativeResult>& alternatives_;
};

void widen(std::optional<Band>& band, const Summary& summary, std::size_t under) {
  if (summary.is_absent()) return;
  const bool is_bound = summary.known == Value::Known::at_least;
  const Extreme here{.value = summary.mean, .is_bound = is_bound, .under = under};
  if (!band) {
    band = Band{.low = here, .high = here};
    return;
  }
  const bool any_bound = band->high.is_bound || is_bound;
  if (here.value < band->low.value) band->low = here;
  if (here.value > band->high.value) band->high = here;
  band->high.is_bound = any_bound;
}

}  // namespace

AnswerOutcome outcome_of(const Verdict& written, const Comparison& comparison, const Verdict& verdict,
                         const std::optional<WaitGoal>& goal) {
  if (!is_decided(written) && verdict.kind == written.kind) return AnswerOutcome::same;
  if (verdict.kind == Verdict::Kind::undecided) return AnswerOutcome::undecided;
  if (verdict.finds_none()) return AnswerOutcome::none;
  if (!is_decided(written)) return AnswerOutcome::other_winner;
  if (verdict.strategy == written.strategy) return AnswerOutcome::same;
  const Standings standings{comparison, goal};
  const bool as_good = standings.cost_the_same(verdict.strategy, written.strategy) &&
                       standings[written.strategy].surely_qualifies();
  return as_good ? AnswerOutcome::same : AnswerOutcome::other_winner;
}

AssumptionBand make_band(const Comparison& written, const Verdict& verdict,
                         std::vector<AlternativeResult> alternatives, const std::optional<WaitGoal>& goal) {
  STOCKOUT_CHECK(!alternatives.empty());
  AssumptionBand band{.alternatives = std::move(alternatives), .sentence = {}};
  for (AlternativeResult& one : band.alternatives) {
    STOCKOUT_CHECK(one.comparison.strategies.size() == written.strategies.size());
    one.outcome = outcome_of(verdict, one.comparison, one.verdict, goal);
  }
  band.sentence = BandSentence{written, verdict, band.alternatives}.make();
  return band;
}

std::optional<Band> band_of(const Comparison& written, const AssumptionBand& band, std::size_t strategy,
                            Measure measure) {
  std::optional<Band> result;
  widen(result, written.strategies[strategy].total[measure], Extreme::kAsWritten);
  for (std::size_t i = 0; i < band.alternatives.size(); ++i)
    widen(result, band.alternatives[i].comparison.strategies[strategy].total[measure], i);
  return result;
}

}  // namespace stockout
