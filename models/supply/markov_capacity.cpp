#include "models/supply/markov_capacity.h"

namespace stockout {

std::span<const double> MarkovCapacity::row(std::size_t hour, std::size_t from) const {
  const std::size_t n = states();
  const std::size_t matrix = hours() == 1 ? 0 : hour;
  return std::span{rows}.subspan((matrix * n + from) * n, n);
}

std::size_t hour_of_day(SimDuration since_midnight) {
  constexpr SimDuration kDay = std::chrono::hours{24};
  const SimDuration in_day = (since_midnight % kDay + kDay) % kDay;
  return static_cast<std::size_t>(in_day / std::chrono::hours{1});
}

std::uint64_t entity_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace stockout
