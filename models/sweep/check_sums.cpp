#include "models/sweep/check_sums.h"

#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/kept/kept_file.h"
#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "sim/core/error.h"
#include "sim/io/sql_file.h"

namespace stockout {
namespace {

constexpr const char* kSealOfSweep = "sweep";
constexpr const char* kSealOfInputs = "inputs";

// Of a point's sum, which may be missing.
constexpr std::tuple kPointOnly{field<&PointSum::point>("point", Whole{})};
constexpr std::tuple kPointSealed{field<&PointSum::point>("point", Whole{}),
                                  field<&PointSum::fnv1a>("fnv1a", OrNone<AnyText>{})};

// How each table was made.
std::string table_rows() {
  std::string names;
  for_each_table([&](const auto& table, TableRole) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", table.name);
  });
  return fmt::format("SELECT name, sql FROM sqlite_master WHERE name IN ({}) ORDER BY name", names);
}

// All tables of a role, behind `queries`. Views and tables that somebody adds are nobody's business.
SummedRows rows_of(TableRole role, const char* what, std::vector<std::string> queries) {
  SummedRows rows{.what = what, .queries = std::move(queries)};
  for_each_table([&](const auto& table, TableRole of) {
    if (of == role) rows.queries.push_back(all_rows_sql(table));
  });
  return rows;
}

SummedRows rows_of_sweep() { return rows_of(TableRole::head, kSealOfSweep, {table_rows()}); }
SummedRows rows_of_inputs() { return rows_of(TableRole::inputs, kSealOfInputs, {}); }

// Points have the columns of the sweep, results those of the measures that its program had.
std::string made_by(std::string_view table, std::string_view sql) {
  if (table == kPointsTable.name) return {};
  return table == kResultsTable.name ? create_results_sql() : std::string{sql};
}

// No view, virtual table or generated column.
void check_tables(SQLite::Database& store, const std::string& path) {
  for_each_table([&](const auto& table, TableRole) {
    const std::string name{table.name};
    if (!is_plain_table(store, name))
      throw InputError{{.file = path}, fmt::format("is damaged: its table {} is not that of a sweep", name)};
    const std::string made = made_by(name, create_sql(table));
    if (!made.empty() && !is_table_as_made(store, name, made)) {
      throw InputError{
          {.file = path},
          fmt::format("its table {} has other columns than this program, {}, writes: read it with "
                      "the one that made it, or run the sweep again with another --store",
                      name, STOCKOUT_VERSION)};
    }
  });
}

void check_sweep(SQLite::Database& store, const std::string& path) {
  const std::array all{rows_of_sweep(), rows_of_inputs()};
  const auto broken = first_unsealed<kSweepSumsTable>(store, all);
  if (!broken) return;
  fail_seal(path, *broken == kSealOfSweep ? "the sweep that it says it is of" : "its list of input files");
}

// Of a point all is there, or nothing.
void check_points(SQLite::Database& store, const std::string& path) {
  const auto fail = [&](std::size_t point) { fail_seal(path, fmt::format("point {}", point)); };
  read_query<PointSum>(
      store,
      "SELECT point FROM (SELECT point FROM check_sums UNION SELECT point FROM results) EXCEPT SELECT point "
      "FROM points ORDER BY 1 LIMIT 1",
      "its rows without a point", kPointOnly,
      [&](const RowReader&, const PointSum& lost) { fail(lost.point); });
  PointSeals seals{store};
  read_query<PointSum>(
      store,
      "SELECT points.point, check_sums.fnv1a FROM points LEFT JOIN check_sums USING (point) ORDER BY 1",
      "its points", kPointSealed, [&](const RowReader&, const PointSum& sealed) {
        if (sealed.fnv1a != seals.sum_of(sealed.point)) fail(sealed.point);
      });
}

}  // namespace

void seal_sweep(SQLite::Database& store) { seal_rows<kSweepSumsTable>(store, rows_of_sweep()); }

void seal_inputs(SQLite::Database& store) { seal_rows<kSweepSumsTable>(store, rows_of_inputs()); }

PointSeals::PointSeals(SQLite::Database& store) : sums_{store} {
  for_each_table([&](const auto& table, TableRole role) {
    if (role == TableRole::points) rows_.add(store, table);
  });
}

std::string PointSeals::sum_of(std::size_t point) { return rows_.of(static_cast<std::int64_t>(point)); }

void PointSeals::seal(std::size_t point) { sums_.add(PointSum{.point = point, .fnv1a = sum_of(point)}); }

void check_seals(SQLite::Database& store, const std::string& path) {
  check_tables(store, path);
  const SQLite::Transaction snapshot{store};
  check_sweep(store, path);
  check_points(store, path);
}

}  // namespace stockout
