#include "tools/stockout/terminal/console.h"

#include <algorithm>

namespace stockout {
namespace {

bool has_colours(ColourChoice choice, bool is_terminal) {
  return choice == ColourChoice::always || (choice == ColourChoice::automatic && is_terminal);
}

}  // namespace

TextLayout Console::layout() const {
  TextLayout layout{
      .width = std::min(kPageWidth, out_width), .colour = has_colours(colour, out_is_terminal), .utf8 = utf8};
  if (out_fits || out_is_terminal) layout.table_width = out_width;
  layout.charts = out_is_terminal;
  return layout;
}

TextLayout Console::file_layout() const { return {.colour = has_colours(colour, false), .utf8 = utf8}; }

std::string Console::err_label(std::string_view text, Tone tone) const {
  return painted(text, tone, has_colours(colour, err_is_terminal));
}

}  // namespace stockout
