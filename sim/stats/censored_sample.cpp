#include "sim/stats/censored_sample.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"

namespace stockout {
namespace {

// The rank of the q-quantile among n, from 1. The product of q and n may come out a hair above the whole
// number it stands for (0.07 * 100 = 7.000000000000001), which must not cost a rank.
std::size_t rank_of(double q, std::size_t n) {
  const double product = q * static_cast<double>(n);
  const double nearest = std::round(product);
  const double exact = std::abs(product - nearest) < 1e-9 * std::max(1.0, product) ? nearest : product;
  return std::clamp(static_cast<std::size_t>(std::ceil(exact)), std::size_t{1}, n);
}

}  // namespace

void CensoredSample::add(SimDuration length) {
  STOCKOUT_CHECK(length >= SimDuration::zero());
  ended_.push_back(length);
  sorted_ = false;
}

void CensoredSample::add_censored(SimDuration seen) {
  STOCKOUT_CHECK(seen >= SimDuration::zero());
  censored_.push_back(seen);
  sorted_ = false;
}

void CensoredSample::sort() const {
  if (sorted_) return;
  std::sort(ended_.begin(), ended_.end());
  std::sort(censored_.begin(), censored_.end());
  sorted_ = true;
}

KnownDuration CensoredSample::quantile(double q) const {
  STOCKOUT_CHECK(size() > 0 && q >= 0 && q <= 1);
  sort();
  const std::size_t rank = rank_of(q, size());
  if (rank <= ended_.size()) return {.value = ended_[rank - 1], .at_least = false};
  const SimDuration seen = censored_[rank - ended_.size() - 1];
  return {.value = ended_.empty() ? seen : std::max(seen, ended_.back()), .at_least = true};
}

double CensoredSample::mean_ms() const {
  STOCKOUT_CHECK(size() > 0);
  __extension__ using Wide = __int128;  // ten million waits of 30 years do not fit 64 bits
  Wide sum = 0;
  for (const SimDuration length : ended_) sum += length.count();
  for (const SimDuration seen : censored_) sum += seen.count();
  return static_cast<double>(sum) / static_cast<double>(size());
}

}  // namespace stockout
