#include "tests/validation/estimate.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>

namespace stockout::test {
namespace {

constexpr double kFalseAlarm = 0.01;

struct Estimate {
  double mean = 0;
  double standard_error = 0;
};

Estimate estimate_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .standard_error = std::sqrt(squares / (count - 1) / count)};
}

// How many standard errors off a mean of so many values is allowed to be, one of a table of two-sided tests.
double errors_allowed_in(std::size_t tests, std::size_t values) {
  const boost::math::students_t law{static_cast<double>(values - 1)};
  return boost::math::quantile(boost::math::complement(law, kFalseAlarm / 2 / static_cast<double>(tests)));
}

}  // namespace

void check_jointly(const std::vector<AgainstTheory>& table, double standard_error_max) {
  for (const AgainstTheory& comparison : table) {
    REQUIRE(comparison.replications.size() >= 2);
    const Estimate estimate = estimate_of(comparison.replications);
    const double errors_allowed = errors_allowed_in(table.size(), comparison.replications.size());
    const double errors_off = (estimate.mean - comparison.theory) / estimate.standard_error;
    INFO(comparison.name << ": theory " << comparison.theory << ", simulated " << estimate.mean << " +- "
                         << estimate.standard_error << ", " << errors_off << " standard errors off, "
                         << errors_allowed << " allowed");
    CHECK(estimate.standard_error <= standard_error_max * comparison.theory);
    CHECK(std::abs(errors_off) <= errors_allowed);
  }
}

void check_between_jointly(const std::vector<Between>& table, double standard_error_max) {
  for (const Between& row : table) {
    REQUIRE(row.replications.size() >= 2);
    const Estimate estimate = estimate_of(row.replications);
    const double slack = errors_allowed_in(table.size(), row.replications.size()) * estimate.standard_error;
    INFO(row.name << ": between " << row.least << " and " << row.most << ", simulated " << estimate.mean
                  << " +- " << estimate.standard_error);
    CHECK(estimate.standard_error <= standard_error_max * estimate.mean);
    CHECK(estimate.mean >= row.least - slack);
    CHECK(estimate.mean <= row.most + slack);
  }
}

}  // namespace stockout::test
