// Bandwidths of collectives: what was measured, and what lies between.

#include <cmath>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"

using namespace stockout;

TEST_CASE("A bandwidth is exact at each measured size and never less for a greater message",
          "[catalog][speed]") {
  const Catalog catalog = Catalog::embedded();
  for (const char* family : {"a3-highgpu", "a3-megagpu", "a3-ultragpu"}) {
    const auto points = catalog.collectives(family);
    REQUIRE_FALSE(points.empty());
    for (const BusBandwidth& point : points) CHECK(*bus_bandwidth(points, point.message_gb) == point.busbw);
    double last = 0;
    for (double size = 0.001; size < 30; size *= 1.01) {
      const double here = *bus_bandwidth(points, size);
      CHECK(here >= last);
      last = here;
    }
  }
}

TEST_CASE("Between two sizes logarithms are linear, beyond the ends nothing changes", "[catalog][speed]") {
  const Catalog catalog = Catalog::embedded();
  const auto mega = catalog.collectives("a3-megagpu");
  CHECK(*bus_bandwidth(mega, std::sqrt(8.0)) == Approx(std::sqrt(182 * 188.9)));
  CHECK(*bus_bandwidth(mega, std::sqrt(0.064)) == Approx(std::sqrt(121.0 * 182)));
  CHECK(*bus_bandwidth(mega, 1e-9) == 47);
  CHECK(*bus_bandwidth(mega, 1e6) == 188.9);
  CHECK(*bus_bandwidth(catalog.collectives("a3-highgpu"), 0.001) == 71);
}

TEST_CASE("A family that was not measured has no row, one whose figures are withheld a row without",
          "[catalog][speed]") {
  const Catalog catalog = Catalog::embedded();
  CHECK(catalog.collectives("a2-highgpu").empty());
  CHECK_FALSE(bus_bandwidth(catalog.collectives("a2-highgpu"), 1).has_value());
  REQUIRE(catalog.collectives("a4-highgpu").size() == 1);
  CHECK(catalog.collectives("a4-highgpu")[0].busbw == 0);
}
