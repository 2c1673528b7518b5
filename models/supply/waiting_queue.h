#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "models/supply/pool.h"
#include "sim/core/check.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// The place of a request in a queue. Smaller goes first. Constant while the request waits.
struct WaitingKey {
  // By discipline: the time of entry, the run-time estimate, the size, or both of the first. A priority is in
  // the bits above.
  std::int64_t rank = 0;
  std::uint64_t order = 0;  // order of entry; no two requests of a queue share it
  friend auto operator<=>(const WaitingKey&, const WaitingKey&) = default;
};

/// Requests that wait for one pool, in the order of its discipline.
///
/// Requests of one size stand in a heap of their own; a binary tree over the bits of the sizes that have come
/// knows the first of all that need at most n GPUs. So the next to grant is found in O(log n), however many
/// wait. Withdrawn requests stay behind in their heap until they come to its top. A request that is alone in
/// the queue, as most are that need not wait, stands outside of all this. First come first served needs none
/// of it: it is a line of which only the head counts.
class WaitingQueue {
 public:
  /// `ageing_ppm`: see Pool; for shortest_ageing only. `by_priority`: whether requests may have priorities.
  explicit WaitingQueue(Discipline discipline, std::int64_t ageing_ppm = 0, bool by_priority = false);

  /// `gpus` at least 0. `id` is what first() gives back. Returns the key, needed to withdraw.
  WaitingKey enter(std::uint32_t id, GpuCount gpus, SimTime at, SimDuration estimate) {
    return enter_as(static_cast<std::uint64_t>(gpus.count()), id, gpus, at, estimate);
  }

  /// Where it takes more than GPUs to fit: requests of one `kind` fit or do not fit alike. In a queue all
  /// enter in one of the two ways, and leave as they entered. All of a higher `priority`, from -kMostPriority
  /// to kMostPriority, come before all others; 0 unless the queue is by_priority.
  WaitingKey enter_as(std::uint64_t kind, std::uint32_t id, GpuCount gpus, SimTime at, SimDuration estimate,
                      std::int32_t priority = 0) {
    if (!is_line_) return enter_sizes(kind, id, gpus, rank(gpus, at, estimate, priority));
    line_.push_back({.id = id, .gpus = gpus});
    ++size_;
    return {.rank = at.time_since_epoch().count(), .order = order_++};
  }

  /// The result of first() if nobody waits.
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  /// The request that the discipline would grant with `room` GPUs free, or kNobody.
  [[nodiscard]] std::uint32_t first(GpuCount room) const {
    if (size_ == 0) return kNobody;
    if (is_line_) return line_.front().gpus <= room ? line_.front().id : kNobody;
    if (room < smallest_) return kNobody;
    if (is_lone_) return lone_gpus_ <= room ? lone_.id : kNobody;
    return first_of_sizes(room);
  }

  /// The request that the discipline would grant, given that those fit of which `fits(id)` says so. It is
  /// asked of the first of each kind at most.
  template <typename Fits>
  [[nodiscard]] std::uint32_t first_that(Fits fits) const;

  /// Takes a waiting request out: granted, expired, or withdrawn.
  void leave(GpuCount gpus, WaitingKey key) { leave_as(static_cast<std::uint64_t>(gpus.count()), key); }
  void leave_as(std::uint64_t kind, WaitingKey key) {
    STOCKOUT_CHECK(size_ > 0);
    --size_;
    is_line_ ? leave_line(key.order) : leave_sizes(kind, key);
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Entry {
    WaitingKey key;
    std::uint32_t id = 0;
    friend bool operator<(const Entry& a, const Entry& b) { return a.key < b.key; }
  };
  struct Size {
    std::vector<Entry> waiting;         // a min-heap
    std::vector<WaitingKey> withdrawn;  // a min-heap: keys still in `waiting` that are gone
  };

  // A place in the line; kNobody: its request was withdrawn.
  struct Standing {
    std::uint32_t id = 0;
    GpuCount gpus{};
  };

  void leave_line(std::uint64_t order) {
    line_[order - (order_ - line_.size())].id = kNobody;
    while (!line_.empty() && line_.front().id == kNobody) line_.pop_front();
  }
  WaitingKey enter_sizes(std::uint64_t kind, std::uint32_t id, GpuCount gpus, std::int64_t rank);
  void leave_sizes(std::uint64_t kind, WaitingKey key);
  [[nodiscard]] std::uint32_t first_of_sizes(GpuCount room) const;
  [[nodiscard]] bool is_strict() const;
  [[nodiscard]] std::int64_t rank(GpuCount gpus, SimTime at, SimDuration estimate,
                                  std::int32_t priority) const;
  [[nodiscard]] std::int64_t rank_in_priority(GpuCount gpus, SimTime at, SimDuration estimate) const;
  void file(std::uint64_t kind, const Entry& entry);
  [[nodiscard]] Size& size_of(std::uint64_t kind);
  void update_path(const Entry& first);

  // Sizes from which the upper bits are the same, by their next bit. Below the last bit: one size.
  struct Node {
    Entry least;  // the first of all that stand here
    std::array<std::uint32_t, 2> child{kNone, kNone};
    std::uint32_t size = kNone;  // where in sizes_, if this is a leaf
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t add_node();
  [[nodiscard]] Entry least_of(std::uint32_t node) const;

  Discipline discipline_;
  std::int64_t ageing_ppm_;
  bool is_line_;               // first come first served
  std::deque<Standing> line_;  // then: from order_ - line_.size() on; whoever is first waits
  bool is_lone_ = false;
  Entry lone_;  // if so: the only request in the queue, not filed
  std::uint64_t lone_kind_ = 0;
  GpuCount lone_gpus_{};
  std::vector<Size> sizes_;
  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
  unsigned bits_ = 0;                                            // of the sizes under root_
  std::vector<std::uint32_t> path_;                              // from root_ to the leaf last looked up
  GpuCount smallest_{std::numeric_limits<std::int64_t>::max()};  // that ever entered
  std::uint64_t order_ = 0;
  std::size_t size_ = 0;
};

template <typename Fits>
std::uint32_t WaitingQueue::first_that(Fits fits) const {
  if (size_ == 0) return kNobody;
  if (is_line_) return fits(line_.front().id) ? line_.front().id : kNobody;
  if (is_lone_ || is_strict()) {
    const Entry& head = is_lone_ ? lone_ : nodes_[root_].least;
    return fits(head.id) ? head.id : kNobody;
  }
  const Entry* best = nullptr;
  for (const Size& size : sizes_) {
    if (size.waiting.empty()) continue;
    const Entry& head = size.waiting.front();
    if ((best == nullptr || head < *best) && fits(head.id)) best = &head;
  }
  return best == nullptr ? kNobody : best->id;
}

}  // namespace stockout
