#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/time.h"

namespace stockout {

/// Names one pending event, so that it can be cancelled. Safe to hold after the event has fired.
struct EventHandle {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t sequence = 0;
};

/// The future: events come out by (time, phase, order of scheduling), and by nothing else.
///
/// A 4-ary heap of 16-byte entries. A key is 128 bits: time since the run's begin (40 bits), phase (3),
/// sequence (53), slot (32). Cancelling frees the slot and leaves the entry behind, to be skipped; when more
/// than half of the entries are such, the heap is rebuilt without them. Payload must be trivially copyable.
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
  [[nodiscard]] SimTime next_time() const {
    return heap_.empty() ? kNever
                         : begin_ + SimDuration{static_cast<std::int64_t>(heap_.front().high >> kTimeShift)};
  }

  /// Whether the earliest event is at `at` in `phase`.
  [[nodiscard]] bool is_next(SimTime at, std::uint8_t phase) const {
    const auto key = (static_cast<std::uint64_t>((at - begin_).count()) << kPhaseBits) | phase;
    return !heap_.empty() && heap_.front().high >> kPhaseShift == key;
  }

  /// Whether the earliest event is such a fixed one.
  [[nodiscard]] bool is_next_fixed() const { return !heap_.empty() && (heap_.front().low & kFixed) != 0; }
  /// Takes it out: its number.
  std::uint32_t pop_fixed() {
    STOCKOUT_CHECK(is_next_fixed());
    const auto number = static_cast<std::uint32_t>(heap_.front().low) & ~kFixed;
    --live_;
    pop_heap();
    drop_cancelled();
    return number;
  }

  /// Takes out the earliest event. There must be one, and it is not fixed.
  Payload pop() {
    STOCKOUT_CHECK(!heap_.empty() && !is_next_fixed());
    const auto slot = static_cast<std::uint32_t>(heap_.front().low);
    const Payload payload = slots_[slot].payload;
    vacate(slot);
    pop_heap();
    drop_cancelled();
    return payload;
  }

  [[nodiscard]] std::size_t size() const { return live_; }
  /// Entries kept, those of cancelled events included.
  [[nodiscard]] std::size_t entries() const { return heap_.size(); }

 private:
  static constexpr unsigned kPhaseBits = 3;
  static constexpr unsigned kPhaseShift = 21;  // 21 upper bits of the sequence below it
  static constexpr unsigned kTimeShift = kPhaseShift + kPhaseBits;
  static constexpr std::uint64_t kSequenceHigh = (std::uint64_t{1} << kPhaseShift) - 1;
  static constexpr std::size_t kArity = 4;
  static constexpr std::uint32_t kFixed = std::uint32_t{1} << 31;  // in the place of a slot

  __extension__ using Key = unsigned __int128;
  struct Entry {
    std::uint64_t low;   // lower 32 bits of the sequence, slot
    std::uint64_t high;  // time, phase, upper part of the sequence
    [[nodiscard]] Key key() const { return Key{high} << 64 | low; }
    friend bool operator<(const Entry& a, const Entry& b) { return a.key() < b.key(); }
  };
  struct Slot {
    Payload payload;
    std::uint32_t sequence;  // lower 32 bits of the entry's; of a vacant slot: one that no entry of it has
  };

  static Entry make_entry(SimDuration since, std::uint8_t phase, std::uint64_t sequence, std::uint32_t slot) {
    return {.low = sequence << 32 | slot,
            .high = (static_cast<std::uint64_t>(since.count()) << kTimeShift) |
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

  [[nodiscard]] bool is_live(const Entry& entry) const {
    return (entry.low & kFixed) != 0 || slots_[static_cast<std::uint32_t>(entry.low)].sequence ==
                                            static_cast<std::uint32_t>(entry.low >> 32);
  }

  void remove(std::uint32_t slot) {
    vacate(slot);
    if (heap_.size() > 64 && heap_.size() > 2 * live_) compact();
    drop_cancelled();
  }

  // The first entry is that of an event to come, always.
  void drop_cancelled() {
    while (!heap_.empty() && !is_live(heap_.front())) pop_heap();
  }

  void push(Entry entry) {
    heap_.push_back(entry);
    Entry* const heap = heap_.data();
    std::size_t hole = heap_.size() - 1;
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!(entry < heap[parent])) break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = entry;
  }

  void pop_heap() {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(0, last);
  }

  void sift_down(std::size_t hole, Entry entry) {
    Entry* const heap = heap_.data();
    const std::size_t size = heap_.size();
    std::size_t first = hole * kArity + 1;
    for (; first + kArity <= size; first = hole * kArity + 1) {
      const Entry* const child = heap + first;
      const Entry* const least = lesser(lesser(child, child + 1), lesser(child + 2, child + 3));
      if (!(*least < entry)) break;
      heap[hole] = *least;
      hole = static_cast<std::size_t>(least - heap);
    }
    if (first < size && first + kArity > size) {
      const Entry* least = heap + first;
      while (++first < size) least = lesser(least, heap + first);
      if (*least < entry) {
        heap[hole] = *least;
        hole = static_cast<std::size_t>(least - heap);
      }
    }
    heap[hole] = entry;
  }

  // Which of two children comes first is anyone's guess, the processor's included: a choice, not a branch.
  // That their instants differ is a good guess.
  [[nodiscard]] static const Entry* lesser(const Entry* a, const Entry* b) {
    if (a->high == b->high) [[unlikely]]
      return b->low < a->low ? b : a;
    return a + (b - a) * static_cast<std::ptrdiff_t>(b->high < a->high);
  }

  void compact() {
    std::erase_if(heap_, [this](const Entry& entry) { return !is_live(entry); });
    for (std::size_t i = heap_.size() / kArity + 1; i-- > 0;) {
      if (i < heap_.size()) sift_down(i, heap_[i]);
    }
  }

  SimTime begin_;
  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> vacant_;
  std::uint64_t sequence_ = 0;
  std::size_t live_ = 0;
};

}  // namespace stockout
