#include "models/supply/waiting_queue.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr WaitingKey kNobody{.rank = std::numeric_limits<std::int64_t>::max(),
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

WaitingQueue::WaitingQueue(Discipline discipline, std::int64_t ageing_ppm)
    : discipline_{discipline}, ageing_ppm_{ageing_ppm} {
  grow(1);
}

bool WaitingQueue::is_strict() const {
  return discipline_ == Discipline::fifo || discipline_ == Discipline::shortest;
}

void WaitingQueue::grow(std::size_t sizes) {
  const std::size_t leaves = std::bit_ceil(sizes);
  sizes_.resize(leaves);
  tree_.assign(2 * leaves, Entry{.key = kNobody});
  for (std::size_t i = 0; i < leaves; ++i) {
    if (!sizes_[i].waiting.empty()) tree_[leaves + i] = sizes_[i].waiting.front();
  }
  for (std::size_t i = leaves; i-- > 1;) tree_[i] = std::min(tree_[2 * i], tree_[2 * i + 1]);
}

std::int64_t WaitingQueue::rank(GpuCount gpus, SimTime at, SimDuration estimate) const {
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

WaitingKey WaitingQueue::enter(std::uint32_t id, GpuCount gpus, SimTime at, SimDuration estimate) {
  const WaitingKey key{.rank = rank(gpus, at, estimate), .order = order_++};
  const Entry entry{.key = key, .id = id};
  if (lone_) file(static_cast<std::size_t>(lone_gpus_.count()), *std::exchange(lone_, std::nullopt));
  if (size_ == 0) {
    lone_ = entry;
    lone_gpus_ = gpus;
  } else {
    file(static_cast<std::size_t>(gpus.count()), entry);
  }
  ++size_;
  return key;
}

void WaitingQueue::file(std::size_t size, const Entry& entry) {
  if (size >= sizes_.size()) grow(size + 1);
  push_least(sizes_[size].waiting, entry);
  if (sizes_[size].waiting.front().key == entry.key) update(size);
}

std::optional<std::uint32_t> WaitingQueue::first_of_sizes(GpuCount room) const {
  if (room < GpuCount{0}) return std::nullopt;
  const std::size_t leaves = tree_.size() / 2;
  const auto most = static_cast<std::size_t>(std::min<std::int64_t>(room.count(), std::ssize(sizes_) - 1));
  Entry best{.key = kNobody};
  // The least of leaves 0 to `most`: climb from the right end, taking every left sibling on the way.
  std::size_t node = leaves + most;
  best = tree_[node];
  for (; node > 1; node /= 2) {
    if (node % 2 == 1) best = std::min(best, tree_[node - 1]);
  }
  if (best.key == kNobody) return std::nullopt;
  if (is_strict() && tree_[1].key < best.key) return std::nullopt;  // the head does not fit and blocks
  return best.id;
}

void WaitingQueue::leave(GpuCount gpus, WaitingKey key) {
  STOCKOUT_CHECK(size_ > 0);
  --size_;
  if (lone_) {
    lone_.reset();
    return;
  }
  const auto at = static_cast<std::size_t>(gpus.count());
  Size& size = sizes_[at];
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
  update(at);
}

void WaitingQueue::update(std::size_t size) {
  std::size_t node = tree_.size() / 2 + size;
  tree_[node] = sizes_[size].waiting.empty() ? Entry{.key = kNobody} : sizes_[size].waiting.front();
  for (node /= 2; node >= 1; node /= 2) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
}

}  // namespace stockout
