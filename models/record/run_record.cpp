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

std::uint64_t JobRecord::add() {
  if (size_ == released_.size()) grow();
  return size_++;
}

void JobRecord::grow() {
  const std::size_t length = std::max<std::size_t>(1'024, size_ + size_ / 2);
  released_.resize(length);
  first_grant_.resize(length);
  finished_.resize(length);
  leased_.resize(length);
  lost_.resize(length);
  start_delay_.resize(length);
  preemptions_.resize(length);
  state_and_leg_.resize(length, static_cast<std::uint8_t>(FinalState::unfinished));
}

void JobRecord::set(std::uint64_t job, const JobOutcome& outcome) {
  released_[job] = packed(outcome.released, begin_);
  first_grant_[job] = packed(outcome.first_grant, begin_);
  finished_[job] = packed(outcome.finished, begin_);
  leased_[job] = Millis40{outcome.leased};
  lost_[job] = Millis40{outcome.lost};
  start_delay_[job] = Millis40{outcome.start_delay};
  preemptions_[job] = static_cast<std::uint8_t>(std::min(outcome.preemptions, kMany));
  if (outcome.preemptions >= kMany) many_preemptions_[job] = outcome.preemptions;
  state_and_leg_[job] = static_cast<std::uint8_t>(static_cast<unsigned>(outcome.state) |
                                                  static_cast<unsigned>(outcome.leg) << kStateBits);
}

JobOutcome JobRecord::at(std::uint64_t job) const {
  return {.state = static_cast<FinalState>(state_and_leg_[job] & ((1U << kStateBits) - 1)),
          .leg = static_cast<std::uint8_t>(state_and_leg_[job] >> kStateBits),
          .released = unpacked(released_[job], begin_),
          .first_grant = unpacked(first_grant_[job], begin_),
          .finished = unpacked(finished_[job], begin_),
          .start_delay = start_delay_[job].value(),
          .leased = leased_[job].value(),
          .lost = lost_[job].value(),
          .preemptions = preemptions_[job] < kMany ? preemptions_[job] : many_preemptions_.at(job)};
}

}  // namespace stockout
