#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stockout {

/// A statement that puts a row of `columns` values, at least one, into a table: "INSERT INTO runs VALUES (?,
/// ?)".
[[nodiscard]] std::string insert_row_sql(std::string_view table, std::size_t columns);

}  // namespace stockout
