#include "tools/report/comparison_page/pools_section.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"
#include "tools/page/chart_spec.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

/// A pool under a strategy: what is chosen in the picture.
struct PoolSeries {
  std::size_t strategy = 0;  // of the comparison
  const RunHistory* history = nullptr;
  const PoolHistory* pool = nullptr;
};

double in_gpu_hours(WideArea area) { return static_cast<double>(area) / 3.6e6; }

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

struct ChosenSeries {
  std::vector<PoolSeries> series;
  std::size_t left_out = 0;  // pools that a strategy used too
};

ChosenSeries choose_series(const PageStory& story) {
  ChosenSeries chosen;
  for (const StrategyHistory& one : story.histories) {
    chosen.left_out += one.pools_left_out;
    for (const PoolHistory& pool : one.history.pools)
      chosen.series.push_back({.strategy = one.strategy, .history = &one.history, .pool = &pool});
  }
  return chosen;
}

double mean_at(const LevelHistory& level, std::size_t bin) {
  return level.is_zero() ? 0 : std::round(level.mean[bin] * 100) / 100;
}

double sum_at(const std::vector<LevelHistory>& levels, std::size_t bin) {
  double sum = 0;
  for (const LevelHistory& level : levels) sum += mean_at(level, bin);
  return sum;
}

Cell count_at(const std::vector<std::uint64_t>& counts, std::size_t bin) {
  return counts.empty() || counts[bin] == 0 ? Cell{} : Cell{counts[bin]};
}

// Short names, since there are thousands of rows: charts/pool-over-time.vl.json says what they are.
Relation points_of(const std::vector<PoolSeries>& series) {
  Relation rows{.columns = files_only({"n", "t", "j", "h", "o", "w", "c", "p", "q", "r", "s"})};
  for (std::size_t number = 0; number < series.size(); ++number) {
    const PoolHistory& pool = *series[number].pool;
    const double step = to_hours(series[number].history->bin);
    for (std::size_t bin = 0; bin < series[number].history->bins; ++bin) {
      rows.add({number, step * static_cast<double>(bin), mean_at(pool.by_jobs, bin),
                mean_at(pool.by_held, bin), mean_at(pool.by_tenants, bin), mean_at(pool.waiting_gpus, bin),
                pool.capacity.empty() ? Cell{} : Cell{sum_at(pool.capacity, bin)},
                count_at(pool.preempted.own, bin), count_at(pool.preempted.tenants, bin),
                count_at(pool.refused.own, bin), count_at(pool.refused.tenants, bin)});
    }
  }
  return rows;
}

std::string series_name(const PageStory& story, const PoolSeries& one) {
  return fmt::format("{} in {}", story.report.comparison.strategies[one.strategy].name,
                     story.report.scenario.world.pool(one.pool->pool).name);
}

Relation pools_table(const PageStory& story, const std::vector<PoolSeries>& series) {
  Relation table{.title = "Pools under each strategy, first replication",
                 .columns = {name_column("strategy"), name_column("pool")}};
  for (const char* title : {"capacity,\nmean", "used by jobs,\nmean", "held by the\nstrategy",
                            "other tenants,\nmean", "waiting,\nmean"})
    table.columns.push_back({.title = title, .unit = "GPUs", .style = kTenths});
  for (const char* title : {"preempted,\nyours", "preempted,\nothers"})
    table.columns.push_back({.title = title, .unit = "leases", .style = kWhole});
  for (const char* title : {"your\nstock-outs", "others'\nstock-outs"})
    table.columns.push_back({.title = title, .unit = "requests", .style = kWhole});
  for (const PoolSeries& one : series) {
    const PoolHistory& pool = *one.pool;
    const double hours = to_hours(one.history->end - kStart);
    const auto mean = [&](WideArea area) { return Cell{hours > 0 ? in_gpu_hours(area) / hours : 0}; };
    WideArea capacity = 0;
    for (const LevelHistory& level : pool.capacity) capacity += level.area;
    table.add({story.report.comparison.strategies[one.strategy].name,
               story.report.scenario.world.pool(pool.pool).name,
               pool.capacity.empty() ? Cell{"unlimited"} : mean(capacity), mean(pool.by_jobs.area),
               mean(pool.by_held.area), mean(pool.by_tenants.area), mean(pool.waiting_gpus.area),
               sum_of(pool.preempted.own), sum_of(pool.preempted.tenants), sum_of(pool.refused.own),
               sum_of(pool.refused.tenants)});
  }
  return table;
}

// Local time as if it were UTC, so that a browser's own time zone changes nothing.
double local_start_ms(const World& world) {
  const SimDuration offset = world.utc_offsets.empty() ? SimDuration{} : world.utc_offsets.front().offset;
  return static_cast<double>((world.start_date.time_since_epoch() + offset).count());
}

bool has_events(const PoolSeries& one) {
  const PoolHistory& pool = *one.pool;
  return sum_of(pool.preempted.own) + sum_of(pool.preempted.tenants) + sum_of(pool.refused.own) +
             sum_of(pool.refused.tenants) >
         0;
}

nlohmann::json pools_spec(const PageStory& story, const std::vector<PoolSeries>& series) {
  std::vector<std::size_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < series.size(); ++i) {
    numbers.push_back(i);
    names.push_back(series_name(story, series[i]));
  }
  return ChartSpec{std::ranges::any_of(series, has_events) ? "pool-over-time" : "pool-levels-over-time"}
      .rows_of_page("pools")
      .choice("series", "Strategy and pool", numbers)
      .choice_labels("series", names)
      .param("start_ms", local_start_ms(story.report.scenario.world))
      .take();
}

std::string thinned_note(const PageStory& story, const ChosenSeries& chosen) {
  const std::size_t all = story.report.comparison.strategies.size();
  std::string text = fmt::format("One of {} runs of each strategy: the first.",
                                 number_text(static_cast<double>(story.report.comparison.replications)));
  text +=
      fmt::format(" Each point is a step of {} or more: levels are means over it, events are counted in it.",
                  format_duration(chosen.series.front().history->bin));
  if (story.histories.size() < all)
    text += fmt::format(" {} of {} strategies are here, chosen as in the other pictures.",
                        story.histories.size(), all);
  if (chosen.left_out > 0)
    text += fmt::format(" Of each strategy the {} pools that it used most; {} are left out.", kMostPoolsEach,
                        chosen.left_out);
  return text;
}

}  // namespace

PageSection pools_section(const PageStory& story, nlohmann::json& data) {
  PageSection section{.id = "pools", .title = "Each pool over time", .blocks = {}, .menu = "Pools"};
  const ChosenSeries chosen = choose_series(story);
  if (chosen.series.empty()) {
    section.blocks.push_back(
        Paragraph{"No strategy used, held or asked for anything in its first replication."});
    return section;
  }
  data["pools"] = write_chart_rows(points_of(chosen.series));
  section.blocks.push_back(Paragraph{thinned_note(story, chosen)});
  section.blocks.push_back(Chart{
      .id = "pool-over-time",
      .title = "Capacity, use and queue of a pool",
      .description =
          "Across: the simulated calendar. Up: GPUs. Areas, one on the other: GPUs that your jobs lease, "
          "that the strategy holds of this pool, and that other tenants lease. The line is the pool's "
          "capacity, or what is used where it is unlimited. Below are the GPUs that requests in its queue "
          "wait for, other tenants' included. Marks show steps in which leases were preempted or requests "
          "met a stock-out, yours and other tenants' apart. A list chooses strategy and pool.",
      .spec = pools_spec(story, chosen.series),
      .table = pools_table(story, chosen.series)});
  return section;
}

}  // namespace stockout
