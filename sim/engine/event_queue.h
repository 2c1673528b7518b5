#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/time.h"

namespace stockout {

/// Names one pending event, so that it can be cancelled. Safe to hold after the event has fired.
struct EventHandle {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t generation = 0;
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
    const std::uint32_t slot = occupy(payload);
    push(make_entry(std::min(at - begin_, kLongestRun), phase, sequence_++, slot));
    ++live_;
    return {.slot = slot, .generation = slots_[slot].generation};
  }

  /// False if the event has already fired or been cancelled.
  bool cancel(EventHandle handle) {
    if (handle.slot >= slots_.size() || slots_[handle.slot].generation != handle.generation) return false;
    vacate(handle.slot);
    --live_;
    front_is_live_ = false;  // it may have been the first
    if (heap_.size() > 64 && heap_.size() > 2 * live_) compact();
    return true;
  }

  /// Time of the earliest event, kNever if there is none.
  [[nodiscard]] SimTime next_time() {
    skip_cancelled();
    return heap_.empty() ? kNever
                         : begin_ + SimDuration{static_cast<std::int64_t>(heap_.front().high >> kTimeShift)};
  }

  /// Whether the earliest event is at `at` in `phase`.
  [[nodiscard]] bool is_next(SimTime at, std::uint8_t phase) {
    skip_cancelled();
    if (heap_.empty()) return false;
    const auto key = (static_cast<std::uint64_t>((at - begin_).count()) << kPhaseBits) | phase;
    return heap_.front().high >> kPhaseShift == key;
  }

  /// Takes out the earliest event. There must be one: call next_time() or is_next() first.
  Payload pop() {
    skip_cancelled();
    STOCKOUT_CHECK(!heap_.empty());
    const auto slot = static_cast<std::uint32_t>(heap_.front().low);
    const Payload payload = slots_[slot].payload;
    vacate(slot);
    --live_;
    pop_heap();
    front_is_live_ = false;
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

  struct Entry {
    std::uint64_t high;  // time, phase, upper part of the sequence
    std::uint64_t low;   // lower 32 bits of the sequence, slot
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
  };
  struct Slot {
    Payload payload;
    std::uint32_t generation = 0;
    std::uint32_t sequence =
        0;  // lower 32 bits of the entry's, to tell a cancelled entry from the slot's next
    bool live = false;
  };

  static Entry make_entry(SimDuration since, std::uint8_t phase, std::uint64_t sequence, std::uint32_t slot) {
    return {.high = (static_cast<std::uint64_t>(since.count()) << kTimeShift) |
                    (std::uint64_t{phase} << kPhaseShift) | (sequence >> 32 & kSequenceHigh),
            .low = sequence << 32 | slot};
  }

  std::uint32_t occupy(const Payload& payload) {
    std::uint32_t slot = 0;
    if (vacant_.empty()) {
      slot = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({.payload = payload});
    } else {
      slot = vacant_.back();
      vacant_.pop_back();
      slots_[slot].payload = payload;
    }
    slots_[slot].sequence = static_cast<std::uint32_t>(sequence_);
    slots_[slot].live = true;
    return slot;
  }

  void vacate(std::uint32_t slot) {
    slots_[slot].live = false;
    ++slots_[slot].generation;
    vacant_.push_back(slot);
  }

  [[nodiscard]] bool is_live(const Entry& entry) const {
    const Slot& slot = slots_[static_cast<std::uint32_t>(entry.low)];
    return slot.live && slot.sequence == static_cast<std::uint32_t>(entry.low >> 32);
  }

  void skip_cancelled() {
    if (front_is_live_) return;
    while (!heap_.empty() && !is_live(heap_.front())) pop_heap();
    front_is_live_ = !heap_.empty();
  }

  void push(Entry entry) {
    heap_.push_back(entry);
    std::size_t hole = heap_.size() - 1;
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!(entry < heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = entry;
  }

  void pop_heap() {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(0, last);
  }

  void sift_down(std::size_t hole, Entry entry) {
    const std::size_t size = heap_.size();
    for (;;) {
      const std::size_t first = hole * kArity + 1;
      if (first >= size) break;
      std::size_t least = first;
      const std::size_t end = std::min(first + kArity, size);
      for (std::size_t child = first + 1; child < end; ++child) {
        if (heap_[child] < heap_[least]) least = child;
      }
      if (!(heap_[least] < entry)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = entry;
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
  bool front_is_live_ = false;  // known to be so: nothing was popped or cancelled since it was looked at
};

}  // namespace stockout
