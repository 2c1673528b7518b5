#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "models/kept/input_stamps.h"
#include "models/kept/inputs_table.h"
#include "models/measures/measure_table.h"
#include "models/sweep/keys.h"
#include "models/sweep/point_rows.h"
#include "models/sweep/store_file.h"
#include "sim/io/sql_file.h"
#include "sim/io/sql_table.h"
#include "sim/io/table_sums.h"

namespace stockout {

// How a sweep's store stands in an SQLite file: README.md of this folder says it for people. Each table is
// one list of fields, by which it is made, filled and read. Points and results have more columns, which are
// those of the sweep and of the measures.

/// Columns of a row that are in no struct of the sweep.
struct RowPlace {
  std::size_t place = 0;  // from 1
};
enum class PointState : std::uint8_t { done, failed };
struct PointStatus {
  PointState state{};
};
struct ResultPlace {
  std::size_t point = 0;
  std::size_t strategy = 0;
};
struct StoredTurn {
  std::size_t turn = 0;   // of a round, from 0
  std::size_t world = 0;  // its place, from 1
};
struct PointSum {
  std::size_t point = 0;
  std::string fnv1a;
};

inline constexpr std::array<std::string_view, 2> kPointStateNames{"done", "failed"};

inline constexpr auto kSweepTable = plain_table(
    "sweep", 0,  //
    field<&StoreHead::layout>("layout", Whole{}, "of the store"),
    field<&StoreHead::program>("program", AnyText{}, "version that writes it"),
    field<&StoreHead::name>("name", AnyText{}, "of the sweep"),
    field<&StoreHead::points>("points", Whole{1, static_cast<std::int64_t>(kMostPoints)}, "of all shards"),
    field<&StoreHead::shard, &Shard::index>("shard", Whole{}, "which it is, from 0"),
    field<&StoreHead::shard, &Shard::of>("shards", Whole{1, kMostShards}, "that there are"),
    field<&StoreHead::sweep_text>("sweep_file", AnyText{}, "the file's text"),
    field<&StoreHead::scenario_text>("scenario_file", AnyText{}, "the file's text"),
    field<&StoreHead::price_text>("price_files", AnyText{},
                                  "texts of the files of --prices, one after another"),
    field<&StoreHead::agreement>("worlds_agreement", OrNone<AnyText>{},
                                 "of --worlds with a history: \"agree with waits.csv\""));

inline constexpr auto kParametersTable = plain_table(
    "parameters", 1,  //
    field<&RowPlace::place>("place", Whole{}, "in the order of the sweep file"),
    field<&StoredParameter::column>("name", AnyText{}, "the column that has it"),
    field<&StoredParameter::pointers>("pointer", AnyText{}, "into the scenario; several by spaces"));

inline constexpr auto kMeasuresTable =
    plain_table("measures", 1,  //
                field<&RowPlace::place>("place", Whole{}, "in the order of the columns"),
                field<&MeasureInfo::name>("name", AnyText{}, "the column that has its mean"),
                field<&MeasureInfo::unit>("unit", AnyText{}, "of its numbers"),
                field<&MeasureInfo::meaning>("meaning", AnyText{}, "in words"));

inline constexpr auto kWorldsTable = plain_table(
    "worlds", 1,  //
    field<&RowPlace::place>("place", Whole{}, "in the order of the file of --worlds"),
    field<&StoredWorld::name>("name", AnyText{}, "as that file has it"),
    field<&StoredWorld::turns>("turns", Whole{.least = 1}, "replications of a round that are in it"),
    field<&StoredWorld::weight>("weight", Number{}, "its share of them"),
    field<&StoredWorld::changes>("changes", AnyText{}, "JSON: its values by pointers into the scenario"));

inline constexpr auto kTurnsTable = plain_table(
    "turns", 1,  //
    field<&StoredTurn::turn>("turn", Whole{},
                             "what a replication's number leaves, divided by those of a round"),
    field<&StoredTurn::world>("world", Whole{.least = 1}, "the place of the world that it is in"));

inline constexpr auto kPointsTable =
    plain_table("points", 1,  //
                field<&PointRows::point>("point", Whole{}, "its number"),
                field<&PointStatus::state>("state", OneOf{kPointStateNames}, "what became of it"),
                field<&PointRows::error>("error", OrNone<AnyText>{}, "why it failed"),
                field<&PointRows::fingerprint>("fingerprint", OrNone<AnyText>{}, "of all its runs"),
                field<&PointRows::goals>("goals", OrNone<AnyText>{}, "that its strategies are judged by"),
                field<&PointRows::verdict>("verdict", OneOf{Verdict::kKindNames}, "as `compare` names it"));

inline constexpr auto kResultsTable =
    plain_table("results", 2,  //
                field<&ResultPlace::point>("point", Whole{}, "of points"),
                field<&ResultPlace::strategy>("strategy_number", Whole{}, "in the order of the scenario"),
                field<&StrategyRow::name>("strategy", AnyText{}, "its name"),
                field<&StrategyRow::rank>("rank", Whole{.least = 1},
                                          "by cost, of those that meet the goals and do the same work"),
                field<&StrategyRow::goals_missed>("goals_missed", OrNone<AnyText>{},
                                                  "on average, with how far they are met"),
                field<&StrategyRow::never_ran>("never_ran", OrNone<AnyText>{},
                                               "classes of which jobs came and none ever started"),
                field<&StrategyRow::drew>("drew", Flag{}, "whether chance had a part in its runs"),
                field<&StrategyRow::replications>("replications", Whole{}, "that were run"));

inline constexpr auto kCheckSumsTable =
    plain_table("check_sums", 1,  //
                field<&PointSum::point>("point", Whole{}, "of points"),
                field<&PointSum::fnv1a>("fnv1a", AnyText{}, "of its rows"));

inline constexpr auto kSweepSumsTable =
    plain_table("sweep_check_sums", 1,  //
                field<&TableSum::what>("what", AnyText{}, "sweep or inputs"),
                field<&TableSum::fnv1a>("fnv1a", AnyText{}, "of its rows"));

/// How the rows of a table are sealed, and how they come into the store that shards are merged into.
enum class TableRole : std::uint8_t {
  head,        // all together with how the tables were made; shards have the same
  inputs,      // all together; shards may have the same
  points,      // those of a point together; each point is of one shard
  point_sums,  // they are the seals of points
  sums         // they are the other seals
};

template <typename Table>
struct StoreTable {
  TableRole role{};
  Table table;
};
template <typename Table>
[[nodiscard]] constexpr StoreTable<Table> stored_as(TableRole role, const Table& table) {
  return {role, table};
}

/// All tables, as they are made.
inline constexpr std::tuple kStoreTables{
    stored_as(TableRole::head, kSweepTable),           stored_as(TableRole::inputs, kInputsTable),
    stored_as(TableRole::head, kParametersTable),      stored_as(TableRole::head, kMeasuresTable),
    stored_as(TableRole::head, kWorldsTable),          stored_as(TableRole::head, kTurnsTable),
    stored_as(TableRole::points, kPointsTable),        stored_as(TableRole::points, kResultsTable),
    stored_as(TableRole::point_sums, kCheckSumsTable), stored_as(TableRole::sums, kSweepSumsTable)};

/// Calls `visit` with each table and its role.
template <typename Visit>
void for_each_table(const Visit& visit) {
  std::apply([&](const auto&... each) { (visit(each.table, each.role), ...); }, kStoreTables);
}

}  // namespace stockout
