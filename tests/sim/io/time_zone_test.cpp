// Time zones of the machine: which names are taken, and that no damaged file reaches the library.

#include <date/tz.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "sim/io/time_zone.h"

using namespace stockout;
namespace fs = std::filesystem;
using Catch::Contains;

namespace {

constexpr const char* kZones = "/usr/share/zoneinfo";

std::string bytes_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// One change, at 1,000,000,000 s, between UTC and an hour more. As a file of version 2 has it twice, with
// times of 4 and of 8 bytes.
std::string small_zone(std::size_t time_size) {
  std::string zone{"TZif2"};
  zone.append(15 + 3 * 4, '\0');  // unused; no times in UTC or standard time, no leap seconds
  for (const char count : {'\1', '\2', '\10'})
    zone.append(3, '\0').append(1, count);  // times, types, letters
  zone.append(time_size - 4, '\0').append("\x3b\x9a\xca\x00", 4).append(1, '\1');
  zone.append("\0\0\0\0\0\0", 6).append("\0\0\x0e\x10\1\4", 6).append("UTC\0XST\0", 8);
  return zone;
}

std::string whole_zone() { return small_zone(4) + small_zone(8) + "\nUTC0\n"; }

std::string changed(std::size_t at, char byte) {
  std::string zone = whole_zone();
  zone.at(small_zone(4).size() + at) = byte;  // in the second half, which is the one that is read
  return zone;
}

}  // namespace

TEST_CASE("Every time zone of this machine is whole", "[time]") {
  CHECK(damage_of_zone(whole_zone()).empty());
  int zones = 0;
  for (const auto& entry : fs::recursive_directory_iterator{kZones}) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = bytes_of(entry.path());
    if (!bytes.starts_with("TZif")) continue;
    CAPTURE(entry.path().string());
    CHECK(damage_of_zone(bytes).empty());
    ++zones;
  }
  CHECK(zones > 100);
}

TEST_CASE("A damaged time zone is told by its damage", "[time]") {
  CHECK(damage_of_zone("") == "it is no compiled time zone");
  CHECK(damage_of_zone("# a text") == "it is no compiled time zone");
  CHECK(damage_of_zone(changed(0, 'X')) == "its second half is missing");
  CHECK(damage_of_zone(changed(4, '3')) == "its second half is missing");
  CHECK(damage_of_zone(changed(32, '\x7f')) == "its second half is missing");  // billions of changes
  CHECK(damage_of_zone(changed(39, '\0')) == "it has no local time");
  CHECK(damage_of_zone(changed(52, '\2')) == "it changes to a local time that it has not");
  CHECK(damage_of_zone(changed(53, '\x7f')) == "it is more than a day from UTC");
  CHECK(damage_of_zone(changed(58, '\x8')) == "a name in it is missing");
  CHECK(damage_of_zone(changed(72, 'x')) == "a name in it has no end");
}

TEST_CASE("A time zone whose changes are out of order is damaged", "[time]") {
  std::string zone = bytes_of(fs::path{kZones} / "America/Los_Angeles");
  zone.at(zone.find("TZif", 1) + 44) = '\x7f';  // the first change, now the last
  CHECK(damage_of_zone(zone) == "its changes are out of order");
}

TEST_CASE("A time zone file that is cut off anywhere is damaged", "[time]") {
  const std::string whole = bytes_of(fs::path{kZones} / "America/Los_Angeles");
  const std::size_t rule = whole.rfind('\n', whole.size() - 2);  // behind the data, and not read
  REQUIRE(rule != std::string::npos);
  for (std::size_t size = 0; size < rule; ++size) {
    CAPTURE(size);
    CHECK_FALSE(damage_of_zone(whole.substr(0, size)).empty());
  }
}

TEST_CASE("A zone that is another one elsewhere is refused", "[time]") {
  const SourceRef where{.file = "s.json"};
  CHECK(find_time_zone("America/Los_Angeles", where).name() == "America/Los_Angeles");
  CHECK_THROWS_WITH(find_time_zone("localtime", where),
                    Contains("s.json: \"localtime\" is another time zone on another machine"));
  for (const char* name : {"posixrules", "Factory", "right/UTC", "tzdata.zi", "", "../zoneinfo/UTC"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(find_time_zone(name, where), Contains("there is no time zone"));
  }
}
