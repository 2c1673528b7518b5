#pragma once

#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace stockout {

// What a record holds proves itself, as a sweep's store does.

/// Makes the table of check sums, and puts in that of each table of the record as it is now.
void seal_record(SQLite::Database& record);

/// Holds every table to its check sum. Throws InputError that names the file and the first that differs.
void check_record_sums(SQLite::Database& record, const std::string& path);

}  // namespace stockout
