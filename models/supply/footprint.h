#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

namespace stockout {

/// The machines of a lease are placed near one another (pools with Placement only).
enum class Compact : std::uint8_t {
  no,
  block,       // all in one block of hosts
  neighbours,  // in one block, or else in two adjacent ones
};
inline constexpr std::array<std::string_view, 3> kCompactNames{"no", "block", "neighbours"};

/// Machines of one size.
struct MachineGroup {
  std::int32_t machines = 0;
  std::int32_t gpus = 0;  // of one machine
  friend auto operator<=>(const MachineGroup&, const MachineGroup&) = default;
};

/// Footprint of a lease on hosts: machines of the first group, then those of the second.
struct Footprint {
  std::array<MachineGroup, 2> groups{};
  Compact compact = Compact::no;
  friend auto operator<=>(const Footprint&, const Footprint&) = default;
};

/// GPUs of one lease on one host.
struct HostShare {
  std::int32_t host = 0;
  std::int32_t gpus = 0;
  friend bool operator==(const HostShare&, const HostShare&) = default;
};

}  // namespace stockout
