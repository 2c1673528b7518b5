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

std::string jobs_csv_header() { return csv_row(job_keys()); }

std::string jobs_csv_line(const ToldJob& job) {
  return csv_row([&](auto add) { for_each_job_field([&](const auto& of) { add(job_text(of(job))); }); });
}

std::string leases_csv_header() {
  return "job,attempt,leg,pool,gpus,granted_s,running_s,ended_s,lost_s,preempted\n";
}

std::string leases_csv_line(const World& world, const Strategy& strategy, const LeaseRow& lease) {
  const bool ran = lease.running < lease.ended;
  return csv_row([&](auto add) {
    add(job_text(lease.job));
    add(job_text(lease.attempt));
    add(csv_text(strategy.legs[lease.leg].label));
    add(csv_text(world.pool(lease.pool).name));
    add(job_text(lease.gpus.count()));
    add(csv_seconds(lease.granted));
    add(ran ? csv_seconds(lease.running) : "");
    add(csv_seconds(lease.ended));
    add(csv_seconds(lease.lost));
    add(job_text(lease.preempted));
  });
}

}  // namespace stockout
