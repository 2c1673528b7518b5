#include "tools/stockout/shell/help_format.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/stockout/shell/command_shape.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

// ", not with --precision, --record"; nothing for no options.
std::string options_text(std::string_view how, const std::set<CLI::Option*>& options) {
  if (options.empty()) return {};
  std::set<std::string> names;  // the options themselves are in the order of their addresses
  for (const CLI::Option* option : options) names.insert(option->get_name());
  return fmt::format(", {} {}", how, fmt::join(names, ", "));
}

}  // namespace

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  const OptionShape shape = shape_of(*option);
  std::string text;
  const bool says_nothing = option->get_positional() && shape.value == "TEXT";
  if (!shape.value.empty() && !says_nothing) text += ' ' + shape.value;
  if (!shape.default_value.empty()) text += '=' + shape.default_value;
  if (!shape.value.empty() && shape.is_list) text += " ...";
  if (!shape.range.empty()) text += fmt::format(" ({})", shape.range);
  if (shape.is_required) text += ", required";
  return text + options_text("only with", option->get_needs()) +
         options_text("not with", option->get_excludes());
}

// CLI11 sets in the lines of a description.
std::string HelpFormat::wrapped(const std::string& description) const {
  constexpr std::size_t kLeastRoom = 40;
  const std::size_t room = std::max(width_, kLeastRoom + column_width_) - column_width_;
  std::string text = wrap_text(description, room, "");
  text.pop_back();  // the last line break
  return text;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(Formatter::make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_display_name(true), wrapped(command->get_description()),
                           column_width_);
  return out.str();
}

}  // namespace stockout
