#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/four_ary_heap.h"

namespace stockout::bench {

/// A one-level ladder queue: unsorted buckets of about two events, each sorted when time reaches it, and an
/// unsorted rest beyond the last bucket, spread over new buckets when they are used up. Written for
/// comparison only: no cancelling, and many events at one instant end up in one bucket.
class Ladder {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] const HeapEntry& top() {
    while (current_.empty()) advance();
    return current_.back();
  }

  void push(HeapEntry entry) {
    ++size_;
    if (entry.time < current_end_) {
      current_.insert(std::upper_bound(current_.begin(), current_.end(), entry, std::greater<>{}), entry);
    } else if (entry.time < range_end_) {
      put(entry);
    } else {
      rest_.push_back(entry);
    }
  }

  void pop() {
    (void)top();
    current_.pop_back();
    --size_;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::int64_t kPerBucket = 2;
  struct Node {
    HeapEntry entry;
    std::uint32_t next = kNone;
  };

  void put(HeapEntry entry) {
    std::uint32_t& head = heads_[static_cast<std::size_t>((entry.time - base_) / width_)];
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {.entry = entry, .next = head};
    head = node;
  }

  void advance() {
    if (next_bucket_ == heads_.size()) spread();
    std::uint32_t node = heads_[next_bucket_];
    heads_[next_bucket_++] = kNone;
    current_end_ = base_ + width_ * static_cast<std::int64_t>(next_bucket_);
    while (node != kNone) {
      current_.push_back(nodes_[node].entry);
      const std::uint32_t next = nodes_[node].next;
      nodes_[node].next = free_;
      free_ = node;
      node = next;
    }
    std::sort(current_.begin(), current_.end(), std::greater<>{});
  }

  /// New buckets from the end of the old ones on, as wide as makes them hold about two events where they are
  /// dense.
  void spread() {
    const auto count = static_cast<std::int64_t>(rest_.size());
    base_ = std::min_element(rest_.begin(), rest_.end())->time;
    double sum = 0;
    for (const HeapEntry& entry : rest_) sum += static_cast<double>(entry.time - base_);
    width_ = std::max<std::int64_t>(
        1, kPerBucket * static_cast<std::int64_t>(sum / static_cast<double>(count)) / count);
    heads_.assign(rest_.size() + 1, kNone);
    next_bucket_ = 0;
    range_end_ = base_ + width_ * static_cast<std::int64_t>(heads_.size());
    const auto near = std::partition(rest_.begin(), rest_.end(),
                                     [this](const HeapEntry& entry) { return entry.time >= range_end_; });
    std::for_each(near, rest_.end(), [this](const HeapEntry& entry) { put(entry); });
    rest_.erase(near, rest_.end());
  }

  std::vector<HeapEntry> current_;  // of the bucket time is in, latest first
  std::vector<std::uint32_t> heads_;
  std::vector<Node> nodes_;
  std::vector<HeapEntry> rest_;
  std::uint32_t free_ = kNone;
  std::size_t next_bucket_ = 0;
  std::size_t size_ = 0;
  std::int64_t base_ = 0;
  std::int64_t width_ = 1;
  std::int64_t current_end_ = 0;
  std::int64_t range_end_ = 0;
};

}  // namespace stockout::bench
