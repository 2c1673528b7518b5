#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stockout::test {

/// One figure out of independent replications, and the value theory has for it.
struct AgainstTheory {
  std::string name;
  double theory = 0;
  std::vector<double> replications;  // at least two, one value each
};

/// Judges a table of figures as one: each is a two-sided Student t test of the mean of its replications,
/// at a level that makes a false alarm anywhere in the table (Bonferroni) less likely than 1 %. A wide
/// interval agrees with anything, so each standard error itself must be at most `standard_error_max` of the
/// theoretical value. Seeds are fixed: a failure is a change in the code, not bad luck.
void check_jointly(const std::vector<AgainstTheory>& table, double standard_error_max);

/// One figure out of independent replications, and what theory says it lies between.
struct Between {
  std::string name;
  double least = 0;
  double most = 0;                   // may be infinite
  std::vector<double> replications;  // at least two, one value each
};

/// The same for bounds: each figure is outside one of its bounds by chance so rarely that a false alarm
/// anywhere in the table is less likely than 1 %. Each standard error must be at most `standard_error_max` of
/// the figure.
void check_between_jointly(const std::vector<Between>& table, double standard_error_max);

}  // namespace stockout::test
