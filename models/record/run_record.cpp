#include "models/record/run_record.h"

#include <algorithm>

namespace stockout {

namespace {

// Of a job that has no entry there: nothing.
template <typename Entry>
Entry entry_of(const std::unordered_map<std::uint64_t, Entry>& entries, std::uint64_t job) {
  const auto found = entries.find(job);
  return found == entries.end() ? Entry{} : found->second;
}

}  // namespace

GaveWayTo gave_way_by_job(const std::vector<GaveWay>& gave_way) {
  GaveWayTo by_job;
  for (const GaveWay& one : gave_way) by_job[one.job].push_back(one.to);
  return by_job;
}

// A job that is held back when the run ends is never released.
WaitTimes wait_times(SimTime submit, const JobOutcome& outcome) {
  const bool has_begun = outcome.first_grant != kNever;
  const SimTime until = has_begun ? outcome.first_grant : std::max(outcome.released, outcome.finished);
  WaitTimes times = outcome.pending_for;
  times[WaitCause::held_back] += outcome.released - submit;
  times[WaitCause::quota] += outcome.quota.wait;
  times[WaitCause::capacity] += until - outcome.released - outcome.pending_for.sum() - outcome.quota.wait;
  if (has_begun) times[WaitCause::start_up] += outcome.start_delay;
  return times;
}

JobOutcome JobRecord::at(std::uint64_t job) const {
  const Row& row = rows_[job];
  const auto length = [](std::uint64_t count) { return SimDuration{static_cast<std::int64_t>(count)}; };
  const auto time = [&](std::uint64_t word) {
    const std::uint64_t count = word & kNone;
    return count == kNone ? kNever : begin_ + length(count);
  };
  // The lower bits stand behind one time, the upper ones behind another.
  const auto sum = [&](std::uint64_t lower, std::uint64_t upper) {
    return length((lower >> kTimeBits | (upper >> kTimeBits) << kRestBits) & kNone);
  };
  const auto preemptions = static_cast<std::uint32_t>(row.start_delay >> kStateShift);
  constexpr std::uint64_t kState = (1U << (kLegShift - kStateShift)) - 1;
  return {.state = static_cast<FinalState>(row.first_grant >> kStateShift & kState),
          .leg = static_cast<std::uint8_t>(row.first_grant >> kLegShift),
          .released = time(row.released),
          .first_grant = time(row.first_grant),
          .finished = time(row.finished),
          .start_delay = length(row.start_delay & kNone),
          .leased = sum(row.released, row.first_grant),
          .lost = sum(row.finished, row.start_delay),
          .preemptions = preemptions < kMany ? preemptions : many_preemptions_.at(job),
          .exits = entry_of(exits_, job),
          .quota = entry_of(quotas_, job),
          .kueue = entry_of(kueues_, job),
          .slurm_end = entry_of(slurm_ends_, job),
          .pending_for = entry_of(pending_for_, job),
          .pending_again = entry_of(pending_again_, job)};
}

}  // namespace stockout
