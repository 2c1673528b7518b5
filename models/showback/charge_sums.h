#pragma once

#include <map>
#include <vector>

#include "models/showback/charge_row.h"

namespace stockout {

/// Charges on the way to rows: those about the same are one.
class ChargeSums {
 public:
  void add(const ChargeSubject& subject, MachineTime billed, MachineTime used) {
    if (billed == MachineTime{}) return;
    Times& times = sums_[subject];
    times.billed += billed;
    times.used += used;
  }

  /// In the order of their subjects.
  [[nodiscard]] std::vector<ChargeRow> rows() const {
    std::vector<ChargeRow> rows;
    rows.reserve(sums_.size());
    for (const auto& [subject, times] : sums_)
      rows.push_back({.subject = subject, .billed = times.billed, .used = times.used});
    return rows;
  }

 private:
  struct Times {
    MachineTime billed{};
    MachineTime used{};
  };
  std::map<ChargeSubject, Times> sums_;
};

}  // namespace stockout
