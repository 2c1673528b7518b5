#include "models/simulation/gates.h"

#include <algorithm>

namespace stockout {

Gates::Gates(const Strategy& strategy, Tables& tables, const Route& route, const Requests& requests)
    : tables_{tables}, route_{route}, requests_{requests} {
  for (const Leg& leg : strategy.legs) {
    gate_of_leg_.push_back(kNoGate);
    const bool is_bounded = std::ranges::any_of(strategy.legs, [&](const Leg& other) {
      return other.policy.open_max > 0 && other.policy.name == leg.policy.name;
    });
    if (!is_bounded || leg.policy.held) continue;
    const auto known = std::ranges::find(gates_, leg.policy.name, &Gate::model);
    gate_of_leg_.back() = static_cast<std::uint8_t>(known - gates_.begin());
    if (known == gates_.end()) gates_.push_back({.model = leg.policy.name, .line = {}});
  }
}

bool Gates::may_pass(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const std::uint8_t gate = before(job);
  if (gate == kNoGate || (first(gate) == kNoJob && fits(gate, job))) return true;
  job.stage = Stage::at_gate;
  stand(gates_[gate], slot);
  return false;
}

void Gates::stand(Gate& gate, JobSlot slot) {
  gate.line.push_back(tables_.stay_of(slot));
  if (gate.line.size() <= 64 || gate.line.size() <= 2 * gate.tidied_at) return;
  std::erase_if(gate.line, [this](const JobStay& entry) { return !tables_.is_live(entry); });
  gate.tidied_at = gate.line.size();
}

bool Gates::fits(std::size_t gate, const JobState& job) const {
  const std::int32_t most = job.strategy->legs[job.leg].policy.open_max;
  const auto places = static_cast<std::int64_t>(route_.usable(job, job.leg).size());
  return most == 0 || requests_.open_at(gate) + places <= most;
}

// Those who have left are taken off.
JobSlot Gates::first(std::size_t gate) {
  std::deque<JobStay>& line = gates_[gate].line;
  while (!line.empty() && !tables_.is_live(line.front())) line.pop_front();
  return line.empty() ? kNoJob : line.front().job;
}

bool Gates::lets_in(std::size_t gate) {
  const JobSlot standing = first(gate);
  return standing != kNoJob && fits(gate, tables_.jobs[standing]);
}

bool Gates::is_due() {
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) {
    if (lets_in(gate)) return true;
  }
  return false;
}

JobSlot Gates::next() {
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) {
    if (!lets_in(gate)) continue;
    const JobSlot standing = first(gate);
    gates_[gate].line.pop_front();
    return standing;
  }
  return kNoJob;
}

}  // namespace stockout
