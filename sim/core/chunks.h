#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace stockout {

/// A list that only grows, in chunks of `kChunk` items: no item ever moves, and memory in use is never copied
/// to grow. A new item holds nothing in particular until it is assigned. That may be later and in another
/// order: the memory of items to come is asked for beforehand, since nobody could guess which is next.
///
/// Chunks that are done with are kept by the thread for its next lists, up to 32 MiB: runs follow one
/// another, and fresh memory from the system would cost more than what is written into it.
template <typename Item, std::size_t kChunk>
class Chunks {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_default_constructible_v<Item>);

 public:
  Chunks() = default;
  Chunks(Chunks&& other) noexcept
      : size_{std::exchange(other.size_, 0)}, chunks_{std::exchange(other.chunks_, {})} {}
  Chunks& operator=(Chunks&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(chunks_, other.chunks_);
    return *this;
  }
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;
  ~Chunks() {
    Spare& kept = spare();
    for (Chunk& chunk : chunks_) {
      if (kept.count < kMostSpare) kept.chunks[kept.count++] = std::move(chunk);
    }
  }

  Item& add() {
    const std::size_t place = size_ % kChunk;
    if (place == 0) add_chunk();
    ++size_;
    Item* const chunk = chunks_.back().get();
    __builtin_prefetch(chunk + std::min(place + kAhead, kChunk - 1), 1);
    return chunk[place];
  }

  Item& operator[](std::uint64_t number) { return chunks_[number / kChunk][number % kChunk]; }
  const Item& operator[](std::uint64_t number) const { return chunks_[number / kChunk][number % kChunk]; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  using Chunk = std::unique_ptr<Item[]>;
  static constexpr std::size_t kAhead = 512 / sizeof(Item) + 1;
  static constexpr std::size_t kMostSpare = (std::size_t{32} << 20) / (sizeof(Item) * kChunk);

  // An array, since nothing may fail where a list is done with for want of memory.
  struct Spare {
    std::array<Chunk, kMostSpare> chunks;
    std::size_t count = 0;
  };

  static Spare& spare() {
    thread_local Spare kept;
    return kept;
  }
  void add_chunk() {
    Spare& kept = spare();
    chunks_.push_back(kept.count == 0 ? std::make_unique_for_overwrite<Item[]>(kChunk)
                                      : std::move(kept.chunks[--kept.count]));
  }

  std::uint64_t size_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace stockout
