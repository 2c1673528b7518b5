#include "models/showback/commitment_hours.h"

#include <algorithm>

#include "models/billing/hour.h"

namespace stockout {

CommitmentHours::CommitmentHours(const BillTerms& terms, SimTime window_end)
    : terms_{terms}, window_end_{window_end}, left_(terms.commitments.size()) {}

CommitmentLeft& CommitmentHours::left(std::size_t commitment, std::int64_t hour) {
  std::vector<CommitmentLeft>& hours = left_[commitment];
  while (hours.size() <= static_cast<std::size_t>(hour))
    hours.push_back(whole(commitment, static_cast<std::int64_t>(hours.size())));
  return hours[static_cast<std::size_t>(hour)];
}

CommitmentLeft CommitmentHours::whole(std::size_t commitment, std::int64_t hour) const {
  const SimTime from = kStart + hour * kHour;
  const SimTime paid_to = std::clamp(window_end_, from, from + kHour);
  return {.in_window = time_between(terms_.commitments[commitment], from, paid_to),
          .after_window = time_between(terms_.commitments[commitment], paid_to, from + kHour)};
}

}  // namespace stockout
