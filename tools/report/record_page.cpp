#include "tools/report/record_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/cost_difference.h"
#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"
#include "tools/report/record_page_parts.h"

namespace stockout {
namespace {

using RecordAlign = TextTable::Align;

std::string mean_text(const Summary& value, double factor, int decimals) {
  if (value.is_absent()) return "-";
  return (value.known == Value::Known::at_least ? "> " : "") + number_text(value.mean * factor, decimals);
}

std::string noise_text(const std::optional<double>& half_width) {
  return half_width ? number_text(*half_width) : "-";
}

// What a strategy costs more than that of the verdict: "1,200 ± 300", with a ~ where it may be chance.
std::string more_text(const Comparison& comparison, std::size_t strategy, std::size_t than) {
  if (strategy == than) return "-";
  const CostDifference more = cost_difference(comparison, strategy, than);
  return fmt::format("{}{}{}", more.may_be_chance ? "~ " : "", number_text(more.more.mean),
                     more.more.half_width ? fmt::format(" ± {}", number_text(*more.more.half_width)) : "");
}

TextTable made_from_record(const RecordStory& story) {
  const StoredComparison& record = story.record;
  TextTable table{"How the numbers were made"};
  table.add_columns(RecordAlign::left, {"what", "is"});
  table.add_row({"scenario", fmt::format("{} ({})", record.name, record.scenario_file)});
  if (!record.scenario_sets.empty())
    table.add_row({"changed by --set", fmt::format("{}", fmt::join(record.scenario_sets, ", "))});
  table.add_row({"goal", record.goal ? record.goal_text : "none: the cheapest for the same work"});
  table.add_row(
      {"window", fmt::format("from {}, {} long", record.start, format_duration(record.window_end - kStart))});
  table.add_row(
      {"prices", record.prices_follow_calendar ? "of each simulated day" : "of " + record.prices_as_of});
  table.add_row({"billed", fmt::format("in steps of {}, at least {}", format_duration(record.billing.step),
                                       format_duration(record.billing.least))});
  table.add_row({"dice", fmt::format("seed {}: the same dice for every strategy", record.seed)});
  table.add_row({"replications", fmt::format("{}", record.replications)});
  if (record.means_adjusted)
    table.add_row({"means", "plain; the run's own report adjusted them by control variates"});
  table.add_row({"fingerprint", fmt::format("{:016x}", record.fingerprint)});
  table.add_row({"simulated by", "stockout " + record.version});
  table.add_row({"page by", fmt::format("stockout {}, from {}", story.version, story.file)});
  return table;
}

TextTable words_of_record() {
  TextTable table{"What the shares are shares of"};
  table.add_columns(RecordAlign::left, {"number", "what is counted", "of"});
  table.add_row({"start in time and complete", "jobs granted within the wait goal, and completed",
                 "jobs that the goal is about; one that never starts is late"});
  table.add_row({"start within",
                 "the shortest wait, release to first grant, that so many of the jobs do not exceed",
                 "all jobs submitted in the window; >: longer than that, since some of them never started"});
  table.add_row(
      {"work done", "work of completed jobs in GPU-hours", "work of all jobs; the least of any GPU type"});
  table.add_row({"leases taken back", "leases that ended because the provider took them back", "all jobs"});
  table.add_row(
      {"±", "half of the 95 % interval of the mean", "over the replications; differences within each"});
  return table;
}

}  // namespace

TextTable recorded_strategies_table(const RecordStory& story, const Verdict& verdict) {
  const Comparison& comparison = story.comparison;
  TextTable table{"Each strategy, means over the replications"};
  table.add_column("strategy", RecordAlign::left);
  table.add_columns(RecordAlign::right, {"cost\n[USD]", "±\n[USD]"});
  table.add_column(fmt::format("more than\n{} [USD]", comparison.strategies[verdict.strategy].name),
                   RecordAlign::right);
  table.add_columns(RecordAlign::right,
                    {"at list prices\n[USD]", "start in time\nand complete\n[% of jobs]",
                     "50 % of jobs\nstart within\n[h]", "95 % of jobs\nstart within\n[h]",
                     "never start\n[% of jobs]", "work done\n[%]", "leases\ntaken back\n[per job]"});
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    const StrategyResult& strategy = comparison.strategies[i];
    const Summaries& total = strategy.total;
    table.add_row(
        {strategy.name, mean_text(total[Measure::cost], 1, 0), noise_text(total[Measure::cost].half_width),
         more_text(comparison, i, verdict.strategy), mean_text(total[Measure::cost_list], 1, 0),
         mean_text(total[Measure::goal_met_share], 100, 1), mean_text(total[Measure::wait_p50], 1, 2),
         mean_text(total[Measure::wait_p95], 1, 2), mean_text(total[Measure::never_started_share], 100, 1),
         mean_text(total[Measure::work_done_share], 100, 1),
         mean_text(total[Measure::preemptions_per_job], 1, 2)});
  }
  return table;
}

PageSection recorded_made_section(const RecordStory& story) {
  PageSection section{.id = "made", .title = "How it was made", .blocks = {}};
  section.blocks.emplace_back(made_from_record(story));
  section.blocks.emplace_back(
      Paragraph{"A record keeps what each run used, hour by hour, and what was measured of it as a whole, so "
                "that it can be priced "
                "anew. It does not keep single jobs and their waits, pools over time, when leases were taken "
                "back, groups of jobs, or "
                "the scenario's assumptions under alternatives: `stockout compare SCENARIO --report FILE` "
                "shows those."});
  section.blocks.emplace_back(words_of_record());
  return section;
}

Page record_page(const RecordStory& story) {
  const Verdict verdict = judge(story.comparison, story.record.goal, story.record.goal_text);
  Page page{.title = story.record.name,
            .question = story.record.question,
            .answer = verdict.sentence,
            .choice = {},
            .strategies = {},
            .sections = {}};
  for (const StoredStrategy& strategy : story.record.strategies) page.strategies.push_back(strategy.name);
  PageSection first{.id = "strategies", .title = "Strategies", .blocks = {}};
  first.blocks.emplace_back(recorded_strategies_table(story, verdict));
  const std::vector<std::string> flips = prices_that_flip(story);
  if (flips.empty()) {
    first.blocks.emplace_back(Paragraph{"No price of one model, whatever it is, flips the answer."});
  } else {
    first.blocks.emplace_back(
        RankedList{.title = "Prices that could flip the answer, the least change first:", .items = flips});
  }
  page.sections.push_back(std::move(first));
  page.sections.push_back(recorded_money_section(story));
  page.sections.push_back(recorded_prices_section(story));
  page.sections.push_back(recorded_made_section(story));
  return page;
}

}  // namespace stockout
