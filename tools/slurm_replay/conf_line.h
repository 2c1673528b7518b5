#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// "Key=value" of a configuration file. Keys are compared without regard to case.
struct ConfField {
  std::string key;
  std::string value;
  SourceRef where;  // with the key as pointer

  [[nodiscard]] bool is(std::string_view name) const;
  /// A whole number from `least` to `most`. Throws InputError for anything else, as do those below.
  [[nodiscard]] std::int64_t whole_number(std::int64_t least, std::int64_t most) const;
  /// Whole seconds; "infinite" and "-1" are for ever.
  [[nodiscard]] SimDuration seconds() const;
  /// A time of Slurm: "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
  /// "days-hours:minutes", "days-hours:minutes:seconds"; "UNLIMITED" and "INFINITE" are for ever. Seconds are
  /// rounded up to whole minutes, as Slurm keeps its limits.
  [[nodiscard]] SimDuration time() const;
  /// "YES", "UP", "TRUE" or "1"; or "NO", "DOWN", "FALSE" or "0".
  [[nodiscard]] bool yes() const;
  [[noreturn]] void fail(std::string_view needed) const;
};

using ConfLine = std::vector<ConfField>;

/// "file:line: text".
[[nodiscard]] std::string at_line(const SourceRef& where, std::string_view text);

/// Whether two words are the same but for upper and lower case.
[[nodiscard]] bool is_same_word(std::string_view a, std::string_view b);

/// Whether a text begins with a word, in upper or lower case.
[[nodiscard]] bool begins_with_word(std::string_view text, std::string_view word);

/// In small letters.
[[nodiscard]] std::string in_lower_case(std::string_view text);

/// The parts of a text between separators; none if it is empty.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text, char separator);

}  // namespace stockout::slurm
