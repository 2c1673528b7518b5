// The tables of records and sweep stores are those that their layout numbers promise, and TABLES.md of each
// folder says what their columns are.

#include <cstdlib>
#include <fstream>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/repricing/record_tables.h"
#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "sim/core/fnv1a.h"
#include "sim/io/input_file.h"

using namespace stockout;

namespace {

constexpr auto kTablesOfARecord = std::tuple_cat(kRecordTables, std::tuple{kTableSumsTable});
constexpr auto kTablesOfAStore =
    std::apply([](const auto&... each) { return std::tuple{each.table...}; }, kStoreTables);

template <typename... Tables>
std::uint64_t digest(const std::tuple<Tables...>& tables) {
  std::uint64_t hash = kFnv1aBegin;
  std::apply([&](const auto&... table) { ((hash = fnv1a(hash, create_sql(table) + ";")), ...); }, tables);
  return hash;
}

template <typename Table>
std::string described(const Table& table) {
  std::string text = fmt::format("\n## {}\n\n| column | kind | what |\n|---|---|---|\n", table.name);
  for_each_field(table.fields, [&](const auto& field) {
    CHECK_FALSE(field.doc.empty());
    text += fmt::format("| `{}` | {}{} | {} |\n", field.name, decltype(field.kind)::kSqlType,
                        field.may_be_missing() ? " or NULL" : "", field.doc);
  });
  return text;
}

// Compares with the file, or writes it where the developer says so.
template <typename... Tables>
void check_described(const std::string& folder, const std::string& title,
                     const std::tuple<Tables...>& tables) {
  std::string made = fmt::format(
      "# {}\n\nMade from the lists of fields by which they are written and read: `STOCKOUT_UPDATE_GOLDEN=1 "
      "ctest --test-dir build/release -R \"stored tables\"`.\n",
      title);
  std::apply([&](const auto&... table) { ((made += described(table)), ...); }, tables);
  const std::string path = fmt::format("{}/../models/{}/TABLES.md", STOCKOUT_SCENARIOS_DIR, folder);
  if (std::getenv("STOCKOUT_UPDATE_GOLDEN") != nullptr) std::ofstream{path} << made;
  CHECK(read_text_file(path, 1 << 20) == made);
}

}  // namespace

// Whoever changes a table, or adds a measure, makes files that older programs cannot read: raise the layout,
// then this number.
TEST_CASE("The stored tables are those of their layouts", "[record][sweep]") {
  CHECK(kRecordFile.layout == 10);
  CHECK(digest(kTablesOfARecord) == 0x7f495651575162adU);
  CHECK(kStoreFile.layout == 7);
  CHECK(digest(kTablesOfAStore) == 0xd27ae86a795bb715U);
  CHECK(fnv1a(kFnv1aBegin, create_results_sql()) == 0x5fc6dd92e5d5482dU);
}

TEST_CASE("The pages of stored tables are those of the lists", "[record][sweep]") {
  check_described("repricing", "Tables of a record", kTablesOfARecord);
  check_described("sweep", "Tables of a sweep's store", kTablesOfAStore);
}
