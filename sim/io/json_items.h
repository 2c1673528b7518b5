#pragma once

#include <functional>
#include <string>

#include "sim/io/json_value.h"

namespace stockout {

/// Whether the first character of a plain or gzip file that is no white space begins a list or an object.
/// Throws what ByteSource does.
[[nodiscard]] bool begins_as_json(const std::string& path);

/// Goes through the items of a plain or gzip JSON file, in the memory of the largest of them: those of the
/// list that is the file, or of the list `items` of the object that is. Each has the lines of its values.
/// `visit` returns false to stop. A file of white space has no items. Throws InputError with file and line if
/// it is no JSON, holds no such list, nests deeper than 100 levels, or has more than 16 MiB in an item or
/// between two; and what ByteSource does.
void for_each_json_item(const std::string& path, const std::function<bool(const JsonValue&)>& visit);

}  // namespace stockout
