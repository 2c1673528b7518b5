#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Whose usage it is, and under which price.
struct UsageKey {
  PriceLineId line{};
  UserId user{};
  ClassId job_class{};
  friend auto operator<=>(const UsageKey&, const UsageKey&) = default;
};

/// Where a lease's GPU-time went. The five parts add up to GPUs times the length of the lease.
struct TimeSplit {
  GpuTime useful{};     // work that was kept: done by the end of the job or saved by a checkpoint
  GpuTime redone{};     // work lost with an interruption
  GpuTime overhead{};   // provisioning, start-up, reload, checkpoint writes
  GpuTime unused{};     // GPUs of the machines that the job did not ask for
  GpuTime idle{};       // held, not sublet (held pools' own leases only)
  GpuTime completed{};  // what of `useful` went into jobs that were completed; not a part of its own

  TimeSplit& operator+=(const TimeSplit& other);
  [[nodiscard]] GpuTime total() const { return useful + redone + overhead + unused + idle; }
};

/// Machine-milliseconds of one key, hour by hour. Hours count from the start of the window.
struct UsageHour {
  std::int64_t hour = 0;
  MachineTime used{};
  MachineTime billed{};  // used plus the billing rule's rounding, booked in the hour in which the lease ended
};

/// All usage of one run, exact. add() takes constant time whatever a lease's length: whole hours in the
/// middle are kept as differences and summed when read.
class UsageLedger {
 public:
  UsageLedger() = default;
  /// Sizes of the three tables of identifiers. At most 2^26 keys in all, else InvariantError.
  UsageLedger(std::size_t lines, std::size_t users, std::size_t classes);

  /// `machines` machines from `from` to `to`, of which `rounding` machine-time is billed on top.
  /// Nothing before kStart counts: the span is cut there, and rounding of a lease that ended before it is
  /// dropped.
  void add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding);

  /// Books where the GPU-time of a lease under this key went.
  void add_split(UsageKey key, const TimeSplit& split);

  /// Keys with anything booked, in order.
  [[nodiscard]] std::vector<UsageKey> keys() const;
  /// The hours of a key with any use, in order.
  [[nodiscard]] std::vector<UsageHour> hours(UsageKey key) const;
  [[nodiscard]] TimeSplit split(UsageKey key) const;

 private:
  static constexpr std::int64_t kHoursInDay = 24;
  struct Cell {
    std::int64_t edges = 0;   // used machine-ms in hours cut by a lease's start or end
    std::int64_t change = 0;  // change of the number of machines that use the whole hour
    std::int64_t rounding = 0;
  };
  struct Series {
    UsageKey key;
    TimeSplit split;
    std::vector<std::uint32_t> days;  // index of the day's cells in days_, kNoDay if untouched
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Series& series(UsageKey key);
  [[nodiscard]] const Series* find(UsageKey key) const;
  Cell& cell(Series& series, std::int64_t hour);
  [[nodiscard]] std::size_t slot(UsageKey key) const;

  std::size_t users_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::uint32_t> series_of_;  // by slot(key)
  std::vector<Series> series_;
  std::uint32_t last_ = 0;  // the series used last: most bookings come in pairs
  std::vector<std::array<Cell, kHoursInDay>> days_;
};

}  // namespace stockout
