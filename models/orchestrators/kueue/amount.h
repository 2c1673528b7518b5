#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>

namespace stockout::kueue {

/// How much of a resource: thousandths of a CPU, else whole units (bytes, GPUs, pods). The largest value
/// means "unlimited" and stays so in sums; what is limited saturates just below it, so that no sum wraps
/// around.
class Amount {
 public:
  constexpr Amount() = default;
  constexpr explicit Amount(std::int64_t count) : count_{count} {}

  static constexpr Amount unlimited() { return Amount{std::numeric_limits<std::int64_t>::max()}; }
  /// A pod's request is never unlimited, however large.
  static constexpr Amount request(std::int64_t count) { return bounded(count); }

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  [[nodiscard]] constexpr bool is_unlimited() const { return *this == unlimited(); }

  friend constexpr auto operator<=>(Amount, Amount) = default;
  friend constexpr Amount operator+(Amount a, Amount b) {
    if (a.is_unlimited() || b.is_unlimited()) return unlimited();
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a.count_, b.count_, &sum)) return bounded(sum);
    return a.count_ > 0 ? bounded(kMost) : lowest();
  }
  /// Unlimited less unlimited is nothing.
  friend constexpr Amount operator-(Amount a, Amount b) {
    if (a.is_unlimited()) return b.is_unlimited() ? Amount{} : unlimited();
    if (b.is_unlimited()) return lowest();
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a.count_, b.count_, &difference)) return bounded(difference);
    return a.count_ > 0 ? bounded(kMost) : lowest();
  }
  /// Of a request; `times` is not negative.
  friend constexpr Amount operator*(Amount a, std::int64_t times) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a.count_, times, &product)) return bounded(product);
    return a.count_ > 0 ? bounded(kMost) : lowest();
  }
  constexpr Amount& operator+=(Amount b) { return *this = *this + b; }
  constexpr Amount& operator-=(Amount b) { return *this = *this - b; }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  static constexpr Amount bounded(std::int64_t count) { return Amount{std::min(count, kMost - 1)}; }
  static constexpr Amount lowest() { return Amount{std::numeric_limits<std::int64_t>::min()}; }

  std::int64_t count_ = 0;
};

}  // namespace stockout::kueue
