#include "tools/report/comparison/notes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/deciding_price.h"
#include "tools/report/comparison/precision_text.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/report/comparison/used_prices.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

constexpr const char* kWarningsTitle = "Warnings";
constexpr const char* kShortageTitle =
    "Leased beyond capacity, which fell below what leases other than Spot held";

std::string randomness_of(const Source& source) {
  if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
    std::vector<std::string_view> parts;
    if (trace->resampled) parts.emplace_back("which blocks of the trace follow one another");
    if (!trace->factor.is_one()) parts.emplace_back("which of its jobs are left out or come again");
    return parts.empty() ? "" : fmt::format("{}: {}", source.name, fmt::join(parts, ", "));
  }
  const auto& demand = std::get<SyntheticDemand>(source.demand);
  std::vector<std::string_view> parts;
  const bool poisson = std::holds_alternative<PoissonArrivals>(demand.arrivals);
  if (poisson) parts.emplace_back("arrivals");
  if (!poisson && !demand.factor.is_one()) parts.emplace_back("how often a job comes");
  if (demand.work.is_random()) parts.emplace_back("work");
  if (demand.shapes.size() > 1) parts.emplace_back("sizes");
  if (source.tenants.size() > 1) parts.emplace_back("way of buying");
  return parts.empty() ? "" : fmt::format("{}: {}", source.name, fmt::join(parts, ", "));
}

bool is_in(const Comparison& comparison, const Strategy& strategy) {
  return std::any_of(comparison.strategies.begin(), comparison.strategies.end(),
                     [&](const StrategyResult& result) { return result.name == strategy.name; });
}

bool has_random_start(const Strategy& strategy) {
  return std::any_of(strategy.legs.begin(), strategy.legs.end(), [](const Leg& leg) {
    return leg.policy.provisioning.is_random() || leg.policy.start_up.is_random();
  });
}

void add_lifetimes(const Report& report, std::vector<std::string>& sources) {
  std::vector<std::string_view> random;
  for (const Strategy& strategy : report.scenario.world.strategies) {
    const bool draws = std::any_of(strategy.legs.begin(), strategy.legs.end(),
                                   [](const Leg& leg) { return leg.policy.lifetime.is_random(); });
    if (draws && is_in(report.comparison, strategy)) random.push_back(strategy.name);
  }
  if (!random.empty()) {
    sources.push_back(fmt::format("lifetimes of machines under: {}", fmt::join(random, "; ")));
  }
}

void add_exits(const World& world, std::vector<std::string>& sources) {
  std::vector<std::string_view> random;
  for (const JobClass& job_class : world.classes) {
    if (job_class.exits.any() && job_class.exits.is_random()) random.push_back(job_class.name);
  }
  if (!random.empty()) sources.push_back(fmt::format("exits of workers of: {}", fmt::join(random, "; ")));
}

std::string section(const std::string& title, const std::vector<std::string>& lines,
                    const TextLayout& layout) {
  std::string text = layout.markdown ? title + "\n\n" : wrap_text(title, layout.width, "");
  for (const std::string& line : lines) text += list_line(line, layout);
  return text + (layout.markdown ? "\n" : "");
}

std::string replications_text(const Comparison& comparison) {
  const bool drew = std::any_of(comparison.strategies.begin(), comparison.strategies.end(),
                                [](const StrategyResult& strategy) { return strategy.drew; });
  if (!drew)
    return "±: -, since nothing is drawn: every replication would be the same. One run of each strategy.";
  if (comparison.replications == 1) return "±: -, since one replication has no interval.";
  return fmt::format(
      "Means of {} replications with the same random numbers for every strategy. ± is half of the 95 % "
      "interval, - where nothing is drawn or a wait is a bound. p50, p95 and max are those of each "
      "replication, and the mean of these, not of all jobs pooled.",
      comparison.replications);
}

// Whether tables show the measure at all.
bool is_shown(const Report& report, Measure measure) {
  const bool is_between = measure == Measure::lost_between || measure == Measure::lost_between_wait;
  return !is_between || report.scenario.consecutive_within.has_value();
}

// Whether any measure is there in some replications of a strategy and not in all.
bool any_mean_of_some(const Report& report) {
  return std::ranges::any_of(report.comparison.strategies, [&](const StrategyResult& strategy) {
    const auto has_some = [&](const Summaries& row) {
      return std::ranges::any_of(measure_table(), [&](const MeasureInfo& measure) {
        const std::size_t replications = row[measure.measure].replications;
        return is_shown(report, measure.measure) && replications > 0 && replications < strategy.replications;
      });
    };
    return has_some(strategy.total) || std::ranges::any_of(strategy.groups, has_some) ||
           std::ranges::any_of(strategy.gpus, has_some) ||
           std::ranges::any_of(strategy.pipelines, has_some) || std::ranges::any_of(strategy.steps, has_some);
  });
}

// Money inside the run: what a report of bills alone could not be made from.
std::string price_order_note(const std::string& strategy) {
  return fmt::format(
      "{} looks at prices: it tries the cheapest leg and place of the hour first. At other prices it would "
      "do other things, so that this run cannot be re-priced.",
      strategy);
}

// Where one job more or less is seen in a share of them. A goal of one class is about fewer, which are not
// counted.
std::string few_jobs_note(const Report& report) {
  constexpr double kMany = 100;
  const auto& goal = report.scenario.goal;
  if (!goal || goal->job_class || report.comparison.strategies.empty()) return {};
  const double jobs = report.comparison.strategies.front().total[Measure::jobs].mean;
  if (jobs < 1 || jobs >= kMany) return {};
  return fmt::format("Shares of jobs rest on {} jobs of a replication: one of them is {}.",
                     number_text(jobs, jobs == std::floor(jobs) ? 0 : 1), share_text(1 / jobs));
}

std::vector<std::string> reading_notes(const Report& report) {
  const bool goal = report.scenario.goal.has_value();
  std::vector<std::string> lines{
      replications_text(report.comparison),
      std::string{kBoundNote},
  };
  if (report.comparison.precision) lines.push_back(precision_note(report.comparison));
  if (report.comparison.controls) lines.push_back(controls_note(report.comparison));
  if (std::string note = cost_difference_note(report); !note.empty()) lines.push_back(std::move(note));
  if (any_mean_of_some(report)) {
    lines.emplace_back("(3/5): the mean of the 3 replications, of 5, in which there is a value.");
  }
  lines.emplace_back(
      "Work done: of all work that jobs brought, in GPU-hours, that of completed jobs. Of several GPU types "
      "asked for, the share of the one with the least.");
  const auto is_covered = [](const StrategyResult& one) { return one.total[Measure::covered].mean > 0; };
  if (std::ranges::any_of(report.comparison.strategies, is_covered)) {
    lines.emplace_back(
        "Direct and held costs are those before a commitment that exists pays for them: \"covered by it\" is "
        "taken off.");
  }
  if (report.scenario.world.has_pipelines()) {
    lines.emplace_back(
        "Pipelines: a step waits from when the steps before it let it begin, and is held back until "
        "then. A pipeline that was not completed counts as longer than all others, hence > x. A skipped "
        "step never started.");
  }
  if (goal) lines.push_back("Goal: " + goal_text(report.scenario) + ". A job that never starts is late.");
  if (std::string note = few_jobs_note(report); !note.empty()) lines.push_back(std::move(note));
  for (const AskedGoal& asked : report.comparison.goals) lines.push_back("Goal: " + asked.text + ".");
  for (const Strategy& strategy : report.scenario.world.strategies) {
    if (strategy.cheapest_first && is_in(report.comparison, strategy))
      lines.push_back(price_order_note(strategy.name));
  }
  if (report.scenario.world.hold_end == HoldEnd::last_start) {
    lines.emplace_back("Held capacity is paid up to the last start, so that its idle part is not defined.");
    if (is_by_jobs(report.by))
      lines.emplace_back(
          "It has no row of its own, and the rows of strategies that hold capacity do not add up.");
  }
  return lines;
}

std::string time_words(double hours) {
  if (hours < 1) return number_text(std::ceil(hours * 60)) + " min";
  return hours < 48 ? number_text(hours, 1) + " h" : number_text(hours / 24, 1) + " days";
}

// `came` means nothing where nothing is late: such pools have no line.
std::string late_text(const HeldSummary& held, std::size_t replications) {
  const std::size_t never = replications - held.came;
  const auto in = [&](std::size_t count) {
    return replications == 1 ? std::string{} : fmt::format(" in {} of {} replications", count, replications);
  };
  std::vector<std::string> parts;
  if (held.late > 0) {
    parts.push_back(fmt::format("came {} late{}{}", time_words(held.late_mean_h),
                                held.late > 1 ? " on average" : "", in(held.late)));
  }
  if (never > 0) parts.push_back("never came" + in(never));
  return fmt::format("{}", fmt::join(parts, ", and "));
}

// A reservation that is not there costs nothing: the reader must know that it was not.
std::vector<std::string> late_held_notes(const Report& report) {
  std::vector<std::string> lines;
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (const HeldSummary& held : strategy.held) {
      if (held.late == 0 && held.came == strategy.replications) continue;
      lines.push_back(fmt::format(
          "{}: \"{}\" {}, since its pool had no room. Until it came it cost nothing and served nobody.",
          strategy.name, report.scenario.world.pool(held.pool).name, late_text(held, strategy.replications)));
    }
  }
  return lines;
}

// What a pool's table has with --by pool, and nothing else would say.
std::vector<std::string> shortage_notes(const Report& report) {
  std::vector<std::string> lines;
  for (const StrategyResult& strategy : report.comparison.strategies) {
    for (const ShortageSummary& shortage : strategy.shortages) {
      const std::string in = strategy.replications == 1
                                 ? std::string{}
                                 : fmt::format(" on average, in {} of {} replications", shortage.replications,
                                               strategy.replications);
      lines.push_back(fmt::format("{}: {} GPU-hours of {}{}", strategy.name,
                                  number_text(shortage.gpu_hours, 1),
                                  report.scenario.world.pool(shortage.pool).name, in));
    }
  }
  return lines;
}

bool is_impossible(const Scenario& scenario, const std::string& strategy, const std::string& job_class) {
  return std::ranges::any_of(scenario.impossible, [&](const Impossible& one) {
    return scenario.world.strategies[one.strategy].name == strategy &&
           scenario.world.classes[index(one.job_class)].name == job_class;
  });
}

// Where it was plain beforehand, a warning of the scenario says so already.
std::vector<std::string> never_ran_notes(const Report& report) {
  std::vector<std::string> lines;
  for (const StrategyResult& strategy : report.comparison.strategies) {
    std::vector<std::string> classes;
    for (const std::string& name : strategy.never_ran) {
      if (!is_impossible(report.scenario, strategy.name, name)) classes.push_back('"' + name + '"');
    }
    if (classes.empty()) continue;
    lines.push_back(fmt::format("{}: no job of {} {} ever started", strategy.name,
                                classes.size() == 1 ? "class" : "the classes", fmt::join(classes, ", ")));
  }
  return lines;
}

std::vector<std::string> provenance(const Report& report) {
  const World& world = report.scenario.world;
  std::vector<std::string> lines{fmt::format("{}, stockout {}, seed {}, fingerprint {:016x}",
                                             report.scenario.file, report.version, world.seed,
                                             report.comparison.fingerprint)};
  const std::string& rule = report.scenario.warm_up_rule;
  lines.push_back(fmt::format(
      "window of {} from {}, warm-up {}{}", format_duration(world.window_end - kStart), report.scenario.start,
      format_duration(kStart - world.begin), rule.empty() ? "" : fmt::format(" ({})", rule)));
  lines.push_back("rules of " + rules_text(report) + " (`stockout catalog --orchestrators`)");
  if (world.grid > SimDuration::zero()) lines.push_back("grid: " + format_duration(world.grid));
  if (world.ties == Ties::starts_first) lines.emplace_back("ties: starts_first");
  for (const StrategyResult& strategy : report.comparison.strategies) {
    const double decisions = strategy.total[Measure::censored_decisions].mean;
    if (decisions > 0) {
      lines.push_back(
          fmt::format("{}: {} grants and refusals were decided by a measured capacity at its cap, which "
                      "means \"at least\"",
                      strategy.name, number_text(decisions, 1)));
    }
  }
  return lines;
}

}  // namespace

std::vector<std::string> randomness_sources(const Report& report) {
  const World& world = report.scenario.world;
  std::vector<std::string> sources;
  for (const Source& source : world.sources) {
    std::string text = randomness_of(source);
    if (!text.empty()) sources.push_back(std::move(text));
  }
  std::vector<std::string_view> random;
  for (const Strategy& strategy : world.strategies) {
    if (is_in(report.comparison, strategy) && has_random_start(strategy)) random.push_back(strategy.name);
  }
  const bool all = random.size() == report.comparison.strategies.size();
  if (all) {
    sources.emplace_back("start-up of jobs under every strategy");
  } else if (!random.empty()) {
    sources.push_back(fmt::format("start-up of jobs under: {}", fmt::join(random, "; ")));
  }
  add_lifetimes(report, sources);
  add_exits(world, sources);
  for (const Pool& pool : world.pools) {
    if (std::any_of(pool.capacity.begin(), pool.capacity.end(),
                    [](const CapacitySource& source) { return source.chain != nullptr; }))
      sources.push_back(pool.name + ": capacity, from level to level");
    if (pool.reclaim == ReclaimRule::random) sources.push_back(pool.name + ": which Spot lease is preempted");
  }
  return sources;
}

std::vector<NoteSection> note_sections(const Report& report, bool with_prices) {
  std::vector<NoteSection> sections{
      {"How to read it", reading_notes(report)},
      {"Classes that never ran", never_ran_notes(report)},
      {"Held capacity that was not there when it was due", late_held_notes(report)},
      {kShortageTitle, shortage_notes(report)},
      {"Random", randomness_sources(report)},
      {prices_title(report.scenario), with_prices ? price_lines(report) : std::vector<std::string>{}},
      {"Assumptions", report.scenario.assumptions},
      {kWarningsTitle, warnings_of(report)},
      {"Made from", provenance(report)}};
  std::erase_if(sections, [](const NoteSection& section) { return section.lines.empty(); });
  return sections;
}

std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> lines;
  if (std::string old = old_price_warning(report); !old.empty()) lines.push_back(std::move(old));
  std::ranges::copy(report.scenario.warnings, std::back_inserter(lines));
  return lines;
}

std::vector<std::string> all_warnings(const Report& report) {
  std::vector<std::string> lines = never_ran_notes(report);
  std::ranges::move(warnings_of(report), std::back_inserter(lines));
  std::ranges::move(late_held_notes(report), std::back_inserter(lines));
  for (const std::string& line : shortage_notes(report)) lines.push_back(kShortageTitle + (": " + line));
  return lines;
}

std::string write_notes(const Report& report, const TextLayout& layout) {
  std::string text;
  for (const NoteSection& one : note_sections(report, true)) {
    const bool is_warning = one.title == kWarningsTitle;
    text +=
        section(is_warning ? painted(one.title, Tone::warning, layout.colour) : one.title, one.lines, layout);
  }
  return text;
}

}  // namespace stockout
