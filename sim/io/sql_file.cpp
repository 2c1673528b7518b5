#include "sim/io/sql_file.h"

#include <array>
#include <memory>
#include <new>
#include <span>

#include <fmt/format.h>
#include <sqlite3.h>

#include "sim/core/error.h"
#include "sim/io/input_file.h"

namespace stockout {
namespace {

std::uint32_t big_endian(std::span<const char> bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.first(4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Its pages and the order of its rows. On the way SQLite computes, for each row of any table, CHECK
// constraints and generated columns that are NOT NULL. Those of a file that is not trusted may take hours,
// and files of ours have none.
void check_pages(SQLite::Database& database, const std::string& path, const SqlFileWords& words) {
  constexpr const char* kComputed =
      "SELECT count(*) FROM sqlite_master AS made, pragma_table_xinfo(made.name) AS col WHERE made.type = "
      "'table' AND made.rootpage > 0 AND col.hidden > 1 AND col.\"notnull\" <> 0";
  database.exec("PRAGMA ignore_check_constraints = ON");
  if (database.execAndGet(kComputed).getInt64() > 0)
    fail_damaged_file(path, "a table has computed columns", words.anew);
  const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (found != "ok") fail_damaged_file(path, found, words.anew);
}

}  // namespace

// sqlite.org/fileformat2.html says where what stands.
std::optional<SqlFileKind> sql_file_kind(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::array<char, 100> header{};
  std::size_t size = 0;
  InputFile file{path};
  while (size < header.size()) {
    const std::size_t got = file.read(std::span{header}.subspan(size));
    if (got == 0) return std::nullopt;
    size += got;
  }
  const std::span<const char> bytes{header};
  if (!std::string_view{header.data(), size}.starts_with(kMagic)) return std::nullopt;
  return SqlFileKind{.application = big_endian(bytes.subspan(68)), .layout = big_endian(bytes.subspan(60))};
}

void check_file_kind(const std::string& path, const SqlFileKind& kind, const SqlFileWords& words) {
  const auto fail = [&](const std::string& problem) { throw InputError{{.file = path}, problem}; };
  const auto found = sql_file_kind(path);
  if (!found) fail(fmt::format("is no {}: {}", words.what, words.make));
  if (found->application != kind.application)
    fail(fmt::format("is a database, but no {}: {}", words.what, words.make));
  if (found->layout == kind.layout) return;
  fail(fmt::format("is a {} of layout {}, and this program reads layout {}: {}", words.what, found->layout,
                   kind.layout, found->layout < kind.layout ? words.again : "use the program that made it"));
}

SQLite::Database open_sql_file(const std::string& path, const SqlFileKind& kind, const SqlFileWords& words,
                               int flags, int busy_ms) {
  check_file_kind(path, kind, words);
  SQLite::Database database{path, flags, busy_ms};
  check_pages(database, path, words);
  return database;
}

void fail_sql_file(const std::string& path, const SqlFileWords& words, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const SourceRef where{.file = path};
  if (code == SQLITE_NOMEM) throw std::bad_alloc{};
  if (code == SQLITE_NOTADB) throw InputError{where, fmt::format("is no {}", words.what)};
  if (code == SQLITE_CORRUPT) throw InputError{where, fmt::format("is damaged. {}", words.anew)};
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw InputError{where, "is locked by another program: close what has it open, and try again"};
  throw InputError{where, fmt::format("cannot be used: {}", error.what())};
}

void fail_damaged_file(const std::string& path, std::string_view problem, std::string_view anew) {
  throw InputError{{.file = path}, fmt::format("is damaged: {}. {}", problem, anew)};
}

void set_file_kind(SQLite::Database& database, const SqlFileKind& kind) {
  database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                            static_cast<std::int32_t>(kind.application), kind.layout));
}

bool is_plain_table(SQLite::Database& database, const std::string& table) {
  SQLite::Statement query{database,
                          "SELECT (SELECT count(*) FROM sqlite_master WHERE name = ?1 AND type = 'table' AND "
                          "rootpage > 0), (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0)"};
  query.bind(1, table);
  return query.executeStep() && query.getColumn(0).getInt() == 1 && query.getColumn(1).getInt() == 0;
}

bool is_table_as_made(SQLite::Database& database, const std::string& table, std::string_view sql) {
  SQLite::Statement query{database, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"};
  query.bind(1, table);
  return query.executeStep() && query.getColumn(0).getString() == sql;
}

std::string sql_file_bytes(SQLite::Database& database) {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> image{
      sqlite3_serialize(database.getHandle(), "main", &size, 0), sqlite3_free};
  if (!image) throw std::bad_alloc{};
  return {reinterpret_cast<const char*>(image.get()), static_cast<std::size_t>(size)};
}

}  // namespace stockout
