#pragma once

#include <string>

#include "models/baseline/baseline_check.h"
#include "tools/table/relation.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// How a check is reported.
struct CheckReport {
  const BaselineCheck& check;
  const Baseline& now;
  std::string scenario_file;
  std::string baseline_file;
  bool accepted = false;  // the values reported become the new baseline
};

/// One sentence, what differs of the experiment, a row for each measure that moved, and the fingerprint.
[[nodiscard]] std::string write_check(const CheckReport& report, const TextLayout& layout = {});

/// Whether all is as it was, and how much is not.
[[nodiscard]] std::string check_sentence(const CheckReport& report);

/// Each measure of each strategy, and what else there is of the experiment, then and now.
[[nodiscard]] Relation checked_measures(const BaselineCheck& check);
[[nodiscard]] Relation checked_facts(const BaselineCheck& check);

/// A measure then and now, "3.98 ± 0.12" or "> 4.5" or "-", with just so many digits, four at least, that a
/// difference can be seen.
[[nodiscard]] std::pair<std::string, std::string> then_and_now(const MeasureCheck& measure);

/// "+12.3 (+0.4 %)"; "-" where there is no number on one of the sides.
[[nodiscard]] std::string difference_text(const MeasureCheck& measure);

/// "exact", "0.66 (2%)".
[[nodiscard]] std::string tolerance_text(const MeasureCheck& measure);

}  // namespace stockout
