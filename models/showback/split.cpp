#include "models/showback/split.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sim/core/check.h"

namespace stockout {
namespace {

__extension__ using Wide = __int128;

// The places of the `count` largest; of equal ones the first.
template <typename Value>
std::vector<std::size_t> largest(const std::vector<Value>& values, std::size_t count) {
  STOCKOUT_CHECK(count <= values.size());
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  if (count < places.size())
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end(),
                     before);
  places.resize(count);
  return places;
}

}  // namespace

std::vector<MachineTime> split(MachineTime total, std::span<const MachineTime> weights) {
  std::vector<MachineTime> parts(weights.size());
  Wide sum = 0;
  for (const MachineTime weight : weights) sum += weight.count();
  STOCKOUT_CHECK(total >= MachineTime{} && (total == MachineTime{} || sum > 0));
  if (total == MachineTime{}) return parts;
  std::vector<Wide> rests;
  MachineTime left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Wide share = Wide{total.count()} * weights[i].count();
    parts[i] = MachineTime{static_cast<std::int64_t>(share / sum)};
    rests.push_back(share % sum);
    left -= parts[i];
  }
  for (const std::size_t i : largest(rests, static_cast<std::size_t>(left.count())))
    parts[i] += MachineTime{1};
  return parts;
}

std::vector<Money> in_nano_dollars(std::span<const Money> amounts) {
  Money sum;
  for (const Money amount : amounts) sum += amount;
  const Money rest = sum.below_nano_dollar();
  Money rounded = sum - rest;
  if (rest + rest >= kNanoDollar) rounded += kNanoDollar;
  return in_nano_dollars(amounts, rounded);
}

std::vector<Money> in_nano_dollars(std::span<const Money> amounts, Money sum) {
  std::vector<Money> whole;
  std::vector<Money> rests;
  Money left = sum;
  for (const Money amount : amounts) {
    rests.push_back(amount.below_nano_dollar());
    whole.push_back(amount - rests.back());
    left -= whole.back();
  }
  STOCKOUT_CHECK(left >= Money{} && left.below_nano_dollar() == Money{});
  std::size_t count = 0;
  for (; left > Money{}; left -= kNanoDollar) ++count;
  for (const std::size_t i : largest(rests, count)) whole[i] += kNanoDollar;
  return whole;
}

}  // namespace stockout
