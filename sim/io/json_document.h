#pragma once

#include <nlohmann/json.hpp>

#include "sim/io/json_value.h"

namespace stockout {

/// A value that was read, as a document to be written: members in their order, lines and origins dropped.
[[nodiscard]] nlohmann::ordered_json json_document(const JsonValue& value);

}  // namespace stockout
