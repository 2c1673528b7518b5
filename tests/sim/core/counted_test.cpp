#include "sim/core/counted.h"

#include <catch2/catch.hpp>

using namespace stockout;

TEST_CASE("One thing is singular, no and several are plural", "[text]") {
  CHECK(counted(1, "row") == "1 row");
  CHECK(counted(0, "row") == "0 rows");
  CHECK(counted(2, "strategy", "strategies") == "2 strategies");
  CHECK(counted(1, "row is no job", "rows are no jobs") == "1 row is no job");
  CHECK(counted(12'345, "row is no job", "rows are no jobs") == "12,345 rows are no jobs");
}

TEST_CASE("Thousands are parted by commas", "[text]") {
  CHECK(with_commas("") == "");
  CHECK(with_commas("999") == "999");
  CHECK(with_commas("1000") == "1,000");
  CHECK(with_commas("1234567") == "1,234,567");
}
