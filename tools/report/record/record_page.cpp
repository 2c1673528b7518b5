#include "tools/report/record/record_page.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/duration_text.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/comparison/share_words.h"
#include "tools/report/record/record_money.h"
#include "tools/report/record/record_prices.h"

namespace stockout {
namespace {

Relation made_from_record(const RecordStory& story) {
  const StoredComparison& record = story.record;
  Relation table{.title = "How the numbers were made"};
  table.add_columns(kText, {"what", "is"});
  table.add({"scenario", fmt::format("{} ({})", record.name, record.scenario_file)});
  if (!record.scenario_sets.empty())
    table.add({"changed by --set", fmt::format("{}", fmt::join(record.scenario_sets, ", "))});
  if (!record.asks()) table.add({"goal", "none: the cheapest for the same work"});
  for (const std::string& text : record.asked()) table.add({"goal", text});
  table.add(
      {"window", fmt::format("from {}, {} long", record.start, format_duration(record.window_end - kStart))});
  table.add(
      {"prices", record.prices_follow_calendar ? "of each simulated day" : "of " + record.prices_as_of});
  table.add({"billed", fmt::format("in steps of {}, at least {}", format_duration(record.billing.step),
                                   format_duration(record.billing.least))});
  table.add({"random numbers", fmt::format("seed {}: the same for every strategy", record.seed)});
  table.add({"replications", fmt::format("{}", record.replications)});
  if (record.means_adjusted)
    table.add({"means", "plain; the run's own report adjusted them by control variates"});
  table.add({"fingerprint", fmt::format("{:016x}", record.fingerprint)});
  table.add({"simulated by", "stockout " + record.version});
  table.add({"page by", fmt::format("stockout {}, from {}", story.version, story.file)});
  return table;
}

Relation words_of_record() {
  return shares_table(
      {kStartInTime,
       {"start within", "the shortest wait, release to first grant, that so many of the jobs do not exceed",
        "all jobs submitted in the window; >: longer than that, since some of them never started"},
       {"work done", "work of completed jobs in GPU-hours", "work of all jobs; the least of any GPU type"},
       {"leases preempted", "leases that the provider ended for somebody else", "all jobs"},
       {"±", "half of the 95 % interval of the mean", "over the replications; differences within each"},
       {"~", "a difference that may be chance", "its 95 % interval has 0 in it, or there is none"}});
}

Relation recorded_strategies_table(const RecordStory& story, const Verdict& verdict) {
  constexpr std::array kGiven{std::pair{Measure::cost_list, "at list prices"},
                              std::pair{Measure::goal_met_share, "start in time\nand complete"},
                              std::pair{Measure::wait_p50, "50 % of jobs\nstart within"},
                              std::pair{Measure::wait_p95, "95 % of jobs\nstart within"},
                              std::pair{Measure::never_started_share, "never start"},
                              std::pair{Measure::work_done_share, "work done"},
                              std::pair{Measure::preemptions_per_job, "leases\npreempted\nper job"}};
  const Comparison& comparison = story.comparison;
  Relation table{.title = "Each strategy, means over the replications",
                 .columns = {name_column("strategy"),
                             shown_column(Measure::cost, "cost"),
                             {.title = "more than\n" + comparison.strategies[verdict.strategy].name,
                              .unit = "USD",
                              .style = kUsdMore,
                              .interval = Interval::shown}}};
  table.columns[1].interval = Interval::shown;
  for (const auto& [measure, title] : kGiven) table.columns.push_back(shown_column(measure, title));
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    const StrategyResult& strategy = comparison.strategies[i];
    std::vector<Cell> cells{strategy.name, measure_cell(strategy.total[Measure::cost], 0),
                            cost_more_cell(comparison, i, verdict.strategy)};
    for (const auto& [measure, title] : kGiven) cells.push_back(measure_cell(strategy.total[measure], 0));
    table.add(std::move(cells));
  }
  return table;
}

PageSection recorded_made_section(const RecordStory& story) {
  PageSection section{.id = "made", .title = "How it was made", .blocks = {}};
  section.blocks.emplace_back(made_from_record(story));
  section.blocks.emplace_back(Paragraph{
      "A record keeps what each run used, hour by hour, and its measures as a whole, so that it can be "
      "priced anew. It does not keep single jobs and their waits, pools over time, times of preemptions, "
      "groups of jobs, or alternatives. `stockout compare SCENARIO --report FILE` shows those."});
  section.blocks.emplace_back(words_of_record());
  return section;
}

}  // namespace

std::vector<std::string> strategy_names(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const StrategyResult& strategy : comparison.strategies) names.push_back(strategy.name);
  return names;
}

Page record_page(const RecordStory& story) {
  const Verdict verdict = judge(story.comparison, story.record.goal, story.record.goal_text);
  Page page{.title = story.record.name,
            .question = story.record.question,
            .answer = verdict.sentence,
            .choice = {},
            .strategies = strategy_names(story.comparison),
            .sections = {}};
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
