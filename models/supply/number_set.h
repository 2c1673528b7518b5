#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace stockout {

/// A set of numbers below a bound. Finds the next of them in O(log bound), with 64 branches at each level:
/// three levels for 262,144 numbers.
class NumberSet {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit NumberSet(std::size_t bound);

  /// `number` is below the bound. Twice is like once.
  void insert(std::size_t number);
  void erase(std::size_t number);

  /// The least number in the set that is not below `from`; kNone if there is none.
  [[nodiscard]] std::size_t next(std::size_t from) const;

 private:
  static constexpr std::size_t kBits = 64;

  // A bit for each number; above, a bit for each word of the level below that is not 0.
  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace stockout
