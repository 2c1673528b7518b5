#include "tools/report/prices/cost_words.h"

#include <algorithm>
#include <array>

#include "models/measures/cost_parts.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

struct PartWords {
  Measure part{};
  std::string_view words;
};

constexpr std::array kPartWords{
    PartWords{Measure::cost_direct, "Leased job by job"},
    PartWords{Measure::cost_held, "Held to the last start"},
    PartWords{Measure::cost_sublet, "Held, and used"},
    PartWords{Measure::cost_idle, "Held, and idle"},
    PartWords{Measure::cost_sunk, "Existing commitments"},
    PartWords{Measure::cost_other, "Other costs"},
    PartWords{Measure::covered, "Covered by existing commitments"},
};

constexpr bool has_all_parts() {
  return std::ranges::all_of(kCostParts, [](const CostPart& part) {
    return std::ranges::find(kPartWords, part.measure, &PartWords::part) != kPartWords.end();
  });
}
static_assert(has_all_parts(), "a part of the cost without words");

}  // namespace

std::string_view cost_words(Measure part) {
  const auto found = std::ranges::find(kPartWords, part, &PartWords::part);
  STOCKOUT_CHECK(found != kPartWords.end());
  return found->words;
}

}  // namespace stockout
