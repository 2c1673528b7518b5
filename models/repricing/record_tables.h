#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "models/catalog/date.h"
#include "models/repricing/record_bounds.h"
#include "models/repricing/stored_comparison.h"
#include "sim/io/sql_file.h"
#include "sim/io/sql_table.h"
#include "sim/io/table_sums.h"

namespace stockout {

// How a stored comparison stands in an SQLite file: README.md of this folder says it for people. Each table
// is one list of fields, by which it is made, filled and read.

/// The application: the letters STKO.
inline constexpr SqlFileKind kRecordFile{.application = 0x53'54'4b'4f, .layout = 10};

/// A day, of a Date or of its text.
struct Day {
  static constexpr std::string_view kSqlType = "TEXT";

  [[nodiscard]] static StoredValue encode(Date member) { return to_text(member); }
  [[nodiscard]] static StoredValue encode(const std::string& member) { return member; }
  [[nodiscard]] static std::string decode(const StoredValue& value, Date& member);
  [[nodiscard]] static std::string decode(const StoredValue& value, std::string& member);
};

// What a row has beside a struct of the comparison: mostly its key.

/// From 0, without a gap.
struct RowNumber {
  std::size_t number = 0;
};
struct ScenarioSet {
  std::string pointer_and_value;
};
struct OfLine {
  PriceLineId line{};
};
struct CommitmentMachine {
  std::string machine;
};
struct CoverageItem {
  std::size_t coverage = 0;
  std::size_t position = 0;
};
struct CoveringCommitment {
  std::size_t commitment = 0;
};
struct OfStrategy {
  std::size_t strategy = 0;
};
struct NeverRan {
  std::string job_class;
};
struct OfGoal {
  std::size_t goal = 0;
};
struct OfRun {
  std::size_t strategy = 0;
  std::uint64_t replication = 0;
};
struct RunMeasure {
  std::string measure;
  double value = 0;
  bool is_lower_bound = false;
};
struct RunGoal {
  double met_share = 0;
};
struct LostRaces {
  MachineTime time{};
};
struct RunUnits {
  MachineTime units{};  // an hour for each
};

inline constexpr std::array<std::string_view, 3> kChargeNames{"direct", "held", "sublet"};

inline constexpr Whole kAnyWhole{};
inline constexpr Whole kRecordCount{.least = 0, .most = kRecordMostCount};
inline constexpr Whole kRecordMs{.least = 0, .most = kRecordMostMs};
inline constexpr Whole kRecordDate{.least = -kRecordMostMs, .most = kRecordMostMs};  // ms from the start
inline constexpr Whole kRecordOffset{.least = -kRecordMostOffsetMs, .most = kRecordMostOffsetMs};
inline constexpr Whole kRecordTime{.least = 0, .most = kRecordMostTime};    // machine-ms
inline constexpr Whole kRecordPrice{.least = 0, .most = kRecordMostPrice};  // nano-dollars

inline constexpr auto kRecordTable = checked_table(
    "record", 0,  //
    field<&StoredComparison::version>("stockout", Line{}, "version of the program that made it"),
    field<&StoredComparison::scenario_file>("scenario_file", Line{}, "as it was named"),
    field<&StoredComparison::scenario_text>("scenario_text", AnyText{}, "as it was read, before any --set"),
    field<&StoredComparison::name>("name", Line{}, "of the scenario"),
    field<&StoredComparison::question>("question", Line{}, "of the scenario"),
    field<&StoredComparison::start>("start", Day{}, "first day of the window"),
    field<&StoredComparison::prices_as_of>("prices_as_of", Day{}, "whose prices they are"),
    field<&StoredComparison::prices_follow_calendar>("prices_follow_calendar", Flag{}, "of each day instead"),
    field<&StoredComparison::seed>("seed", Digits{10}, "of all random numbers"),
    field<&StoredComparison::replications>("replications", Whole{1, kRecordMostCount}, "that were asked for"),
    field<&StoredComparison::means_adjusted>("means_adjusted", Flag{}, "in reports, by control variates"),
    field<&StoredComparison::fingerprint>("fingerprint", Digits{16}, "of all runs"),
    field<&StoredComparison::window_end>("window_ms", kRecordMs, "length of the window"),
    field<&StoredComparison::billing, &BillingRule::step>("billing_step_ms", kRecordMs,
                                                          "leases are rounded up"),
    field<&StoredComparison::billing, &BillingRule::least>("billing_least_ms", kRecordMs,
                                                           "billed of a lease"),
    field<&StoredComparison::billing, &BillingRule::fee_ppm>("management_fee_millionths", Whole{0, 1'000'000},
                                                             "of the on-demand price, Vertex AI's fee"),
    field<&StoredComparison::goal_text>("goal", OrNone<Line>{}, "in words"),
    field<&StoredComparison::goal, &WaitGoal::quantile>("goal_share", Number{0, 1}, "of the jobs"),
    field<&StoredComparison::goal, &WaitGoal::at_most>("goal_at_most_ms", kRecordMs, "until they start"),
    field<&StoredComparison::goal, &WaitGoal::same_work>("goal_same_work_share", Number{0, 1},
                                                         "of all work"));

inline constexpr auto kSetsTable =
    checked_table("scenario_sets", 1,  //
                  field<&RowNumber::number>("number", kAnyWhole, "in the order of the command line"),
                  field<&ScenarioSet::pointer_and_value>("pointer_and_value", AnyText{}, "\"/seed=7\""));

inline constexpr auto kClockTable = checked_table(
    "clock", 1,  //
    field<&RowNumber::number>("number", kAnyWhole, "in the order of time"),
    field<&OffsetStep::at>("at_ms", kRecordDate, "from the start, when the clock is set"),
    field<&OffsetStep::offset>("offset_ms", kRecordOffset, "local time minus UTC from then on"));

inline constexpr auto kGoalsTable = checked_table(
    "goals", 1,  //
    field<&OfGoal::goal>("goal", kAnyWhole, "its number, of those beside that of the table record"),
    field<&AskedGoal::text>("text", Line{}, "in words"),
    field<&AskedGoal::goal, &Goal::kind>("kind", OneOf{Goal::kKindNames}, "what is asked for"),
    field<&AskedGoal::goal, &Goal::least>("least_share", Number{0, 1}, "of the jobs; not of a budget"),
    field<&AskedGoal::goal, &Goal::at_most>("at_most_ms", kRecordMs, "until they start, of that kind"),
    field<&AskedGoal::goal, &Goal::budget_usd>("budget_usd", Number{.least = 0}, "of a budget; else 0"));

inline constexpr auto kLinesTable = checked_table(
    "price_lines", 1,  //
    field<&RowNumber::number>("line", kRecordCount, "its number"),
    field<&StoredLine::machine>("machine", Line{}, "machine type"),
    field<&StoredLine::pool>("pool", Line{}, "whose machines"),
    field<&StoredLine::price, &PriceLine::region>("region", Line{}, "whose price it is"),
    field<&StoredLine::price, &PriceLine::model>("model", OneOf{kPriceModelNames}, "how it was bought"),
    field<&StoredLine::price, &PriceLine::charge>("charge", OneOf{kChargeNames},
                                                  "what it means for the bill"),
    field<&StoredLine::parts>("parts_of_machine", Whole{1, kRecordMostCount}, "it is the price of one of"),
    field<&StoredLine::price, &PriceLine::as_of>("as_of", Line{}, "of the list's row or own price; or none"),
    field<&StoredLine::price, &PriceLine::confidence>("confidence", Line{}, "how well it is known; or own"),
    field<&StoredLine::price, &PriceLine::source>("source", Line{}, "of that row, and of own prices"),
    field<&StoredLine::price, &PriceLine::overlaid>("is_own", Flag{}, "the planner's own price"));

inline constexpr auto kStepsTable = checked_table(
    "price_steps", 2,  //
    field<&OfLine::line>("line", kRecordCount, "of price_lines"),
    field<&PriceStep::from>("from_ms", kRecordDate, "from when on it holds"),
    field<&PriceStep::list>("list_nanousd_per_machine_hour", kRecordPrice, "of the catalogue"),
    field<&PriceStep::contracted>("contracted_nanousd_per_machine_hour", kRecordPrice, "what is paid"));

inline constexpr auto kOwnPricesTable = checked_table(
    "own_prices", 1,  //
    field<&RowNumber::number>("number", kAnyWhole, "the last that fits counts"),
    field<&PriceOverlay::machine>("machine", Line{}, "that it is for; empty: any, as below"),
    field<&PriceOverlay::gpu>("gpu", Line{}, "GPU type"),
    field<&PriceOverlay::region>("region", Line{}, "of the place"),
    field<&PriceOverlay::model>("model", OneOf{kPriceModelNames}, "way of buying"),
    field<&PriceOverlay::use>("use", OneOf{kPriceUseNames}, "what is bought; none: nothing that exists"),
    field<&PriceOverlay::factor_ppm>("factor_millionths", kRecordPrice, "of the list price, or ..."),
    field<&PriceOverlay::factor_of>("factor_of", OneOf{kFactorOfNames}, "list price or that of rows above"),
    field<&PriceOverlay::usd_per_hour>("nanousd_per_machine_hour", kRecordPrice, "... instead of it"),
    field<&PriceOverlay::from>("from_day", Day{}, "first day"),
    field<&PriceOverlay::until>("until_day", Day{}, "first day no more"),
    field<&PriceOverlay::label>("label", Line{}, "where it comes from"),
    field<&PriceOverlay::as_of>("as_of", Day{}, "on which it was agreed"));

inline constexpr auto kCommitmentsTable = checked_table(
    "commitments", 1,  //
    field<&RowNumber::number>("commitment", kRecordCount, "its number"),
    field<&Commitment::name>("name", Line{}, "of the scenario"),
    field<&CommitmentMachine::machine>("machine", Line{}, "machine type"),
    field<&Commitment::region>("region", Line{}, "where it covers use"),
    field<&Commitment::machines>("machines", kRecordCount, "that are committed to"),
    field<&Commitment::start>("start_ms", kRecordDate, "of the term"),
    field<&Commitment::end>("end_ms", Whole{-kRecordMostMs, kRecordMostMs + kRecordMostTermMs},
                            "of the term"),
    field<&Commitment::list>("list_nanousd_per_machine_hour", kRecordPrice, "of the catalogue"),
    field<&Commitment::contracted>("contracted_nanousd_per_machine_hour", kRecordPrice, "what is paid"),
    field<&Commitment::as_of>("as_of", Line{}, "date of the row of the list; or none"),
    field<&Commitment::plan>("plan", OneOf{kPriceModelNames}, "whose price it has"));

inline constexpr auto kCoverageCommitmentsTable =
    checked_table("coverage_commitments", 2,  //
                  field<&CoverageItem::coverage>("coverage", kAnyWhole, "of one machine type in one region"),
                  field<&CoverageItem::position>("position", kAnyWhole, "in its order"),
                  field<&CoveringCommitment::commitment>("commitment", kAnyWhole, "of commitments"));

inline constexpr auto kCoverageLinesTable = checked_table(
    "coverage_lines", 2,  //
    field<&CoverageItem::coverage>("coverage", kAnyWhole, "of coverage_commitments"),
    field<&CoverageItem::position>("position", kAnyWhole, "in the order in which they are covered"),
    field<&OfLine::line>("line", kRecordCount, "of price_lines"));

inline constexpr auto kOtherCostsTable = checked_table(
    "other_costs", 1,  //
    field<&RowNumber::number>("cost", kRecordCount, "its number"),
    field<&OtherCost::name>("name", Line{}, "of the scenario"),
    field<&OtherCost::price>("nanousd_per_unit", Whole{-kRecordMostUnitPrice, kRecordMostUnitPrice},
                             "of what it counts"));

inline constexpr auto kStrategiesTable =
    checked_table("strategies", 1,  //
                  field<&RowNumber::number>("strategy", kRecordCount, "its number"),
                  field<&StoredStrategy::name>("name", Line{}, "of the scenario"),
                  field<&StoredStrategy::looks_at_prices>("looks_at_prices", Flag{},
                                                          "it may buy otherwise at other prices"));

inline constexpr auto kNeverRanTable =
    checked_table("classes_never_ran", 2,  //
                  field<&OfStrategy::strategy>("strategy", kAnyWhole, "of strategies"),
                  field<&NeverRan::job_class>("class", Line{}, "had jobs, and none ever started"));

inline constexpr auto kRunsTable = checked_table(
    "runs", 2,  //
    field<&OfStrategy::strategy>("strategy", kAnyWhole, "of strategies"),
    field<&StoredRun::replication>("replication", kAnyWhole, "from 0"),
    field<&StoredRun::fingerprint>("fingerprint", Digits{16}, "of the run"),
    field<&StoredRun::drew>("drew", Flag{}, "whether any random number mattered"),
    field<&StoredRun::reference_gpu_h>("reference_gpu_h", Number{.least = 0}, "work of completed jobs"));

inline constexpr auto kRunMeasuresTable =
    checked_table("run_measures", 3,  //
                  field<&OfRun::strategy>("strategy", kAnyWhole, "of runs"),
                  field<&OfRun::replication>("replication", kAnyWhole, "of runs"),
                  field<&RunMeasure::measure>("measure", Line{}, "its name, with the unit"),
                  field<&RunMeasure::value>("value", Number{}, "in that unit"),
                  field<&RunMeasure::is_lower_bound>("is_lower_bound", Flag{}, "it is more than this"));

inline constexpr auto kRunGoalsTable =
    checked_table("run_goals", 3,  //
                  field<&OfRun::strategy>("strategy", kAnyWhole, "of runs"),
                  field<&OfRun::replication>("replication", kAnyWhole, "of runs"),
                  field<&OfGoal::goal>("goal", kAnyWhole, "of goals; none that is a budget"),
                  field<&GoalMet::jobs>("jobs", Whole{.least = 1}, "that it is about"),
                  field<&RunGoal::met_share>("met_share", Number{0, 1}, "of them that meet it"));

inline constexpr auto kRunUsageTable = checked_table(
    "run_usage", 4,  //
    field<&OfRun::strategy>("strategy", kAnyWhole, "of runs"),
    field<&OfRun::replication>("replication", kAnyWhole, "of runs"),
    field<&OfLine::line>("line", kRecordCount, "of price_lines"),
    field<&UsageHour::hour>("hour", Whole{0, kRecordMostHours}, "from the start of the window"),
    field<&UsageHour::used>("used_machine_ms", kRecordTime, "by everybody"),
    field<&UsageHour::billed>("billed_machine_ms", kRecordTime, "as the billing rule rounds it"),
    field<&LostRaces::time>("lost_races_machine_ms", kRecordTime, "billed of leases that lost a race"));

inline constexpr auto kRunHeldTable =
    checked_table("run_held", 3,  //
                  field<&OfRun::strategy>("strategy", kAnyWhole, "of runs"),
                  field<&OfRun::replication>("replication", kAnyWhole, "of runs"),
                  field<&RowNumber::number>("position", kAnyWhole, "in the order of the strategy"),
                  field<&HeldMachines::line>("line", kRecordCount, "of price_lines"),
                  field<&HeldMachines::machines>("machines", kRecordCount, "that came"),
                  field<&HeldMachines::booked>("booked_ms", kRecordMs, "of a booking: its length"));

inline constexpr auto kRunOtherTable =
    checked_table("run_other_costs", 3,  //
                  field<&OfRun::strategy>("strategy", kAnyWhole, "of runs"),
                  field<&OfRun::replication>("replication", kAnyWhole, "of runs"),
                  field<&RowNumber::number>("cost", kRecordCount, "of other_costs"),
                  field<&RunUnits::units>("unit_ms", kRecordTime, "an hour for each unit"));

inline constexpr auto kTableSumsTable =
    checked_table("check_sums", 1,  //
                  field<&TableSum::what>("table_name", Line{}, "of each other table"),
                  field<&TableSum::fnv1a>("fnv1a", Line{}, "of its rows"));

/// All that hold the comparison, as they are made. kTableSumsTable comes behind them, with a sum of each.
inline constexpr std::tuple kRecordTables{kRecordTable,        kSetsTable,        kClockTable,
                                          kGoalsTable,         kLinesTable,       kStepsTable,
                                          kOwnPricesTable,     kCommitmentsTable, kCoverageCommitmentsTable,
                                          kCoverageLinesTable, kOtherCostsTable,  kStrategiesTable,
                                          kNeverRanTable,      kRunsTable,        kRunMeasuresTable,
                                          kRunGoalsTable,      kRunUsageTable,    kRunHeldTable,
                                          kRunOtherTable};

/// For people: nothing reads them back.
inline constexpr std::array<std::string_view, 2> kRecordViews{
    "CREATE VIEW costs AS SELECT strategies.name AS strategy, replication, value AS cost_usd FROM "
    "run_measures JOIN strategies USING (strategy) WHERE measure = 'cost_usd'",
    "CREATE VIEW usage AS SELECT strategies.name AS strategy, replication, machine, pool, region, model, "
    "charge, hour, used_machine_ms / 3600000.0 AS used_machine_h, billed_machine_ms / 3600000.0 AS "
    "billed_machine_h FROM run_usage JOIN strategies USING (strategy) JOIN price_lines USING (line)",
};

}  // namespace stockout
