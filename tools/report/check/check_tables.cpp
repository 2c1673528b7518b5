#include "tools/report/check/check_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/table/text_table.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

// So many decimals that `digits` digits of the value count; 0: all there are.
int decimals_for(double value, int digits) {
  const double size = std::abs(value);
  if (size < 1e-9) return digits - 1;
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
}

std::string decimal_text(double value, int decimals) {
  constexpr double kTooLongForATable = 1e15;
  return std::abs(value) < kTooLongForATable ? number_text(value, decimals) : fmt::format("{:.6g}", value);
}

std::string percent_text(double percent) {
  const double size = std::abs(percent);
  if (size < 1) return fmt::format("{:+.2g} %", percent);
  return size < 100 ? fmt::format("{:+.1f} %", percent) : fmt::format("{:+.4g} %", percent);
}

std::size_t count_of(const BaselineCheck& check) {
  return static_cast<std::size_t>(std::ranges::count(check.measures, false, &MeasureCheck::holds));
}

std::string accepted_sentence(const CheckReport& report) {
  const std::size_t all = report.check.measures.size();
  if (all == 0) {
    return fmt::format("{} is now the baseline of {}: {}.", report.baseline_file, report.scenario_file,
                       counted(report.now.strategies.size(), "strategy", "strategies"));
  }
  return fmt::format("{} is the new baseline of {}: {} of {} measures changed.", report.baseline_file,
                     report.scenario_file, count_of(report.check), all);
}

Relation facts_table(const BaselineCheck& check, bool accepted) {
  Relation table{.title = "What differs of the experiment"};
  table.add_columns(kText, {"strategy", "what", "baseline", "now", accepted ? "" : "verdict"});
  for (const FactCheck& fact : check.facts) {
    if (!fact.differs()) continue;
    Cell verdict{
        fmt::format("{}{}{}", fact.counts ? "fails" : "only told", fact.note.empty() ? "" : ", ", fact.note)};
    if (fact.counts) verdict.tone = Tone::failure;
    table.add({fact.strategy.empty() ? "(all)" : fact.strategy, fact.fact, fact.then, fact.now, verdict});
  }
  return table;
}

Relation moved_table(const BaselineCheck& check, bool accepted) {
  Relation table{.title = accepted ? "Measures that changed" : "Measures beyond their tolerance"};
  table.add_columns(kText, {"strategy", "measure", "unit"});
  table.columns.front().once = true;
  table.add_columns(kWhole, {"baseline", "now", "difference", "tolerance"});
  for (const MeasureCheck& measure : check.measures) {
    if (measure.holds) continue;
    auto [then, now] = then_and_now(measure);
    table.add({measure.strategy, measure.measure, measure.unit, std::move(then), std::move(now),
               difference_text(measure), tolerance_text(measure)});
  }
  return table;
}

std::string made_from(const CheckReport& report) {
  return fmt::format("\nMade from\n  {}, stockout {}, seed {}, fingerprint {:016x}\n", report.scenario_file,
                     report.now.version, report.now.seed, report.now.fingerprint);
}

// Which strategy is to be bought, and whether that is another one.
std::string recommendation_sentence(const CheckReport& report) {
  const auto fact = std::ranges::find(report.check.facts, kRecommendationFact, &FactCheck::fact);
  if (fact == report.check.facts.end()) return {};
  if (!fact->differs()) return fmt::format("Recommended as in the baseline: {}.", fact->now);
  if (fact->note.empty())
    return fmt::format("Recommended now: {}. The baseline does not say what it was; --update adds it.",
                       fact->now);
  return fmt::format("The recommendation changed, {}: it was {}, and is {}.", fact->note, fact->then,
                     fact->now);
}

std::string how_to_accept(const CheckReport& report) {
  return fmt::format("\nTo accept what is now: the same command with --update, which writes {}.\n",
                     report.baseline_file);
}

}  // namespace

std::string check_sentence(const CheckReport& report) {
  const std::size_t moved = count_of(report.check);
  const std::size_t all = report.check.measures.size();
  if (report.check.holds()) {
    return fmt::format("{} is as in {}: {}, {}.", report.scenario_file, report.baseline_file,
                       counted(report.now.strategies.size(), "strategy", "strategies"),
                       counted(all, "measure"));
  }
  const std::string what = moved == 0
                               ? fmt::format("all {} measures hold, but not all else is the same", all)
                               : fmt::format("{} of {} measures moved beyond their tolerance", moved, all);
  return fmt::format("{} is not as in {}: {}.", report.scenario_file, report.baseline_file, what);
}

Relation checked_measures(const BaselineCheck& check) {
  const auto known = [](const char* key) {
    return Column{.key = key, .interval = Interval::in_files, .bound = true};
  };
  Relation table{.columns = files_only({"strategy", "measure", "unit"})};
  table.columns.insert(table.columns.end(),
                       {known("baseline"), known("now"), {.key = "allowed"}, {.key = "holds"}});
  for (const MeasureCheck& measure : check.measures) {
    table.add({measure.strategy, measure.measure, measure.unit, measure_cell(measure.then, 0),
               measure_cell(measure.now, 0), measure.allowed, measure.holds});
  }
  return table;
}

Relation checked_facts(const BaselineCheck& check) {
  Relation table{.columns = files_only({"strategy", "fact", "baseline", "now", "note", "counts", "holds"})};
  for (const FactCheck& fact : check.facts)
    table.add({fact.strategy, fact.fact, fact.then, fact.now, fact.differs() ? fact.note : "", fact.counts,
               fact.holds()});
  return table;
}

std::string summary_text(const Summary& summary, int digits) {
  if (summary.is_absent()) return std::string{kNone};
  const int decimals = decimals_for(summary.mean, digits);
  const auto text = [&](double value) {
    return digits == 0 ? fmt::format("{}", value) : decimal_text(value, decimals);
  };
  if (summary.known == Value::Known::at_least) return std::string{kAtLeast} + text(summary.mean);
  if (!summary.half_width || *summary.half_width == 0) return text(summary.mean);
  return fmt::format("{} ± {}", text(summary.mean), text(*summary.half_width));
}

std::pair<std::string, std::string> then_and_now(const MeasureCheck& measure) {
  for (const int digits : {4, 6, 9, 12}) {
    std::string then = summary_text(measure.then, digits);
    std::string now = summary_text(measure.now, digits);
    if (then != now) return {std::move(then), std::move(now)};
  }
  return {summary_text(measure.then, 0), summary_text(measure.now, 0)};
}

std::string difference_text(const MeasureCheck& measure) {
  if (measure.then.is_absent() || measure.now.is_absent()) return std::string{kNone};
  const double difference = measure.now.mean - measure.then.mean;
  if (difference == 0) return "0";
  std::string text = std::abs(difference) < 1e-6
                         ? fmt::format("{:+.3g}", difference)
                         : fmt::format("{}{}", difference > 0 ? "+" : "",
                                       decimal_text(difference, decimals_for(difference, 3)));
  if (measure.then.mean == 0) return text;
  return fmt::format("{} ({})", text, percent_text(100 * difference / std::abs(measure.then.mean)));
}

std::string tolerance_text(const MeasureCheck& measure) {
  if (measure.tolerance.is_exact()) return "exact";
  return fmt::format("{} ({})", decimal_text(measure.allowed, decimals_for(measure.allowed, 3)),
                     to_text(measure.tolerance));
}

std::string write_check(const CheckReport& report, const TextLayout& layout) {
  const bool fails = !report.accepted && !report.check.holds();
  const std::string said =
      wrap_text(report.accepted ? accepted_sentence(report) : check_sentence(report), layout.width, "");
  const std::string recommended = recommendation_sentence(report);
  std::string text = (fails ? painted(said, Tone::failure, layout.colour) : said) +
                     (recommended.empty() ? "" : wrap_text(recommended, layout.width, "")) +
                     write_section(facts_table(report.check, report.accepted), layout) +
                     write_section(moved_table(report.check, report.accepted), layout) + made_from(report);
  if (fails) text += how_to_accept(report);
  return text;
}

}  // namespace stockout
