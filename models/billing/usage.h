#pragma once

#include <cstdint>
#include <unordered_map>
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

/// Of a lease of `asked` and `unused` GPUs, held for `length`: so much time was work that is kept or lost.
[[nodiscard]] TimeSplit split_of(GpuCount asked, GpuCount unused, SimDuration length, SimDuration kept,
                                 SimDuration lost);

/// All usage of one run, exact. Kept by key and hour, for the keys and hours in which a lease begins or ends
/// alone: what the hours between hold follows when they are read. So add() takes constant time whatever a
/// lease's length, and memory grows with the leases at most, not with the keys or hours there might be.
class UsageLedger {
 public:
  UsageLedger() = default;
  /// Sizes of the three tables of identifiers, to check keys against.
  UsageLedger(std::size_t lines, std::size_t users, std::size_t classes)
      : lines_{lines}, users_{users}, classes_{classes} {}

  /// `machines` machines from `from` to `to`, of which `rounding` machine-time is billed on top.
  /// Nothing before kStart counts: the span is cut there, and rounding of a lease that ended before it is
  /// dropped.
  void add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding);

  /// Books where the GPU-time of a lease under this key went.
  void add_split(UsageKey key, const TimeSplit& split) { series(key).split += split; }

  /// Keys with anything booked, in order.
  [[nodiscard]] std::vector<UsageKey> keys() const;
  /// The hours of a key with any use, in order.
  [[nodiscard]] std::vector<UsageHour> hours(UsageKey key) const;
  [[nodiscard]] TimeSplit split(UsageKey key) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // What begins and ends in one hour under one key. Machines that come at t use (end of the hour - t) of it
  // and every hour after it whole; machines that go take the same away again.
  struct Cell {
    std::uint32_t series = 0;
    std::uint32_t hour = 0;
    std::uint32_t earlier = kNone;  // the cell of the same series that was made before
    std::int64_t change = 0;        // machines that came, less those that went
    std::int64_t part = 0;          // machine-ms of this hour that they use
    std::int64_t rounding = 0;      // machine-ms
  };
  struct Series {
    UsageKey key;
    TimeSplit split;
    std::uint32_t last_cell = kNone;
  };
  struct KeyHash {
    std::size_t operator()(const UsageKey& key) const;
  };

  void check(UsageKey key) const;
  Series& series(UsageKey key) {
    return last_ < series_.size() && series_[last_].key == key ? series_[last_] : look_up(key);
  }
  Series& look_up(UsageKey key);
  [[nodiscard]] const Series* find(UsageKey key) const;
  void change(Series& series, std::int64_t machines, SimTime at, std::int64_t rounding);
  Cell& cell(std::uint32_t series, std::uint32_t hour);
  [[nodiscard]] std::size_t place_of(std::uint32_t series, std::uint32_t hour) const;
  void rehash();

  std::size_t lines_ = 0;
  std::size_t users_ = 0;
  std::size_t classes_ = 0;
  std::unordered_map<UsageKey, std::uint32_t, KeyHash> series_of_;
  std::vector<Series> series_;
  std::uint32_t last_ = 0;  // the series used last: most bookings come in pairs
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> table_;  // a hash table of cells_ by (series, hour), at most half full
};

}  // namespace stockout
