#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stockout {

/// The order of a pending event: a key of 128 bits, of which the first 40 are its time.
struct EventEntry {
  static constexpr unsigned kTimeShift = 24;

  std::uint64_t low;
  std::uint64_t high;

  /// Milliseconds.
  [[nodiscard]] std::int64_t time() const { return static_cast<std::int64_t>(high >> kTimeShift); }

  __extension__ using Key = unsigned __int128;
  [[nodiscard]] Key key() const { return Key{high} << 64 | low; }
  friend bool operator<(const EventEntry& a, const EventEntry& b) { return a.key() < b.key(); }
};

/// A 4-ary heap: the least entry is at its front.
class EventHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const EventEntry& front() const { return entries_.front(); }

  void push(EventEntry entry) {
    entries_.push_back(entry);
    EventEntry* const heap = entries_.data();
    std::size_t hole = entries_.size() - 1;
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!(entry < heap[parent])) break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = entry;
  }

  void pop() {
    const EventEntry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sift_down(last);
  }

  /// Adds all entries to `entries`, in no order; none is left here.
  void move_to(std::vector<EventEntry>& entries) {
    entries.insert(entries.end(), entries_.begin(), entries_.end());
    entries_.clear();
  }

 private:
  static constexpr std::size_t kArity = 4;

  // `entry` takes the place of the front.
  void sift_down(EventEntry entry) {
    EventEntry* const heap = entries_.data();
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    std::size_t first = 1;
    for (; first + kArity <= size; first = hole * kArity + 1) {
      const EventEntry* const child = heap + first;
      const EventEntry* const least = lesser(lesser(child, child + 1), lesser(child + 2, child + 3));
      if (!(*least < entry)) break;
      heap[hole] = *least;
      hole = static_cast<std::size_t>(least - heap);
    }
    if (first < size && first + kArity > size) {
      const EventEntry* least = heap + first;
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
  [[nodiscard]] static const EventEntry* lesser(const EventEntry* a, const EventEntry* b) {
    if (a->high == b->high) [[unlikely]]
      return b->low < a->low ? b : a;
    return a + (b - a) * static_cast<std::ptrdiff_t>(b->high < a->high);
  }

  std::vector<EventEntry> entries_;
};

}  // namespace stockout
