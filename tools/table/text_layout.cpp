#include "tools/table/text_layout.h"

#include <fmt/color.h>

namespace stockout {
namespace {

fmt::text_style style_of(Tone tone) {
  switch (tone) {
    case Tone::recommended:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::green);
    case Tone::doubtful:
      return fmt::emphasis::faint;
    case Tone::warning:
      return fmt::fg(fmt::terminal_color::yellow);
    case Tone::failure:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
  }
  return {};
}

}  // namespace

std::string painted(std::string_view text, Tone tone, bool colour) {
  const bool ends_line = text.ends_with('\n');
  if (ends_line) text.remove_suffix(1);
  const std::string shown =
      colour && !text.empty() ? fmt::format(style_of(tone), "{}", text) : std::string{text};
  return ends_line ? shown + '\n' : shown;
}

}  // namespace stockout
