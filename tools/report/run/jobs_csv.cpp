#include "tools/report/run/jobs_csv.h"

#include <concepts>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/table/csv_columns.h"

namespace stockout {
namespace {

template <std::integral Count>
std::string job_text(Count count) {
  return fmt::format("{}", count);
}
std::string job_text(bool truth) { return truth ? "1" : "0"; }
std::string job_text(SimDuration length) { return csv_seconds(length); }
std::string job_text(std::string_view text) { return csv_text(text); }
std::string job_text(std::span<const std::uint64_t> numbers) {
  return fmt::format("{}", fmt::join(numbers, " "));
}
template <typename Value>
std::string job_text(const std::optional<Value>& value) {
  return value ? job_text(*value) : std::string{};
}

struct LoggedLease {
  const World& world;
  const Strategy& strategy;
  const LeaseRow& lease;
};

using L = const LoggedLease&;
const CsvColumn<LoggedLease> kLeaseColumns[] = {
    {"job", [](L l) { return job_text(l.lease.job); }},
    {"attempt", [](L l) { return job_text(l.lease.attempt); }},
    {"leg", [](L l) { return l.strategy.legs[l.lease.leg].label; }},
    {"pool", [](L l) { return l.world.pool(l.lease.pool).name; }},
    {"gpus", [](L l) { return job_text(l.lease.gpus.count()); }},
    {"granted_s", [](L l) { return csv_seconds(l.lease.granted); }},
    {"running_s",
     [](L l) { return l.lease.running < l.lease.ended ? csv_seconds(l.lease.running) : std::string{}; }},
    {"ended_s", [](L l) { return csv_seconds(l.lease.ended); }},
    {"lost_s", [](L l) { return csv_seconds(l.lease.lost); }},
    {"preempted", [](L l) { return job_text(l.lease.preempted); }}};

}  // namespace

std::string jobs_csv_header() { return csv_row(job_keys()); }

std::string jobs_csv_line(const ToldJob& job) {
  return csv_row([&](auto add) { for_each_job_field([&](const auto& of) { add(job_text(of(job))); }); });
}

std::string leases_csv_header() { return csv_header(kLeaseColumns); }

std::string leases_csv_line(const World& world, const Strategy& strategy, const LeaseRow& lease) {
  return csv_line(kLeaseColumns, LoggedLease{.world = world, .strategy = strategy, .lease = lease});
}

}  // namespace stockout
