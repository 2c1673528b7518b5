#include "tools/stockout/answers/recommend_hindsight.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "models/recommend/hindsight.h"
#include "sim/core/counted.h"
#include "tools/report/recommend/hindsight_text.h"
#include "tools/stockout/calibration/history_split.h"
#include "tools/stockout/calibration/history_warnings.h"
#include "tools/stockout/calibration/observed_arguments.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

using std::chrono::days;

void check_asked(const RecommendArguments& arguments) {
  if (arguments.split.empty())
    refuse_option("--split", "is missing: where --observed is cut, a day, a length or a share of the jobs");
  const std::array<std::pair<const char*, const std::string*>, 4> of_one_advice{
      {{"--write-scenario", &arguments.winner},
       {"--write-orders", &arguments.orders},
       {"--report", &arguments.page},
       {"--store", &arguments.store.file}}};
  for (const auto& [option, file] : of_one_advice) {
    if (!file->empty())
      refuse_option(
          option, "cannot be combined with --observed, whose advice is of a part of the jobs: leave out one");
  }
}

SimDuration offset_at(const World& world, SimTime at) {
  SimDuration offset{};
  for (const OffsetStep& step : world.utc_offsets) {
    if (step.at <= at) offset = step.offset;
  }
  return offset;
}

// The local midnight that is nearest to the split, in days since the first.
days day_of(const World& world, SimTime split) {
  const SimDuration local = split - kStart + offset_at(world, split) - offset_at(world, kStart);
  return std::chrono::round<days>(local);
}

// When that day begins.
SimTime begin_of(const World& world, days day) {
  const SimTime about = kStart + day;
  return about - offset_at(world, about) + offset_at(world, kStart);
}

void check_days(const RecommendArguments& arguments, const World& world, days day) {
  if (day >= days{1} && begin_of(world, day) + days{1} <= world.window_end) return;
  refuse_split(
      arguments.split,
      fmt::format("must leave a day of the window, of {:.1f} days, on either side: both begin at 00:00",
                  std::chrono::duration<double, days::period>{world.window_end - kStart}.count()));
}

// Of the history, submitted within the window of that part.
std::size_t jobs_within(const RecordedHistory& record, SimTime from, SimTime until) {
  const auto place = [&](SimTime at) {
    const std::int64_t own_ms = at.time_since_epoch().count() - record.same->shift_ms;
    return std::ranges::lower_bound(record.trace.submit_ms, own_ms);
  };
  return static_cast<std::size_t>(place(until) - place(from));
}

struct SplitJobs {
  std::size_t before = 0;
  std::size_t after = 0;
};

SplitJobs split_jobs(const RecommendArguments& arguments, const RecordedHistory& record, const World& world,
                     SimTime split) {
  const SplitJobs jobs{.before = jobs_within(record, kStart, split),
                       .after = jobs_within(record, split, world.window_end)};
  if (std::min(jobs.before, jobs.after) >= kFewestOfSide) return jobs;
  refuse_split(
      arguments.split,
      fmt::format("leaves {} before it and {} after it: must be where both are at least {}, which is "
                  "the least that says anything",
                  counted(jobs.before, "job"), jobs.after, kFewestOfSide));
}

// The history, and where its jobs are parted.
struct CutHistory {
  RecordedHistory record;
  SimTime asked{};
  days day{};
  SimTime split{};
  SplitJobs jobs;
};

CutHistory cut_history(const RecommendArguments& arguments, const Scenario& whole, Console& console) {
  CutHistory cut;
  cut.record = with_status(console, "reading " + arguments.observed.file,
                           [&] { return read_recorded_jobs(arguments.observed, whole); });
  check_replays(cut.record, arguments.observed.file, whole);
  cut.asked = split_of(arguments.split, arguments.observed.zone, cut.record);
  cut.day = day_of(whole.world, cut.asked);
  check_days(arguments, whole.world, cut.day);
  cut.split = begin_of(whole.world, cut.day);
  cut.jobs = split_jobs(arguments, cut.record, whole.world, cut.split);
  return cut;
}

std::size_t baseline_of(const RecommendArguments& arguments, const Scenario& scenario) {
  return arguments.baseline.empty() ? 0 : find_strategy(scenario, arguments.baseline, "--baseline");
}

// What is asked and can be bought on either side.
struct Parts {
  Scenario before;
  Scenario after;
  Purchases bought_before;
  Purchases bought_after;
  Purchases as_written;  // after
};

// `middle`: in the world in the middle, if there are worlds.
Parts read_parts(const RecommendArguments& arguments, const ScenarioArguments& middle,
                 const PurchaseWorlds& worlds, days split, Console& console) {
  const auto of_part = [](ScenarioArguments scenario, const WindowPart& part) {
    scenario.part = part;
    return scenario;
  };
  const WindowPart first{.until = split};
  const WindowPart second{.from = split};
  Scenario before = of_part(middle, first).load_to_run();
  Scenario after = of_part(middle, second).load_to_run();
  Scenario plain = after;
  plain.decide.decisions.clear();
  const auto bought = [&](const Scenario& written, const WindowPart& part) {
    return read_purchases(of_part(arguments.scenario, part), written, worlds, console);
  };
  Purchases bought_before = bought(before, first);
  Purchases bought_after = bought(after, second);
  Purchases as_written = bought(plain, second);
  return {.before = std::move(before),
          .after = std::move(after),
          .bought_before = std::move(bought_before),
          .bought_after = std::move(bought_after),
          .as_written = std::move(as_written)};
}

HindsightQuestion question_of(const Parts& parts, const Scenario& whole, std::size_t baseline) {
  return {.whole = whole,
          .before = {parts.before, parts.bought_before},
          .after = {parts.after, parts.bought_after},
          .as_written = parts.as_written,
          .baseline = baseline};
}

std::optional<std::string> refused_warning(const Purchases& before, const Purchases& after) {
  const std::size_t first = before.refused().size();
  const std::size_t second = after.refused().size();
  if (first == 0 && second == 0) return std::nullopt;
  return fmt::format("Refused: {} before the split and {} after it. The first: {}.",
                     counted(first, "combination"), second,
                     (first > 0 ? before : after).refused().front().why);
}

std::optional<std::string> moved_warning(const RecordedHistory& record, SimTime asked, SimTime split) {
  if (asked == split) return std::nullopt;
  return fmt::format("The split was moved from {} to {}, where a day of the scenario begins.",
                     text_of_split(record, asked), text_of_split(record, split));
}

HindsightReport::Part part_of(const HistoryPart& part, const Recommendation& found, std::size_t jobs,
                              const std::optional<ChosenWorlds>& chosen) {
  HindsightReport::Part result{.found = {.written = part.written,
                                         .purchases = part.purchases,
                                         .found = found,
                                         .version = STOCKOUT_VERSION},
                               .jobs = jobs};
  if (chosen)
    result.found.worlds = {.file = chosen->file, .agreement = chosen->agreement, .in_all = chosen->in_all};
  return result;
}

std::vector<std::string> warnings_of(const CutHistory& cut, const Parts& parts, const Scenario& whole) {
  std::vector<std::string> warnings = history_warnings(cut.record, whole, cut.split);
  for (const auto& warning : {moved_warning(cut.record, cut.asked, cut.split),
                              refused_warning(parts.bought_before, parts.bought_after)}) {
    if (warning) warnings.push_back(*warning);
  }
  return warnings;
}

bool is_as_asked(const Hindsight& result) {
  return result.kind == Hindsight::Kind::regret && result.best->kind == Recommendation::Kind::recommended;
}

}  // namespace

void add_hindsight_to(CLI::App& command, RecommendArguments& arguments) {
  CLI::Option* observed = add_observed_to(
      command, "A history that the scenario replays: advice of its first part is paid on its second",
      arguments.observed);
  add_split_to(command,
               "Where the history is cut, at 00:00 of the nearest day: a day, a length from the first "
               "submission, or a share of the jobs",
               arguments.split)
      ->needs(observed);
  command
      .add_option("--baseline", arguments.baseline,
                  "The strategy that is bought today, as it is written; default: the first")
      ->needs(observed)
      ->type_name("STRATEGY");
}

void recommend_in_hindsight(const RecommendArguments& arguments, Console& console) {
  const ReportFormat format = arguments.report.report_format();
  const RecommendationRules rules = arguments.rules();
  check_asked(arguments);
  ScenarioArguments in_middle = arguments.scenario;
  const auto chosen = chosen_worlds(arguments, in_middle);
  Scenario whole = in_middle.load_to_run(console);
  tell_worlds(chosen, whole);
  const std::size_t baseline = baseline_of(arguments, whole);
  std::vector<std::string> inputs = whole.inputs;
  inputs.push_back(arguments.observed.file);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output}}, inputs);
  ReportTarget target{arguments.report, console};
  const CutHistory cut = cut_history(arguments, whole, console);
  advise_on_interrupt("A wider --indifference is decided sooner.");
  const Parts parts = read_parts(arguments, in_middle, purchase_worlds(chosen, in_middle), cut.day, console);
  const HindsightQuestion question = question_of(parts, whole, baseline);
  Hindsight result;
  with_runs_shown(console, parts.bought_before.all().size() + parts.bought_after.all().size(),
                  [&](const auto& done) { result = look_back(question, rules, done); });
  HindsightReport report{.result = result,
                         .whole = whole,
                         .before = part_of(question.before, result.advice, cut.jobs.before, chosen),
                         .after = {},
                         .baseline = whole.world.strategies[baseline].name,
                         .observed = arguments.observed.file,
                         .split = text_of_split(cut.record, cut.split),
                         .warnings = warnings_of(cut, parts, whole)};
  if (result.best) report.after.emplace(part_of(question.after, *result.best, cut.jobs.after, chosen));
  target.write(write_hindsight(report, format, target.layout()));
  if (!is_as_asked(result)) console.exit = ExitCode::not_as_asked;
}

}  // namespace stockout
