#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/billing/terms.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Machine-time of one commitment in one hour that covers nothing yet.
struct CommitmentLeft {
  MachineTime in_window{};     // paid by this run
  MachineTime after_window{};  // paid later: the rest of the term is beside the cost
};

/// The time of existing commitments, hour by hour, as it is taken to cover use.
class CommitmentHours {
 public:
  /// `terms` outlives this.
  CommitmentHours(const BillTerms& terms, SimTime window_end);

  /// Rest of a commitment in an hour from kStart; to be lessened by whoever takes of it.
  [[nodiscard]] CommitmentLeft& left(std::size_t commitment, std::int64_t hour);

  /// All of a commitment in an hour.
  [[nodiscard]] CommitmentLeft whole(std::size_t commitment, std::int64_t hour) const;

 private:
  const BillTerms& terms_;
  SimTime window_end_;
  std::vector<std::vector<CommitmentLeft>> left_;  // by commitment and hour, as far as asked for
};

}  // namespace stockout
