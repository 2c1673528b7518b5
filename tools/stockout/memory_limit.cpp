#include "tools/stockout/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace stockout {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

// Bytes free by /proc/meminfo, whose lines are as "MemAvailable:   20971520 kB".
std::uint64_t free_on_machine() {
  std::ifstream lines{"/proc/meminfo"};
  std::optional<std::uint64_t> available;
  std::uint64_t swap = 0;
  std::string key;
  std::string unit;
  for (std::uint64_t kilobytes = 0; lines >> key >> kilobytes; std::getline(lines, unit)) {
    if (key == "MemAvailable:") available = kilobytes;
    if (key == "SwapFree:") swap = kilobytes;
  }
  return available ? (*available + swap) * 1024 : kUnknown;
}

// Bytes that the control group of a container may use; how much of that is free is not known, as what it
// counts as used could be given back. A group without a limit says "max", which is no number.
std::uint64_t most_of_group() {
  std::uint64_t most = 0;
  return std::ifstream{"/sys/fs/cgroup/memory.max"} >> most ? most : kUnknown;
}

}  // namespace

void limit_memory() {
  const std::uint64_t free = std::min(free_on_machine(), most_of_group());
  rlimit limit{};
  if (free == kUnknown || ::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= free) return;
  limit.rlim_cur = free;
  static_cast<void>(::setrlimit(RLIMIT_DATA, &limit));
}

}  // namespace stockout
