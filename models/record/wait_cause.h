#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "sim/core/time.h"

namespace stockout {

/// Why a job did not work yet, from its submission on. This list is all there is: a new cause is a value here
/// and a name below. Records, timelines and tables follow.
enum class WaitCause : std::uint8_t {
  held_back,  // by its pipeline, its group, its set, or a job or array of Slurm's: it was not released
  quota,      // the provider's, or a scheduler's that jobs of no higher priority use
  borrowing,  // others have borrowed the quota that is its own queue's
  priority,   // jobs of higher priority have what it lacks, or stand before it
  back_off,   // its scheduler tries it again only later
  blocked,    // its scheduler lets nobody in until others work
  capacity,   // it may ask, and no machines are there
  start_up,   // it has machines, or had some, and did not work yet
};
inline constexpr std::size_t kWaitCauses = 8;
inline constexpr std::array<std::string_view, kWaitCauses> kWaitCauseNames{
    "held_back", "quota", "borrowing", "priority", "back_off", "blocked", "capacity", "start_up"};

[[nodiscard]] constexpr std::string_view name_of(WaitCause cause) {
  return kWaitCauseNames[static_cast<std::size_t>(cause)];
}

/// How long for which cause.
class WaitTimes {
 public:
  SimDuration& operator[](WaitCause cause) { return by_cause_[static_cast<std::size_t>(cause)]; }
  const SimDuration& operator[](WaitCause cause) const { return by_cause_[static_cast<std::size_t>(cause)]; }

  [[nodiscard]] SimDuration sum() const {
    return std::accumulate(by_cause_.begin(), by_cause_.end(), SimDuration::zero());
  }
  /// The cause of most of it; of equal ones the first. None if it is no time.
  [[nodiscard]] std::optional<WaitCause> main_cause() const;

  WaitTimes& operator+=(const WaitTimes& other);
  WaitTimes& operator-=(const WaitTimes& other);
  friend bool operator==(const WaitTimes&, const WaitTimes&) = default;

 private:
  std::array<SimDuration, kWaitCauses> by_cause_{};
};

/// How long a scheduler kept a job pending, before its first grant and after that.
struct PendingTimes {
  WaitTimes first{};
  WaitTimes again{};

  WaitTimes& of(bool is_again) { return is_again ? again : first; }
};

}  // namespace stockout
