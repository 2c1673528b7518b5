#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stockout::test {

/// One figure out of independent replications, and the value theory has for it.
struct Comparison {
  std::string name;
  double theory = 0;
  std::vector<double> replications;  // at least two, one value each
};

/// Judges a table of comparisons as one: each is a two-sided Student t test of the mean of its replications,
/// at a level that makes a false alarm anywhere in the table (Bonferroni) less likely than 1 %. A wide
/// interval agrees with anything, so each standard error itself must be at most `standard_error_max` of the
/// theoretical value. Seeds are fixed: a failure is a change in the code, not bad luck.
void check_jointly(const std::vector<Comparison>& table, double standard_error_max);

}  // namespace stockout::test
