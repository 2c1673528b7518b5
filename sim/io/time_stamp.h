#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace stockout {

/// Reads dates and times as UNIX milliseconds (UTC).
///
/// "2025-10-03", "2025-10-03 17:10", "2025-10-03T17:10:00" or "2025-10-03T17:10:00.002281", and behind a time
/// also an offset: "Z", "+00:00", "-0700" or "-07". Years from 1970 to 9999. More decimals than three are
/// rounded to the nearest millisecond. A stamp without an offset is local time of the reader's zone.
class TimeStampReader {
 public:
  /// `zone` is "UTC", an offset such as "-08:00", or an IANA name such as "America/Los_Angeles". Throws
  /// InputError at `where` for a name that find_time_zone() refuses.
  TimeStampReader(std::string_view zone, const SourceRef& where);
  ~TimeStampReader();
  TimeStampReader(TimeStampReader&&) noexcept;
  TimeStampReader& operator=(TimeStampReader&&) noexcept;

  /// The instant, or nothing if the text is not such a stamp.
  [[nodiscard]] std::optional<std::int64_t> parse(std::string_view text);

  /// The second instant of a local time that comes twice; nothing for any other text.
  [[nodiscard]] std::optional<std::int64_t> parse_second(std::string_view text) const;

  /// How many stamps so far were local times that come twice (read as the first), and that never come (read
  /// as the instant at which the clock jumps over them).
  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

 private:
  struct Zone;  // a time zone whose offset changes, and the part of its rules last used

  [[nodiscard]] std::int64_t to_utc_seconds(std::int64_t local_seconds);

  std::unique_ptr<Zone> zone_;             // null: the offset is fixed
  std::int64_t fixed_offset_seconds_ = 0;  // local time minus UTC
  std::uint64_t repeated_ = 0;
  std::uint64_t skipped_ = 0;
};

/// Throws InputError at `where` for a zone that TimeStampReader refuses.
void check_time_zone(std::string_view zone, const SourceRef& where);

/// From `from_ms` (UNIX milliseconds) on, local time is UTC plus `offset_ms`.
struct LocalOffset {
  std::int64_t from_ms = 0;
  std::int64_t offset_ms = 0;
};

/// The offset of a zone at `from_ms` and each change of it up to `to_ms`. The zone and its errors are those
/// of TimeStampReader.
[[nodiscard]] std::vector<LocalOffset> local_offsets(std::string_view zone, const SourceRef& where,
                                                     std::int64_t from_ms, std::int64_t to_ms);

/// "2025-10-03 17:10:00 UTC", with milliseconds only if there are any.
[[nodiscard]] std::string format_unix_ms(std::int64_t unix_ms);

}  // namespace stockout
