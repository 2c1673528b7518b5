#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/io/field_kinds.h"

namespace stockout {

/// A kind of field (sim/io/field.h): numbers as a JSON list, each the shortest text that is this number and
/// no other. One that is no number (NaN) is null. SQLite's json_each() reads them.
struct NumberList {
  static constexpr std::string_view kSqlType = "TEXT";

  /// None of them is infinite.
  [[nodiscard]] static StoredValue encode(const std::vector<double>& member);
  [[nodiscard]] static std::string decode(const StoredValue& value, std::vector<double>& member);
};

}  // namespace stockout
