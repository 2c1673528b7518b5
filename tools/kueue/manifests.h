#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/io/json_value.h"

namespace stockout::kueue {

/// The documents of a YAML text, in order, as JSON values with their lines. JSON is YAML too. Plain scalars
/// are null, flags and numbers where they look so. Throws InputError with file and line for what is no YAML,
/// for keys that are no texts or come twice, and for more nesting (100) or more values (2 million, aliases
/// counted each time) than any cluster has.
[[nodiscard]] std::vector<JsonValue> parse_manifests(std::string_view text, const std::string& file);

/// Those of a file. Throws what read_text_file() and parse_manifests() throw.
[[nodiscard]] std::vector<JsonValue> read_manifests(const std::string& path);

}  // namespace stockout::kueue
