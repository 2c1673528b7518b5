#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/io/json_value.h"

namespace stockout {

/// How much of a JSON file is accepted.
struct JsonLimits {
  std::size_t bytes = 64 << 20;
  int depth = 100;
  bool written_by_hand = false;  // comments, and a comma behind the last item, as in "[1, 2,]"
};

/// Of files that people write: scenarios, sweeps, prices.
inline constexpr JsonLimits kWrittenByHand{.written_by_hand = true};

/// Parses `text`; `file` names it in messages. Throws InputError with file and line if it is empty, no JSON,
/// not UTF-8, nested deeper than the limit, has a key twice in one object, or a number that does not fit
/// (7E888, or a whole number beyond 64 bits).
[[nodiscard]] JsonValue parse_json(std::string_view text, const std::string& file,
                                   const JsonLimits& limits = {});

/// Reads and parses a file. Throws what read_text_file() and parse_json() throw.
[[nodiscard]] JsonValue read_json_file(const std::string& path, const JsonLimits& limits = {});

}  // namespace stockout
