#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>

namespace stockout {

// An SQLite file of ours that anybody may have changed, before anything is read of it. sql_rows.h reads it.

/// Identity of an SQLite file by its header: "PRAGMA application_id" and "PRAGMA user_version".
struct SqlFileKind {
  std::uint32_t application = 0;  // whose files they are
  std::uint32_t layout = 0;       // raised when a reader would have to change
};

/// Of the first 100 bytes of a file, before SQLite sees it; none if it is no SQLite file. Throws what
/// InputFile throws.
[[nodiscard]] std::optional<SqlFileKind> sql_file_kind(const std::string& path);

/// Words for the files of a kind in messages, and how one gets another.
struct SqlFileWords {
  std::string_view what;   // "store of a sweep"
  std::string_view make;   // "`stockout sweep` makes one"
  std::string_view again;  // if the file is of an older program: "run the sweep again"
  std::string_view anew;   // if it is damaged, as a sentence: "Begin anew with another --store"
};

/// Throws InputError unless the file is of the kind, before anything of it is trusted to SQLite; and what
/// InputFile throws.
void check_file_kind(const std::string& path, const SqlFileKind& kind, const SqlFileWords& words);

/// Opens a file, and holds it to be of the kind, and whole as far as SQLite sees. Nothing that the file says
/// is computed for that. Another program that has it is waited for `busy_ms`. Throws InputError, and within
/// with_sql_file() nothing else but std::bad_alloc.
[[nodiscard]] SQLite::Database open_sql_file(const std::string& path, const SqlFileKind& kind,
                                             const SqlFileWords& words, int flags, int busy_ms = 0);

/// A failure of SQLite with a file, as bad input; as std::bad_alloc if memory is lacking.
[[noreturn]] void fail_sql_file(const std::string& path, const SqlFileWords& words,
                                const SQLite::Exception& error);

/// Throws InputError: the file is damaged, as `problem` shows. `anew`: as in SqlFileWords.
[[noreturn]] void fail_damaged_file(const std::string& path, std::string_view problem, std::string_view anew);

/// Does `work`; SQLite's errors become those of fail_sql_file().
template <typename Work>
auto with_sql_file(const std::string& path, const SqlFileWords& words, Work&& work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    fail_sql_file(path, words, error);
  }
}

/// Says of a new database whose it is.
void set_file_kind(SQLite::Database& database, const SqlFileKind& kind);

/// Whether the database has a table whose cells are what is stored: no view, virtual table or generated
/// column, which may compute without end.
[[nodiscard]] bool is_plain_table(SQLite::Database& database, const std::string& table);

/// Whether it has a table that was made by this "CREATE TABLE ...", to the letter.
[[nodiscard]] bool is_table_as_made(SQLite::Database& database, const std::string& table,
                                    std::string_view sql);

/// The bytes of the file that a database in memory is. Throws std::bad_alloc if they do not fit into memory.
[[nodiscard]] std::string sql_file_bytes(SQLite::Database& database);

}  // namespace stockout
