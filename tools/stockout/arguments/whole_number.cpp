#include "tools/stockout/arguments/whole_number.h"

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace stockout {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    if (is_number && value >= least && value <= most) return {};
    return fmt::format("must be a whole number from {} to {}, but is \"{}\"", least, most, text);
  };
  const bool is_any = most == std::numeric_limits<std::uint64_t>::max();
  return {check, is_any ? "" : fmt::format("{} to {}", least, most)};
}

}  // namespace stockout
