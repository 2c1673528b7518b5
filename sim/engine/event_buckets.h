#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/engine/event_heap.h"

namespace stockout {

/// Events of the far future: those from begin() on. They are unsorted in buckets, each for a span of time of
/// equal length, and have no order at all beyond the last. Buckets come out whole, earliest first.
///
/// When the buckets are used up, new ones are laid over what is beyond them, eight or more for each event, so
/// that at least the earlier half of the events goes into them. So an event is looked at a few times before
/// it comes out, however the times are spread; at worst many of them come out in one bucket.
class EventBuckets {
 public:
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return filed_ + beyond_.size(); }
  /// Milliseconds; beyond all times while there is nothing in it and nobody said otherwise.
  [[nodiscard]] std::int64_t begin() const { return begin_; }

  /// `entry` is not before begin().
  void add(const EventEntry& entry) {
    const std::uint64_t bucket = bucket_of(entry);
    bucket < heads_.size() ? file(bucket, entry) : beyond_.push_back(entry);
  }

  /// There is nothing in it: it begins at `time` from now on.
  void begin_at(std::int64_t time) {
    base_ = begin_ = time;
    next_ = 0;
  }
  /// There is nothing in it: there are `entries` from now on. It begins when the first of them are taken out.
  void assign(std::vector<EventEntry> entries) { beyond_ = std::move(entries); }

  /// Takes out the earliest ones, if there are any: calls take(entry) for each.
  template <typename Take>
  void take_first(Take take) {
    if (filed_ == 0) {
      if (beyond_.size() <= kFew) return take_beyond(take);
      lay_out();
    }
    next_ = first_filed();
    take_bucket(next_++, take);
    begin_ = base_ + (static_cast<std::int64_t>(next_) << shift_);
  }

  /// Takes out all entries, in no order.
  [[nodiscard]] std::vector<EventEntry> take_all() {
    while (filed_ > 0) {
      next_ = first_filed();
      take_bucket(next_, [this](const EventEntry& entry) { beyond_.push_back(entry); });
    }
    return std::exchange(beyond_, {});
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t kFew = 8;  // are not worth a layout
  static constexpr std::size_t kLeastBuckets = 4'096;
  static constexpr std::size_t kWord = 64;

  // An entry in a bucket's list.
  struct Node {
    EventEntry entry;
    std::uint32_t next;
  };

  // Beyond the last, if there is none.
  [[nodiscard]] std::uint64_t bucket_of(const EventEntry& entry) const {
    return static_cast<std::uint64_t>(entry.time() - base_) >> shift_;
  }

  void file(std::uint64_t bucket, const EventEntry& entry) {
    const std::uint64_t bit = std::uint64_t{1} << bucket % kWord;
    std::uint64_t& word = used_[bucket / kWord];
    const std::uint32_t behind = (word & bit) != 0 ? heads_[bucket] : kNone;
    word |= bit;
    heads_[bucket] = add_node({.entry = entry, .next = behind});
    ++filed_;
  }

  std::uint32_t add_node(const Node& node) {
    if (free_ == kNone) {
      nodes_.push_back(node);
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t place = free_;
    free_ = nodes_[place].next;
    nodes_[place] = node;
    return place;
  }

  // The first bucket from next_ on that is not empty. There is one.
  [[nodiscard]] std::size_t first_filed() const {
    std::size_t word = next_ / kWord;
    std::uint64_t bits = used_[word] & ~std::uint64_t{0} << next_ % kWord;
    while (bits == 0) bits = used_[++word];
    return word * kWord + static_cast<std::size_t>(std::countr_zero(bits));
  }

  template <typename Take>
  void take_bucket(std::size_t bucket, Take take) {
    used_[bucket / kWord] &= ~(std::uint64_t{1} << bucket % kWord);
    for (std::uint32_t place = heads_[bucket]; place != kNone;) {
      Node& node = nodes_[place];
      take(node.entry);
      --filed_;
      const std::uint32_t next = node.next;
      node.next = free_;
      free_ = place;
      place = next;
    }
  }

  template <typename Take>
  void take_beyond(Take take) {
    std::int64_t begin = beyond_.empty() ? kOpen : 0;
    for (const EventEntry& entry : beyond_) {
      take(entry);
      begin = std::max(begin, entry.time() + 1);
    }
    beyond_.clear();
    begin_at(begin);
  }

  // Buckets for what is beyond the last, all of which are empty: so wide that half of them hold the earlier
  // half of the events.
  void lay_out() {
    const std::size_t count = beyond_.size();
    const auto middle = beyond_.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::ranges::nth_element(beyond_, middle, {}, &EventEntry::time);
    begin_at(std::min_element(beyond_.begin(), middle)->time());
    const auto span = static_cast<std::uint64_t>(middle->time() - base_);
    shift_ = static_cast<unsigned>(std::bit_width(span / (4 * count)));
    const std::size_t buckets = std::max(kLeastBuckets, std::bit_ceil(8 * count));
    heads_.resize(buckets);
    used_.resize(buckets / kWord);
    std::erase_if(beyond_, [this](const EventEntry& entry) {
      const std::uint64_t bucket = bucket_of(entry);
      if (bucket >= heads_.size()) return false;
      file(bucket, entry);
      return true;
    });
  }

  std::int64_t begin_ = kOpen;
  std::int64_t base_ = 0;             // where the first bucket begins
  unsigned shift_ = 0;                // a bucket holds 2^shift_ ms
  std::size_t next_ = 0;              // the bucket that begins at begin_
  std::vector<std::uint32_t> heads_;  // by bucket: its first node, where used_ says that it has one
  std::vector<std::uint64_t> used_;   // a bit for each bucket
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;      // the first of the nodes that are not in use
  std::size_t filed_ = 0;           // entries in buckets
  std::vector<EventEntry> beyond_;  // the last bucket
};

}  // namespace stockout
