#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/baseline/baseline.h"

namespace stockout {

/// Something other than a measure, then and now.
struct FactCheck {
  std::string strategy;  // empty: of the whole comparison
  std::string fact;      // "seed", "fingerprint", ...
  std::string then;
  std::string now;
  bool counts = true;     // a difference is a failure; else it is only reported
  std::string note = {};  // on a difference: "within the noise"

  [[nodiscard]] bool differs() const { return then != now; }
  [[nodiscard]] bool holds() const { return !counts || !differs(); }
};

/// A measure of a strategy, then and now.
struct MeasureCheck {
  std::string strategy;
  std::string measure;
  std::string_view unit;
  Summary then;
  Summary now;
  Tolerance tolerance;
  double allowed = 0;  // in the unit
  bool holds = true;
};

/// The fact that names the strategy to be bought.
inline constexpr const char* kRecommendationFact = "recommended strategy";

/// A comparison held against its baseline.
struct BaselineCheck {
  std::vector<FactCheck> facts;
  std::vector<MeasureCheck> measures;  // there then or now, by strategy

  [[nodiscard]] bool holds() const;
};

/// Holds `now` against `then`. A measure's tolerance is that of the baseline for it by name, else `asked` if
/// there is one, else the baseline's for "all", else exact. README.md of this folder says what counts.
[[nodiscard]] BaselineCheck check_against(const Baseline& then, const Baseline& now,
                                          const std::optional<Tolerance>& asked);

}  // namespace stockout
