#pragma once

#include <cstdint>
#include <vector>

namespace stockout::bench {

/// A time and a number: 16 bytes. Ordered by time alone, which is all that a bare loop needs.
struct HeapEntry {
  std::int64_t time = 0;
  std::uint64_t number = 0;

  friend bool operator<(const HeapEntry& a, const HeapEntry& b) { return a.time < b.time; }
  friend bool operator>(const HeapEntry& a, const HeapEntry& b) { return b < a; }
};

/// The plainest fast priority queue: a 4-ary heap of entries, no handles, no cancelling. The yardstick of the
/// limit.
class FourAryHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const HeapEntry& top() const { return entries_.front(); }

  void push(HeapEntry entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!(entry < entries_[parent])) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  void pop() {
    const HeapEntry last = entries_.back();
    entries_.pop_back();
    if (entries_.empty()) return;
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    for (std::size_t first = 1; first < size; first = hole * kArity + 1) {
      std::size_t least = first;
      const std::size_t end = first + kArity < size ? first + kArity : size;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child] < entries_[least]) least = child;
      }
      if (!(entries_[least] < last)) break;
      entries_[hole] = entries_[least];
      hole = least;
    }
    entries_[hole] = last;
  }

 private:
  static constexpr std::size_t kArity = 4;
  std::vector<HeapEntry> entries_;
};

}  // namespace stockout::bench
