#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "models/measures/goal_text.h"
#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "tools/report/comparison/report.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/stockout/answers/assumption_runs.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

constexpr const char* kValidateExamples =
    "Examples:\n"
    "  stockout validate my_scenario.json\n"
    "  stockout validate my_scenario.json --set /pools/0/hosts=32";

void print_list(Console& console, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  fmt::print(console.out, "{}\n", title);
  for (const std::string& line : lines) console.out << list_line(line, console.layout());
}

std::vector<std::string> strategy_lines(const World& world) {
  std::vector<std::string> lines;
  for (const Strategy& strategy : world.strategies) {
    std::string line = strategy.name + ": ";
    for (std::size_t i = 0; i < strategy.legs.size(); ++i)
      line += (i == 0 ? "" : ", else ") + strategy.legs[i].label;
    lines.push_back(std::move(line));
  }
  return lines;
}

// How its jobs follow those of other sources; empty if they do not.
std::string step_text(const World& world, const Source& source) {
  if (!source.step || source.step->after.empty()) return {};
  std::vector<std::string_view> before;
  for (const SourceId id : source.step->after) before.push_back(world.sources[index(id)].name);
  return fmt::format(", after {}{}", fmt::join(before, " and "),
                     source.step->begins_anyway ? ", whether or not completed" : "");
}

std::string unnamed_of(const World& world) {
  std::vector<const Strategy*> strategies;
  for (const Strategy& strategy : world.strategies) strategies.push_back(&strategy);
  return unnamed_text(strategies);
}

std::vector<std::string> demand_lines(const World& world) {
  std::vector<std::string> lines;
  for (const Source& source : world.sources) {
    std::string line = source.name + (source.background ? " (tenants)" : "");
    if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
      line += fmt::format(": {} of a trace{}", counted(trace->jobs->size(), "job"),
                          trace->resampled ? ", resampled" : "");
    }
    lines.push_back(line + step_text(world, source));
  }
  return lines;
}

std::vector<std::string> pool_lines(const World& world) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < world.pool_count(); ++i) {
    const auto id = static_cast<PoolId>(i);
    const Pool& pool = world.pool(id);
    lines.push_back(
        fmt::format("{}: {} in {}{}", pool.name, pool.family, pool.place, world.is_held(id) ? ", held" : ""));
  }
  return lines;
}

std::vector<std::string> alternative_lines(const Scenario& scenario) {
  std::vector<std::string> lines;
  for (const Alternative& alternative : scenario.alternatives)
    lines.push_back(fmt::format("{}: {}", alternative.rule, alternative.name));
  return lines;
}

std::string replications_text(const Scenario& scenario) {
  if (!scenario.precision) return counted(static_cast<std::uint64_t>(scenario.replications), "replication");
  return fmt::format("replications up to ± {:.3g} % ({} at most)", scenario.precision->half_width * 100,
                     scenario.precision->most);
}

std::string warm_up_text(const Scenario& scenario) {
  const std::string length = format_duration(kStart - scenario.world.begin);
  return scenario.warm_up_to_find ? fmt::format("of at most {}, found when it is run", length) : length;
}

void validate(const ScenarioArguments& arguments, Console& console) {
  const Scenario scenario = arguments.load(console);
  if (!scenario.alternatives.empty()) check_alternatives(arguments, scenario);
  const World& world = scenario.world;
  fmt::print(console.out, "{} is valid: {}\n", scenario.file, scenario.name);
  fmt::print(
      console.out, "window of {} from {}, warm-up {}, {}, seed {}, prices {}\n",
      format_duration(world.window_end - kStart), scenario.start, warm_up_text(scenario),
      replications_text(scenario), world.seed,
      scenario.prices_follow_calendar ? "by the simulated calendar" : "as of " + scenario.prices_as_of);
  fmt::print(console.out, "up to {} jobs in a run\n", number_text(scenario.most_jobs));
  if (scenario.goal) fmt::print(console.out, "goal: {}\n", goal_text(scenario));
  for (const AskedGoal& asked : asked_goals(scenario.goals, world.classes))
    fmt::print(console.out, "goal: {}\n", asked.text);
  print_list(console, "Demand", demand_lines(world));
  print_list(console, "Pools", pool_lines(world));
  print_list(console, "Quotas", scenario.quotas);
  print_list(console, "Strategies", strategy_lines(world));
  if (const std::string unnamed = unnamed_of(world); !unnamed.empty())
    fmt::print(console.out, "  {}\n", unnamed);
  print_list(console, "Assumptions", scenario.assumptions);
  print_list(console, "Alternatives", alternative_lines(scenario));
  print_list(console, "Warnings", scenario.warnings);
}

}  // namespace

CLI::App* add_validate_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("validate", "Reads and checks a scenario and all it names; simulates nothing");
  const auto arguments = std::make_shared<ScenarioArguments>();
  arguments->add_to(*command);
  command->footer(kValidateExamples);
  command->callback([arguments, &console] { validate(*arguments, console); });
  return command;
}

}  // namespace stockout
