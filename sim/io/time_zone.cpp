#include "sim/io/time_zone.h"

#include <date/tz.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "sim/core/unknown_name.h"
#include "sim/io/input_file.h"

namespace stockout {
namespace {

constexpr std::size_t kMostZoneBytes = 1'000'000;  // the largest have 4,000

// A number of that many bytes, the highest first.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(at, size)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

/// A header of a TZif file and the data behind it, whose times have 4 or 8 bytes.
struct ZoneBlock {
  static constexpr std::size_t kHeader = 44;
  static constexpr std::size_t kTypeSize = 6;

  ZoneBlock(std::string_view from, std::size_t time_size) : bytes{from}, time{time_size} {
    if (bytes.size() < kHeader) return;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = number_at(bytes, 20 + 4 * i, 4);
  }

  [[nodiscard]] std::uint64_t leaps() const { return counts[2]; }
  [[nodiscard]] std::uint64_t times() const { return counts[3]; }
  [[nodiscard]] std::uint64_t types() const { return counts[4]; }
  [[nodiscard]] std::uint64_t letters() const { return counts[5]; }

  [[nodiscard]] std::uint64_t size() const {
    return kHeader + times() * (time + 1) + types() * kTypeSize + letters() + leaps() * (time + 4) +
           counts[0] + counts[1];
  }
  [[nodiscard]] bool is_whole() const {
    return bytes.size() >= kHeader && bytes.starts_with("TZif") && size() <= bytes.size();
  }
  [[nodiscard]] char version() const { return bytes[4]; }
  [[nodiscard]] std::string problem() const;

  std::string_view bytes;
  std::size_t time;
  std::array<std::uint64_t, 6> counts{};  // as the header has them
};

// Of a block that is whole.
std::string ZoneBlock::problem() const {
  if (types() == 0 || letters() == 0) return "it has no local time";
  const std::size_t first_kind = kHeader + times() * time;
  for (std::size_t i = 0; i < times(); ++i) {
    if (number_at(bytes, first_kind + i, 1) >= types()) return "it changes to a local time that it has not";
    if (i == 0) continue;
    const std::uint64_t sign = std::uint64_t{1} << (8 * time - 1);  // negative numbers come first
    const std::uint64_t before = number_at(bytes, kHeader + (i - 1) * time, time) ^ sign;
    if ((number_at(bytes, kHeader + i * time, time) ^ sign) <= before) return "its changes are out of order";
  }
  const std::size_t first_type = first_kind + times();
  for (std::size_t i = 0; i < types(); ++i) {
    const auto offset = static_cast<std::int32_t>(
        static_cast<std::uint32_t>(number_at(bytes, first_type + i * kTypeSize, 4)));
    constexpr std::int32_t kMostOffset = 26 * 3600;
    if (offset <= -kMostOffset || offset >= kMostOffset) return "it is more than a day from UTC";
    if (number_at(bytes, first_type + i * kTypeSize + 5, 1) >= letters()) return "a name in it is missing";
  }
  if (bytes[first_type + types() * kTypeSize + letters() - 1] != '\0') return "a name in it has no end";
  return {};
}

// Where the library looks.
std::string zone_folder() {
  const std::string buildroot = "/usr/share/zoneinfo/uclibc";
  std::error_code error;
  return std::filesystem::is_directory(buildroot, error) ? buildroot : "/usr/share/zoneinfo";
}

std::vector<std::string> zone_names(const std::string& wanted, const SourceRef& where) {
  std::vector<std::string> names;
  try {
    for (const date::time_zone& zone : date::get_tzdb().zones) names.push_back(zone.name());
  } catch (const std::runtime_error&) {
  }
  if (!names.empty()) return names;
  throw InputError{where, fmt::format("\"{}\" needs time zone data, which this machine lacks (Debian package "
                                      "tzdata); or give the offset, such as \"-07:00\"",
                                      wanted)};
}

const date::time_zone* look_up(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

}  // namespace

std::string damage_of_zone(std::string_view bytes) {
  const ZoneBlock first{bytes, 4};
  if (!bytes.starts_with("TZif")) return "it is no compiled time zone";
  if (!first.is_whole()) return "it is cut off";
  if (first.version() == '\0') return first.problem();
  const ZoneBlock second{bytes.substr(first.size()), 8};
  if (!second.is_whole() || second.version() != first.version()) return "its second half is missing";
  return second.problem();
}

const date::time_zone& find_time_zone(const std::string& name, const SourceRef& where) {
  if (name == "localtime") {
    throw InputError{where,
                     "\"localtime\" is another time zone on another machine: name the zone, such as "
                     "\"America/Los_Angeles\", or give an offset, such as \"-07:00\""};
  }
  const date::time_zone* zone = look_up(name);
  if (zone == nullptr) {
    const std::vector<std::string> names = zone_names(name, where);
    throw InputError{
        where, fmt::format("there is no time zone \"{}\"{}; names are like \"America/Los_Angeles\", and an "
                           "offset such as \"-07:00\" will do too",
                           name.substr(0, 60), suggest(name, names, 0))};
  }
  const std::string file = fmt::format("{}/{}", zone_folder(), name);
  const std::string damage = damage_of_zone(read_text_file(file, kMostZoneBytes));
  if (damage.empty()) return *zone;
  throw InputError{where, fmt::format("the time zone \"{}\" cannot be used: {} is damaged: {}. Install the "
                                      "time zone data anew (Debian package tzdata)",
                                      name, file, damage)};
}

}  // namespace stockout
