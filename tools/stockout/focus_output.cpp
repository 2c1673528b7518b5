#include "tools/stockout/focus_output.h"

#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "tools/report/focus/focus_csv.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

// A gigabyte of text or so; what opens such files opens no larger ones.
constexpr std::size_t kMostFocusRows = 1'000'000;

void check_has_file(std::string_view option, const std::string& given, const std::string& file) {
  if (given.empty() || !file.empty()) return;
  throw InputError{{.file = "command line", .pointer = std::string{option}},
                   "goes with --focus FILE, which names the file to write"};
}

}  // namespace

void FocusArguments::add_to(CLI::App& command) {
  command.add_option(
      "--focus", file,
      "Writes what one run of each strategy costs to this file, as rows of FinOps FOCUS 1.2 (CSV)");
  command
      .add_option(
          "--idle-cost", idle_cost,
          "Who bears what is held and not used, in --focus: to-owner (whoever holds it: no user; the "
          "default), by-use (users of it in that period, by what they used) or by-share (all users alike)")
      ->type_name(choices(kIdleRuleNames));
  command.add_option("--focus-period", period, "Charge periods of --focus: hour, day (the default) or month")
      ->type_name(choices(kPeriodLengthNames));
}

ShowbackOptions FocusArguments::options() const {
  check_has_file("--idle-cost", idle_cost, file);
  check_has_file("--focus-period", period, file);
  ShowbackOptions options;
  if (!idle_cost.empty())
    options.idle = static_cast<IdleRule>(choose("--idle-cost", idle_cost, kIdleRuleNames));
  if (!period.empty())
    options.period = static_cast<PeriodLength>(choose("--focus-period", period, kPeriodLengthNames));
  return options;
}

FocusOutput::FocusOutput(const FocusArguments& arguments, const Scenario& scenario)
    : scenario_{scenario}, options_{arguments.options()} {
  if (!arguments.file.empty()) file_ = std::make_unique<WholeFile>(arguments.file);
}

void FocusOutput::add(std::size_t strategy, std::uint64_t replication, const RunRecord& record) {
  if (!file_) return;
  Run run{.replication = replication,
          .rows = charges_of(scenario_.world, strategy, replication, record, scenario_.terms, options_)};
  const std::lock_guard lock{mutex_};
  runs_[strategy] = std::move(run);
}

void FocusOutput::observe(CompareOptions& options) {
  if (!file_) return;
  options.look_at_run = [this, before = std::move(options.look_at_run)](
                            std::size_t strategy, std::size_t replication, const RunRecord& record,
                            const Measures& measures) {
    if (before) before(strategy, replication, record, measures);
    if (replication == 0) add(strategy, replication, record);
  };
}

void FocusOutput::finish() {
  if (!file_) return;
  std::size_t count = 0;
  for (const auto& [strategy, run] : runs_) count += run.rows.size();
  if (count > kMostFocusRows) {
    throw InputError{
        {.file = "command line", .pointer = "--focus"},
        fmt::format(
            "would write {} rows, at most {}: ask for longer periods with --focus-period month, or for "
            "one strategy with `stockout run`",
            count, kMostFocusRows)};
  }
  file_->write(focus_csv_header());
  for (const auto& [strategy, run] : runs_) {
    write_focus_csv(
        {.scenario = scenario_, .strategy = strategy, .replication = run.replication, .idle = options_.idle},
        run.rows, [&](std::string_view text) { file_->write(text); });
  }
  file_->commit();
}

}  // namespace stockout
