#include "tools/report/run/jobs_csv.h"

#include <concepts>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/table/csv_text.h"

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

}  // namespace

std::string jobs_csv_header() { return fmt::format("{}\n", fmt::join(job_keys(), ",")); }

std::string jobs_csv_line(const ToldJob& job) {
  std::string line;
  for_each_job_field([&](const auto& of) { line += job_text(of(job)) + ','; });
  line.back() = '\n';
  return line;
}

std::string leases_csv_header() {
  return "job,attempt,leg,pool,gpus,granted_s,running_s,ended_s,lost_s,preempted\n";
}

std::string leases_csv_line(const World& world, const Strategy& strategy, const LeaseRow& lease) {
  const bool ran = lease.running < lease.ended;
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", lease.job, lease.attempt,
                     csv_text(strategy.legs[lease.leg].label), csv_text(world.pool(lease.pool).name),
                     lease.gpus.count(), csv_seconds(lease.granted), ran ? csv_seconds(lease.running) : "",
                     csv_seconds(lease.ended), csv_seconds(lease.lost), lease.preempted ? 1 : 0);
}

}  // namespace stockout
