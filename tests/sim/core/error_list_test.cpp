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

TEST_CASE("Errors that come several at a time are no more than twenty either", "[core]") {
  ErrorList all;
  for (int i = 0; i < 3; ++i) {
    all.attempt([] {
      ErrorList nine;
      for (int j = 0; j < 9; ++j) nine.attempt([] { throw InputError{{.file = "s.json"}, "wrong"}; });
      nine.raise();
    });
  }
  CHECK(all.is_full());
  try {
    all.raise();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(error.others().size() == 20);
    CHECK_THAT(error.others().back(), Contains("there may be more errors"));
  }
}

TEST_CASE("Whoever waits for what is reported already ends quietly, and nothing is built on it", "[core]") {
  ErrorList errors;
  CHECK_FALSE(errors.attempt([] { throw ReportedAlready{}; }));
  CHECK(errors.count() == 0);
  CHECK_THROWS_AS(errors.raise(), ReportedAlready);
  errors.attempt([] { throw InputError{{.file = "s.json"}, "wrong"}; });
  CHECK_THROWS_AS(errors.raise(), InputError);
}
