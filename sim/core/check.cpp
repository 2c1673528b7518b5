#include "sim/core/check.h"

#include <fmt/format.h>

namespace stockout {

void fail_check(std::string_view condition, std::string_view detail, const char* file, int line) {
  const std::string_view path{file};
  const auto name = path.substr(path.find_last_of('/') + 1);
  throw InvariantError{
      fmt::format("{}:{}: check failed: {}{}{}", name, line, condition, detail.empty() ? "" : ": ", detail)};
}

}  // namespace stockout
