#pragma once

#include <string>
#include <vector>

#include "tools/page/page.h"

namespace stockout::test {

/// Four ways of buying, in the order of sample_page().
[[nodiscard]] std::vector<std::string> plain_names();

/// As many, whose names would break a careless page: markup, quotes, line separators, another direction,
/// length.
[[nodiscard]] std::vector<std::string> hostile_names();

/// A report with every kind of block; numbers made up. Takes four names.
[[nodiscard]] Page sample_page(const std::vector<std::string>& names);

}  // namespace stockout::test
