#include "tools/report/check/check_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "sim/core/counted.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/table/text_table.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr Style kAllDigits{.digits = 0};

Cell difference_of(const MeasureCheck& measure) {
  if (measure.then.is_absent() || measure.now.is_absent()) return {};
  return measure.now.mean - measure.then.mean;
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

Cell fact_verdict(const FactCheck& fact) {
  if (!fact.differs()) return {};
  const std::string note = fact.note.empty() ? "" : ", " + fact.note;
  Cell verdict = Cell::said((fact.counts ? "fails" : "reported") + note);
  if (fact.counts) verdict.tone = Tone::failure;
  return verdict;
}

Relation facts_table(const BaselineCheck& check, bool accepted) {
  BaselineCheck other;
  std::ranges::copy_if(check.facts, std::back_inserter(other.facts), &FactCheck::differs);
  Relation table = checked_facts(other);
  table.title = "Differences of the experiment";
  if (accepted) table.columns.back().title.clear();
  return table;
}

Relation moved_table(const BaselineCheck& check, bool accepted) {
  BaselineCheck moved;
  std::ranges::copy_if(check.measures, std::back_inserter(moved.measures), std::not_fn(&MeasureCheck::holds));
  Relation table = checked_measures(moved);
  table.title = accepted ? "Measures that changed" : "Measures beyond their tolerance";
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
  const auto known = [](const std::string& name) {
    return Column{.key = name, .title = name, .style = kWhole, .interval = Interval::in_files, .bound = true};
  };
  Relation table{.columns = {{.key = "strategy", .title = "strategy", .once = true},
                             name_column("measure"),
                             name_column("unit"),
                             known("baseline"),
                             known("now"),
                             {.key = "difference", .title = "difference", .style = kWhole},
                             {.key = "allowed", .title = "tolerance", .style = kWhole},
                             {.key = "holds"}}};
  for (const MeasureCheck& measure : check.measures) {
    auto [then, now] = then_and_now(measure);
    table.add(
        {measure.strategy, measure.measure, measure.unit, measure_cell(measure.then, 0).as(std::move(then)),
         measure_cell(measure.now, 0).as(std::move(now)), difference_of(measure).as(difference_text(measure)),
         Cell{measure.allowed}.as(tolerance_text(measure)), measure.holds});
  }
  return table;
}

Relation checked_facts(const BaselineCheck& check) {
  Relation table{.columns = {name_column("strategy"),
                             name_column("fact"),
                             name_column("baseline"),
                             name_column("now"),
                             {.key = "note"},
                             {.key = "counts"},
                             {.key = "holds"},
                             {.title = "verdict"}}};
  for (const FactCheck& fact : check.facts) {
    const Cell of{fact.strategy};
    table.add({fact.strategy.empty() ? of.as("(all)") : of, fact.fact, fact.then, fact.now,
               fact.differs() ? fact.note : "", fact.counts, fact.holds(), fact_verdict(fact)});
  }
  return table;
}

std::pair<std::string, std::string> then_and_now(const MeasureCheck& measure) {
  const Cell before = measure_cell(measure.then, 0);
  const Cell after = measure_cell(measure.now, 0);
  for (const int digits : {4, 6, 9, 12}) {
    std::string then = estimate_text(before, {.digits = digits});
    std::string now = estimate_text(after, {.digits = digits});
    if (then != now) return {std::move(then), std::move(now)};
  }
  return {estimate_text(before, kAllDigits), estimate_text(after, kAllDigits)};
}

std::string difference_text(const MeasureCheck& measure) {
  constexpr double kTiny = 1e-6;
  const Cell difference = difference_of(measure);
  const double size = difference.number().value_or(0);
  if (size == 0) return cell_text(difference, kWhole);
  std::string text = std::abs(size) < kTiny ? fmt::format("{:+.3g}", size)
                                            : cell_text(difference, {.has_plus = true, .digits = 3});
  if (measure.then.mean == 0) return text;
  return fmt::format("{} ({})", text, percent_text(100 * size / std::abs(measure.then.mean)));
}

std::string tolerance_text(const MeasureCheck& measure) {
  if (measure.tolerance.is_exact()) return "exact";
  return fmt::format("{} ({})", cell_text(measure.allowed, {.digits = 3}), to_text(measure.tolerance));
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
