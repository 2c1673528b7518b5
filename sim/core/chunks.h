#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace stockout {

/// A list that only grows, in chunks of `kChunk` items: no item ever moves, and memory in use is never copied
/// to grow. A new item holds nothing in particular until it is assigned.
template <typename Item, std::size_t kChunk>
class Chunks {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_default_constructible_v<Item>);

 public:
  Item& add() {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Item[]>(kChunk));
    return chunks_.back()[size_++ % kChunk];
  }

  Item& operator[](std::uint64_t number) { return chunks_[number / kChunk][number % kChunk]; }
  const Item& operator[](std::uint64_t number) const { return chunks_[number / kChunk][number % kChunk]; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_ = 0;
  std::vector<std::unique_ptr<Item[]>> chunks_;
};

}  // namespace stockout
