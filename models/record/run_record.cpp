#include "models/record/run_record.h"

#include <algorithm>
#include <limits>

namespace stockout {
namespace {

constexpr unsigned kStateBits = 4;

Millis40 packed(SimTime at, SimTime begin) { return at == kNever ? Millis40{} : Millis40{at - begin}; }

SimTime unpacked(const Millis40& value, SimTime begin) {
  return value.is_none() ? kNever : begin + value.value();
}

}  // namespace

void JobRecord::set(std::uint64_t job, const JobOutcome& outcome) {
  constexpr std::int64_t kMostDelay = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint32_t kMostPreemptions = std::numeric_limits<std::uint16_t>::max();
  Row& row = chunks_[job / kChunk][job % kChunk];
  row.start_delay = static_cast<std::uint32_t>(std::min(outcome.start_delay.count(), kMostDelay));
  row.preemptions = static_cast<std::uint16_t>(std::min(outcome.preemptions, kMostPreemptions));
  row.state_and_leg = static_cast<std::uint8_t>(static_cast<unsigned>(outcome.state) |
                                                static_cast<unsigned>(outcome.leg) << kStateBits);
  row.released = packed(outcome.released, begin_);
  row.first_grant = packed(outcome.first_grant, begin_);
  row.finished = packed(outcome.finished, begin_);
  row.leased = Millis40{outcome.leased};
  row.lost = Millis40{outcome.lost};
}

JobOutcome JobRecord::at(std::uint64_t job) const {
  const Row& row = chunks_[job / kChunk][job % kChunk];
  return {.state = static_cast<FinalState>(row.state_and_leg & ((1U << kStateBits) - 1)),
          .leg = static_cast<std::uint8_t>(row.state_and_leg >> kStateBits),
          .released = unpacked(row.released, begin_),
          .first_grant = unpacked(row.first_grant, begin_),
          .finished = unpacked(row.finished, begin_),
          .start_delay = SimDuration{row.start_delay},
          .leased = row.leased.value(),
          .lost = row.lost.value(),
          .preemptions = row.preemptions};
}

}  // namespace stockout
