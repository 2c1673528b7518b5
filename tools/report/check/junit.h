#pragma once

#include <string>

#include "models/baseline/baseline_check.h"

namespace stockout {

/// A check as JUnit XML: one suite, a case for each measure of each strategy (its class is the strategy) and
/// for each other thing that counts; a failure says what it was and what it is. Without times: the same check
/// gives the same bytes.
[[nodiscard]] std::string write_junit(const BaselineCheck& check, const Baseline& now);

/// A text inside XML, in an attribute or between tags. What XML cannot hold becomes U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace stockout
