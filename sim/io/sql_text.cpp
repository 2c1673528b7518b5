#include "sim/io/sql_text.h"

#include <fmt/format.h>

namespace stockout {

std::string insert_row_sql(std::string_view table, std::size_t columns) {
  std::string values = "?";
  for (std::size_t i = 1; i < columns; ++i) values += ", ?";
  return fmt::format("INSERT INTO {} VALUES ({})", table, values);
}

}  // namespace stockout
