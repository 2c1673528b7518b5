#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/time.h"
#include "sim/engine/event_buckets.h"
#include "sim/engine/event_heap.h"

namespace stockout {

/// Names one pending event, so that it can be cancelled. Safe to hold after the event has fired.
struct EventHandle {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t sequence = 0;
};

/// The future: events come out by (time, phase, order of scheduling), and by nothing else.
///
/// The next ones are in a heap, those of the far future in buckets, so that setting an event and taking it
/// out cost about the same however many are pending; where their times lie badly for buckets, most of them
/// are in the heap. A key is 128 bits: time since the run's begin (40 bits), phase (3), sequence (53), slot
/// (32). Cancelling frees the slot and leaves the entry behind, to be skipped; when more than half of the
/// entries are such, they are dropped. Payload must be trivially copyable.
template <typename Payload>
class EventQueue {
 public:
  static constexpr std::uint8_t kPhases = 8;

  explicit EventQueue(SimTime begin = kStart) : begin_{begin} {}

  /// `at` not before the begin; an instant beyond kLongestRun counts as its end.
  EventHandle schedule(SimTime at, std::uint8_t phase, Payload payload) {
    STOCKOUT_CHECK(at >= begin_ && phase < kPhases);
    const std::uint32_t slot =
        occupy({.payload = payload, .sequence = static_cast<std::uint32_t>(sequence_)});
    push(make_entry(std::min(at - begin_, kLongestRun), phase, sequence_, slot));
    return {.slot = slot, .sequence = static_cast<std::uint32_t>(sequence_++)};
  }

  /// An event that is never cancelled and is no more than a number below 2^31: it has no record, and no
  /// handle.
  void schedule_fixed(SimTime at, std::uint8_t phase, std::uint32_t number) {
    STOCKOUT_CHECK(at >= begin_ && phase < kPhases && number < kFixed);
    push(make_entry(std::min(at - begin_, kLongestRun), phase, sequence_++, number | kFixed));
    ++live_;
  }

  /// False if the event has already fired or been cancelled.
  bool cancel(EventHandle handle) {
    const bool is_pending = handle.slot < slots_.size() && slots_[handle.slot].sequence == handle.sequence;
    if (is_pending) remove(handle.slot);
    return is_pending;
  }

  /// Time of the earliest event, kNever if there is none.
  [[nodiscard]] SimTime next_time() const { return next_time_; }

  /// Whether the earliest event is at `at` in `phase`.
  [[nodiscard]] bool is_next(SimTime at, std::uint8_t phase) const {
    const auto key = (static_cast<std::uint64_t>((at - begin_).count()) << kPhaseBits) | phase;
    return next_.high >> kPhaseShift == key;
  }

  /// Whether the earliest event is such a fixed one.
  [[nodiscard]] bool is_next_fixed() const { return (next_.low & kFixed) != 0; }
  /// Takes it out: its number.
  std::uint32_t pop_fixed() {
    STOCKOUT_CHECK(is_next_fixed());
    const auto number = static_cast<std::uint32_t>(next_.low) & ~kFixed;
    --live_;
    advance();
    return number;
  }

  /// Takes out the earliest event. There must be one, and it is not fixed.
  Payload pop() {
    STOCKOUT_CHECK(live_ > 0 && !is_next_fixed());
    const auto slot = static_cast<std::uint32_t>(next_.low);
    const Payload payload = slots_[slot].payload;
    vacate(slot);
    advance();
    return payload;
  }

  [[nodiscard]] std::size_t size() const { return live_; }
  /// Entries kept, those of cancelled events included.
  [[nodiscard]] std::size_t entries() const {
    return (next_time_ == kNever ? 0 : 1) + near_.size() + far_.size();
  }

 private:
  static constexpr unsigned kPhaseBits = 3;
  static constexpr unsigned kPhaseShift = 21;  // 21 upper bits of the sequence below it
  static_assert(kPhaseShift + kPhaseBits == EventEntry::kTimeShift);
  static constexpr std::uint64_t kSequenceHigh = (std::uint64_t{1} << kPhaseShift) - 1;
  static constexpr std::uint32_t kFixed = std::uint32_t{1} << 31;          // in the place of a slot
  static constexpr EventEntry kNone{.low = 0, .high = ~std::uint64_t{0}};  // later than all others
  static constexpr std::size_t kFewNear = 16;

  struct Slot {
    Payload payload;
    std::uint32_t sequence;  // lower 32 bits of the entry's; of a vacant slot: one that no entry of it has
  };

  // low: lower 32 bits of the sequence, slot; high: time, phase, upper part of the sequence.
  static EventEntry make_entry(SimDuration since, std::uint8_t phase, std::uint64_t sequence,
                               std::uint32_t slot) {
    return {.low = sequence << 32 | slot,
            .high = (static_cast<std::uint64_t>(since.count()) << EventEntry::kTimeShift) |
                    (std::uint64_t{phase} << kPhaseShift) | (sequence >> 32 & kSequenceHigh)};
  }

  std::uint32_t occupy(const Slot& record) {
    ++live_;
    if (vacant_.empty()) {
      slots_.push_back(record);
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = vacant_.back();
    vacant_.pop_back();
    slots_[slot] = record;
    return slot;
  }

  void vacate(std::uint32_t slot) {
    --live_;
    ++slots_[slot].sequence;
    vacant_.push_back(slot);
  }

  [[nodiscard]] bool is_live(const EventEntry& entry) const {
    return (entry.low & kFixed) != 0 || slots_[static_cast<std::uint32_t>(entry.low)].sequence ==
                                            static_cast<std::uint32_t>(entry.low >> 32);
  }

  void remove(std::uint32_t slot) {
    vacate(slot);
    if (entries() > 64 && entries() > 2 * live_) {
      spread();
    } else if (!is_live(next_)) {
      advance();
    }
  }

  void push(const EventEntry& entry) {
    if (entry.time() >= far_.begin()) return far_.add(entry);
    if (next_time_ == kNever) far_.begin_at(entry.time() + 1);
    push_near(entry);
    if (near_.size() > most_near_) spread();
  }

  void push_near(const EventEntry& entry) {
    if (!(entry < next_)) return near_.push(entry);
    if (next_time_ != kNever) near_.push(next_);
    set_next(entry);
  }

  void set_next(const EventEntry& entry) {
    next_ = entry;
    next_time_ = begin_ + SimDuration{entry.time()};
  }

  // The next entry is that of an event to come, always: those of cancelled events are passed over.
  void advance() {
    do {
      if (near_.empty()) {
        take_far();
      } else {
        set_next(near_.front());
        near_.pop();
      }
    } while (next_time_ != kNever && !is_live(next_));
  }

  void take_far() {
    next_ = kNone;
    next_time_ = kNever;
    far_.take_first([this](const EventEntry& entry) { push_near(entry); });
  }

  // All entries but those of cancelled events are spread anew over the near and the far future. If most of
  // them are near even then, as many events of one instant are, it is not tried again before they are twice
  // as many.
  void spread() {
    std::vector<EventEntry> all = far_.take_all();
    near_.move_to(all);
    all.push_back(next_);
    std::erase_if(all, [this](const EventEntry& entry) { return !is_live(entry); });
    far_.assign(std::move(all));
    advance();
    most_near_ = std::max({kFewNear, entries() / 2, 2 * near_.size()});
  }

  SimTime begin_;
  EventEntry next_ = kNone;     // the earliest of all
  SimTime next_time_ = kNever;  // its time
  EventHeap near_;              // those after it, ...
  EventBuckets far_;            // ... up to where these begin
  std::size_t most_near_ = kFewNear;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> vacant_;
  std::uint64_t sequence_ = 0;
  std::size_t live_ = 0;
};

}  // namespace stockout
