#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/report/recommend/answer.h"

namespace stockout {

/// The choices of a combination: "machines: 3; term: 1y".
[[nodiscard]] std::string choices_of_point(const RecommendationReport& report, std::size_t point);

/// Ways to buy that were not looked at, and why, a line each.
[[nodiscard]] std::vector<std::string> left_out_lines(const RecommendationReport& report);

/// Warnings of the scenario with the best choices made. Those about other strategies are left out.
[[nodiscard]] std::vector<std::string> warnings_of_best(const RecommendationReport& report);

/// How much was run, and how sure it is.
[[nodiscard]] std::vector<std::string> made_lines(const RecommendationReport& report);

}  // namespace stockout
