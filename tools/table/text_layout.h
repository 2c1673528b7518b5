#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace stockout {

/// Notes and headlines are broken at this many columns, and at fewer on a narrower terminal.
inline constexpr std::size_t kPageWidth = 120;

/// How a report for people is laid out: as for a file, unless it says otherwise.
struct TextLayout {
  bool markdown = false;
  std::size_t width = kPageWidth;  // columns at which notes and headlines are broken
  std::size_t table_width = std::numeric_limits<std::size_t>::max();  // wider tables are broken into blocks
  bool colour = false;  // escape sequences that choose colours; never the only sign of anything
  bool charts = false;  // small charts beside the numbers
  bool utf8 = true;     // charts of block characters; else of ASCII
};

inline constexpr TextLayout kMarkdown{.markdown = true};

/// Breaks tables where notes are broken, in a file too.
[[nodiscard]] inline TextLayout fitting(TextLayout layout) {
  if (!layout.markdown) layout.table_width = layout.width;
  return layout;
}

/// Meaning of a colour. There are few, and words say the same.
enum class Tone : std::uint8_t {
  recommended,  // the strategy that the verdict names
  doubtful,     // may be chance
  warning,
  failure,
};

/// The text between the escape sequences of its tone, where the layout has colours.
[[nodiscard]] std::string painted(std::string_view text, Tone tone, bool colour);

}  // namespace stockout
