#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace stockout {

/// The program broke its own rules. Thrown by STOCKOUT_CHECK, in release builds too; main() turns it into
/// exit code 3, a sweep marks the point failed and goes on. Never caused by user input alone.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(std::string_view condition, std::string_view detail, const char* file, int line);

}  // namespace stockout

/// Throws InvariantError unless `condition` holds. A second argument, evaluated only on failure, is a text
/// that names the state that broke: STOCKOUT_CHECK(free >= 0, fmt::format("pool {} ...", name)).
#define STOCKOUT_CHECK(condition, ...) \
  (static_cast<bool>(condition)        \
       ? void(0)                       \
       : ::stockout::fail_check(#condition, ::std::string{__VA_ARGS__}, __FILE__, __LINE__))
