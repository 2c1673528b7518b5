#pragma once

#include <string>
#include <string_view>

#include "models/supply/availability.h"

namespace stockout {

/// The most samples of one series, and the most machines a sample may count.
inline constexpr std::size_t kMostSamples = std::size_t{1} << 24;
inline constexpr std::int32_t kMostSeenMachines = 1'000'000;

// One reader for each kind of file. Both fill everything but AvailabilitySeries::unsorted_rows, in the order
// of the file, and leave `tick` at 0 where the file does not state it.

[[nodiscard]] AvailabilitySeries read_availability_csv(const std::string& path,
                                                       const AvailabilityOptions& options);

[[nodiscard]] std::vector<std::string> zones_of_csv(const std::string& path);

[[nodiscard]] AvailabilitySeries read_availability_json(const std::string& path,
                                                        const AvailabilityOptions& options);

}  // namespace stockout
