#include "tests/support/runs/played.h"

#include <stdexcept>

#include <fmt/format.h>

#include "tests/support/worlds/describe_world.h"

namespace stockout::test {
namespace {

/// Milliseconds as seconds, "10" or "10.005".
std::string seconds(std::int64_t ms) {
  return ms % 1'000 == 0 ? fmt::format("{}", ms / 1'000) : fmt::format("{}.{:03}", ms / 1'000, ms % 1'000);
}

std::string seconds(SimTime at) { return seconds((at - kStart).count()); }

std::string text(const LeaseRow& lease) {
  std::string out = fmt::format("leg {} pool {}: {}", lease.leg, index(lease.pool), seconds(lease.granted));
  if (lease.running != lease.granted) out += fmt::format(" works {}", seconds(lease.running));
  out += fmt::format(" to {}", seconds(lease.ended));
  if (lease.preempted) out += " preempted";
  if (lease.expired) out += " expired";
  if (lease.lost > SimDuration::zero()) out += fmt::format(", lost {}", seconds(lease.lost.count()));
  return out + " | ";
}

}  // namespace

Played::Played(const World& world) : runs_{run_both(world, 0)} {
  if (runs_.disagreement.empty()) return;
  throw std::runtime_error{fmt::format("simulate() and the second implementation disagree\n{}\n{}",
                                       runs_.disagreement, describe_world(world))};
}

std::string Played::job(std::uint64_t number) const {
  if (number >= runs_.record.jobs.size()) throw std::out_of_range{"no such recorded job"};
  std::string out;
  for (const LeaseRow& lease : runs_.leases) {
    if (lease.job == number) out += text(lease);
  }
  const JobOutcome outcome = runs_.record.jobs.at(number);
  const auto state = kFinalStateNames[static_cast<std::size_t>(outcome.state)];
  return out + fmt::format("{} at {}", state, seconds(outcome.finished));
}

std::string Played::usage(std::uint32_t line) const {
  const UsageKey key{PriceLineId{line}, UserId{}, ClassId{}};
  std::int64_t used = 0;
  std::int64_t billed = 0;
  for (const UsageHour& hour : runs_.record.usage.hours(key)) {
    used += hour.used.count();
    billed += hour.billed.count();
  }
  std::string out = fmt::format("used {} billed {} |", seconds(used), seconds(billed));
  const TimeSplit split = runs_.record.usage.split(key);
  const auto add = [&out](const char* name, GpuTime part) {
    if (part != GpuTime{}) out += fmt::format(" {} {}", name, seconds(part.count()));
  };
  add("useful", split.useful);
  add("redone", split.redone);
  add("overhead", split.overhead);
  add("unused", split.unused);
  add("idle", split.idle);
  return out;
}

std::string Played::end() const { return seconds(runs_.record.end); }

}  // namespace stockout::test
