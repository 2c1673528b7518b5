#include "models/sweep/check_sums.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/kept/kept_file.h"
#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "sim/core/error.h"
#include "sim/io/row_sum.h"
#include "sim/io/sql_file.h"

namespace stockout {
namespace {

// The whole of a store but for the sums themselves. Views and tables that somebody adds are nobody's
// business.
constexpr std::array kSweepRows{"SELECT * FROM sweep", "SELECT * FROM parameters ORDER BY place",
                                "SELECT * FROM measures ORDER BY place",
                                "SELECT * FROM worlds ORDER BY place", "SELECT * FROM turns ORDER BY turn"};
constexpr const char* kInputRows = "SELECT * FROM inputs ORDER BY name";

// How each table was made.
std::string table_rows() {
  std::string names;
  const auto add = [&](const auto& table) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", table.name);
  };
  std::apply([&](const auto&... tables) { (add(tables), ...); }, kStoreTables);
  return fmt::format("SELECT name, sql FROM sqlite_master WHERE name IN ({}) ORDER BY name", names);
}

std::string sum_of_sweep(SQLite::Database& store) {
  RowSum sum;
  sum.add(store, table_rows());
  for (const char* rows : kSweepRows) sum.add(store, rows);
  return sum.text();
}

std::string sum_of_inputs(SQLite::Database& store) {
  RowSum sum;
  sum.add(store, kInputRows);
  return sum.text();
}

void seal_as(SQLite::Database& store, const char* what, const std::string& sum) {
  RowWriter<kSweepSumsTable>{store, 0, "INSERT OR REPLACE"}.add(SweepSum{.what = what, .fnv1a = sum});
}

// Points have the columns of the sweep, results those of the measures that its program had.
std::string made_by(std::string_view table, std::string_view sql) {
  if (table == kPointsTable.name) return {};
  return table == kResultsTable.name ? create_results_sql() : std::string{sql};
}

// No view, virtual table or generated column.
void check_tables(SQLite::Database& store, const std::string& path) {
  const auto check = [&](const auto& table) {
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
  };
  std::apply([&](const auto&... tables) { (check(tables), ...); }, kStoreTables);
}

void check_sweep(SQLite::Database& store, const std::string& path) {
  SQLite::Statement sealed{store, "SELECT fnv1a FROM sweep_check_sums WHERE what = ?"};
  const auto check = [&](const char* what, const std::string& is, const char* name) {
    sealed.bind(1, what);
    if (!sealed.executeStep() || sealed.getColumn(0).getString() != is) fail_seal(path, name);
    sealed.reset();
  };
  check("sweep", sum_of_sweep(store), "the sweep that it says it is of");
  check("inputs", sum_of_inputs(store), "its list of input files");
}

// Of a point all is there, or nothing.
void check_points(SQLite::Database& store, const std::string& path) {
  SQLite::Statement lost{store,
                         "SELECT point FROM (SELECT point FROM check_sums UNION SELECT point FROM results) "
                         "EXCEPT SELECT point FROM points ORDER BY 1 LIMIT 1"};
  if (lost.executeStep()) fail_seal(path, fmt::format("point {}", lost.getColumn(0).getInt64()));
  PointSeals seals{store};
  SQLite::Statement points{
      store,
      "SELECT points.point, check_sums.fnv1a FROM points LEFT JOIN check_sums USING (point) ORDER BY 1"};
  while (points.executeStep()) {
    const std::int64_t point = points.getColumn(0).getInt64();
    if (points.getColumn(1).getString() != seals.sum_of(point))
      fail_seal(path, fmt::format("point {}", point));
  }
}

}  // namespace

void create_check_sums(SQLite::Database& store) {
  store.exec(create_sql(kCheckSumsTable));
  store.exec(create_sql(kSweepSumsTable));
}

void seal_sweep(SQLite::Database& store) { seal_as(store, "sweep", sum_of_sweep(store)); }

void seal_inputs(SQLite::Database& store) { seal_as(store, "inputs", sum_of_inputs(store)); }

PointSeals::PointSeals(SQLite::Database& store)
    : point_{store, "SELECT * FROM points WHERE point = ?"},
      results_{store, "SELECT * FROM results WHERE point = ? ORDER BY strategy_number"},
      sums_{store} {}

std::string PointSeals::sum_of(std::int64_t point) {
  point_.bind(1, point);
  results_.bind(1, point);
  RowSum sum;
  sum.add(point_);
  sum.add(results_);
  return sum.text();
}

void PointSeals::seal(std::int64_t point) {
  sums_.add(PointSum{.point = static_cast<std::size_t>(point), .fnv1a = sum_of(point)});
}

void check_seals(SQLite::Database& store, const std::string& path) {
  check_tables(store, path);
  const SQLite::Transaction snapshot{store};
  check_sweep(store, path);
  check_points(store, path);
}

}  // namespace stockout
