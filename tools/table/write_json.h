#pragma once

#include <nlohmann/json.hpp>

#include "tools/table/relation.h"

namespace stockout {

/// Form of a cell with nothing in it.
enum class JsonNothing : std::uint8_t { null, left_out };

/// The rows as objects by key. A cell of a column with an interval, replications or bounds is an object:
/// {"mean": 2.6, "half_width_95": 0.8}, with "replications" where it is a mean of some only, "is_lower_bound"
/// where it is one, and "may_be_chance" of a difference.
[[nodiscard]] nlohmann::ordered_json write_json(const Relation& relation,
                                                JsonNothing nothing = JsonNothing::null);

/// As write_json(), but rows that agree in their first `shared` columns are one object, with those of the
/// others in an array under `key`.
[[nodiscard]] nlohmann::ordered_json write_nested_json(const Relation& relation, std::size_t shared,
                                                       const std::string& key);

/// The rows for a picture: plain values by key, and KEY_low and KEY_high, the ends of an interval. Nothing is
/// left out.
[[nodiscard]] nlohmann::json write_chart_rows(const Relation& relation);

}  // namespace stockout
