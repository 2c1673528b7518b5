// Gates: a model that allows a planner only so many open requests at a time.

#include <algorithm>

#include "models/simulation/run.h"

namespace stockout {

void Run::build_gates() {
  for (const Leg& leg : strategy_.legs) {
    gate_of_leg_.push_back(kNoGate);
    const bool is_bounded = std::ranges::any_of(strategy_.legs, [&](const Leg& other) {
      return other.policy.open_max > 0 && other.policy.name == leg.policy.name;
    });
    if (!is_bounded || leg.policy.held) continue;
    const auto known = std::ranges::find(gates_, leg.policy.name, &Gate::model);
    gate_of_leg_.back() = static_cast<std::uint8_t>(known - gates_.begin());
    if (known == gates_.end()) gates_.push_back({.model = leg.policy.name, .open = 0, .line = {}});
  }
}

// Which gate stands before the leg; tenants have none.
std::uint8_t Run::gate_of(const JobState& job, std::size_t leg) const {
  return job.strategy_number == 0 ? gate_of_leg_[leg] : kNoGate;
}

// Whether the job may make its requests now; if not, it stands at the gate.
bool Run::may_pass(JobSlot slot) {
  JobState& job = jobs_[slot];
  const std::uint8_t number = gate_of(job, job.leg);
  if (number == kNoGate) return true;
  Gate& gate = gates_[number];
  if (first_standing(gate) == kNoJob && fits_gate(job)) return true;
  job.stage = Stage::at_gate;
  gate.line.push_back({.job = slot, .generation = job.generation, .stay = job.stay});
  if (gate.line.size() > 64 && gate.line.size() > 2 * gate.tidied_at) {
    std::erase_if(gate.line, [this](const JobStay& entry) { return !is_live(entry); });
    gate.tidied_at = gate.line.size();
  }
  return false;
}

bool Run::fits_gate(const JobState& job) const {
  const std::int32_t most = job.strategy->legs[job.leg].policy.open_max;
  const auto places = static_cast<std::int64_t>(route_.usable(job, job.leg).size());
  return most == 0 || gates_[gate_of(job, job.leg)].open + places <= most;
}

// The job that stands first, those who have left taken off; kNoJob if nobody does.
JobSlot Run::first_standing(Gate& gate) {
  while (!gate.line.empty() && !is_live(gate.line.front())) gate.line.pop_front();
  return gate.line.empty() ? kNoJob : gate.line.front().job;
}

bool Run::lets_in(Gate& gate) {
  const JobSlot first = first_standing(gate);
  return first != kNoJob && fits_gate(jobs_[first]);
}

// Some gate has room for the first who stands there.
bool Run::is_some_gate_due() {
  return std::ranges::any_of(gates_, [this](Gate& gate) { return lets_in(gate); });
}

void Run::open_gates() {
  for (Gate& gate : gates_) {
    while (lets_in(gate)) {
      const JobSlot slot = gate.line.front().job;
      gate.line.pop_front();
      ask_queues(slot);
    }
  }
}

}  // namespace stockout
