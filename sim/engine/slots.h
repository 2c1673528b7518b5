#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace stockout {

/// Records that come and go, each known by the number of its slot; slots are used again. Numbers stay valid
/// while the record lives, references only until the next add().
template <typename Record>
class Slots {
 public:
  /// A slot with a new record in it.
  std::uint32_t add(const Record& record = {}) {
    ++live_;
    if (vacant_.empty()) {
      records_.push_back(record);
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t slot = vacant_.back();
    vacant_.pop_back();
    records_[slot] = record;
    return slot;
  }

  void remove(std::uint32_t slot) {
    vacant_.push_back(slot);
    --live_;
  }

  Record& operator[](std::uint32_t slot) { return records_[slot]; }
  const Record& operator[](std::uint32_t slot) const { return records_[slot]; }
  [[nodiscard]] std::size_t live() const { return live_; }
  /// One more than the greatest slot number in use so far.
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(records_.size()); }

 private:
  std::vector<Record> records_;
  std::vector<std::uint32_t> vacant_;
  std::size_t live_ = 0;
};

}  // namespace stockout
