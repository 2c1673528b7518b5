#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stockout {

/// Ways of holding capacity; each is also a row of the policy table.
enum class HeldModel : std::uint8_t { reservation, calendar, future_reservation, persistent_resource };
inline constexpr std::array<std::string_view, 4> kHeldModelNames{"reservation", "calendar",
                                                                 "future_reservation", "persistent_resource"};

}  // namespace stockout
