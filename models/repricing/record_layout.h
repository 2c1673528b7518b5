#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stockout {

// How a stored comparison stands in an SQLite file: README.md of this folder says it for people.

/// "PRAGMA application_id" of such files: the letters STKO.
inline constexpr std::uint32_t kRecordApplication = 0x53'54'4b'4f;
/// "PRAGMA user_version": raised when a reader would have to change.
inline constexpr std::uint32_t kRecordLayout = 2;

struct RecordTable {
  std::string_view name;
  std::string_view sql;  // that creates it
};

inline constexpr std::array kRecordTables{
    RecordTable{"record",
                "CREATE TABLE record (stockout TEXT NOT NULL, scenario_file TEXT NOT NULL, "
                "scenario_text TEXT NOT NULL, name TEXT NOT NULL, question TEXT NOT NULL, "
                "start TEXT NOT NULL, prices_as_of TEXT NOT NULL, prices_follow_calendar INTEGER NOT NULL, "
                "seed TEXT NOT NULL, replications INTEGER NOT NULL, means_adjusted INTEGER NOT NULL, "
                "fingerprint TEXT NOT NULL, "
                "window_ms INTEGER NOT NULL, billing_step_ms INTEGER NOT NULL, billing_least_ms INTEGER NOT "
                "NULL, goal TEXT, goal_share REAL, goal_at_most_ms INTEGER, goal_same_work_share REAL)"},
    RecordTable{"scenario_sets",
                "CREATE TABLE scenario_sets (number INTEGER PRIMARY KEY, pointer_and_value TEXT NOT NULL)"},
    RecordTable{"price_lines",
                "CREATE TABLE price_lines (line INTEGER PRIMARY KEY, machine TEXT NOT NULL, pool TEXT NOT "
                "NULL, region TEXT NOT NULL, model TEXT NOT NULL, charge TEXT NOT NULL, parts_of_machine "
                "INTEGER NOT NULL, as_of TEXT NOT NULL, source TEXT NOT NULL, is_own INTEGER NOT NULL)"},
    RecordTable{"price_steps",
                "CREATE TABLE price_steps (line INTEGER NOT NULL, from_ms INTEGER NOT NULL, "
                "list_nanousd_per_machine_hour INTEGER NOT NULL, contracted_nanousd_per_machine_hour INTEGER "
                "NOT NULL, PRIMARY KEY (line, from_ms)) WITHOUT ROWID"},
    RecordTable{"own_prices",
                "CREATE TABLE own_prices (number INTEGER PRIMARY KEY, machine TEXT NOT NULL, gpu TEXT NOT "
                "NULL, region TEXT NOT NULL, model TEXT, factor_millionths INTEGER, "
                "nanousd_per_machine_hour INTEGER, from_day TEXT, until_day TEXT, label TEXT NOT NULL)"},
    RecordTable{"commitments",
                "CREATE TABLE commitments (commitment INTEGER PRIMARY KEY, name TEXT NOT NULL, machine TEXT "
                "NOT NULL, region TEXT NOT NULL, machines INTEGER NOT NULL, start_ms INTEGER NOT NULL, "
                "end_ms INTEGER NOT NULL, list_nanousd_per_machine_hour INTEGER NOT NULL, "
                "contracted_nanousd_per_machine_hour INTEGER NOT NULL, as_of TEXT NOT NULL, plan TEXT)"},
    RecordTable{"coverage_commitments",
                "CREATE TABLE coverage_commitments (coverage INTEGER NOT NULL, position INTEGER NOT NULL, "
                "commitment INTEGER NOT NULL, PRIMARY KEY (coverage, position)) WITHOUT ROWID"},
    RecordTable{"coverage_lines",
                "CREATE TABLE coverage_lines (coverage INTEGER NOT NULL, position INTEGER NOT NULL, line "
                "INTEGER NOT NULL, PRIMARY KEY (coverage, position)) WITHOUT ROWID"},
    RecordTable{"other_costs",
                "CREATE TABLE other_costs (cost INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                "nanousd_per_unit INTEGER NOT NULL)"},
    RecordTable{"strategies",
                "CREATE TABLE strategies (strategy INTEGER PRIMARY KEY, name TEXT NOT NULL, looks_at_prices "
                "INTEGER NOT NULL)"},
    RecordTable{
        "runs",
        "CREATE TABLE runs (strategy INTEGER NOT NULL, replication INTEGER NOT NULL, fingerprint TEXT "
        "NOT NULL, drew INTEGER NOT NULL, reference_gpu_h REAL, PRIMARY KEY (strategy, replication)) "
        "WITHOUT ROWID"},
    RecordTable{"run_measures",
                "CREATE TABLE run_measures (strategy INTEGER NOT NULL, replication INTEGER NOT NULL, measure "
                "TEXT NOT NULL, value REAL NOT NULL, is_lower_bound INTEGER NOT NULL, PRIMARY KEY (strategy, "
                "replication, measure)) WITHOUT ROWID"},
    RecordTable{"run_usage",
                "CREATE TABLE run_usage (strategy INTEGER NOT NULL, replication INTEGER NOT NULL, line "
                "INTEGER NOT NULL, hour INTEGER NOT NULL, used_machine_ms INTEGER NOT NULL, "
                "billed_machine_ms INTEGER NOT NULL, lost_races_machine_ms INTEGER NOT NULL, PRIMARY KEY "
                "(strategy, replication, line, hour)) WITHOUT ROWID"},
    RecordTable{"run_held",
                "CREATE TABLE run_held (strategy INTEGER NOT NULL, replication INTEGER NOT NULL, position "
                "INTEGER NOT NULL, line INTEGER NOT NULL, machines INTEGER NOT NULL, PRIMARY KEY (strategy, "
                "replication, position)) WITHOUT ROWID"},
    RecordTable{"run_other_costs",
                "CREATE TABLE run_other_costs (strategy INTEGER NOT NULL, replication INTEGER NOT NULL, cost "
                "INTEGER NOT NULL, unit_ms INTEGER NOT NULL, PRIMARY KEY (strategy, replication, cost)) "
                "WITHOUT ROWID"},
};

/// For people: nothing reads them back.
inline constexpr std::array<std::string_view, 2> kRecordViews{
    "CREATE VIEW costs AS SELECT strategies.name AS strategy, replication, value AS cost_usd FROM "
    "run_measures JOIN strategies USING (strategy) WHERE measure = 'cost_usd'",
    "CREATE VIEW usage AS SELECT strategies.name AS strategy, replication, machine, pool, region, model, "
    "charge, hour, used_machine_ms / 3600000.0 AS used_machine_h, billed_machine_ms / 3600000.0 AS "
    "billed_machine_h FROM run_usage JOIN strategies USING (strategy) JOIN price_lines USING (line)",
};

inline constexpr std::array<std::string_view, 3> kChargeNames{"direct", "held", "sublet"};

}  // namespace stockout
