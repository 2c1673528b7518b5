#include "models/billing/terms.h"

#include <algorithm>

#include "models/billing/hour.h"

namespace stockout {

MachineTime time_between(const Commitment& commitment, SimTime from, SimTime to) {
  const SimTime begin = std::max(from, commitment.start);
  const SimTime end = std::min(to, commitment.end);
  return begin < end ? commitment.machines * (end - begin) : MachineTime{};
}

Cost cost_between(const Commitment& commitment, SimTime from, SimTime to) {
  const MachineTime time = time_between(commitment, from, to);
  return {.list = commitment.list * time, .contracted = commitment.contracted * time};
}

MachineTime covered_in(const BillTerms& terms, const Coverage& coverage, std::int64_t hour) {
  const SimTime from = kStart + hour * kHour;
  MachineTime covered{};
  for (const std::size_t i : coverage.commitments)
    covered += time_between(terms.commitments[i], from, from + kHour);
  return covered;
}

}  // namespace stockout
