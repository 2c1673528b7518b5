#pragma once

#include <cstdint>

#include "sim/core/ids.h"

namespace stockout {

/// Places in the tables of a run, used again once their record is gone: of a job, a request, a lease, the
/// machines of a partial lease, the leases of a gang that is spread, the work of a lease that begins anew,
/// the spent tries of a job. One never passes for another.
enum class JobSlot : std::uint32_t {};
enum class RequestSlot : std::uint32_t {};
enum class LeaseSlot : std::uint32_t {};
enum class GangSlot : std::uint32_t {};
enum class SpreadSlot : std::uint32_t {};
enum class PastWorkSlot : std::uint32_t {};
enum class TriesSlot : std::uint32_t {};

inline constexpr JobSlot kNoJob{~std::uint32_t{0}};
inline constexpr RequestSlot kNoRequest{~std::uint32_t{0}};
inline constexpr LeaseSlot kNoLease{~std::uint32_t{0}};
inline constexpr GangSlot kNoGang{~std::uint32_t{0}};
inline constexpr SpreadSlot kNoSpread{~std::uint32_t{0}};
inline constexpr PastWorkSlot kNoPastWork{~std::uint32_t{0}};
inline constexpr TriesSlot kNoTries{~std::uint32_t{0}};
/// How the request of a plain job is named in a pool's queue: by the job.
inline constexpr std::uint32_t kFlightBit = std::uint32_t{1} << 31;
[[nodiscard]] constexpr bool is_flight(RequestSlot slot) {
  return slot != kNoRequest && (static_cast<std::uint32_t>(slot) & kFlightBit) != 0;
}
[[nodiscard]] constexpr JobSlot flight_of(RequestSlot slot) {
  return JobSlot{static_cast<std::uint32_t>(slot) & ~kFlightBit};
}
[[nodiscard]] constexpr RequestSlot request_of(JobSlot flight) {
  return RequestSlot{static_cast<std::uint32_t>(flight) | kFlightBit};
}

/// A lease that is no held pool's own.
inline constexpr PoolId kNoPool{0xffff};

}  // namespace stockout
