#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace stockout {

/// Records that come and go, each known by its slot; slots are used again. A slot stays valid while the
/// record lives, references only until the next add(). `Slot` is an enum class of std::uint32_t, one for each
/// table.
template <typename Record, typename Slot>
class Slots {
 public:
  /// A slot with a new record in it.
  Slot add(const Record& record = {}) {
    ++live_;
    if (vacant_.empty()) {
      records_.push_back(record);
      return static_cast<Slot>(records_.size() - 1);
    }
    const Slot slot = vacant_.back();
    vacant_.pop_back();
    records_[number(slot)] = record;
    return slot;
  }

  /// A slot whose record is kept elsewhere: the one here is what it was, or a new one.
  Slot take() {
    if (vacant_.empty()) return add();
    ++live_;
    const Slot slot = vacant_.back();
    vacant_.pop_back();
    return slot;
  }

  void remove(Slot slot) {
    vacant_.push_back(slot);
    --live_;
  }

  Record& operator[](Slot slot) { return records_[number(slot)]; }
  const Record& operator[](Slot slot) const { return records_[number(slot)]; }
  [[nodiscard]] std::size_t live() const { return live_; }
  /// Calls visit(slot) for each slot that was ever in use, in order; visit may not add any.
  template <typename Visit>
  void visit_slots(Visit visit) const {
    for (std::size_t i = 0; i < records_.size(); ++i) visit(static_cast<Slot>(i));
  }

 private:
  static std::size_t number(Slot slot) { return static_cast<std::size_t>(slot); }

  std::vector<Record> records_;
  std::vector<Slot> vacant_;
  std::size_t live_ = 0;
};

}  // namespace stockout
