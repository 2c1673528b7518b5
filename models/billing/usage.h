#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/billing/hour.h"
#include "sim/core/check.h"
#include "sim/core/chunks.h"
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

  TimeSplit& operator+=(const TimeSplit& other) {
    useful += other.useful;
    redone += other.redone;
    overhead += other.overhead;
    unused += other.unused;
    idle += other.idle;
    completed += other.completed;
    return *this;
  }
  [[nodiscard]] GpuTime total() const { return useful + redone + overhead + unused + idle; }
};

/// Machine-milliseconds of one key, hour by hour. Hours count from the start of the window.
struct UsageHour {
  std::int64_t hour = 0;
  MachineTime used{};
  MachineTime billed{};  // used plus the billing rule's rounding, booked in the hour in which the lease ended
};

/// Of a lease of `asked` and `unused` GPUs, held for `length`: so much time was work that is kept or lost.
[[nodiscard]] inline TimeSplit split_of(GpuCount asked, GpuCount unused, SimDuration length, SimDuration kept,
                                        SimDuration lost) {
  STOCKOUT_CHECK(SimDuration::zero() <= kept && SimDuration::zero() <= lost && kept + lost <= length);
  const GpuTime whole = (asked + unused) * length;  // no part is more
  const GpuTime useful{asked.count() * kept.count()};
  const GpuTime redone{asked.count() * lost.count()};
  const GpuTime unasked{unused.count() * length.count()};
  return {.useful = useful,
          .redone = redone,
          .overhead = whole - useful - redone - unasked,
          .unused = unasked,
          .idle = {},
          .completed = {}};
}

/// All usage of one run, exact. Kept by key and hour, for the keys and hours in which machines come or go
/// alone: what the hours between hold follows when they are read. So each booking takes constant time
/// whatever a lease's length, and memory grows with the leases at most, not with the keys or hours there
/// might be. Bookings of one key that come in order of time, as those of a run do, share one entry an hour.
class UsageLedger {
 public:
  /// A key that something is booked under, for those who book under it often.
  enum class Series : std::uint32_t {};

  UsageLedger() = default;
  /// Sizes of the three tables of identifiers, to check keys against.
  UsageLedger(std::size_t lines, std::size_t users, std::size_t classes)
      : lines_{lines}, users_{users}, classes_{classes} {}

  [[nodiscard]] Series series(UsageKey key) {
    return last_ < books_.size() && books_[last_].key == key ? Series{last_} : look_up(key);
  }

  /// `machines` machines come at `at`. They must go.
  void come(Series series, MachineCount machines, SimTime at) {
    change(books_[number(series)], machines.count(), at, 0);
  }
  /// They go, and `rounding` machine-time is billed on top. Nothing before kStart counts, the rounding of
  /// machines that go before it included.
  void go(Series series, MachineCount machines, SimTime at, MachineTime rounding) {
    change(books_[number(series)], -machines.count(), at, at < kStart ? 0 : rounding.count());
  }
  /// Both: `machines` machines from `from` to `to`.
  void add(UsageKey key, MachineCount machines, SimTime from, SimTime to, MachineTime rounding);

  /// Books where the GPU-time of a lease went.
  void add_split(Series series, const TimeSplit& split) {
    Book& book = books_[number(series)];
    book.has_split = true;
    book.split += split;
  }
  void add_split(UsageKey key, const TimeSplit& split) { add_split(series(key), split); }

  /// Keys with anything booked, in order.
  [[nodiscard]] std::vector<UsageKey> keys() const;
  /// The hours of a key with any use, in order.
  [[nodiscard]] std::vector<UsageHour> hours(UsageKey key) const;
  [[nodiscard]] TimeSplit split(UsageKey key) const;
  /// All that is billed on top of use.
  [[nodiscard]] MachineTime rounding() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kChunk = 2'048;
  // What comes and goes in one hour under one key. Machines that come at t use (end of the hour - t) of it
  // and every hour after it whole; machines that go take the same away again.
  struct Cell {
    std::uint32_t hour;
    std::uint32_t earlier;  // the cell of the same key that was made before
    std::int64_t change;    // machines that came, less those that went
    std::int64_t part;      // machine-ms of this hour that they use
    std::int64_t rounding;  // machine-ms
  };
  struct Book {
    UsageKey key;
    bool has_split = false;
    Cell open{0, kNone, 0, 0, 0};  // the hour in which something came or went last
    TimeSplit split;

    [[nodiscard]] bool has_any() const { return has_split || open.earlier != kNone || is_any(open); }
  };
  struct KeyHash {
    std::size_t operator()(const UsageKey& key) const;
  };

  static bool is_any(const Cell& cell) { return cell.change != 0 || cell.part != 0 || cell.rounding != 0; }
  static std::size_t number(Series series) { return static_cast<std::size_t>(series); }
  void check(UsageKey key) const;
  Series look_up(UsageKey key);
  [[nodiscard]] const Book* find(UsageKey key) const;
  void change(Book& book, std::int64_t machines, SimTime at, std::int64_t rounding) {
    const std::int64_t since = std::max(at, kStart).time_since_epoch().count();
    const auto hour = static_cast<std::uint32_t>(since / kHour.count());
    if (book.open.hour != hour) open_hour(book, hour);
    book.open.change += machines;
    // Modulo 2^64: what comes and goes in one hour may add up to more on the way than is left of it.
    const auto rest = static_cast<std::uint64_t>((std::int64_t{hour} + 1) * kHour.count() - since);
    book.open.part = static_cast<std::int64_t>(static_cast<std::uint64_t>(book.open.part) +
                                               static_cast<std::uint64_t>(machines) * rest);
    book.open.rounding += rounding;
  }
  void open_hour(Book& book, std::uint32_t hour);
  [[nodiscard]] std::vector<Cell> cells_of(const Book& book) const;

  std::size_t lines_ = 0;
  std::size_t users_ = 0;
  std::size_t classes_ = 0;
  std::unordered_map<UsageKey, std::uint32_t, KeyHash> number_of_;
  std::vector<Book> books_;
  std::uint32_t last_ = 0;      // the key used last: most bookings come in pairs
  Chunks<Cell, kChunk> cells_;  // of hours that were left
};

}  // namespace stockout
