#include "models/record/run_record.h"

#include <algorithm>
#include <limits>

namespace stockout {
namespace {

constexpr unsigned kStateBits = 4;
constexpr std::uint32_t kMany = std::numeric_limits<std::uint8_t>::max();

Millis40 packed(SimTime at, SimTime begin) { return at == kNever ? Millis40{} : Millis40{at - begin}; }

SimTime unpacked(const Millis40& value, SimTime begin) {
  return value.is_none() ? kNever : begin + value.value();
}

}  // namespace

void JobRecord::set(std::uint64_t job, const JobOutcome& outcome) {
  Row& row = chunks_[job / kChunk][job % kChunk];
  row.released = packed(outcome.released, begin_);
  row.first_grant = packed(outcome.first_grant, begin_);
  row.finished = packed(outcome.finished, begin_);
  row.start_delay = Millis40{outcome.start_delay};
  row.leased = Millis40{outcome.leased};
  row.lost = Millis40{outcome.lost};
  row.preemptions = static_cast<std::uint8_t>(std::min(outcome.preemptions, kMany));
  if (outcome.preemptions >= kMany) many_preemptions_[job] = outcome.preemptions;
  row.state_and_leg = static_cast<std::uint8_t>(static_cast<unsigned>(outcome.state) |
                                                static_cast<unsigned>(outcome.leg) << kStateBits);
}

JobOutcome JobRecord::at(std::uint64_t job) const {
  const Row& row = chunks_[job / kChunk][job % kChunk];
  return {.state = static_cast<FinalState>(row.state_and_leg & ((1U << kStateBits) - 1)),
          .leg = static_cast<std::uint8_t>(row.state_and_leg >> kStateBits),
          .released = unpacked(row.released, begin_),
          .first_grant = unpacked(row.first_grant, begin_),
          .finished = unpacked(row.finished, begin_),
          .start_delay = row.start_delay.value(),
          .leased = row.leased.value(),
          .lost = row.lost.value(),
          .preemptions = row.preemptions < kMany ? row.preemptions : many_preemptions_.at(job)};
}

}  // namespace stockout
