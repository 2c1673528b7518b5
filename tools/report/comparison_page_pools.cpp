#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"
#include "tools/report/chart_spec.h"
#include "tools/report/comparison_page_sections.h"

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

// How much the strategy has to do with the pool: GPU-hours used, held or waited for, and requests refused.
double weight_of(const PoolHistory& pool) {
  return in_gpu_hours(pool.by_jobs.area + pool.by_held.area + pool.own_waiting_gpus.area) +
         static_cast<double>(sum_of(pool.refused.own));
}

struct ChosenSeries {
  std::vector<PoolSeries> series;
  std::size_t left_out = 0;  // pools that a strategy used too
};

ChosenSeries choose_series(const PageStory& story) {
  ChosenSeries chosen;
  for (const StrategyHistory& one : story.histories) {
    std::vector<const PoolHistory*> pools;
    for (const PoolHistory& pool : one.history.pools) {
      if (weight_of(pool) > 0) pools.push_back(&pool);
    }
    std::ranges::stable_sort(pools, std::greater{}, [](const PoolHistory* pool) { return weight_of(*pool); });
    if (pools.size() > kMostPoolsEach) {
      chosen.left_out += pools.size() - kMostPoolsEach;
      pools.resize(kMostPoolsEach);
    }
    for (const PoolHistory* pool : pools)
      chosen.series.push_back({.strategy = one.strategy, .history = &one.history, .pool = pool});
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

void add_count(ChartJson& row, const char* name, const std::vector<std::uint64_t>& counts, std::size_t bin) {
  if (!counts.empty() && counts[bin] > 0) row[name] = counts[bin];
}

// Short names, since there are thousands: n series, t hours, c capacity, j jobs, h held by the strategy, o
// others, w waiting; p and q taken back from the strategy's jobs and from others, r and s refused to them.
void add_points(ChartJson& rows, std::size_t number, const PoolSeries& one) {
  const PoolHistory& pool = *one.pool;
  const double step = to_hours(one.history->bin);
  for (std::size_t bin = 0; bin < one.history->bins; ++bin) {
    ChartJson row{{"n", number},
                  {"t", step * static_cast<double>(bin)},
                  {"j", mean_at(pool.by_jobs, bin)},
                  {"h", mean_at(pool.by_held, bin)},
                  {"o", mean_at(pool.by_tenants, bin)},
                  {"w", mean_at(pool.waiting_gpus, bin)}};
    if (!pool.capacity.empty()) row["c"] = sum_at(pool.capacity, bin);
    add_count(row, "p", pool.preempted.own, bin);
    add_count(row, "q", pool.preempted.tenants, bin);
    add_count(row, "r", pool.refused.own, bin);
    add_count(row, "s", pool.refused.tenants, bin);
    rows.push_back(std::move(row));
  }
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
  for (const char* title : {"taken back\nfrom yours", "taken back\nfrom others"})
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

ChartJson time_channel() {
  return {{"field", "when"},
          {"type", "temporal"},
          {"title", "Simulated date"},
          {"scale", {{"type", "utc"}}},
          {"axis", {{"format", "%b %d"}, {"labelOverlap", true}}}};
}

ChartJson use_layer(const ChartJson& when) {
  return {{"transform",
           {{{"fold", {"j", "h", "o"}}, {"as", {"key", "gpus"}}},
            {{"calculate",
              "datum.key == 'j' ? 'used by your jobs' : datum.key == 'h' ? 'held by the strategy' : 'other "
              "tenants'"},
             {"as", "what"}},
            {{"calculate", "datum.key == 'j' ? 0 : datum.key == 'h' ? 1 : 2"}, {"as", "order"}}}},
          {"mark", {{"type", "area"}, {"interpolate", "step-after"}, {"opacity", 0.75}}},
          {"encoding",
           {{"x", when},
            {"y", number_channel("gpus", "GPUs", ",.0f", {{"stack", "zero"}})},
            {"order", {{"field", "order"}, {"type", "quantitative"}}},
            {"color",
             {{"field", "what"},
              {"type", "nominal"},
              {"scale", {{"domain", {"used by your jobs", "held by the strategy", "other tenants"}}}},
              {"legend", plain_legend()}}}}}};
}

ChartJson capacity_layer(const ChartJson& when) {
  return {
      {"transform",
       ChartJson::array(
           {{{"calculate", "isValid(datum.c) ? datum.c : datum.j + datum.h + datum.o"}, {"as", "limit"}}})},
      {"mark", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1.5}, {"color", "gray"}}},
      {"encoding", {{"x", when}, {"y", number_channel("limit", "GPUs", ",.0f")}}}};
}

ChartJson waiting_layer(const ChartJson& when) {
  return {{"mark", {{"type", "area"}, {"interpolate", "step-after"}, {"opacity", 0.5}, {"color", "gray"}}},
          {"encoding", {{"x", when}, {"y", number_channel("w", "GPUs waited for", ",.0f")}}}};
}

bool has_events(const PoolSeries& one) {
  const PoolHistory& pool = *one.pool;
  return sum_of(pool.preempted.own) + sum_of(pool.preempted.tenants) + sum_of(pool.refused.own) +
             sum_of(pool.refused.tenants) >
         0;
}

constexpr std::array kEventNames{"taken back from you", "taken back, others", "your stock-outs",
                                 "stock-outs, others"};

// A symbol for each step in which something happened; one that is not seen keeps the span of an empty panel.
ChartJson event_panel(const ChartJson& when) {
  const ChartJson event{{"field", "event"},
                        {"type", "nominal"},
                        {"title", nullptr},
                        {"scale", {{"domain", kEventNames}}},
                        {"legend", nullptr}};
  return {{"transform",
           {{{"fold", {"p", "q", "r", "s"}}, {"as", {"key", "count"}}},
            only_where("datum.count > 0 || datum.t == 0"),
            {{"calculate",
              "{p: 'taken back from you', q: 'taken back, others', r: 'your stock-outs', s: 'stock-outs, "
              "others'}[datum.key]"},
             {"as", "event"}}}},
          {"height", {{"step", 20}}},
          {"mark", {{"type", "point"}, {"filled", true}, {"size", 40}, {"color", "#c2410c"}}},
          {"encoding",
           {{"x", when},
            {"y", event},
            {"shape", event},
            {"opacity", {{"condition", {{"test", "datum.count > 0"}, {"value", 0.9}}}, {"value", 0}}},
            {"tooltip", {tooltip_name("event", "what"), tooltip_number("count", "how many", ",.0f")}}}}};
}

ChartJson pools_spec(const PageStory& story, const std::vector<PoolSeries>& series) {
  std::vector<std::size_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < series.size(); ++i) {
    numbers.push_back(i);
    names.push_back(series_name(story, series[i]));
  }
  const ChartJson when = time_channel();
  ChartJson panels =
      ChartJson::array({{{"height", 260}, {"layer", {use_layer(when), capacity_layer(when)}}},
                        {{"height", 110}, {"layer", ChartJson::array({waiting_layer(when)})}}});
  if (std::ranges::any_of(series, has_events)) panels.push_back(event_panel(when));
  const ChartJson choice{
      {"name", "series"},
      {"value", 0},
      {"bind",
       {{"input", "select"}, {"options", numbers}, {"labels", names}, {"name", "Strategy and pool "}}}};
  const ChartJson to_date{
      {"calculate", fmt::format("{:.0f} + datum.t * 3600000", local_start_ms(story.report.scenario.world))},
      {"as", "when"}};
  return {{"data", named_data("pools")},
          {"params", ChartJson::array({choice})},
          {"transform", {only_where("datum.n == series"), to_date}},
          {"vconcat", std::move(panels)},
          {"resolve", {{"scale", {{"x", "shared"}, {"color", "independent"}, {"shape", "independent"}}}}}};
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
  data["pools"] = ChartJson::array();
  for (std::size_t i = 0; i < chosen.series.size(); ++i) add_points(data["pools"], i, chosen.series[i]);
  section.blocks.push_back(Paragraph{thinned_note(story, chosen)});
  section.blocks.push_back(Chart{
      .id = "pool-over-time",
      .title = "Capacity, use and queue of a pool",
      .description =
          "Across: the simulated calendar. Up: GPUs. Areas, one on the other: GPUs that your jobs lease, "
          "that the strategy holds of this pool, and that other tenants lease; the line is the pool's "
          "capacity, or what is used where it is unlimited. Below, the GPUs that requests in its queue wait "
          "for, other tenants' included; then marks for steps in which leases were taken back or requests "
          "met a stock-out, yours and other tenants' apart. A list chooses strategy and pool.",
      .spec = pools_spec(story, chosen.series),
      .table = pools_table(story, chosen.series)});
  return section;
}

}  // namespace stockout
