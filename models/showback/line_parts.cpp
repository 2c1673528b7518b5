#include "models/showback/line_parts.h"

#include <algorithm>
#include <map>
#include <span>

#include "models/showback/split.h"
#include "models/world/sublet_lines.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

template <typename IsWanted>
std::vector<UsageKey> keys_of(const UsageLedger& usage, IsWanted is_wanted) {
  std::vector<UsageKey> keys = usage.keys();
  std::erase_if(keys, [&](const UsageKey& key) { return !is_wanted(key.line); });
  return keys;
}

// The line whose use is paid: of a fee that of the machines, else the line itself.
PriceLineId used_line(const World& world, PriceLineId line) {
  const auto found = std::ranges::find(world.price_lines, std::optional{line}, &PriceLine::fee);
  if (found == world.price_lines.end()) return line;
  return PriceLineId{static_cast<std::uint32_t>(found - world.price_lines.begin())};
}

// Of held capacity, which is paid without rounding up each job's time.
std::vector<UsageHour> without_rounding(std::vector<UsageHour> hours) {
  for (UsageHour& hour : hours) hour.billed = hour.used;
  return hours;
}

// In hours that are a part of those of the key.
void add_direct(std::vector<LinePart>& parts, const UsageKey& key, std::span<const UsageHour> hours,
                std::span<const UsageHour> lost) {
  auto next_lost = lost.begin();
  for (const UsageHour& hour : hours) {
    LinePart part{.hour = hour.hour,
                  .use = ChargeUse::used,
                  .user = key.user,
                  .job_class = key.job_class,
                  .billed = hour.billed,
                  .used = hour.used};
    if (next_lost != lost.end() && next_lost->hour == hour.hour) {
      LinePart of_lost = part;
      of_lost.use = ChargeUse::lost_race;
      of_lost.billed = next_lost->billed;
      of_lost.used = next_lost->used;
      part.billed -= of_lost.billed;
      part.used -= of_lost.used;
      STOCKOUT_CHECK(part.used >= MachineTime{} && part.billed >= part.used);
      parts.push_back(of_lost);
      ++next_lost;
    }
    if (part.billed > MachineTime{}) parts.push_back(part);
  }
  STOCKOUT_CHECK(next_lost == lost.end());
}

std::vector<LinePart> direct_parts(const World& world, const RunRecord& record, PriceLineId line) {
  const bool is_sublet = world.price_lines[index(line)].charge == Charge::sublet;
  std::vector<LinePart> parts;
  for (const UsageKey& key : keys_of(record.usage, [&](PriceLineId other) { return other == line; })) {
    if (is_sublet)
      add_direct(parts, key, without_rounding(record.usage.hours(key)), {});
    else
      add_direct(parts, key, record.usage.hours(key), record.phantom.hours(key));
  }
  return parts;
}

// What is held in an hour, and who uses it.
struct HeldHour {
  MachineTime billed{};
  MachineTime used{};
  std::vector<UsageKey> users;
  std::vector<MachineTime> uses;  // by user; GPU-time where jobs share machines
};

void add_parts(std::vector<LinePart>& parts, std::int64_t hour, const HeldHour& held, std::int64_t units) {
  MachineTime used{};
  for (const MachineTime use : held.uses) used += use;
  used = std::min(MachineTime{used.count() / units}, held.billed);
  const std::vector<MachineTime> shares = split(used, held.uses);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == MachineTime{}) continue;
    parts.push_back({.hour = hour,
                     .use = ChargeUse::used,
                     .user = held.users[i].user,
                     .job_class = held.users[i].job_class,
                     .billed = shares[i],
                     .used = shares[i]});
  }
  const MachineTime idle = held.billed - used;
  if (idle == MachineTime{}) return;
  parts.push_back({.hour = hour,
                   .use = ChargeUse::idle,
                   .user = {},
                   .job_class = {},
                   .billed = idle,
                   .used = std::max(MachineTime{}, held.used - used)});
}

std::vector<LinePart> held_parts(const World& world, const RunRecord& record, PriceLineId line) {
  const HeldPool& pool = world.held_pool(world.price_lines[index(line)].pool);
  const std::vector<PriceLineId> sublet = sublet_lines(world, pool);
  const auto is_sublet = [&](PriceLineId other) { return std::ranges::find(sublet, other) != sublet.end(); };
  std::map<std::int64_t, HeldHour> hours;
  for (const UsageKey& key : keys_of(record.usage, [&](PriceLineId other) { return other == line; })) {
    for (const UsageHour& hour : record.usage.hours(key)) {
      hours[hour.hour].billed += hour.billed;
      hours[hour.hour].used += hour.used;
    }
  }
  for (const UsageKey& key : keys_of(record.usage, is_sublet)) {
    for (const UsageHour& hour : record.usage.hours(key)) {
      const auto held = hours.find(hour.hour);
      if (held == hours.end()) continue;  // no longer paid for
      held->second.users.push_back(key);
      held->second.uses.push_back(hour.used);
    }
  }
  const std::int64_t units = pool.share ? pool.machine_gpus().count() : 1;
  std::vector<LinePart> parts;
  for (const auto& [hour, held] : hours) add_parts(parts, hour, held, units);
  return parts;
}

}  // namespace

std::vector<LinePart> parts_of_line(const World& world, const RunRecord& record, PriceLineId line) {
  const PriceLineId used = used_line(world, line);
  const bool is_held = world.price_lines[index(used)].charge == Charge::held;
  std::vector<LinePart> parts = is_held ? held_parts(world, record, used) : direct_parts(world, record, used);
  std::ranges::stable_sort(parts, {}, &LinePart::hour);
  return parts;
}

}  // namespace stockout
