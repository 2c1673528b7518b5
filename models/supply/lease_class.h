#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stockout {

/// The class of a lease on a zone pool, strongest first. Only a spot lease yields, to a stronger request or
/// to falling capacity; the other three run undisturbed once granted.
enum class LeaseClass : std::uint8_t { reserved, on_demand, flex, spot };
inline constexpr std::size_t kLeaseClasses = 4;
inline constexpr std::array<std::string_view, kLeaseClasses> kLeaseClassNames{"reserved", "on_demand", "flex",
                                                                              "spot"};

}  // namespace stockout
