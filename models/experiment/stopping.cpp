#include "models/experiment/stopping.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"

namespace stockout {
namespace {

KnownTo known_to(const Precision& asked, std::size_t strategy, Measure measure, const Summary& summary) {
  KnownTo known;
  known.strategy = strategy;
  known.measure = measure;
  if (summary.is_absent()) return known;
  if (summary.known == Value::Known::at_least) {
    known.state = KnownTo::State::bound;
    return known;
  }
  known.state = KnownTo::State::not_met;
  if (!summary.half_width) return known;
  const double size = std::abs(summary.mean);
  if (*summary.half_width == 0) {
    known.half_width = 0;
  } else if (size > 0) {
    known.half_width = *summary.half_width / size;
  }
  const bool enough = summary.replications >= kFirstLook;
  if (enough && *summary.half_width <= asked.half_width * size) known.state = KnownTo::State::met;
  return known;
}

}  // namespace

bool PrecisionReached::is_met() const {
  return std::ranges::none_of(known, [](const KnownTo& one) { return one.state == KnownTo::State::not_met; });
}

void add_known(const Precision& asked, std::size_t strategy, const Summaries& total,
               std::vector<KnownTo>& known) {
  for (const Measure measure : asked.of) known.push_back(known_to(asked, strategy, measure, total[measure]));
}

std::size_t next_look(std::size_t replications, std::size_t most) {
  STOCKOUT_CHECK(most >= kFirstLook);
  if (replications < kFirstLook) return kFirstLook;
  return std::min(replications + (replications + 1) / 2, most);
}

}  // namespace stockout
