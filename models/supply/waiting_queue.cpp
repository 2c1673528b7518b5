#include "models/supply/waiting_queue.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::int64_t kPriorityStep = std::int64_t{1} << 53;

constexpr WaitingKey kNoKey{.rank = std::numeric_limits<std::int64_t>::max(),
                            .order = std::numeric_limits<std::uint64_t>::max()};

// Floor of `entered` times `ppm` millionths.
std::int64_t aged(std::int64_t entered, std::int64_t ppm) {
  __extension__ using Wide = __int128;
  constexpr std::int64_t kMillion = 1'000'000;
  const Wide product = Wide{entered} * ppm;
  const Wide floor = product >= 0 ? product / kMillion : -((-product + kMillion - 1) / kMillion);
  return static_cast<std::int64_t>(floor);
}

template <typename Item>
void push_least(std::vector<Item>& heap, const Item& item) {
  heap.push_back(item);
  std::ranges::push_heap(heap, [](const Item& a, const Item& b) { return b < a; });
}

template <typename Item>
void pop_least(std::vector<Item>& heap) {
  std::ranges::pop_heap(heap, [](const Item& a, const Item& b) { return b < a; });
  heap.pop_back();
}

}  // namespace

WaitingQueue::WaitingQueue(Discipline discipline, std::int64_t ageing_ppm, bool by_priority)
    : discipline_{discipline},
      ageing_ppm_{ageing_ppm},
      is_line_{discipline == Discipline::fifo && !by_priority},
      root_{add_node()} {}

bool WaitingQueue::is_strict() const {
  return discipline_ == Discipline::fifo || discipline_ == Discipline::shortest;
}

std::int64_t WaitingQueue::rank(GpuCount gpus, SimTime at, SimDuration estimate,
                                std::int32_t priority) const {
  const std::int64_t within = rank_in_priority(gpus, at, estimate);
  if (priority == 0) return within;
  STOCKOUT_CHECK(std::abs(priority) <= kMostPriority);
  // Estimates that take a thousand times as long elsewhere, and times, aged: all below 2^52.
  return std::clamp(within, -kPriorityStep / 2, kPriorityStep / 2) - priority * kPriorityStep;
}

std::int64_t WaitingQueue::rank_in_priority(GpuCount gpus, SimTime at, SimDuration estimate) const {
  const std::int64_t entered = at.time_since_epoch().count();
  switch (discipline_) {
    case Discipline::fifo:
    case Discipline::first_fit:
      return entered;
    case Discipline::shortest:
    case Discipline::shortest_first_fit:
      return estimate.count();
    case Discipline::smallest:
      return gpus.count();
    case Discipline::shortest_ageing:
      return estimate.count() + aged(entered, ageing_ppm_);
  }
  return entered;
}

WaitingKey WaitingQueue::enter_sizes(std::uint64_t kind, std::uint32_t id, GpuCount gpus, std::int64_t rank) {
  const WaitingKey key{.rank = rank, .order = order_++};
  const Entry entry{.key = key, .id = id};
  if (std::exchange(is_lone_, size_ == 0)) file(lone_kind_, lone_);
  if (is_lone_) {
    lone_ = entry;
    lone_kind_ = kind;
    lone_gpus_ = gpus;
  } else {
    file(kind, entry);
  }
  smallest_ = std::min(smallest_, gpus);
  ++size_;
  return key;
}

void WaitingQueue::file(std::uint64_t kind, const Entry& entry) {
  Size& size = size_of(kind);
  push_least(size.waiting, entry);
  if (size.waiting.front().key == entry.key) update_path(entry);
}

std::uint32_t WaitingQueue::first_of_sizes(GpuCount room) const {
  if (room < GpuCount{0}) return kNobody;
  const auto most = static_cast<std::uint64_t>(room.count());
  Entry best{.key = kNoKey};
  std::uint32_t node = root_;
  // Down along the bits of `room`: all that turn off to the left need less.
  for (unsigned bit = most >> bits_ == 0 ? bits_ : 0; bit > 0 && node != kNone; --bit) {
    const bool goes_right = (most >> (bit - 1) & 1) != 0;
    if (goes_right) best = std::min(best, least_of(nodes_[node].child[0]));
    node = nodes_[node].child[goes_right ? 1 : 0];
  }
  best = std::min(best, least_of(node));
  if (best.key == kNoKey) return kNobody;
  if (is_strict() && nodes_[root_].least < best) return kNobody;  // the head does not fit and blocks
  return best.id;
}

void WaitingQueue::leave_sizes(std::uint64_t kind, WaitingKey key) {
  if (std::exchange(is_lone_, false)) return;
  Size& size = size_of(kind);
  STOCKOUT_CHECK(!size.waiting.empty());
  if (size.waiting.front().key != key) {
    push_least(size.withdrawn, key);
    return;
  }
  pop_least(size.waiting);
  while (!size.withdrawn.empty() && size.withdrawn.front() == size.waiting.front().key) {
    pop_least(size.waiting);
    pop_least(size.withdrawn);
  }
  update_path(size.waiting.empty() ? Entry{.key = kNoKey} : size.waiting.front());
}

// The heap of a size, or of another kind; path_ is the way to it. Both are made if they are not there.
WaitingQueue::Size& WaitingQueue::size_of(std::uint64_t wanted) {
  for (; wanted >> bits_ != 0; ++bits_) {
    const std::uint32_t above = add_node();
    nodes_[above].least = nodes_[root_].least;
    nodes_[above].child[0] = std::exchange(root_, above);
  }
  path_.assign(1, root_);
  for (unsigned bit = bits_; bit-- > 0;) {
    const std::uint32_t node = path_.back();
    const std::size_t side = wanted >> bit & 1;
    if (nodes_[node].child[side] == kNone) {
      const std::uint32_t below = add_node();
      nodes_[node].child[side] = below;
    }
    path_.push_back(nodes_[node].child[side]);
  }
  std::uint32_t& size = nodes_[path_.back()].size;
  if (size == kNone) {
    size = static_cast<std::uint32_t>(sizes_.size());
    sizes_.emplace_back();
  }
  return sizes_[size];
}

// The first of the size that path_ leads to has changed.
void WaitingQueue::update_path(const Entry& first) {
  nodes_[path_.back()].least = first;
  for (std::size_t i = path_.size() - 1; i-- > 0;) {
    Node& node = nodes_[path_[i]];
    node.least = std::min(least_of(node.child[0]), least_of(node.child[1]));
  }
}

std::uint32_t WaitingQueue::add_node() {
  nodes_.push_back({.least = {.key = kNoKey}});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

WaitingQueue::Entry WaitingQueue::least_of(std::uint32_t node) const {
  return node == kNone ? Entry{.key = kNoKey} : nodes_[node].least;
}

}  // namespace stockout
