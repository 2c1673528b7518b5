#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/core/error_list.h"

using namespace stockout;
using Catch::Matchers::Contains;

TEST_CASE("Of many errors the first twenty are said, and that there may be more", "[core]") {
  const auto fail_times = [](int times) {
    ErrorList errors;
    for (int i = 0; i < times; ++i)
      errors.attempt([i] { throw InputError{{.file = "s.json"}, "error " + std::to_string(i)}; });
    try {
      errors.raise();
    } catch (const InputError& error) {
      return error.others();
    }
    return std::vector<std::string>{};
  };
  CHECK(fail_times(1).empty());
  const auto twenty = fail_times(20);
  CHECK(twenty.size() == 19);
  CHECK_THAT(twenty.back(), Contains("error 19"));
  const auto more = fail_times(21);
  CHECK(more.size() == 20);
  CHECK_THAT(more.back(), Contains("there may be more errors: mend these first"));
}
