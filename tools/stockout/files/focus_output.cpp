#include "tools/stockout/files/focus_output.h"

#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "tools/report/focus/focus_csv.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {
namespace {

// A gigabyte of text or so; what opens such files opens no larger ones.
constexpr std::size_t kMostFocusRows = 1'000'000;

void check_has_file(std::string_view option, const std::string& given, const std::string& file) {
  if (given.empty() || !file.empty()) return;
  throw InputError{{.file = "command line", .pointer = std::string{option}},
                   "requires --focus FILE, which names the file to write"};
}

}  // namespace

void FocusArguments::add_to(CLI::App& command) {
  command
      .add_option(
          "--focus", file,
          "Writes what one run of each strategy costs to this file, as rows of FinOps FOCUS 1.2 (CSV)")
      ->type_name("FILE");
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
    options.idle =
        static_cast<IdleRule>(choose("--idle-cost", "rule for idle cost", idle_cost, kIdleRuleNames));
  if (!period.empty())
    options.period =
        static_cast<PeriodLength>(choose("--focus-period", "period", period, kPeriodLengthNames));
  return options;
}

FocusOutput::FocusOutput(const FocusArguments& arguments, const Scenario& scenario, std::uint64_t replication)
    : scenario_{scenario}, options_{arguments.options()}, replication_{replication} {
  if (!arguments.file.empty()) file_ = std::make_unique<WholeFile>(arguments.file);
}

void FocusOutput::end(const RunPlace& run, const RunRecord& record, const Measures& measures) {
  if (!file_ || run.replication != replication_) return;
  std::vector<ChargeRow> rows = charges_of(scenario_.world, run.strategy, run.replication, record,
                                           scenario_.terms, measures.bill, options_);
  const std::lock_guard lock{mutex_};
  rows_[run.strategy] = std::move(rows);
}

void FocusOutput::finish() {
  if (!file_) return;
  std::size_t count = 0;
  for (const auto& [strategy, rows] : rows_) count += rows.size();
  if (count > kMostFocusRows) {
    throw InputError{
        {.file = "command line", .pointer = "--focus"},
        fmt::format(
            "would write {} rows, at most {}: ask for longer periods with --focus-period month, or for one "
            "strategy with `stockout run`",
            count, kMostFocusRows)};
  }
  file_->write(focus_csv_header());
  for (const auto& [strategy, rows] : rows_) {
    write_focus_csv(
        {.scenario = scenario_, .strategy = strategy, .replication = replication_, .idle = options_.idle},
        rows, [&](std::string_view text) { file_->write(text); });
  }
  file_->commit();
}

}  // namespace stockout
