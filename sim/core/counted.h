#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stockout {

/// Whole digits with commas between thousands: "1,234,567".
[[nodiscard]] std::string with_commas(std::string_view digits);

/// "1 row", "2,345 rows", "0 rows": `one` is said of a single thing, and `many` of all other counts. Without
/// `many` the plural ends in s. Verbs are part of both: counted(n, "row is no job", "rows are no jobs").
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

}  // namespace stockout
