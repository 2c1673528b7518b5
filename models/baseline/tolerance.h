#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/experiment/summary.h"

namespace stockout {

/// How far a measure may move from its baseline.
struct Tolerance {
  enum class Kind {
    exact,     // not at all: the same bits
    relative,  // by so many per cent of the baseline's value
    interval,  // by the noise of both: the root of the sum of their squared 95 % half-widths
  };

  Kind kind = Kind::exact;
  double percent = 0;  // of the baseline's value; with `relative`

  [[nodiscard]] bool is_exact() const { return kind == Kind::exact; }
  friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// "exact", "interval" or a percentage from 0 to 1000 such as "1%"; nothing for another text.
[[nodiscard]] std::optional<Tolerance> parse_tolerance(std::string_view text);

/// Forms that parse_tolerance() takes, for messages.
inline constexpr std::string_view kToleranceForms = R"("exact", "interval" or a percentage such as "1%")";

/// The largest difference that the tolerance lets pass, in the unit of the measure, at least 0. A bound from
/// below and a mean without an interval have no noise.
[[nodiscard]] double allowed_by(const Tolerance& tolerance, const Summary& then, const Summary& now);

/// The tolerance as parse_tolerance() reads it.
[[nodiscard]] std::string to_text(const Tolerance& tolerance);

}  // namespace stockout
