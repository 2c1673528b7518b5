#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "models/catalog/date.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// Meaning of a program's exit code.
enum class ExitCode : int {
  done = 0,
  not_as_asked = 1,    // for checks: the program ran, and a result misses what was asked of it
  bad_input = 2,       // the command line, a file, or a place to write to
  internal_error = 3,  // our mistake
  interrupted = 130,   // as a shell says it of Ctrl-C
};

/// When escape sequences that choose colours are written: to terminals only, or in any case, or never.
enum class ColourChoice : std::uint8_t { automatic, always, never };
inline constexpr std::array<std::string_view, 3> kColourChoiceNames{"auto", "always", "never"};

/// Where a command writes. The result of a command goes to `out`, and only when the command is done: main()
/// writes it in one piece and reports a full disk. Progress goes to `err`, and only to a terminal.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  ExitCode exit = ExitCode::done;  // what a command that throws nothing sets
  bool out_is_terminal = false;
  bool out_fits = false;               // tables are broken into blocks, though it is no terminal
  std::size_t out_width = kPageWidth;  // columns of the terminal that `out` is, or that COLUMNS asks for
  std::size_t err_width = kPageWidth;
  bool utf8 = true;  // the locale's characters
  ColourChoice colour = ColourChoice::automatic;
  std::optional<Date> today = {};  // of the clock, for warnings on a terminal alone; none: nobody looks at it

  /// Of what goes to `out`: fits a terminal, or the COLUMNS that are asked for, and is as wide as it likes
  /// elsewhere.
  [[nodiscard]] TextLayout layout() const;
  /// Of a report that goes to a file.
  [[nodiscard]] TextLayout file_layout() const;
  /// "error:" and the like, in their colour if `err` has any.
  [[nodiscard]] std::string err_label(std::string_view text, Tone tone) const;
};

}  // namespace stockout
