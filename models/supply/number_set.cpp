#include "models/supply/number_set.h"

#include <algorithm>
#include <bit>

namespace stockout {

NumberSet::NumberSet(std::size_t bound) {
  do {
    bound = std::max<std::size_t>(1, (bound + kBits - 1) / kBits);
    levels_.emplace_back(bound);
  } while (bound > 1);
}

void NumberSet::insert(std::size_t number) {
  for (auto& level : levels_) {
    std::uint64_t& word = level[number / kBits];
    const bool was_there = word != 0;
    word |= std::uint64_t{1} << (number % kBits);
    if (was_there) return;
    number /= kBits;
  }
}

void NumberSet::erase(std::size_t number) {
  for (auto& level : levels_) {
    std::uint64_t& word = level[number / kBits];
    word &= ~(std::uint64_t{1} << (number % kBits));
    if (word != 0) return;
    number /= kBits;
  }
}

std::size_t NumberSet::next(std::size_t from) const {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t word = from / kBits;
    if (word >= levels_[level].size()) return kNone;
    const std::uint64_t rest = levels_[level][word] >> (from % kBits);
    if (rest != 0) {
      from += static_cast<std::size_t>(std::countr_zero(rest));
      while (level-- > 0) {
        from = from * kBits + static_cast<std::size_t>(std::countr_zero(levels_[level][from]));
      }
      return from;
    }
    from = word + 1;
  }
  return kNone;
}

}  // namespace stockout
