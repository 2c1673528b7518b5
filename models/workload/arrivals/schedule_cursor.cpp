#include "models/workload/arrivals/schedule_cursor.h"

#include "models/workload/arrivals/synthesis.h"

namespace stockout {

std::size_t ScheduleCursor::next(std::span<Job> batch) {
  std::size_t count = 0;
  const auto per_batch = static_cast<std::uint64_t>(schedule_.count);
  while (count < batch.size() && row_ / per_batch < schedule_.at.size()) {
    const std::uint64_t number = row_ / per_batch;
    const SimTime at = schedule_.at[number];
    const std::uint64_t row = row_++;
    if (at < demand_.from || at >= demand_.until) continue;
    Job& job = batch[count++] = make_job(demand_, source_, random_, row, at);
    if (schedule_.grouped) job.group = static_cast<std::uint32_t>(number) + 1;
  }
  return count;
}

}  // namespace stockout
