#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "models/catalog/date.h"
#include "models/scenario/format/node.h"
#include "models/scenario/format/window_part.h"
#include "models/world/world.h"
#include "sim/core/time.h"

namespace date {
class time_zone;
}

namespace stockout {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

/// Local time: an IANA zone, or a fixed offset from UTC.
class Zone {
 public:
  /// UTC.
  Zone() = default;
  /// "UTC", "Z", an offset of at most 14 h ("-07:00"), or an IANA name: InputError at `node` for one that
  /// find_time_zone() refuses.
  explicit Zone(const Node& node);

  /// Local time minus UTC.
  [[nodiscard]] SimDuration offset_at(Instant at) const;
  /// The instant of a local time. Of two (clocks set back) the first; a time that does not exist (clocks set
  /// forward) is the instant of the change.
  [[nodiscard]] Instant to_instant(Date day, SimDuration clock) const;
  /// The offset at `from` and each change in (from, to].
  [[nodiscard]] std::vector<std::pair<Instant, SimDuration>> offsets(Instant from, Instant to) const;
  /// Whether this is an offset that people wrote, so that daylight saving is not known.
  [[nodiscard]] bool is_written_offset() const { return written_offset_; }

 private:
  const date::time_zone* zone_ = nullptr;  // nullptr: fixed
  SimDuration fixed_{};
  bool written_offset_ = false;
};

/// The same day some years on; 29 February becomes 1 March.
[[nodiscard]] Date years_after(Date day, int years);

/// The same day some months on, or the last of the month if that has fewer days.
[[nodiscard]] Date months_after(Date day, int months);

/// The days of the week that a node names, Monday first.
[[nodiscard]] std::array<bool, 7> open_days(const Node& days);

/// The scenario's calendar: where simulated time stands among days and hours. kStart is 00:00 local of the
/// first day: the one that is written, or that of a later part.
class Calendar {
 public:
  Calendar(Date written_day, Zone zone, const WindowPart& part = {})
      : written_day_{written_day},
        part_{part},
        zone_{zone},
        start_{zone_.to_instant(first_day(), {})},
        origin_{time(written_day_, {})} {}

  [[nodiscard]] Instant start() const { return start_; }
  [[nodiscard]] const Zone& zone() const { return zone_; }
  [[nodiscard]] Date first_day() const { return written_day_ + part_.from; }
  /// The first day of the whole window, and 00:00 of it: what is relative to the scenario's start counts from
  /// there. Before kStart in a later part.
  [[nodiscard]] Date written_day() const { return written_day_; }
  [[nodiscard]] SimTime origin() const { return origin_; }

  [[nodiscard]] Instant instant(SimTime at) const { return start_ + (at - kStart); }
  [[nodiscard]] SimTime time(Instant at) const { return kStart + (at - start_); }
  [[nodiscard]] SimTime time(Date day, SimDuration clock) const { return time(zone_.to_instant(day, clock)); }
  /// From kStart to the end of a window that begins with the written day: a duration, or months to the local
  /// midnight at their end. At most to the end of the part.
  [[nodiscard]] SimDuration window(std::string_view text) const;
  /// `end`, or that of the part if it is earlier.
  [[nodiscard]] SimTime cut(SimTime end) const;
  /// The local day of an instant.
  [[nodiscard]] Date local_day(SimTime at) const;
  /// The next local time of day `clock` that is later than `at`.
  [[nodiscard]] SimTime next_clock(SimTime at, SimDuration clock) const;
  /// For World::utc_offsets.
  [[nodiscard]] std::vector<OffsetStep> offset_steps(SimTime from, SimTime to) const;

 private:
  Date written_day_;
  WindowPart part_;
  Zone zone_;
  Instant start_;
  SimTime origin_;
};

}  // namespace stockout
